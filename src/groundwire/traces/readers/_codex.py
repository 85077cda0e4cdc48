"""Codex CLI: the rollout of a session, wrapped as it is now or bare as it was to version 0.33."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from groundwire._patterns import lazy_pattern
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
    between,
    fields,
    mapping,
    plain_command,
    text_of,
    text_or_none,
    whole_number,
)

_SILENT_ITEMS = word_set(
    """message reasoning ghost_snapshot token_count web_search_call compaction compaction_trigger
    compaction_summary context_compaction image_generation_call tool_search_call tool_search_output
    other agent_message"""
)
_SILENT_EVENTS = word_set(
    """token_count agent_message user_message agent_reasoning agent_reasoning_raw_content
    agent_reasoning_section_break agent_message_delta agent_reasoning_delta
    agent_message_content_delta reasoning_content_delta reasoning_raw_content_delta task_started
    task_complete turn_started turn_complete exec_command_begin exec_command_output_delta
    patch_apply_begin patch_apply_end mcp_tool_call_begin mcp_tool_call_end web_search_begin
    web_search_end turn_diff plan_update plan_delta entered_review_mode exited_review_mode
    background_event error stream_error warning thread_name_updated item_started item_completed
    exec_approval_request apply_patch_approval_request view_image_tool_call session_configured
    mcp_startup_update mcp_startup_complete terminal_interaction model_reroute
    deprecation_notice raw_response_item request_user_input elicitation_request
    skills_update_available
    shutdown_complete get_history_entry_response mcp_list_tools_response list_skills_response
    list_custom_prompts_response dynamic_tool_call_request dynamic_tool_call_response
    thread_settings_applied image_generation_begin image_generation_end thread_goal_updated
    request_permissions guardian_assessment hook_started hook_completed"""
)
_SILENT_RECORDS = {"world_state", "turn_context", "session_meta"}
_SCRIPTS = {"exec", "functions.exec"}
# such as "Exit code: 1\nWall time: 0.2 seconds", "Process exited with code 0"
_EXIT = lazy_pattern(r"^(?:Exit code:|Process exited with code) (-?\d{1,5})$", re.MULTILINE)
# such as "failed in sandbox LinuxSeccomp with execution error: sandbox denied exec error"
_SANDBOX = lazy_pattern(r"failed in sandbox[^\n]*sandbox denied exec error")
# such as "apply_patch verification failed: …", "error: invalid hunk at line 3"
_PATCH_REFUSED = lazy_pattern(
    r"apply_patch verification failed|(?:error|patch rejected): |Failed to find expected lines",
)
_BY_USER = ("rejected by user", "exec command rejected by user", "patch rejected by user")
_ABORTED = "aborted by user"


class _Rollout(Reading):
    def __init__(self) -> None:
        self._cwd: str | None = None
        self._tools: dict[str, str] = {}
        self._codes: dict[str, int] = {}
        self._first = True

    def parts(self, record: Record) -> Iterator[Part]:
        value = fields(record)
        if self._first and value.get("type") != "session_meta":
            yield Gap("cut_head")
        self._first = False
        kind, payload = str(value.get("type")), mapping(value.get("payload"))
        if kind in {"session_meta", "turn_context"}:
            self._cwd = text_or_none(payload.get("cwd")) or self._cwd
            yield Setting(self._cwd, text_or_none(payload.get("id")))
            yield Silent(kind)
        elif kind == "response_item":
            yield from self._item(payload, text_or_none(value.get("timestamp")))
        elif kind == "event_msg":
            yield from self._event(payload)
        elif kind == "compacted":
            yield Note("compaction")
        else:
            yield Silent(kind) if kind in _SILENT_RECORDS else Unknown(kind)

    def _item(self, item: Mapping[str, Any], at: str | None) -> Iterator[Part]:
        kind = str(item.get("type"))
        identity = text_id(item, "call_id", "id")
        if kind in {"function_call", "custom_tool_call", "local_shell_call"}:
            yield from self._call(item, identity, at)
        elif kind.endswith("_call_output"):
            yield self._answer(identity, item.get("output"))
        else:
            yield Silent(kind) if kind in _SILENT_ITEMS else Unknown(f"item {kind}")
            if kind == "message" and "<user_shell_command>" in text_of(item.get("content")):
                yield Gap("user_command")

    def _call(self, item: Mapping[str, Any], identity: str, at: str | None) -> Iterator[Part]:
        tool, arguments = _asked(item)
        if tool in _SCRIPTS:
            yield Gap("not_listed")
        if tool == "spawn_agent":
            yield Gap("sub_agent")
        if len(self._tools) < MAX_OPEN:
            self._tools[identity] = tool
        cwd = text_or_none(mapping(arguments).get("workdir")) or self._cwd
        yield Call(identity, tool, arguments, cwd=cwd, at=at)

    def _answer(self, identity: str, output: Any) -> Answer:
        text, code = _output(output)
        tool = self._tools.pop(identity, "")
        code = self._codes.pop(identity, None) if code is None else code
        refused_by: RefusedBy | None = None
        if text.startswith(_BY_USER):
            refused_by = "user"
        elif _SANDBOX.match(text) or (tool == "apply_patch" and _PATCH_REFUSED.match(text)):
            refused_by = "tool"
        is_error = True if refused_by else None if code is None else code != 0
        return Answer(
            identity,
            text,
            is_error=is_error,
            # a patch is no command line: what counts is whether it was applied
            exit_code=None if tool == "apply_patch" or refused_by else code,
            refused_by=refused_by,
            outcome_is_known=not text.endswith(_ABORTED),
        )

    def _event(self, event: Mapping[str, Any]) -> Iterator[Part]:
        kind = str(event.get("type"))
        if kind == "exec_command_end":
            code = whole_number(event.get("exit_code"))
            if code is not None and len(self._codes) < MAX_OPEN:
                self._codes[text_id(event, "call_id")] = code
            if event.get("source") == "user_shell":
                yield Gap("user_command")
            yield Silent(kind)
        elif kind == "turn_aborted":
            yield Note("interruption")
        elif kind == "context_compacted":
            yield Note("compaction")
        elif kind.startswith(("undo_", "thread_rolled_back")):
            yield Gap("outside_change")
        elif kind.startswith(("collab_", "sub_agent")):
            yield Gap("sub_agent")
        else:
            yield Silent(kind) if kind in _SILENT_EVENTS else Unknown(f"event {kind}")


class _OldRollout(_Rollout):
    """Items without a wrapper; the first line has the session's id."""

    def parts(self, record: Record) -> Iterator[Part]:
        value = fields(record)
        if self._first and "type" in value:
            yield Gap("cut_head")
        self._first = False
        if "type" in value:
            yield from self._item(value, text_or_none(value.get("timestamp")))
        elif "record_type" in value or "instructions" in value:
            yield Setting(trace_id=text_or_none(value.get("id")))
            yield Silent(str(value.get("record_type", "session")))
        else:
            yield Unknown("record")


