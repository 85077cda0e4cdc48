"""Gemini CLI: the saved chat, as one document or as lines, and `-o stream-json`."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from groundwire._patterns import lazy_pattern
from groundwire.traces._messages import text_id
from groundwire.traces._parts import (
    Answer,
    Call,
    Gap,
    Part,
    Reading,
    Setting,
    Silent,
    TraceReader,
    Unknown,
)
from groundwire.traces._stream import Record
from groundwire.traces._trace import RefusedBy
from groundwire.traces.readers._common import fields, mapping, objects, text_or_none

_MESSAGES = {"user", "gemini", "info", "error", "warning", "system"}
_STREAM = {"init", "message", "content", "thought", "error", "result", "finished"}
# such as "Command: ls\nDirectory: (root)\nOutput: …\nExit Code: 1"
_EXIT = lazy_pattern(r"^Exit Code: (-?\d{1,5})$", re.MULTILINE)


def _chat(record: Record) -> Iterator[Part]:
    if record.is_field:
        if record.name == "sessionId":
            yield Setting(trace_id=text_or_none(record.value))
        return
    message = fields(record)
    kind = str(message.get("type"))
    if "sessionId" in message and "type" not in message:
        yield Setting(trace_id=text_or_none(message["sessionId"]))
        yield Silent("session")
        return
    for call in objects(message.get("toolCalls")):
        yield from _tool_call(call)
    if "$set" in message or "$rewindTo" in message:
        yield Silent("update of the session")
    else:
        yield Silent(kind) if kind in _MESSAGES else Unknown(kind)


def _tool_call(call: Mapping[str, Any]) -> Iterator[Part]:
    identity, status = text_id(call), call.get("status")
    tool = str(call.get("name"))
    yield Call(identity, tool, call.get("args"), at=text_or_none(call.get("timestamp")))
    if tool in {"task", "codebase_investigator", "generalist"}:
        yield Gap("sub_agent")
    results = objects(call.get("result"))
    told = [mapping(mapping(one.get("functionResponse")).get("response")) for one in results]
    answered = [one.get("output", one.get("error")) for one in told]
    if status not in {"success", "error", "cancelled"}:
        return
    failed = status != "success" or any("error" in one for one in told)
    text = "\n".join(str(one) for one in answered if one is not None)
    refused_by: RefusedBy | None = "user" if status == "cancelled" else None
    yield Answer(
        identity,
        text or call.get("resultDisplay"),
        is_error=failed,
        exit_code=_exit_code(tool, text, is_error=failed),
        refused_by=refused_by,
        tool=tool,
    )


def _exit_code(tool: str, text: str, *, is_error: bool) -> int | None:
    """The shell tool ends its report with the code, where it is not 0."""
    if tool != "run_shell_command" or is_error:
        return None
    found = _EXIT.findall(text)
    return int(found[-1]) if found else None


class _Stream(Reading):
    def __init__(self) -> None:
        self._first = True
        self._ended = False

    def parts(self, record: Record) -> Iterator[Part]:
        value = fields(record)
        kind = str(value.get("type"))
        if self._first and kind != "init":
            yield Gap("cut_head")
        self._first = False
        self._ended = self._ended or kind in {"result", "finished"}
        if kind in {"tool_use", "tool_call"}:
            tool = str(value.get("tool_name") or value.get("name"))
            arguments = value.get("parameters", value.get("args"))
            yield Call(text_id(value, "tool_id", "id"), tool, arguments)
        elif kind == "tool_result":
            status = value.get("status")
            yield Answer(
                text_id(value, "tool_id", "id"),
                value.get("output", value.get("result", value.get("error"))),
                is_error=None if status is None else status != "success",
            )
        else:
            session = text_or_none(value.get("session_id"))
            yield Setting(text_or_none(value.get("cwd")), session)
            yield Silent(kind) if kind in _STREAM else Unknown(kind)

    def end(self) -> Iterator[Part]:
        if not self._ended:
            yield Gap("cut_tail")


def _is_chat(record: Record) -> bool:
    return record.is_field and record.name == "projectHash"


def _is_chat_line(record: Record) -> bool:
    return "projectHash" in fields(record) and "sessionId" in fields(record)


def _is_stream(record: Record) -> bool:
    value = fields(record)
    return value.get("type") == "init" and "session_id" in value


CHAT = TraceReader(_chat, _is_chat)
CHAT_LINES = TraceReader(_chat, _is_chat_line)
STREAM = TraceReader(recognises=_is_stream, reading=_Stream)
