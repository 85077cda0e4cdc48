"""Claude Code: the session file, and what `--output-format stream-json` prints."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from groundwire._patterns import lazy_pattern
from groundwire.text import word_set
from groundwire.traces._messages import block_part
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
from groundwire.traces.readers._common import fields, mapping, text_of, text_or_none

_SILENT = word_set(
    """queue-operation file-history-snapshot file-history-delta last-prompt summary permission-mode
    mode worktree-state custom-title ai-title agent-name agent-color agent-setting pr-link tag
    rate_limit_event stream_event content_block_delta content_block_start content_block_stop
    message_start message_delta message_stop ping control_request control_response
    control_cancel_request keep_alive tool_progress tool_use_summary auth_status prompt_suggestion
    marble-origami-commit marble-origami-snapshot speculation-accept content-replacement
    attribution-snapshot task-summary fork-context-ref streamlined_text"""
)
_SYSTEM = word_set(
    """init turn_duration stop_hook_summary away_summary api_error informational local_command
    hook_started hook_response hook_progress post_turn_summary status task_notification
    task_started task_progress microcompact_boundary memory_saved bridge_status api_metrics
    permission_retry scheduled_task_fire files_persisted session_state_changed thinking_tokens
    elicitation_complete api_retry agents_killed error compact_boundary"""
)
_PROGRESS = word_set(
    """bash_progress hook_progress waiting_for_task mcp_progress query_update powershell_progress
    search_results_received skill_progress task_progress repl_tool_call"""
)
_ATTACHED = word_set(
    """queued_command todo_reminder task_reminder file compact_file_reference deferred_tools_delta
    directory opened_file_in_ide selected_lines_in_ide diagnostics plan_mode plan_mode_exit
    plan_mode_reentry nested_memory mcp_resource agent_mention output_style date_change todo
    skill_listing skill_discovery invoked_skills dynamic_skill hook_success hook_cancelled
    hook_error hook_additional_context hook_non_blocking_error hook_blocking_error
    hook_stopped_continuation hook_system_message hook_permission_decision async_hook_response
    critical_system_reminder token_usage budget_usd output_token_usage relevant_memories
    agent_listing_delta mcp_instructions_delta already_read_file pdf_reference image
    command_permissions auto_mode auto_mode_exit verify_plan_reminder plan_file_reference
    task_status teammate_mailbox team_context ultrathink_effort current_session_memory
    context_efficiency companion_intro compaction_reminder max_turns_reached
    structured_output unified_tasks background_task_status async_agent_status memory_update"""
)
_OUTSIDE = {"edited_text_file", "edited_image_file"}
_SUB_AGENTS = {"Task", "Agent"}
# such as "Exit code 1\nTraceback …"
_EXIT = lazy_pattern(r"(?:Error: )?Exit code (-?\d{1,5})\b")
_BY_USER = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "The user rejected",
    "[Request interrupted by user for tool use]",
)
_BY_TOOL = (
    "<tool_use_error>",
    "Permission to use ",
    "Claude requested permissions to ",
    "File has not been read yet",
    "String to replace not found",
)


class _Session(Reading):
    def __init__(self) -> None:
        self._cwd: str | None = None
        self._has_begun = False
        self._asked_sub_agent = False
        self._saw_sidechain = False

    def parts(self, record: Record) -> Iterator[Part]:
        value = fields(record)
        if not value:
            yield Unknown("record that is no object")
            return
        yield from self._place(value)
        kind = str(value.get("type"))
        if kind in {"assistant", "user"}:
            yield from self._message(value)
        elif kind == "progress":
            yield from self._progress(mapping(value.get("data")), value)
        elif kind == "attachment":
            yield _attached(str(mapping(value.get("attachment")).get("type")))
        elif kind == "system":
            yield from self._system(value)
        elif kind == "result":
            yield from _result(value)
        else:
            yield Silent(kind) if kind in _SILENT else Unknown(kind)

    def _place(self, value: Mapping[str, Any]) -> Iterator[Part]:
        session = text_or_none(value.get("sessionId")) or text_or_none(value.get("session_id"))
        cwd = text_or_none(value.get("cwd"))
        if cwd and cwd != self._cwd:
            self._cwd = cwd
            yield Setting(cwd, session)
        if not self._has_begun and "uuid" in value and "parentUuid" in value:
            self._has_begun = True
            is_continued = value.get("subtype") == "compact_boundary"
            if value["parentUuid"] is not None or is_continued:
                yield Gap("cut_head")

    def _message(self, value: Mapping[str, Any]) -> Iterator[Part]:
        message = value.get("message")
        if not isinstance(message, Mapping):
            yield Unknown(f"{value.get('type')} without a message")
            return
        is_sidechain = bool(value.get("isSidechain") or value.get("parent_tool_use_id"))
        self._saw_sidechain = self._saw_sidechain or is_sidechain
        content = message.get("content")
        if not isinstance(content, list):
            yield from _text(str(value.get("type")), content)
            return
        if not content:
            yield Silent("empty message")
        for block in content:
            part = block_part(block)
            if isinstance(part, Call):
                self._asked_sub_agent = self._asked_sub_agent or part.tool in _SUB_AGENTS
                at = text_or_none(value.get("timestamp"))
                yield replace(part, cwd=self._cwd, at=at, is_sidechain=is_sidechain)
            elif isinstance(part, Answer):
                yield _answer(part, value.get("toolUseResult", value.get("tool_use_result")))
            elif isinstance(part, Silent) and part.kind == "text":
                yield from _text(str(value.get("type")), mapping(block).get("text"))
            else:
                yield part

    def _progress(self, data: Mapping[str, Any], value: Mapping[str, Any]) -> Iterator[Part]:
        kind = str(data.get("type"))
        if kind == "agent_progress":
            inner = mapping(data.get("message"))
            told = {**inner, "isSidechain": True, "timestamp": value.get("timestamp")}
            yield from self._message(told) if inner else [Silent(kind)]
        else:
            yield Silent(kind) if kind in _PROGRESS else Unknown(f"progress {kind}")

    def _system(self, value: Mapping[str, Any]) -> Iterator[Part]:
        kind = str(value.get("subtype"))
        if kind == "compact_boundary":
            yield Note("compaction")
        yield Silent(f"system {kind}") if kind in _SYSTEM else Unknown(f"system {kind}")

    def end(self) -> Iterator[Part]:
        if self._asked_sub_agent and not self._saw_sidechain:
            yield Gap("sub_agent")


class _Stream(_Session):
    """A stream says how it begins and that it is over."""

    def __init__(self) -> None:
        super().__init__()
        self._first = True
        self._ended = False

    def parts(self, record: Record) -> Iterator[Part]:
        value = fields(record)
        if self._first and value.get("type") != "system":
            yield Gap("cut_head")
        self._first = False
        self._ended = self._ended or value.get("type") == "result"
        yield from super().parts(record)

    def end(self) -> Iterator[Part]:
        yield from super().end()
        if not self._ended:
            yield Gap("cut_tail")


def _text(role: str, content: Any) -> Iterator[Part]:
    """What a person typed; a command of their own runs without any tool."""
    text = text_of(content)
    if role == "user":
        if text.startswith("[Request interrupted by user"):
            yield Note("interruption")
        if "<bash-input>" in text:
            yield Gap("user_command")
    yield Silent(f"{role} text")


def _attached(kind: str) -> Part:
    if kind in _OUTSIDE:
        return Gap("outside_change")
    return Silent(f"attachment {kind}") if kind in _ATTACHED else Unknown(f"attachment {kind}")


def _result(value: Mapping[str, Any]) -> Iterator[Part]:
    yield Setting(trace_id=text_or_none(value.get("session_id")))
    yield Silent("result")


def _answer(answer: Answer, told: Any) -> Answer:
    """`told` is what the tool itself recorded beside the text that the model sees."""
    text = text_of(answer.result).lstrip()
    refused_by: RefusedBy | None = None
    exit_code = None
    if answer.is_error and text.startswith(_BY_USER):
        refused_by = "user"
    elif answer.is_error and text.startswith(_BY_TOOL):
        refused_by = "tool"
    elif answer.is_error and (match := _EXIT.match(text)):
        exit_code = int(match[1])
    elif not answer.is_error and isinstance(told, Mapping) and "stdout" in told:
        # grep without a hit is no error either: then the tool says how it read the code
        is_open = told.get("interrupted") or told.get("backgroundTaskId")
        exit_code = None if is_open or told.get("returnCodeInterpretation") else 0
    is_error = False if answer.is_error is None else answer.is_error
    return replace(answer, is_error=is_error, exit_code=exit_code, refused_by=refused_by)


def _is_session(record: Record) -> bool:
    value = fields(record)
    kind = str(value.get("type"))
    if kind == "summary":
        return "leafUuid" in value
    if kind == "file-history-snapshot":
        return "snapshot" in value
    known = _SILENT | {"user", "assistant", "progress", "attachment", "system"}
    return "sessionId" in value and kind in known


def _is_stream(record: Record) -> bool:
    value = fields(record)
    if value.get("type") == "system":
        return "subtype" in value
    return "session_id" in value and str(value.get("type")) in {"assistant", "user", "result"}


SESSION = TraceReader(recognises=_is_session, reading=_Session)
STREAM = TraceReader(recognises=_is_stream, reading=_Stream)
