"""One run of one agent in four message formats gives one trace."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from groundwire.actions import TaskVerifier
from groundwire.config import ActionsSection
from groundwire.errors import InputError, UnreadableSource
from groundwire.traces import (
    ToolTrace,
    open_trace,
    trace_from_anthropic,
    trace_from_mcp,
    trace_from_openai,
)
from tests.actions.helpers import edit, output, ran, statuses, write

EDIT = {"file_path": "a.py", "old_string": "1", "new_string": "2"}
CHAT: list[dict[str, Any]] = [
    {"role": "user", "content": "Change a.py."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {
                    "name": "write_file",
                    "arguments": json.dumps({"path": "b.py", "content": "b\n"}),
                },
            },
            {
                "id": "c2",
                "type": "function",
                "function": {"name": "Edit", "arguments": json.dumps(EDIT)},
            },
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "File written."},
    {"role": "tool", "tool_call_id": "c2", "content": "Error: old_string not found"},
    {
        "role": "assistant",
        "tool_calls": [
            {"id": "c3", "function": {"name": "bash", "arguments": '{"command": "pytest -q"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "c3", "content": "3 passed\nexit code: 0"},
    {"role": "assistant", "content": "I updated a.py and all tests pass."},
]
RESPONSES: list[dict[str, Any]] = [
    {
        "type": "function_call",
        "call_id": "c1",
        "name": "write_file",
        "arguments": json.dumps({"path": "b.py", "content": "b\n"}),
    },
    {"type": "function_call_output", "call_id": "c1", "output": "File written."},
    {"type": "function_call", "call_id": "c2", "name": "Edit", "arguments": json.dumps(EDIT)},
    {"type": "function_call_output", "call_id": "c2", "output": "Error: old_string not found"},
    {"type": "local_shell_call", "call_id": "c3", "action": {"command": ["pytest", "-q"]}},
    {
        "type": "local_shell_call_output",
        "call_id": "c3",
        "output": json.dumps({"output": "3 passed", "metadata": {"exit_code": 0}}),
    },
]
BLOCKS: list[dict[str, Any]] = [
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "On it."},
            {
                "type": "tool_use",
                "id": "c1",
                "name": "Write",
                "input": {"file_path": "b.py", "content": "b\n"},
            },
            {"type": "tool_use", "id": "c2", "name": "Edit", "input": EDIT},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "c1", "content": "File written."},
            {
                "type": "tool_result",
                "tool_use_id": "c2",
                "is_error": True,
                "content": [{"type": "text", "text": "not found"}],
            },
        ],
    },
    {
        "role": "assistant",
        "content": [
            {"type": "tool_use", "id": "c3", "name": "Bash", "input": {"command": "pytest -q"}}
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "c3", "content": "3 passed\nexit code 0"}
        ],
    },
]
RPC: list[dict[str, Any]] = [
    {"jsonrpc": "2.0", "id": 0, "method": "tools/list"},
    {"jsonrpc": "2.0", "id": 0, "result": {"tools": []}},
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "write_file", "arguments": {"path": "b.py", "content": "b\n"}},
    },
    {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": "ok"}]}},
    {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {
            "name": "edit_file",
            "arguments": {"path": "a.py", "edits": [{"oldText": "1", "newText": "2"}]},
        },
    },
    {
        "jsonrpc": "2.0",
        "id": 2,
        "result": {"content": [{"type": "text", "text": "no match"}], "isError": True},
    },
    {
        "jsonrpc": "2.0",
        "id": 3,
        "method": "tools/call",
        "params": {"name": "run_command", "arguments": {"command": "pytest -q"}},
    },
    {
        "jsonrpc": "2.0",
        "id": 3,
        "result": {"structuredContent": {"stdout": "3 passed", "exit_code": 0}, "content": []},
    },
]
OURS = [
    {"groundwire_trace": 1, "trace_id": "run", "cwd": "/work"},
    {"id": "1", "tool": "Write", "arguments": {"path": "b.py", "content": "b\n"}, "outcome": "ok"},
    {"id": "2", "tool": "Edit", "arguments": EDIT, "outcome": "error"},
    {
        "id": "3",
        "tool": "Bash",
        "arguments": {"command": "pytest -q"},
        "result": "3 passed",
        "exit_code": 0,
    },
]
ENVELOPES = [{"type": message["role"], "cwd": "/work", "message": message} for message in BLOCKS]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "a.py").write_text("x = 1\n")
    (folder / "b.py").write_text("b\n")
    return folder


def judged(trace: ToolTrace, base: Path) -> list[str]:
    claims = (
        write("b.py", "b\n"),
        edit("a.py", "x = ", "2", "\n"),
        ran("pytest -q", 0),
        {"type": "tests-pass"},
    )
    return statuses(TaskVerifier().verify_sync(output(*claims), trace, base))


EXPECTED = ["verified", "failed", "verified", "verified"]


def test_messages_become_the_same_trace(base: Path) -> None:
    for trace in (
        trace_from_openai(CHAT),
        trace_from_openai(RESPONSES),
        trace_from_anthropic(BLOCKS),
        trace_from_mcp(RPC),
    ):
        assert [event.outcome or "read off" for event in trace][1:2] in (["error"], ["read off"])
        assert judged(trace, base) == EXPECTED


@pytest.mark.parametrize("records", [CHAT, RESPONSES, BLOCKS, RPC, OURS, ENVELOPES], ids=range(6))
@pytest.mark.parametrize("layout", ["lines", "array", "object"])
def test_files_are_read_whatever_their_format(
    base: Path, tmp_path: Path, records: list[dict[str, Any]], layout: str
) -> None:
    path = tmp_path / "trace"
    name = "events" if records is OURS else "messages"
    if layout == "lines":
        path.write_text("\n".join(json.dumps(record) for record in records))
    elif layout == "array":
        path.write_text(json.dumps(records, indent=2))
    else:
        path.write_text(json.dumps({"trace_id": "run", name: records}))
    assert judged(open_trace(path), base) == EXPECTED


def test_a_header_is_known_before_the_events_are_read(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in OURS))
    trace = open_trace(path)
    assert (trace.trace_id, trace.cwd, trace.complete) == ("run", "/work", True)
    assert len(list(trace)) == 3
    assert len(list(trace)) == 3


def test_a_trace_can_say_that_it_is_not_complete(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text('{"groundwire_trace": 1, "complete": false}\n')
    assert open_trace(path).complete is False


def test_a_call_nobody_answered_may_have_happened(base: Path) -> None:
    [event] = trace_from_openai(CHAT[4:5])
    assert event.outcome == "unknown"
    never_answered = trace_from_anthropic(BLOCKS[:1])
    claim = edit("a.py", "x = ", "2", "\n")
    result = TaskVerifier().verify_sync(output(claim), never_answered, base)
    assert result.claims[0].status == "unverified"
    assert "not complete" in result.claims[0].detail


def test_a_custom_tool_takes_bare_text() -> None:
    patch = "*** Begin Patch\n*** Delete File: a.py\n*** End Patch"
    call = {"type": "custom_tool_call", "call_id": "c", "name": "apply_patch", "input": patch}
    done = {"type": "custom_tool_call_output", "call_id": "c", "output": "Done"}
    [event] = trace_from_openai([call, done])
    assert event.arguments == {"input": patch}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("{", "is not valid JSON"),
        ("[1, 2]", "must be an object"),
        ('{"hello": "world"}', "no events that could be understood"),
        ('{"groundwire_trace": 7}', "version 7"),
        ('{"groundwire_trace": 1}\n{"tool": 5}', "line 2, field tool"),
        ('{"groundwire_trace": 1}\n{"tool": "x", "writes": [{}]}', "field writes.0.path"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        list(open_trace(path))
    assert words in str(caught.value)
    assert "trace.jsonl" in str(caught.value)


def test_a_missing_and_a_huge_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="nowhere"):
        open_trace(tmp_path / "nowhere")
    path = tmp_path / "huge"
    path.write_text("\n".join(json.dumps(record) for record in OURS))
    with pytest.raises(UnreadableSource, match=r"actions\.max_trace_mb"):
        open_trace(path, settings=ActionsSection(max_trace_mb=0.0001))


def test_standard_input_can_be_read_twice(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(json.dumps(record) for record in OURS)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    trace = open_trace("-")
    assert judged(trace, base) == EXPECTED
    assert judged(trace, base) == EXPECTED
