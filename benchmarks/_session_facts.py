"""What a person reads off a recorded session: which file was written, how each command ended.

Plain code per format, from the tools' own results. Nothing of Groundwire reads anything here, so
that these facts can be held against what Groundwire says.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

Kind = Literal["created", "changed", "deleted", "refused", "ran"]
Json = dict[str, Any]


@dataclass(frozen=True)
class Fact:
    """`refused`: the tool said no, and nothing was written. `ran`: a command, with its exit."""

    kind: Kind
    what: str
    exit_code: int | None = None


def facts_of(kind: str, text: str) -> tuple[str | None, list[Fact]]:
    """The folder the session worked in, where it is told, and its facts in order."""
    reader = READERS.get(kind)
    return (None, []) if reader is None else reader(text)


def _lines(text: str) -> Iterator[Json]:
    for line in text.splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record


def _blocks(record: Json) -> Iterator[Json]:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, list):
        yield from (one for one in content if isinstance(one, dict))


def _flat(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(one.get("text", "")) for one in content if isinstance(one, dict))
    return content if isinstance(content, str) else ""


_EXIT = re.compile(r"Exit code (\d+)")


def _claude(text: str) -> tuple[str | None, list[Fact]]:
    cwd, facts = None, []
    calls: dict[str, Json] = {}
    for record in _lines(text):
        cwd = cwd or record.get("cwd")
        for block in _blocks(record):
            if block.get("type") == "tool_use":
                calls[str(block.get("id"))] = block
            elif block.get("type") == "tool_result":
                call = calls.get(str(block.get("tool_use_id")))
                if call is not None:
                    facts += _claude_facts(call, block, record.get("toolUseResult"))
    return cwd, facts


def _claude_facts(call: Json, result: Json, more: Any) -> Iterator[Fact]:
    given = call.get("input") or {}
    told = _flat(result.get("content"))
    is_error = result.get("is_error") is True
    path = given.get("file_path")
    if call.get("name") in {"Edit", "MultiEdit", "Write"} and path:
        if is_error:
            yield Fact("refused", path)
        elif isinstance(more, dict) and more.get("type") == "create":
            yield Fact("created", path)
        elif isinstance(more, dict) and ("structuredPatch" in more or "newString" in more):
            yield Fact("changed", path)
    elif call.get("name") == "Bash" and given.get("command"):
        code = _EXIT.match(told)
        if is_error and code is not None:
            yield Fact("ran", given["command"], int(code[1]))
        elif isinstance(more, dict) and "stdout" in more and not _is_odd(more, given, is_error):
            yield Fact("ran", given["command"], 0)


def _is_odd(more: Json, given: Json, is_error: bool) -> bool:  # noqa: FBT001
    keys = ("interrupted", "returnCodeInterpretation", "backgroundTaskId")
    return is_error or any(more.get(key) for key in keys) or bool(given.get("run_in_background"))


_CODEX_EXITS = (
    re.compile(r"Exit code: (\d+)\n"),
    re.compile(r"Process exited with code (\d+)"),
)
_UPDATED = re.compile(r"^([AMD]) (.+)$", re.MULTILINE)


def _codex(text: str) -> tuple[str | None, list[Fact]]:
    cwd, facts = None, []
    calls: dict[str, Json] = {}
    for record in _lines(text):
        item = record.get("payload") if isinstance(record.get("payload"), dict) else record
        cwd = cwd or item.get("cwd")
        kind = str(item.get("type"))
        if kind in {"function_call", "custom_tool_call"}:
            calls[str(item.get("call_id"))] = item
        elif kind.endswith("_call_output") and isinstance(item.get("output"), str):
            call = calls.get(str(item.get("call_id")))
            if call is not None:
                facts += _codex_facts(call, item["output"])
    return cwd, facts


def _codex_facts(call: Json, output: str) -> Iterator[Fact]:
    code = next((int(m[1]) for p in _CODEX_EXITS if (m := p.search(output[:400]))), None)
    try:
        wrapped = json.loads(output)
        code = wrapped["metadata"]["exit_code"]
        output = str(wrapped["output"])
    except (ValueError, KeyError, TypeError):
        pass
    if "Success. Updated the following files:" in output:
        updated = output.partition("Success. Updated the following files:")[2]
        kinds: dict[str, Kind] = {"A": "created", "M": "changed", "D": "deleted"}
        for letter, path in _UPDATED.findall(updated):
            yield Fact(kinds[letter], path.strip())
    command = _codex_command(call)
    if command is not None and code is not None and "apply_patch" not in command:
        yield Fact("ran", command, code)
    patch = str(call.get("input") or command or "")
    if "verification failed" in output or "Failed to find expected lines" in output:
        for path in re.findall(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", patch, re.MULTILINE):
            yield Fact("refused", path.strip())


def _codex_command(call: Json) -> str | None:
    try:
        given = json.loads(call.get("arguments") or "{}")
    except ValueError:
        return None
    command = given.get("command") or given.get("cmd") if isinstance(given, dict) else None
    if isinstance(command, list):
        is_shell = len(command) == 3 and command[1] in {"-lc", "-c"}
        command = command[2] if is_shell else None
    return command if isinstance(command, str) else None


def _codex_exec(text: str) -> tuple[str | None, list[Fact]]:
    facts: list[Fact] = []
    for record in _lines(text):
        item = record.get("item") if record.get("type") == "item.completed" else None
        if not isinstance(item, dict):
            continue
        if item.get("type") == "command_execution" and isinstance(item.get("exit_code"), int):
            facts.append(Fact("ran", str(item.get("command")), item["exit_code"]))
        if item.get("type") == "file_change" and item.get("status") == "completed":
            kinds: dict[str, Kind] = {"add": "created", "update": "changed", "delete": "deleted"}
            facts += [
                Fact(kinds[one["kind"]], one["path"])
                for one in item.get("changes", ())
                if one.get("kind") in kinds
            ]
    return None, facts


def _mini(text: str) -> tuple[str | None, list[Fact]]:
    document = json.loads(text)
    messages = document.get("messages", [])
    facts = []
    for message, following in pairwise(messages):
        actions = (message.get("extra") or {}).get("actions") or []
        code = (following.get("extra") or {}).get("returncode")
        if len(actions) == 1 and isinstance(code, int):
            facts.append(Fact("ran", str(actions[0].get("command")), code))
    config = (document.get("info") or {}).get("config") or {}
    cwd = (config.get("environment") or {}).get("cwd") or None
    facts += _diff_facts((document.get("info") or {}).get("submission") or "")
    return cwd, facts


def _diff_facts(diff: str) -> list[Fact]:
    found = []
    for part in re.split(r"^diff --git ", diff, flags=re.MULTILINE)[1:]:
        path = part.partition("\n")[0].partition(" b/")[2].strip()
        kind: Kind = "created" if "\nnew file mode" in part else "changed"
        found.append(Fact("deleted" if "\ndeleted file mode" in part else kind, path))
    return found


def _swe(text: str) -> tuple[str | None, list[Fact]]:
    document = json.loads(text)
    facts = _diff_facts((document.get("info") or {}).get("submission") or "")
    done = {fact.what for fact in facts}
    refused: set[str] = set()
    for step in document.get("trajectory", []):
        state = step.get("state")
        state = json.loads(state) if isinstance(state, str) and state.startswith("{") else state
        opened = state.get("open_file") if isinstance(state, dict) else None
        told = str(step.get("observation"))
        shown = re.search(r"\[File: (\S+) \(", told)
        path = str(shown[1] if shown else opened or "").removeprefix("/").partition("/")[2]
        if path and "introduced new syntax error" in told:
            refused.add(path)
        elif (path and "[File updated." in told) or "File updated." in told:
            done.add(path)
    return None, facts + [Fact("refused", path) for path in sorted(refused - done)]


def _opencode(text: str) -> tuple[str | None, list[Fact]]:
    document = json.loads(text)
    facts: list[Fact] = []
    for message in document.get("messages", ()):
        for part in message.get("parts", ()):
            if part.get("type") == "tool":
                facts += _opencode_facts(part["tool"], part.get("state") or {})
    return (document.get("info") or {}).get("directory"), facts


def _opencode_facts(tool: str, state: Json) -> Iterator[Fact]:
    given, more = state.get("input") or {}, state.get("metadata") or {}
    path = given.get("filePath")
    if tool in {"edit", "write"} and path:
        if state.get("status") == "error":
            yield Fact("refused", path)
        elif state.get("status") == "completed":
            yield Fact("created" if more.get("exists") is False else "changed", path)
    if tool == "bash" and state.get("status") == "completed" and isinstance(more.get("exit"), int):
        yield Fact("ran", given.get("command", ""), more["exit"])


def _openhands(text: str) -> tuple[str | None, list[Fact]]:
    commands: dict[Any, str] = {}
    facts, cwd = [], None
    for event in json.loads(text):
        if event.get("action") == "run":
            commands[event.get("id")] = str((event.get("args") or {}).get("command"))
        more = (event.get("extras") or {}).get("metadata") or {}
        command = commands.get(event.get("cause"))
        if event.get("observation") == "run" and command and isinstance(more.get("exit_code"), int):
            cwd = cwd or more.get("working_dir")
            facts.append(Fact("ran", command, more["exit_code"]))
    return cwd, facts


def _gemini(text: str) -> tuple[str | None, list[Fact]]:
    facts = []
    for message in json.loads(text).get("messages", ()):
        for call in message.get("toolCalls") or ():
            told = json.dumps(call.get("result"), ensure_ascii=False)
            path = (call.get("args") or {}).get("file_path")
            if call.get("name") in {"write_file", "replace"} and path:
                if call.get("status") == "success":
                    kind: Kind = "created" if "created and wrote to new" in told else "changed"
                    facts.append(Fact(kind, path))
                elif call.get("status") in {"error", "cancelled"}:
                    facts.append(Fact("refused", path))
    return None, facts


def _aider(text: str) -> tuple[str | None, list[Fact]]:
    found = re.findall(r"^> Applied edit to (.+?)\s*$", text, re.MULTILINE)
    return None, [Fact("changed", path) for path in found]


READERS: dict[str, Callable[[str], tuple[str | None, list[Fact]]]] = {
    "aider-md": _aider,
    "claude-session": _claude,
    "claude-stream": _claude,
    "codex-exec": _codex_exec,
    "codex-rollout": _codex,
    "codex-rollout-old": _codex,
    "gemini-chat": _gemini,
    "mini-swe-agent": _mini,
    "opencode-export": _opencode,
    "openhands-list": _openhands,
    "swe-agent": _swe,
}
