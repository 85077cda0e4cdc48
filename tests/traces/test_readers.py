"""Each product's transcript becomes the same events, with an account of what was read."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.traces import ToolTrace, TraceAccount, open_trace, was_not_run

Json = dict[str, Any]
EDIT = {"file_path": "/w/a.py", "old_string": "1", "new_string": "2"}
RUN = {"command": "pytest -q"}


def lines(*records: Any) -> str:
    return "\n".join(one if isinstance(one, str) else json.dumps(one) for one in records) + "\n"


def opened(tmp_path: Path, text: str, name: str = "session") -> ToolTrace:
    path = tmp_path / name
    path.write_text(text)
    return open_trace(path)


def claude(number: int, kind: str, content: Any, **fields: Any) -> Json:
    before = None if number == 1 else f"u{number - 1}"
    shared = {"uuid": f"u{number}", "parentUuid": before, "sessionId": "s", "cwd": "/w"}
    return {"type": kind, **shared, "message": {"role": kind, "content": content}, **fields}


def use(identity: str, tool: str, given: Json) -> list[Json]:
    return [{"type": "tool_use", "id": identity, "name": tool, "input": given}]


def result(identity: str, text: str, *, is_error: bool = False) -> list[Json]:
    block = {"type": "tool_result", "tool_use_id": identity, "content": text}
    return [{**block, "is_error": is_error}]


CLAUDE = [
    {"type": "summary", "summary": "A title", "leafUuid": "x"},
    claude(1, "user", "Fix it."),
    claude(2, "assistant", use("t1", "Edit", EDIT)),
    claude(3, "user", result("t1", "The file was updated."), toolUseResult={"filePath": "/w/a.py"}),
    claude(4, "assistant", use("t2", "Bash", RUN)),
    claude(5, "user", result("t2", "Exit code 1\n1 failed", is_error=True)),
    claude(6, "assistant", use("t3", "Bash", RUN)),
    claude(7, "user", result("t3", "2 passed"), toolUseResult={"stdout": "2 passed", "stderr": ""}),
    claude(8, "assistant", [{"type": "text", "text": "Done."}]),
]
CLAUDE_STREAM = [
    {"type": "system", "subtype": "init", "cwd": "/w", "session_id": "s"},
    {"type": "assistant", "session_id": "s", "message": {"content": use("t1", "Bash", RUN)}},
    {"type": "user", "session_id": "s", "message": {"content": result("t1", "ok")}},
    {"type": "result", "subtype": "success", "session_id": "s", "result": "Done."},
]


def codex(kind: str, **payload: Any) -> Json:
    return {"timestamp": "2026-01-01T00:00:00Z", "type": kind, "payload": payload}


def item(kind: str, **payload: Any) -> Json:
    return codex("response_item", type=kind, **payload)


PATCH = "*** Begin Patch\n*** Delete File: a.py\n*** End Patch"
SHELL = json.dumps({"command": ["bash", "-lc", "pytest -q"], "workdir": "/w/sub"})
HEREDOC = json.dumps({"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}\nEOF"]})
CODEX = [
    codex("session_meta", id="s", cwd="/w"),
    codex("turn_context", cwd="/w"),
    item("message", role="user", content=[{"type": "input_text", "text": "Fix it."}]),
    item("function_call", name="shell", arguments=SHELL, call_id="c1"),
    codex("event_msg", type="exec_command_end", call_id="c1", exit_code=0),
    item(
        "function_call_output", call_id="c1", output="Exit code: 1\nWall time: 1\nOutput:\n1 failed"
    ),
    item("custom_tool_call", name="apply_patch", input=PATCH, call_id="c2"),
    item(
        "custom_tool_call_output",
        call_id="c2",
        output="apply_patch verification failed: Failed to find expected lines in a.py",
    ),
    item("function_call", name="shell", arguments=HEREDOC, call_id="c3"),
    item(
        "function_call_output",
        call_id="c3",
        output=json.dumps({"output": "Success.", "metadata": {"exit_code": 0}}),
    ),
    codex("event_msg", type="token_count", info=None),
]
CODEX_OLD = [
    {"id": "s", "timestamp": "2025-08-01T00:00:00Z", "instructions": None},
    {"record_type": "state"},
    {"type": "function_call", "name": "shell", "arguments": SHELL, "call_id": "c1"},
    {"type": "function_call_output", "call_id": "c1", "output": "Exit code: 0\nOutput:\nok"},
]
CHANGE = {"id": "i2", "type": "file_change", "changes": [{"path": "a.py", "kind": "add"}]}
COMMAND = {"id": "i1", "type": "command_execution", "command": "/bin/bash -lc 'pytest -q'"}
CODEX_EXEC = [
    {"type": "thread.started", "thread_id": "s"},
    {"type": "turn.started"},
    {"type": "item.started", "item": {**COMMAND, "status": "in_progress"}},
    {"type": "item.completed", "item": {**COMMAND, "exit_code": 2, "status": "failed"}},
    {"type": "item.completed", "item": {**CHANGE, "status": "completed"}},
    {"type": "turn.completed", "usage": {}},
]
GEMINI_CALL = {
    "id": "g1",
    "name": "run_shell_command",
    "args": RUN,
    "status": "success",
    "result": [{"functionResponse": {"response": {"output": "Output: no\nExit Code: 1"}}}],
}
GEMINI = {
    "sessionId": "s",
    "projectHash": "h",
    "messages": [
        {"id": "1", "type": "user", "content": "Fix it."},
        {"id": "2", "type": "gemini", "content": "", "toolCalls": [GEMINI_CALL]},
        {
            "id": "3",
            "type": "gemini",
            "toolCalls": [{"id": "g2", "name": "replace", "args": EDIT, "status": "cancelled"}],
        },
    ],
}
GEMINI_LINES = [{"kind": "main", "sessionId": "s", "projectHash": "h"}, *GEMINI["messages"]]
GEMINI_STREAM = [
    {"type": "init", "session_id": "s"},
    {"type": "tool_use", "tool_name": "run_shell_command", "tool_id": "g1", "parameters": RUN},
    {"type": "tool_result", "tool_id": "g1", "status": "success", "output": "ok"},
    {"type": "result", "status": "success"},
]


def opencode_tool(identity: str, tool: str, **state: Any) -> Json:
    return {"type": "tool", "tool": tool, "callID": identity, "state": state}


OPENCODE_PARTS = [
    {"type": "step-start"},
    opencode_tool("o1", "bash", status="completed", input=RUN, output="x", metadata={"exit": 1}),
    opencode_tool("o2", "edit", status="error", input={}, error="oldString not found in content"),
    opencode_tool(
        "o3", "bash", status="error", input=RUN, error="The user rejected permission to use this."
    ),
]
OPENCODE = {
    "info": {"id": "s", "directory": "/w", "projectID": "p", "version": "1"},
    "messages": [
        {"info": {"role": "user"}, "parts": [{"type": "text", "text": "Fix it."}]},
        {"info": {"role": "assistant", "path": {"cwd": "/w"}}, "parts": OPENCODE_PARTS},
    ],
}
OPENCODE_RUN = [
    {"type": "step_start", "sessionID": "s", "part": {"type": "step-start"}},
    {"type": "tool_use", "sessionID": "s", "part": OPENCODE_PARTS[1]},
    {"type": "step_finish", "sessionID": "s", "part": {"type": "step-finish"}},
]


def openhands(number: int, **fields: Any) -> Json:
    return {"id": number, "timestamp": "t", "source": "agent", **fields}


OPENHANDS = [
    openhands(0, source="user", action="message", args={"content": "Fix it."}),
    openhands(1, action="run", args={**RUN, "thought": "now"}),
    openhands(
        2,
        cause=1,
        observation="run",
        content="1 failed",
        extras={"metadata": {"exit_code": 1, "working_dir": "/w"}},
    ),
    openhands(3, action="finish", args={}),
]
OPENHANDS_EVENTS = [
    {"kind": "SystemPromptEvent", "source": "agent"},
    {
        "kind": "ActionEvent",
        "source": "agent",
        "tool_name": "terminal",
        "tool_call_id": "h1",
        "action": {"kind": "TerminalAction", **RUN},
    },
    {
        "kind": "ObservationEvent",
        "source": "environment",
        "tool_call_id": "h1",
        "observation": {"kind": "TerminalObservation", "content": [], "exit_code": 1},
    },
]
SWE_AGENT = {
    "environment": "main",
    "trajectory": [
        {"action": "open a.py", "observation": "[File]", "state": '{"open_file": "/w/a.py"}'},
        {
            "action": "edit 1:1\nx = (\nend_of_edit",
            "observation": "Your proposed edit has introduced new syntax error(s). Please fix.",
            "state": {"open_file": "/w/a.py", "working_dir": "/w"},
        },
        {"action": "pytest -q", "observation": "1 passed", "state": {"working_dir": "/w"}},
    ],
    "history": [{"role": "user", "content": "Fix it."}],
    "info": {"exit_status": "submitted"},
}


def mini_call(identity: str, command: str) -> Json:
    function = {"name": "bash", "arguments": json.dumps({"command": command})}
    call = {"id": identity, "type": "function", "function": function}
    return {"role": "assistant", "tool_calls": [call], "extra": {"actions": [{}]}}


MINI = {
    "info": {"mini_version": "2", "config": {"environment": {"cwd": "/w"}}},
    "messages": [
        {"role": "system", "content": "Work."},
        mini_call("m1", "pytest -q"),
        {
            "role": "tool",
            "tool_call_id": "m1",
            "content": "<returncode>1</returncode>",
            "extra": {"raw_output": "1 failed", "returncode": 1},
        },
        mini_call("m2", "echo COMPLETE"),
        {"role": "exit", "content": "diff", "extra": {"exit_status": "Submitted"}},
    ],
    "trajectory_format": "mini-swe-agent-1.1",
}
COPILOT = [
    {"type": "session.start", "data": {"sessionId": "s", "context": {"cwd": "/w"}}},
    {
        "type": "assistant.message",
        "data": {"toolRequests": [{"toolCallId": "p1", "name": "bash", "arguments": RUN}]},
    },
    {"type": "tool.execution_start", "data": {"toolCallId": "p1", "toolName": "bash"}},
    {
        "type": "tool.execution_complete",
        "data": {"toolCallId": "p1", "success": False, "error": {"message": "no"}},
    },
]
PI = [
    {"type": "session", "version": 3, "id": "s", "cwd": "/w"},
    {
        "type": "message",
        "id": "a",
        "parentId": None,
        "message": {
            "role": "assistant",
            "content": [{"type": "toolCall", "id": "q1", "name": "bash", "arguments": RUN}],
        },
    },
    {
        "type": "message",
        "id": "b",
        "parentId": "a",
        "message": {"role": "toolResult", "toolCallId": "q1", "content": [], "isError": True},
    },
]
ATIF = {
    "schema_version": "ATIF-v1.5",
    "session_id": "s",
    "steps": [
        {"step_id": 1, "source": "user", "message": "Fix it."},
        {
            "step_id": 2,
            "source": "agent",
            "tool_calls": [{"tool_call_id": "f1", "function_name": "bash", "arguments": RUN}],
            "observation": {"results": [{"source_call_id": "f1", "content": "1 failed"}]},
        },
    ],
}
WHOLE: dict[str, str] = {
    "claude-session": lines(*CLAUDE),
    "claude-stream": lines(*CLAUDE_STREAM),
    "codex-rollout": lines(*CODEX),
    "codex-rollout-old": lines(*CODEX_OLD),
    "codex-exec": lines(*CODEX_EXEC),
    "gemini-chat": json.dumps(GEMINI, indent=1),
    "gemini-chat-jsonl": lines(*GEMINI_LINES),
    "gemini-stream": lines(*GEMINI_STREAM),
    "opencode-export": json.dumps(OPENCODE),
    "opencode-run": lines(*OPENCODE_RUN),
    "openhands-list": json.dumps(OPENHANDS, indent=1),
    "openhands-events": lines(*OPENHANDS_EVENTS),
    "swe-agent": json.dumps(SWE_AGENT),
    "mini-swe-agent": json.dumps(MINI),
    "copilot-events": lines(*COPILOT),
    "pi-session": lines(*PI),
    "atif": json.dumps(ATIF),
}
# calls, exit codes known, refused by the tool, refused by the user
COUNTED = {
    "claude-session": (3, 2, 0, 0),
    "claude-stream": (1, 0, 0, 0),
    "codex-rollout": (3, 1, 1, 0),
    "codex-rollout-old": (1, 1, 0, 0),
    "codex-exec": (2, 1, 0, 0),
    "gemini-chat": (2, 1, 0, 1),
    "gemini-chat-jsonl": (2, 1, 0, 1),
    "gemini-stream": (1, 0, 0, 0),
    "opencode-export": (3, 1, 1, 1),
    "opencode-run": (1, 1, 0, 0),
    "openhands-list": (1, 1, 0, 0),
    "openhands-events": (1, 1, 0, 0),
    "swe-agent": (3, 0, 1, 0),
    "mini-swe-agent": (2, 1, 0, 0),
    "copilot-events": (1, 0, 0, 0),
    "pi-session": (1, 0, 0, 0),
    "atif": (1, 0, 0, 0),
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_session_is_recognised_and_complete(tmp_path: Path, name: str) -> None:
    """By what stands in the file: every call is paired, nothing is unread."""
    account = opened(tmp_path, WHOLE[name]).account
    counted = (account.calls, account.exit_codes)
    assert (account.format, account.reasons) == (name, ())
    assert (*counted, account.refused_by_tool, account.refused_by_user) == COUNTED[name]
    assert account.paired == account.calls
    assert account.complete


CLINE = [
    {"ts": 1, "type": "say", "say": "api_req_started", "text": '{"request": "…"}'},
    {"ts": 2, "type": "ask", "ask": "command", "text": "pytest -q"},
    {"ts": 3, "type": "say", "say": "command_output", "text": "1 passed"},
    {
        "ts": 4,
        "type": "say",
        "say": "tool",
        "text": json.dumps({"tool": "newFileCreated", "path": "a.py", "content": "x"}),
    },
    {"ts": 5, "type": "say", "say": "tool", "text": '{"tool": "newFileCreated", "pa'},
]
CURSOR = [
    {"role": "user", "message": {"content": [{"type": "text", "text": "Fix it."}]}},
    {
        "role": "assistant",
        "message": {"content": [{"type": "tool_use", "name": "Shell", "input": RUN}]},
    },
    {"type": "turn_ended", "status": "success"},
]
AIDER = """
# aider chat started at 2026-01-01 10:00:00

