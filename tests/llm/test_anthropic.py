"""The real SDK against a real server that speaks the Messages API."""

import pytest

from groundwire.llm import CallPolicy, LLMClient
from groundwire.llm._anthropic import AnthropicProvider
from groundwire.testing import Answer, AnthropicServer, Asked, Fault, Reply, in_order
from tests.llm.wires import KEY, WireContract

pytestmark = [pytest.mark.anyio, pytest.mark.heavy]


class TestAnthropicWire(WireContract):
    server = AnthropicServer
    provider = AnthropicProvider
    gives_logprobs = False


def connect(server: AnthropicServer) -> LLMClient:
    provider = AnthropicProvider("a-model", base_url=server.base_url, api_key=KEY)
    return LLMClient(provider, policy=CallPolicy(max_retries=0))


async def test_no_temperature_is_ever_sent() -> None:
    """The API refuses requests that carry one."""
    with AnthropicServer("YES") as server:
        async with connect(server) as client:
            await client.generate("?", temperature=1.0)
    assert server.asked[0].temperature is None


async def test_a_model_that_must_think_may_think() -> None:
    def answer(asked: Asked) -> Reply:
        return Answer("YES") if len(server.asked) > 1 else Fault("no_temperature")

    with AnthropicServer(answer) as server:
        async with connect(server) as client:
            assert (await client.generate("?", thinking=False)).text == "YES"
    assert len(server.asked) == 2


async def test_the_environments_credentials_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key-of-the-environment")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "https://elsewhere.example")
    with AnthropicServer(in_order("YES"), key=KEY) as server:
        async with connect(server) as client:
            assert (await client.generate("?")).text == "YES"
