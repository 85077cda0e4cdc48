import socket
import urllib.request

import pytest

from groundwire.llm import CallPolicy, LLMClient
from groundwire.llm._openai import OpenAIProvider
from groundwire.testing import NetworkForbidden, OpenAIServer


def test_the_suite_cannot_reach_beyond_this_machine() -> None:
    """The guard is on for every test: nothing is switched on here."""
    with pytest.raises(NetworkForbidden):
        socket.create_connection(("192.0.2.1", 80), timeout=0.1)
    with pytest.raises(NetworkForbidden):
        socket.getaddrinfo("models.example", 443)
    with pytest.raises(NetworkForbidden):
        urllib.request.urlopen("http://models.example/")


@pytest.mark.anyio
async def test_no_client_mistakes_the_guard_for_a_server_that_is_down() -> None:
    provider = OpenAIProvider("m", base_url="http://models.example/v1", api_key="x" * 9)
    async with LLMClient(provider, policy=CallPolicy(max_retries=0)) as client:
        with pytest.raises(NetworkForbidden):
            await client.generate("?")


def test_this_machine_can_be_reached() -> None:
    with OpenAIServer("YES") as server, urllib.request.urlopen(server.base_url) as answer:  # noqa: S310
        assert answer.status == 200