#### Fix it.

> Applied edit to a.py
> Commit 1a2b3c4 fix: the sum
> ## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in b.py
#### /run pytest -q
"""
SPECSTORY = """<!-- Generated by SpecStory, Markdown v2.1.0 -->

_**Agent (model 2026-01-01)**_

<tool-use data-tool-type="shell" data-tool-name="Bash"><details>
<summary>Tool use: **Bash**</summary>

`pytest -q`

```text
Exit code 1
1 failed
```
</details></tool-use>
"""
CURSOR_PAGE = "# Title\n_Exported on 1/1/2026 from Cursor (1.2.3)_\n\n---\n\n**Cursor**\n\nDone.\n"
LEAVING_OUT = {
    "cline-ui": (json.dumps(CLINE), 2),
    "cursor-jsonl": (lines(*CURSOR), 1),
    "cursor-md": (CURSOR_PAGE, 0),
    "aider-md": (AIDER, 3),
    "specstory-md": (SPECSTORY, 1),
}


@pytest.mark.parametrize("name", LEAVING_OUT)
def test_a_format_that_leaves_things_out_is_never_complete(tmp_path: Path, name: str) -> None:
    text, calls = LEAVING_OUT[name]
    account = opened(tmp_path, text).account
    assert (account.format, account.calls) == (name, calls)
    assert not account.complete
    assert account.reasons[0].startswith("the format leaves out")


def test_what_aider_applied_is_a_write_and_what_it_could_not_match_a_refusal(
    tmp_path: Path,
) -> None:
    applied, _, refused = opened(tmp_path, AIDER)
    assert applied.writes is not None
    assert [write.path for write in applied.writes] == ["a.py"]
    assert (refused.refused_by, refused.arguments) == ("tool", {"path": "b.py"})


def test_a_patch_sent_through_the_shell_is_a_patch(tmp_path: Path) -> None:
    """And a command line is told without the shell around it, in the folder it ran in."""
    shell, refused, patch = opened(tmp_path, lines(*CODEX))
    assert (shell.arguments["command"], shell.cwd, shell.exit_code) == ("pytest -q", "/w/sub", 1)
    assert (refused.tool, refused.outcome, refused.refused_by) == ("apply_patch", "error", "tool")
    assert (patch.tool, patch.arguments["input"], patch.outcome) == ("apply_patch", PATCH, "ok")


def test_recorded_changes_are_writes(tmp_path: Path) -> None:
    _, change = opened(tmp_path, lines(*CODEX_EXEC))
    assert change.writes is not None
    assert [(write.path, write.action) for write in change.writes] == [("a.py", "write")]


REJECTED = "The user doesn't want to proceed with this tool use. The tool use was rejected."
UNREAD = "<tool_use_error>File has not been read yet.</tool_use_error>"


def test_a_refusal_by_the_user_is_not_one_by_the_tool(tmp_path: Path) -> None:
    session = [
        claude(1, "assistant", use("t1", "Edit", EDIT)),
        claude(2, "user", result("t1", REJECTED, is_error=True)),
        claude(3, "user", [{"type": "text", "text": "[Request interrupted by user for tool use]"}]),
        claude(4, "assistant", use("t2", "Edit", EDIT)),
        claude(5, "user", result("t2", UNREAD, is_error=True)),
    ]
    trace = opened(tmp_path, lines(*session))
    assert [event.refused_by for event in trace] == ["user", "tool"]
    assert (trace.account.interruptions, trace.account.complete) == (1, True)


def reasons(tmp_path: Path, records: Sequence[Any]) -> tuple[str, ...]:
    return opened(tmp_path, lines(*records)).account.reasons


def test_work_that_stands_elsewhere_makes_a_session_incomplete(tmp_path: Path) -> None:
    task = [
        claude(1, "assistant", use("t1", "Task", {"prompt": "look"})),
        claude(2, "user", result("t1", "Found it.")),
    ]
    assert reasons(tmp_path, task) == ("work of a sub-agent stands in another file",)
    inside = claude(3, "assistant", use("t2", "Bash", RUN), isSidechain=True)
    done = claude(4, "user", result("t2", "ok"), isSidechain=True)
    account = opened(tmp_path, lines(*task, inside, done)).account
    assert (account.sidechain_calls, account.reasons) == (1, ())
    own = [*CLAUDE, claude(9, "user", "<bash-input>rm a.py</bash-input>")]
    assert reasons(tmp_path, own) == ("the user ran commands of their own",)


def test_a_compaction_hides_nothing_unless_the_file_begins_with_it(tmp_path: Path) -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "sessionId": "s", "uuid": "c"}
    inside = opened(tmp_path, lines(*CLAUDE, {**boundary, "parentUuid": None})).account
    assert (inside.compactions, inside.complete) == (1, True)
    first = opened(tmp_path, lines({**boundary, "parentUuid": None}, *CLAUDE[1:])).account
    assert first.gaps == ("cut_head",)


def account_of(tmp_path: Path, text: str) -> TraceAccount:
    return opened(tmp_path, text).account


@pytest.mark.parametrize("name", ["claude-session", "claude-stream", "codex-rollout", "codex-exec"])
def test_cut_and_half_written_files_are_incomplete_not_wrong(tmp_path: Path, name: str) -> None:
    """What is left is read; a record of a kind nobody knows is named."""
    text = WHOLE[name]
    whole = account_of(tmp_path, text)
    half = account_of(tmp_path, text[:-12])
    assert half.half_written
    assert half.calls == whole.calls
    assert "the last record is broken off" in half.reasons
    headless = account_of(tmp_path, text.partition("\n")[2].partition("\n")[2])
    assert "cut_head" in headless.gaps or headless.results_without_call
    strange = account_of(tmp_path, text + lines({"type": "never\x1b[31mseen", "sessionId": "s"}))
    assert strange.unknown_kinds == {"never\\x1b[31mseen": 1}
    assert not strange.complete
    torn = account_of(tmp_path, 'rubbish": 1}\n' + text)
    assert (torn.calls, torn.unread) == (whole.calls, 1)
    assert not torn.complete


def test_ids_that_come_twice_or_not_at_all_make_it_incomplete(tmp_path: Path) -> None:
    twice = [*CLAUDE, claude(9, "assistant", use("t1", "Bash", RUN)), *CLAUDE[3:4]]
    account = account_of(tmp_path, lines(*twice))
    assert (account.duplicate_ids, account.complete) == (1, False)
    nameless = [
        {"type": "init", "session_id": "s"},
        {"type": "tool_call", "name": "search", "args": {}},
        {"type": "tool_result", "result": {"found": 1}},
        {"type": "finished"},
    ]
    account = account_of(tmp_path, lines(*nameless))
    assert (account.paired, account.missing_ids, account.complete) == (1, 1, False)
    early = [*CLAUDE[:2], CLAUDE[3], CLAUDE[2], *CLAUDE[4:]]
    assert account_of(tmp_path, lines(*early)).paired == 3


def test_an_unanswered_call_is_named(tmp_path: Path) -> None:
    account = account_of(tmp_path, lines(*CLAUDE[:3]))
    assert [(call.id, call.tool) for call in account.unanswered] == [("t1", "Edit")]
    assert account.reasons == ("1 call without a result",)


@pytest.mark.parametrize("text", ['{"invocations": []}', '{"events": []}', "[]"])
def test_an_empty_list_of_calls_is_complete(tmp_path: Path, text: str) -> None:
    """Nothing was done, and that is known."""
    trace = opened(tmp_path, text)
    assert list(trace) == []
    assert trace.complete
    assert ToolTrace.of({"invocations": []}).complete


def test_a_file_cannot_call_itself_complete(tmp_path: Path) -> None:
    """A header may take completeness away; only what was read gives it."""
    head = {"groundwire_trace": 1, "complete": True}
    event = {"tool": "Write", "arguments": {"path": "a"}, "outcome": "ok"}
    assert opened(tmp_path, lines(head, event)).complete
    assert not opened(tmp_path, lines(head, event, '{"tool": "Wri')).complete
    assert not opened(tmp_path, lines({**head, "complete": False}, event)).complete
    assert not opened(tmp_path, lines(head, {**event, "outcome": "unknown"})).complete


def test_a_log_with_other_lines_between_is_read(tmp_path: Path) -> None:
    first, *rest = CODEX_EXEC
    account = account_of(tmp_path, lines("starting …", first, "a warning", *rest))
    assert (account.format, account.calls, account.unread) == ("codex-exec", 2, 2)
    assert not account.complete


def test_a_record_too_large_is_passed_over(tmp_path: Path) -> None:
    from groundwire.config import ActionsSection

    huge = claude(9, "user", "x" * 40_000)
    path = tmp_path / "session.jsonl"
    path.write_text(lines(*CLAUDE, huge))
    account = open_trace(path, settings=ActionsSection(max_event_mb=0.02)).account
    assert (account.calls, account.unread) == (3, 1)
    assert "more than 20000 characters" in account.unread_records[0].reason


XML_CALL = "Let me look.\n<read_file>\n<path>a.py</path>\n</read_file>"
CLINE_API = [
    {"role": "user", "content": "<task>\nFix it.\n</task>"},
    {"role": "assistant", "content": XML_CALL},
    {"role": "user", "content": "[read_file for 'a.py'] Result:\nx = 1"},
    {"role": "assistant", "content": XML_CALL},
    {"role": "user", "content": "[read_file for 'a.py'] Result:\nThe user denied this operation."},
]


def test_calls_written_as_xml_are_calls(tmp_path: Path) -> None:
    trace = opened(tmp_path, json.dumps(CLINE_API))
    shown, denied = trace
    assert (shown.tool, shown.arguments, shown.result) == ("read_file", {"path": "a.py"}, "x = 1")
    assert denied.refused_by == "user"
    assert (trace.account.format, trace.account.missing_ids) == ("cline-api", 2)


def test_a_fenced_command_is_answered_by_the_next_message(tmp_path: Path) -> None:
    messages = [
        {"role": "system", "content": "Work."},
        {"role": "assistant", "content": "First:\n```bash\npytest -q\n```", "extra": {}},
        {"role": "user", "content": "<returncode>1</returncode>\n<output>1 failed</output>"},
    ]
    trace = opened(tmp_path, json.dumps({"info": {"mini_version": "1"}, "messages": messages}))
    [event] = trace
    assert (event.arguments, event.exit_code) == (RUN, 1)
    assert trace.complete


@pytest.mark.parametrize(
    "text",
    ["<read_file>" * 40_000, "```bash\n" * 40_000, "[read_file for '" * 40_000, "<a>" * 100_000],
)
def test_a_text_made_to_be_slow_is_read_at_once(tmp_path: Path, text: str) -> None:
    """What opens and never closes costs no more than its length."""
    started = perf_counter()
    hostile = [*CLINE_API[:3], {"role": "assistant", "content": f"<new_task>{text}</new_task>"}]
    list(opened(tmp_path, json.dumps([*hostile, {"role": "user", "content": text}])))
    list(opened(tmp_path, json.dumps({"info": {"mini_version": "1"}, "messages": hostile})))
    assert perf_counter() - started < 5


@pytest.mark.parametrize("name", [*WHOLE, *LEAVING_OUT])
def test_no_damage_breaks_a_reader(tmp_path: Path, name: str) -> None:
    """A value of another type, a cut and a missing piece give an account or a clear refusal."""
    text = WHOLE.get(name) or LEAVING_OUT[name][0]
    chance = random.Random(name)  # noqa: S311
    for _ in range(40):
        start = chance.randrange(len(text))
        put = chance.choice(["", "null", "[]", "{}", "7", '"', "\x00", '{"type": []}\n'])
        damaged = text[:start] + put + text[start + chance.randrange(20) :]
        try:
            account_of(tmp_path, damaged)
        except InputError as error:
            assert "session" in str(error)  # noqa: PT017
    swapped = text.replace('"pytest -q"', "[[]]").replace('"/w"', "{}").replace(': "', ': ["x"], "')
    for other in (swapped, text.replace("{}", "3"), text.replace("null", "[null]")):
        try:
            account_of(tmp_path, other)
        except InputError as error:
            assert "session" in str(error)  # noqa: PT017


def test_the_answer_beside_a_list_of_messages_is_read(tmp_path: Path) -> None:
    """A log of one request holds the messages sent and the message that came back."""
    function = {"name": "bash", "arguments": json.dumps(RUN)}
    call = {"id": "c1", "type": "function", "function": function}
    answer = {"message": {"role": "assistant", "content": None, "tool_calls": [call]}}
    sent = [{"role": "user", "content": [{"type": "text", "text": "Fix it."}]}]
    log = {"messages": sent, "tools": [], "response": {"id": "r", "choices": [answer]}}
    account = account_of(tmp_path, json.dumps(log))
    assert (account.calls, account.calls_without_result) == (1, 1)
    assert account.reasons == ("1 call without a result",)


def test_swe_agent_edits_belong_to_the_file_that_was_shown(tmp_path: Path) -> None:
    """The state of a step may be that before it, with another file open."""
    shown = "[File: /w/b.py (3 lines total)]\n1:x = 1"
    steps = [
        {"action": "open b.py", "observation": shown, "state": {"open_file": "/w/a.py"}},
        {
            "action": "edit 1:1\nx = 2\nend_of_edit",
            "observation": shown,
            "state": {"open_file": "/w/b.py", "working_dir": "/w"},
        },
    ]
    path = tmp_path / "run.traj"
    path.write_text(json.dumps({**SWE_AGENT, "trajectory": steps}))
    edits = [event for event in open_trace(path) if event.tool == "edit"]
    assert [event.arguments["path"] for event in edits] == ["/w/b.py"]


@pytest.mark.parametrize(
    "words",
    [
        "The user refused this command; it was not run.",
        "User declined the command.",
        "The command was refused.",
        "This command was not executed.",
        "Blocked by hook: rm is not allowed. Command blocked by a hook",
        "Tool call was cancelled",
        "The user cancelled this call",
        "Request was denied by the operator",
        "user skipped this step",
        "Operation not allowed",
    ],
)
def test_a_refusal_in_our_own_format_is_no_run(words: str, tmp_path: Path) -> None:
    """Flag and words together say that a command never began."""
    event = {"id": "1", "tool": "bash", "arguments": {"command": "git reset --hard"}}
    lines = [{"groundwire_trace": 1}, {**event, "result": words, "outcome": "error"}]
    path = tmp_path / "trace.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines))
    assert [was_not_run(one) for one in open_trace(path)] == [True]
    path.write_text("\n".join(json.dumps(line) for line in [lines[0], {**event, "result": words}]))
    assert [was_not_run(one) for one in open_trace(path)] == [False]
