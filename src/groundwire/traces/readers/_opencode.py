"""OpenCode: `opencode export`, the files of its storage, and `opencode run --format json`."""

from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.text import word_set
from groundwire.traces._messages import text_id
from groundwire.traces._parts import (
    Answer,
    Call,
    Gap,
    Note,
    Part,
    Setting,
    Silent,
    TraceReader,
    Unknown,
    Unread,
)
from groundwire.traces._stream import Record
from groundwire.traces._trace import RefusedBy
from groundwire.traces.readers._common import (
    fields,
    mapping,
    objects,
    text_or_none,
    whole_number,
)

_SILENT = word_set(
    "text reasoning step-start step-finish snapshot patch file agent retry step_start step_finish"
)
_BY_USER = ("The user rejected permission", "The user has specified a rule which prevents")
_SUB_AGENTS = {"task", "agent"}


def part_of(part: Mapping[str, Any], cwd: str | None = None) -> Iterator[Part]:
    kind = str(part.get("type"))
    if kind == "tool":
        yield from _tool(part, cwd)
    elif kind == "compaction":
        yield Note("compaction")
    elif kind == "subtask":
        yield Gap("sub_agent")
    else:
        yield Silent(kind) if kind in _SILENT else Unknown(f"part {kind}")


def _tool(part: Mapping[str, Any], cwd: str | None) -> Iterator[Part]:
    state = mapping(part.get("state"))
    identity, tool = text_id(part, "callID", "id"), str(part.get("tool"))
    arguments = mapping(state.get("input"))
    folder = text_or_none(arguments.get("workdir")) or cwd
    yield Call(identity, tool, dict(arguments), cwd=folder)
    if tool in _SUB_AGENTS:
        yield Gap("sub_agent")
    status = state.get("status")
    if status == "completed":
        code = whole_number(mapping(state.get("metadata")).get("exit"))
        is_error = code is not None and code != 0
        yield Answer(identity, state.get("output"), is_error=is_error, exit_code=code, tool=tool)
    elif status == "error":
        error = str(state.get("error", ""))
        refused_by: RefusedBy = "user" if error.startswith(_BY_USER) else "tool"
        is_broken_off = "abort" in error.lower() or tool == "bash"
        yield Answer(
            identity,
            error,
            is_error=True,
            # a command that was broken off has run
            refused_by=None if is_broken_off and refused_by == "tool" else refused_by,
            tool=tool,
            outcome_is_known="abort" not in error.lower(),
        )


def _export(record: Record) -> Iterator[Part]:
    if record.is_field:
        if record.name == "info":
            info = mapping(record.value)
            yield Setting(text_or_none(info.get("directory")), text_or_none(info.get("id")))
        return
    message = fields(record)
    if not isinstance(message.get("parts"), list):
        yield Unread("a message without parts")
        return
    folder = mapping(mapping(message.get("info")).get("path"))
    parts = objects(message["parts"])
    yield Silent("message")
    for part in parts:
        yield from part_of(part, text_or_none(folder.get("cwd")))


def _storage(record: Record) -> Iterator[Part]:
    value = fields(record)
    yield Gap("other_file")
    if "messageID" in value:
        yield from part_of(value)
    elif "role" in value or "directory" in value or "projectID" in value:
        path = mapping(value.get("path"))
        cwd = text_or_none(value.get("directory")) or text_or_none(path.get("cwd"))
        yield Setting(cwd, text_or_none(value.get("sessionID")))
        yield Silent("message" if "role" in value else "session")
    else:
        yield Unknown("record")


def _run(record: Record) -> Iterator[Part]:
    value = fields(record)
    kind, part = str(value.get("type")), mapping(value.get("part"))
    yield Setting(trace_id=text_or_none(value.get("sessionID")))
    if kind == "tool_use" and part.get("type") == "tool":
        yield from _tool(part, None)
    elif kind in {"tool_use", "tool_call"}:
        yield Call(text_id(part), str(part.get("name") or part.get("tool")), part.get("input"))
    elif kind == "tool_result":
        identity = text_id(value, "callID", "id") or text_id(part)
        tool = str(value.get("tool", ""))
        yield Answer(identity, value.get("result", part.get("output")), tool=tool)
    elif kind == "error":
        yield Silent(kind)
    else:
        yield Silent(kind) if kind in _SILENT else Unknown(kind)


def _is_export(record: Record) -> bool:
    if record.is_field and record.name == "info":
        return {"directory", "projectID"} <= mapping(record.value).keys()
    message = fields(record)
    return record.name == "messages" and "parts" in message and "info" in message


def _is_storage(record: Record) -> bool:
    value = fields(record)
    is_message = "sessionID" in value and "role" in value
    is_part = {"sessionID", "messageID", "type"} <= value.keys()
    return is_message or is_part or {"projectID", "directory", "version"} <= value.keys()


def _is_run(record: Record) -> bool:
    value = fields(record)
    return {"sessionID", "part", "type"} <= value.keys()


EXPORT = TraceReader(_export, _is_export)
STORAGE = TraceReader(_storage, _is_storage)
RUN = TraceReader(_run, _is_run)
