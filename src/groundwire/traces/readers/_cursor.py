"""Cursor: the transcript of an agent without results, and the exported page without calls."""

from collections.abc import Iterator

from groundwire.traces._messages import block_part
from groundwire.traces._parts import (
    Answer,
    Call,
    Gap,
    Part,
    Silent,
    TraceReader,
    Unknown,
)
from groundwire.traces._stream import Record
from groundwire.traces.readers._common import fields, mapping


def _line(record: Record) -> Iterator[Part]:
    value = fields(record)
    if "role" in value:
        content = mapping(value.get("message")).get("content")
        for block in content if isinstance(content, list) else ():
            part = block_part(block)
            if isinstance(part, Call) and part.tool in {"Task", "Subagent"}:
                yield Gap("sub_agent")
            yield Unknown("result") if isinstance(part, Answer) and not part.id else part
        yield Silent(f"{value['role']} message")
    elif value.get("type") == "turn_ended":
        yield Silent("turn_ended")
    else:
        yield Unknown(str(value.get("type", "record")))


def _is_line(record: Record) -> bool:
    value = fields(record)
    message = mapping(value.get("message"))
    own = {"role", "message", "timestamp"}
    return (
        {"role", "message"} <= value.keys() <= own
        and "content" in message
        and ("role" not in message)
    )


def _page(record: Record) -> Iterator[Part]:
    del record
    yield Silent("line")


def _is_page(record: Record) -> bool:
    text = str(record.value)
    return text.startswith("_Exported on ") and " from Cursor (" in text


LINES = TraceReader(_line, _is_line, leaves_out="ids and results of calls")
MARKDOWN = TraceReader(_page, _is_page, leaves_out="calls and results", is_text=True)
