"""The real SDK against a real server that speaks chat completions."""

from collections.abc import Mapping
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from groundwire.errors import BackendUnsupported
from groundwire.llm import CallPolicy, LLMClient
from groundwire.llm._openai import OpenAIProvider
from groundwire.testing import Answer, Asked, Fault, OpenAIServer, Reply
from tests.llm.wires import KEY, WireContract

pytestmark = pytest.mark.anyio


class TestOpenAIWire(WireContract):
    server = OpenAIServer
    provider = OpenAIProvider


def connect(server: OpenAIServer) -> LLMClient:
    provider = OpenAIProvider("a-model", base_url=server.base_url, api_key=KEY)
    return LLMClient(provider, policy=CallPolicy(max_retries=0))


def dislikes_temperature(asked: Asked) -> Reply:
    return Fault("no_temperature") if asked.temperature is not None else Answer("YES")


async def test_a_parameter_the_model_does_not_know_is_left_out_from_then_on() -> None:
    with OpenAIServer(dislikes_temperature) as server:
        async with connect(server) as client:
            for _ in range(2):
                assert (await client.generate("?", temperature=0.0)).text == "YES"
    assert [asked.temperature for asked in server.asked] == [0.0, None, None]


class Modern(OpenAIServer):
    """Wants the newer name of a parameter, as reasoning models do."""

    def __init__(self) -> None:
        super().__init__(
            lambda _: Fault("too_long") if "max_tokens" in self.body else Answer("YES")
        )
        self.body: Mapping[str, Any] = {}

    def read(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> Asked:
        self.body = body
        return super().read(path, body, headers)

    def write_fault(self, asked: Asked, fault: Fault) -> tuple[int, Mapping[str, Any]]:
        del asked, fault
        words = "'max_tokens' is not supported with this model. Use 'max_completion_tokens'."
        return 400, {"error": {"message": words, "param": "max_tokens", "code": None, "type": "x"}}


async def test_the_newer_name_of_the_token_limit_is_used_where_it_is_wanted() -> None:
    with Modern() as server:
        async with connect(server) as client:
            assert (await client.generate("?", max_tokens=7)).text == "YES"
            assert (await client.generate("?", max_tokens=7)).text == "YES"
    assert server.body["max_completion_tokens"] == 7
    assert len(server.asked) == 3


class Verdict(BaseModel):
    answer: Literal["YES", "NO"]


async def test_two_things_refused_together_may_still_be_had_apart() -> None:
    def not_both(asked: Asked) -> Reply:
        if asked.top_logprobs and asked.output_schema:
            return Fault("no_logprobs")
        return Answer('{"answer": "YES"}' if asked.output_schema else "YES")

    with OpenAIServer(not_both) as server:
        async with connect(server) as client:
            with pytest.raises(BackendUnsupported):
                await client.generate_structured_native("?", Verdict, top_logprobs=5)
            assert (await client.token_logprobs("?")).text == "YES"
            assert (await client.generate_structured_native("?", Verdict)).value.answer == "YES"


async def test_missing_log_probabilities_are_noticed_and_remembered() -> None:
    with OpenAIServer(Fault("no_logprobs")) as server:
        async with connect(server) as client:
            for _ in range(2):
                with pytest.raises(BackendUnsupported):
                    await client.token_logprobs("?")
            assert client.capabilities().logprobs is False
            assert client.capabilities("another-model").logprobs is None
    assert len(server.asked) == 1


async def test_a_server_that_ignores_the_wish_for_log_probabilities_is_noticed() -> None:
    with OpenAIServer(Answer("YES", logprobs=())) as server:
        async with connect(server) as client:
            with pytest.raises(BackendUnsupported):
                await client.token_logprobs("?")


async def test_settings_of_the_environment_meant_for_the_sdk_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "https://elsewhere.example/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "a-key-of-the-environment")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example:3128")
    with OpenAIServer("YES", key=KEY) as server:
        async with connect(server) as client:
            assert (await client.generate("?")).text == "YES"
