"""Agents reach every call of the engine as a tool, by the official client."""

import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from groundwire.config import Config, load_config
from groundwire.engine import Engine
from groundwire.serve import mcp_server
from tests.cli.conftest import Run, gw_here
from tests.serve.conftest import new_token

pytestmark = pytest.mark.anyio
__all__ = ["gw_here"]
VOCABULARY = Path(__file__).parents[2] / "examples/vocabulary/halden-grid.ttl"
MAST = "The mast is 42 m high. It was built in 1974."
TRACE = {
    "trace_id": "run-1",
    "invocations": [{"tool": "bash", "input": {"command": "make test"}, "output": "ok"}],
}
CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "verify_claim": ({"claim": "The mast is 40 m high.", "evidence": [MAST]}, "contradicted"),
    "verify_claims": ({"text": "The mast is 42 m high.", "evidence": [MAST]}, "grounded"),
    "audit_trace": (
        {"steps": ["The mast is 42 m high."], "context": MAST, "answer": "It is 42 m high."},
        "ENTAILED",
    ),
    "verify_output": (
        {"output": {"summary": "I ran the tests.", "claims": []}, "trace": [TRACE]},
        "valid",
    ),
    "ask": ({"question": "How long are access logs kept?"}, "mode"),
    "verify_edge": ({"cause": "an overheated bearing", "effect": "the pump failed"}, "status"),
    "term": ({"term": "remote terminal unit"}, "mode"),
    "remember": ({"fact": "The mast is 42 m high.", "evidence": [MAST]}, "stored"),
    "recall": ({"query": "How high is the mast?"}, "42 m"),
}
"""The arguments, and a word of the result."""


def settings(home: Path) -> Config:
    return load_config(environ={}, overrides={"home": home}, directory=home.parent).config


def gw(home: Path, *arguments: str) -> list[str]:
    return ["-m", "groundwire", "--set", f"home={home}", *arguments]


@contextmanager
def http_server(home: Path) -> Iterator[str]:
    command = [sys.executable, *gw(home, "mcp", "--http", "--port", "0")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        told = re.search(r"http://\S+", running.stderr.readline())
        assert told is not None
        try:
            yield told[0]
        finally:
            running.terminate()
            running.stderr.read()


@asynccontextmanager
async def connected(home: Path, how: str) -> AsyncIterator[Client]:
    if how == "stdio":
        server = StdioServerParameters(
            command=sys.executable, args=gw(home, "mcp"), env=dict(os.environ)
        )
        async with Client(stdio_client(server)) as client:
            yield client
    else:
        with http_server(home) as address:
            async with Client(address) as client:
                yield client


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize("how", ["stdio", "http"])
async def test_the_official_client_lists_and_calls_every_tool(how: str, tmp_path: Path) -> None:
    """Each has a description and schemas of what goes in and comes out, and answers."""
    notes = tmp_path / "notes.md"
    notes.write_text(
        "# Notes\n\nAccess logs are kept for 30 days. "
        "The pump failed because its bearing overheated."
    )
    with Engine(settings(tmp_path / "home")) as engine:
        engine.index_sync([notes], embed=False)
        engine.add_vocabularies_sync([VOCABULARY])
    async with connected(tmp_path / "home", how) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(listed) == set(CALLS)
        for tool in listed.values():
            assert tool.description
            assert tool.output_schema is not None
        for name, (arguments, expected) in CALLS.items():
            result = await client.call_tool(name, arguments)
            assert not result.is_error, (name, result.content)
            assert expected in json.dumps(result.structured_content), name


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with Engine(settings(tmp_path)) as engine, Client(mcp_server(engine)) as client:
        yield client


async def test_what_is_missing_is_told_with_what_to_do(client: Client) -> None:
    """A graph is named, never a path; an unknown one is told with those that are kept."""
    wrong = await client.call_tool(
        "verify_edge", {"cause": "a", "effect": "b", "graph": "../../etc/passwd"}
    )
    assert wrong.is_error
    without = await client.call_tool("ask", {"question": "How long are logs kept?"})
    assert without.is_error  # there is no index here, and the model is told what to do
    assert "gw index" in str(without.content)
    unknown = await client.call_tool("verify_edge", {"cause": "a", "effect": "b", "graph": "x"})
    assert unknown.is_error
    assert "Kept are: none." in str(unknown.content)


async def test_results_are_terse(client: Client) -> None:
    """What is wrong comes with its quote; what is empty is left out; no figure is shown."""
    text = "The mast is 40 m high. It was built in 1974."
    result = await client.call_tool("verify_claims", {"text": text, "evidence": [MAST]})
    assert result.structured_content is not None
    told = result.structured_content
    assert [one["status"] for one in told["wrong"]] == ["contradicted"]
    assert told["wrong"][0]["quotes"][0] == {"quote": "The mast is 42 m high.", "source": "1"}
    assert told["grounded"] == ["The mast was built in 1974."]
    assert "not_determined" not in told
    assert len(json.dumps(told)) < 700


async def test_a_refused_fact_is_a_result(client: Client) -> None:
    """The model learns that it was not stored, and why."""
    result = await client.call_tool(
        "remember", {"fact": "The mast is 40 m high.", "evidence": [MAST]}
    )
    assert not result.is_error
    assert result.structured_content is not None
    assert result.structured_content["stored"] is False


async def test_bad_arguments_are_an_answer(client: Client) -> None:
    """Missing, empty and out-of-range arguments are told, and nothing breaks."""
    for arguments in (
        {},
        {"claim": "", "evidence": ["a"]},
        {"claim": "a", "evidence": []},
        {"claim": "a", "evidence": ["a"], "confidence": 2},
    ):
        assert (await client.call_tool("verify_claim", arguments)).is_error


async def test_over_http_tokens_count_as_for_the_service(tmp_path: Path) -> None:
    """From the first token on nobody comes in without one that may verify and remember."""
    small = new_token(tmp_path, "verify")
    token = new_token(tmp_path, "verify", "memory")
    with http_server(tmp_path) as address:
        assert httpx2.post(address, json={}).status_code == 401
        headers = {"Authorization": f"Bearer {small}"}
        assert httpx2.post(address, json={}, headers=headers).status_code == 403
        headers = {"Authorization": f"Bearer {token}", "Origin": "https://elsewhere.example"}
        assert httpx2.post(address, json={}, headers=headers).status_code == 403
        headers = {"Authorization": f"Bearer {token}"}
        assert httpx2.post(address, json={}, headers=headers).status_code in (400, 406)


def test_others_are_not_served_without_a_token(gw_here: Run) -> None:
    """An address that others reach needs a token first."""
    done = gw_here("mcp", "--http", "--host", "0.0.0.0")  # noqa: S104
    assert done.returncode == 2
    assert "gw token add" in done.stderr