def _asked(item: Mapping[str, Any]) -> tuple[str, Any]:
    tool = str(item.get("name", "shell"))
    if item.get("type") == "local_shell_call":
        return "shell", {"command": plain_command(mapping(item.get("action")).get("command"))}
    arguments = item.get("arguments", item.get("input"))
    if item.get("type") == "custom_tool_call" and isinstance(arguments, str):
        return tool, {"source" if tool in _SCRIPTS else "input": arguments}
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            return tool, {"command" if "shell" in tool else "value": arguments}
    if not isinstance(arguments, Mapping):
        return tool, {"value": arguments}
    for name in ("command", "cmd"):
        if name in arguments:
            return _command(tool, dict(arguments), name)
    return tool, dict(arguments)


def _command(tool: str, arguments: dict[str, Any], name: str) -> tuple[str, Any]:
    """A patch may be sent through the shell: it is then the tool's own, not a command."""
    command = arguments.pop(name)
    words = command if isinstance(command, list) else []
    line = plain_command(command)
    text = line if isinstance(line, str) else str(words[1]) if words[1:] else ""
    is_patch = words[:1] == ["apply_patch"] or text.lstrip().startswith("apply_patch")
    patch = between(text, "*** Begin Patch\n", "*** End Patch") if is_patch else None
    if patch is not None:
        return "apply_patch", {"input": patch, **arguments}
    return tool, {"command": line, **arguments}


def _output(output: Any) -> tuple[str, int | None]:
    """What was printed and the exit code: JSON in a text, lines before the output, or neither."""
    text = text_of(output)
    if text.startswith("{"):
        try:
            wrapped = mapping(json.loads(text))
        except (ValueError, RecursionError):
            wrapped = {}
        if isinstance(wrapped.get("output"), str):
            return wrapped["output"], whole_number(
                mapping(wrapped.get("metadata")).get("exit_code")
            )
    head, marker, printed = text.partition("\nOutput:\n")
    match = _EXIT.search(head) if marker or head.startswith(("Exit code:", "Chunk ID")) else None
    return (printed, int(match[1])) if match else (text, None)


def _is_rollout(record: Record) -> bool:
    value = fields(record)
    kinds = {"session_meta", "turn_context", "response_item", "event_msg", "compacted"}
    return str(value.get("type")) in kinds and isinstance(value.get("payload"), Mapping)


def _is_old(record: Record) -> bool:
    value = fields(record)
    is_first = "instructions" in value and "timestamp" in value and "type" not in value
    return is_first or value.get("record_type") == "state"


ROLLOUT = TraceReader(recognises=_is_rollout, reading=_Rollout)
OLD_ROLLOUT = TraceReader(recognises=_is_old, reading=_OldRollout)
