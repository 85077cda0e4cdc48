"""What `codex exec --json` prints: a call and its result are one item, told twice or once."""

from collections.abc import Iterator, Mapping
from typing import Any

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
from groundwire.traces._trace import RecordedWrite
from groundwire.traces.readers._common import (
    MAX_OPEN,
    fields,
    mapping,
    objects,
    plain_command,
    text_or_none,
    whole_number,
)

_SILENT = {"agent_message", "reasoning", "todo_list", "web_search", "error"}
_ACTIONS = {"add": "write", "delete": "delete"}
_ENDS = {"turn.completed", "turn.failed"}


class _Exec(Reading):
    def __init__(self) -> None:
        self._started: set[str] = set()
        self._first = True
        self._ended = False

    def parts(self, record: Record) -> Iterator[Part]:
        value = fields(record)
        kind = str(value.get("type"))
        if self._first and kind != "thread.started":
            yield Gap("cut_head")
        self._first = False
        self._ended = kind in _ENDS or (self._ended and not kind.startswith(("turn.", "item.")))
        if kind.startswith("item."):
            yield from self._item(kind.removeprefix("item."), mapping(value.get("item")))
        elif kind in {"thread.started", "turn.started", "error", *_ENDS}:
            yield Setting(trace_id=text_or_none(value.get("thread_id")))
            yield Silent(kind)
        else:
            yield Unknown(kind)

    def _item(self, moment: str, item: Mapping[str, Any]) -> Iterator[Part]:
        kind = str(item.get("type") or item.get("item_type"))
        if kind in _SILENT:
            yield Silent(kind)
            return
        if kind == "collab_tool_call":
            yield Gap("sub_agent")
        call = _call(kind, item)
        if call is None:
            yield Unknown(f"item {kind}")
        elif moment == "completed":
            key = call.id or call.tool
            if key not in self._started:
                yield call
            self._started.discard(key)
            yield _answer(call, item)
        elif moment == "started":
            if len(self._started) < MAX_OPEN:
                self._started.add(call.id or call.tool)
            yield call
        else:
            yield Silent(f"{kind} {moment}")

    def end(self) -> Iterator[Part]:
        if not self._ended:
            yield Gap("cut_tail")


def _call(kind: str, item: Mapping[str, Any]) -> Call | None:
    identity = text_id(item)
    if kind == "command_execution":
        return Call(identity, "shell", {"command": plain_command(item.get("command"))})
    if kind == "file_change":
        return Call(identity, "file_change", {"changes": item.get("changes")})
    if kind in {"mcp_tool_call", "collab_tool_call"}:
        return Call(identity, str(item.get("tool", kind)), item.get("arguments"))
    return None


def _answer(call: Call, item: Mapping[str, Any]) -> Answer:
    status = item.get("status")
    result = item.get("aggregated_output", item.get("result", item.get("error")))
    code = whole_number(item.get("exit_code"))
    is_error = {"completed": False, "failed": True, "declined": True}.get(str(status))
    writes = None
    if call.tool == "file_change":
        changes = objects(item.get("changes")) if not is_error else []
        writes = tuple(_write(change) for change in changes if change.get("path"))
    return Answer(
        call.id,
        result,
        is_error=is_error if code is None else code != 0,
        exit_code=code,
        refused_by="user" if status == "declined" else None,
        tool=call.tool,
        writes=writes,
    )


def _write(change: Mapping[str, Any]) -> RecordedWrite:
    action = _ACTIONS.get(str(change.get("kind")), "edit")
    return RecordedWrite.model_validate({"path": str(change["path"]), "action": action})


def _is_exec(record: Record) -> bool:
    value = fields(record)
    kind = str(value.get("type"))
    if kind == "thread.started":
        return True
    return kind.startswith("item.") and isinstance(value.get("item"), Mapping)


EXEC = TraceReader(recognises=_is_exec, reading=_Exec)
