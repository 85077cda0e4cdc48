"""The real SDK against a real server that speaks chat completions."""

import pytest

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
