"""pi and agents made with it (OpenClaw): `session.jsonl`; and a relative that counts events."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from groundwire.text import word_set
from groundwire.traces._messages import block_part, text_id
from groundwire.traces._parts import (
    Answer,
    Call,
    Gap,
    Note,
    Part,
    Reading,
    Setting,
    Silent,
    TraceReader,
    Unknown,
)
from groundwire.traces._stream import Record
from groundwire.traces.readers._common import (
    MAX_OPEN,
    fields,
    mapping,
    objects,
    text_or_none,
    whole_number,
)

_SILENT = word_set(
    """model_change thinking_level_change session_info label custom branch_summary leaf
    custom_message permission/preset turn/start turn/end request/context text-chunks
    thinking-chunks assistant/chunk assistant/message user/message turn/error"""
)


class _Session(Reading):
    def __init__(self) -> None:
        self._first = True
        self._calls: dict[int, str] = {}

    def parts(self, record: Record) -> Iterator[Part]:
        value = fields(record)
        kind = str(value.get("type"))
        if self._first and kind != "session":
            yield Gap("cut_head")
        self._first = False
        if kind == "session":
            yield Setting(text_or_none(value.get("cwd")), text_or_none(value.get("id")))
            yield Silent(kind)
            if value.get("parentSession"):
                yield Gap("cut_head")
        elif kind == "message":
            yield from _message(mapping(value.get("message")))
        elif kind == "compaction":
            yield Note("compaction")
        elif kind in {"tool/call", "tool/result"}:
            yield from self._numbered(kind, value)
        else:
            yield Silent(kind) if kind in _SILENT else Unknown(kind)

    def _numbered(self, kind: str, value: Mapping[str, Any]) -> Iterator[Part]:
        """A result names the number of the record it answers."""
        data = mapping(value.get("data"))
        if kind == "tool/call":
            identity = text_id(data, "callId")
            number = whole_number(value.get("seq"))
            if number is not None and len(self._calls) < MAX_OPEN:
                self._calls[number] = identity
            yield Call(identity, str(data.get("name")), data.get("arguments"))
            return
        sources = value.get("sourceEventSeqs")
        found = [self._calls.pop(n, "") for n in sources] if isinstance(sources, list) else []
        identity = text_id(data, "callId") or next((one for one in found if one), "")
        error = data.get("isError", mapping(data.get("message")).get("isError"))
        is_error = error if isinstance(error, bool) else True if data.get("error") else None
        yield Answer(identity, data.get("meta", data.get("error")), is_error=is_error)


def _message(message: Mapping[str, Any]) -> Iterator[Part]:
    role = str(message.get("role"))
    if role == "toolResult":
        error = message.get("isError")
        answer = Answer(text_id(message, "toolCallId"), message.get("content"))
        yield replace(answer, is_error=error if isinstance(error, bool) else None)
    elif role == "bashExecution":
        yield Gap("user_command")
    elif role in {"user", "assistant", "custom", "branchSummary", "compactionSummary"}:
        for block in objects(message.get("content")):
            if block.get("type") == "toolCall":
                yield Call(text_id(block), str(block.get("name")), block.get("arguments"))
            else:
                yield block_part(block)
        yield Silent(f"{role} message")
    else:
        yield Unknown(f"message of {role}")


def _is_session(record: Record) -> bool:
    value = fields(record)
    if value.get("type") == "session":
        return "cwd" in value and "version" in value
    role = mapping(value.get("message")).get("role")
    return value.get("type") == "message" and "parentId" in value and role is not None


SESSION = TraceReader(recognises=_is_session, reading=_Session)
