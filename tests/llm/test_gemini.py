"""The real SDK against a real server that speaks generateContent."""

from collections.abc import Mapping
from typing import Any

import pytest

from groundwire.errors import BackendUnsupported
from groundwire.llm import CallPolicy, LLMClient
from groundwire.llm._gemini import GeminiProvider
from groundwire.testing import Answer, Asked, Fault, GeminiServer, Reply
from tests.llm.wires import KEY, Verdict, WireContract

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.heavy,
    # the SDK's own source, when it is compiled for the first time
    pytest.mark.filterwarnings("ignore:invalid escape sequence"),
]


class TestGeminiWire(WireContract):
    server = GeminiServer
    provider = GeminiProvider


def connect(server: GeminiServer) -> LLMClient:
    provider = GeminiProvider("a-model", base_url=server.base_url, api_key=KEY)
    return LLMClient(provider, policy=CallPolicy(max_retries=0))


async def test_the_native_mode_is_mime_type_and_schema() -> None:
    """[S1 step 1] `response_mime_type` and `response_schema` on the wire."""
    bodies = []

    class Watching(GeminiServer):
        def read(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> Asked:
            bodies.append(body["generationConfig"])
            return super().read(path, body, headers)

    with Watching('{"answer": "YES", "note": null}') as server:
        async with connect(server) as client:
            await client.generate_structured_native("?", Verdict)
    assert bodies[0]["responseMimeType"] == "application/json"
    assert bodies[0]["responseSchema"]["properties"]["answer"]["enum"] == ["YES", "NO"]


async def test_missing_log_probabilities_are_noticed_and_remembered() -> None:
    with GeminiServer(Fault("no_logprobs")) as server:
        async with connect(server) as client:
            for _ in range(2):
                with pytest.raises(BackendUnsupported):
                    await client.token_logprobs("?")
    assert len(server.asked) == 1


async def test_a_model_that_must_think_may_think() -> None:
    def answer(asked: Asked) -> Reply:
        return Answer("YES") if len(server.asked) > 1 else Fault("no_temperature")

    with GeminiServer(answer) as server:
        async with connect(server) as client:
            assert (await client.generate("?", thinking=False)).text == "YES"
    assert len(server.asked) == 2


async def test_the_environments_settings_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "a-key-of-the-environment")
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    with GeminiServer("YES", key=KEY) as server:
        async with connect(server) as client:
            assert (await client.generate("?")).text == "YES"
