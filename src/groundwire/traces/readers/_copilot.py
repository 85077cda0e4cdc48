"""Copilot CLI: `events.jsonl` of a session."""

from collections.abc import Iterator
from typing import Any

from groundwire.text import word_set
from groundwire.traces._messages import text_id
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
from groundwire.traces.readers._common import MAX_OPEN, fields, mapping, objects, text_or_none

_SILENT = word_set(
    """session.info session.error session.model_change session.import_legacy session.idle
    session.handoff session.resume session.usage_info session.warning session.shutdown
    session.truncation session.context_changed session.mode_changed session.title_changed
    session.task_complete session.plan_changed session.background_tasks_changed
    session.compaction_start session.skills_loaded session.tools_updated session.mcp_servers_loaded
    user.message pending_messages.modified assistant.turn_start assistant.turn_end assistant.intent
    assistant.reasoning assistant.reasoning_delta assistant.message_delta
    assistant.streaming_delta assistant.usage tool.execution_partial_result
    tool.execution_progress hook.start hook.end system.message system.notification
    permission.requested permission.completed skill.invoked"""
)
_FACTS: dict[str, Part] = {
    "session.compaction_complete": Note("compaction"),
    "session.snapshot_rewind": Gap("outside_change"),
    "session.workspace_file_changed": Gap("outside_change"),
    "abort": Note("interruption"),
}


class _Events(Reading):
    """A call is asked for in a message and told again when it starts."""

    def __init__(self) -> None:
        self._asked: set[str] = set()
        self._first = True

    def parts(self, record: Record) -> Iterator[Part]:
        value = fields(record)
        kind, data = str(value.get("type")), mapping(value.get("data"))
        if self._first and kind not in {"session.start", "session.resume"}:
            yield Gap("cut_head")
        self._first = False
        if kind == "session.start":
            cwd = text_or_none(mapping(data.get("context")).get("cwd"))
            yield Setting(cwd, text_or_none(data.get("sessionId")))
            yield Silent(kind)
        elif kind == "assistant.message":
            for request in objects(data.get("toolRequests")):
                yield from self._call(text_id(request, "toolCallId"), request.get("name"), request)
            yield Silent(kind)
        elif kind in {"tool.execution_start", "tool.user_requested"}:
            yield from self._call(text_id(data, "toolCallId"), data.get("toolName"), data)
        elif kind == "tool.execution_complete":
            yield _answer(data)
        elif kind in _FACTS:
            yield _FACTS[kind]
        else:
            is_silent = kind in _SILENT or kind.startswith("subagent.")
            yield Silent(kind) if is_silent else Unknown(kind)

    def _call(self, identity: str, tool: Any, told: Any) -> Iterator[Part]:
        if identity and identity in self._asked:
            self._asked.discard(identity)
            yield Silent("start of a call")
            return
        if identity and len(self._asked) < MAX_OPEN:
            self._asked.add(identity)
        yield Call(identity, str(tool), told.get("arguments"))


def _answer(data: Any) -> Answer:
    success = data.get("success")
    error = mapping(data.get("error"))
    result = mapping(data.get("result")).get("content", error.get("message", data.get("error")))
    is_denied = str(error.get("code", "")) in {"denied", "rejected", "permission_denied"}
    return Answer(
        text_id(data, "toolCallId"),
        result,
        is_error=None if not isinstance(success, bool) else not success,
        refused_by="user" if is_denied else None,
        tool=str(data.get("toolName", "")),
    )


def _is_events(record: Record) -> bool:
    value = fields(record)
    heads = ("session.", "assistant.", "tool.execution", "user.message")
    return str(value.get("type")).startswith(heads) and isinstance(value.get("data"), dict)


EVENTS = TraceReader(recognises=_is_events, reading=_Events)
