"""OpenHands: the trajectory of version 0, and the events of the SDK (version 1)."""

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
    Reading,
    Setting,
    Silent,
    TraceReader,
    Unknown,
)
from groundwire.traces._stream import Record
from groundwire.traces._trace import RefusedBy
from groundwire.traces.readers._common import (
    MAX_OPEN,
    fields,
    mapping,
    text_of,
    text_or_none,
    whole_number,
)

_SILENT_ACTIONS = word_set(
    """message change_agent_state system null finish think recall condensation
    condensation_request start pause resume stop reject send_pr push loop_recovery"""
)
_SILENT_OBSERVATIONS = word_set(
    """agent_state_changed null recall think loop_detection download success chat server_ready"""
)
_REFUSED: dict[str, RefusedBy] = {"error": "tool", "user_rejected": "user"}
_TOOLS = {"run": "execute_bash", "edit": "str_replace_editor", "read": "read", "write": "write"}


class _List(Reading):
    def __init__(self) -> None:
        self._open: set[str] = set()
        self._first = True

    def parts(self, record: Record) -> Iterator[Part]:
        if record.is_field:
            return
        event = fields(record)
        if self._first and whole_number(event.get("id")) not in {0, 1, None}:
            yield Gap("cut_head")
        self._first = False
        if "action" in event:
            yield from self._action(event)
        elif "observation" in event:
            yield from self._observation(event)
        else:
            yield Unknown("record")

    def _action(self, event: Mapping[str, Any]) -> Iterator[Part]:
        action, arguments = str(event["action"]), dict(mapping(event.get("args")))
        if action in _SILENT_ACTIONS:
            yield Note("compaction") if action == "condensation" else Silent(f"action {action}")
            return
        if action == "delegate":
            yield Gap("sub_agent")
        if event.get("source") == "user":
            yield Gap("user_command")
        arguments.pop("thought", None)
        identity = text_id(event)
        tool = mapping(event.get("tool_call_metadata")).get("function_name")
        if tool == "str_replace_editor" and action == "read":
            arguments["command"] = "view"
        if action == "edit" and not arguments.get("command"):
            tool = "edit"  # what was asked is not told, but the answer is
        if len(self._open) < MAX_OPEN:
            self._open.add(identity)
        name = str(tool or _TOOLS.get(action, action))
        yield Call(identity, name, arguments, at=text_or_none(event.get("timestamp")))

    def _observation(self, event: Mapping[str, Any]) -> Iterator[Part]:
        kind, cause = str(event["observation"]), text_id(event, "cause")
        if cause not in self._open:
            is_known = kind in _SILENT_OBSERVATIONS or cause == ""
            yield Silent(f"observation {kind}") if is_known else Answer(cause, event.get("content"))
            return
        self._open.discard(cause)
        extras = mapping(event.get("extras"))
        metadata = mapping(extras.get("metadata"))
        yield Setting(text_or_none(metadata.get("working_dir")))
        code = whole_number(metadata.get("exit_code", extras.get("exit_code")))
        code = None if code == -1 else code  # still running
        refused_by = _REFUSED.get(kind)
        is_error = None if code is None else code != 0
        yield Answer(
            cause,
            event.get("content"),
            is_error=True if refused_by else is_error,
            exit_code=code,
            refused_by=refused_by,
        )


_SILENT_EVENTS = word_set(
    """SystemPromptEvent MessageEvent ConversationStateUpdateEvent TokenEvent PauseEvent
    CondensationRequest CondensationSummaryEvent ConversationErrorEvent LLMCompletionLogEvent
    HookExecutionEvent ACPToolCallEvent StreamingDeltaEvent InterruptEvent"""
)


def _event(record: Record) -> Iterator[Part]:
    if record.is_field:
        return
    event = fields(record)
    kind = str(event.get("kind"))
    identity = text_id(event, "tool_call_id", "action_id")
    if kind == "ActionEvent":
        action = mapping(event.get("action"))
        arguments = {key: value for key, value in action.items() if key != "kind"}
        at = text_or_none(event.get("timestamp"))
        tool = str(event.get("tool_name"))
        if tool in {"task", "delegate"}:
            yield Gap("sub_agent")
        yield Call(identity, tool, arguments, at=at)
    elif kind == "ObservationEvent":
        yield from _observed(identity, mapping(event.get("observation")))
    elif kind == "UserRejectObservation":
        reason = event.get("rejection_reason")
        yield Answer(identity, reason, is_error=True, refused_by="user")
    elif kind == "AgentErrorEvent":
        yield Answer(identity, event.get("error"), is_error=True, refused_by="tool")
    elif kind == "Condensation":
        yield Note("compaction")
    else:
        yield Silent(kind) if kind in _SILENT_EVENTS else Unknown(kind)


def _observed(identity: str, observation: Mapping[str, Any]) -> Iterator[Part]:
    metadata = mapping(observation.get("metadata"))
    yield Setting(text_or_none(metadata.get("working_dir")))
    code = whole_number(observation.get("exit_code", metadata.get("exit_code")))
    code = None if code == -1 else code
    is_error = observation.get("is_error")
    content = observation.get("content", observation.get("output"))
    yield Answer(
        identity,
        text_of(content) or content,
        is_error=code != 0 if code is not None else is_error if is_error is True else None,
        exit_code=code,
    )


def _is_list(record: Record) -> bool:
    event = fields(record)
    return (
        "source" in event and bool(event.keys() & {"action", "observation"}) and "kind" not in event
    )


def _is_event(record: Record) -> bool:
    event = fields(record)
    kind = str(event.get("kind"))
    return "source" in event and (kind.endswith(("Event", "Observation")) or kind == "Condensation")


LIST = TraceReader(recognises=_is_list, reading=_List)
EVENTS = TraceReader(_event, _is_event)
