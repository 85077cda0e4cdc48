"""Cline: what its page shows (`ui_messages.json`) and what it sent to the model.

Roo Code writes the same files; that has not been tried.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from groundwire._patterns import lazy_pattern
from groundwire.text import word_set
from groundwire.traces._messages import anthropic_parts
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
    Unread,
)
from groundwire.traces._stream import Record
from groundwire.traces._tally import event_of
from groundwire.traces._trace import RefusedBy
from groundwire.traces.readers._common import elements, fields, mapping, objects, text_of

_SILENT = word_set(
    """task text reasoning api_req_started api_req_finished api_req_retried api_req_failed
    checkpoint_created task_progress completion_result resume_task resume_completed_task followup
    plan_mode_respond mistake_limit_reached auto_approval_max_req_reached load_mcp_documentation
    mcp_server_request_started error error_retry info condense new_task summarize_task report_bug
    deleted_api_reqs clineignore_error diff_error generate_explanation hook_status
    hook_output_stream
    command_permission_denied shell_integration_warning shell_integration_warning_with_suggestion
    conversation_history_index mcp_notification conditional_rules_applied act_mode_respond
    browser_action_launch browser_action browser_action_result inspect_site"""
)
_TOOLS = {
    "readFile": "read_file", "editedExistingFile": "replace_in_file", "newFileCreated":
    "write_to_file", "fileDeleted": "delete_file", "searchFiles": "search_files",
    "appliedDiff": "apply_diff",
}  # fmt: skip
_WRITES = {"editedExistingFile", "newFileCreated", "fileDeleted", "appliedDiff"}


class _Ui(Reading):
    """Calls have no ids: a command's output follows it, and so does a person's answer."""

    def __init__(self) -> None:
        self._open: Call | None = None
        self._output: list[str] = []

    def parts(self, record: Record) -> Iterator[Part]:
        if record.is_field:
            return
        message = fields(record)
        kind = str(message.get("say") or message.get("ask"))
        text = str(message.get("text") or "")
        if kind == "command_output":
            self._output += [text] if self._open is not None else []
            yield Silent(kind)
            return
        if kind == "user_feedback":
            yield from self._close()
            yield Silent(kind)
            return
        if kind in {"tool", "command", "use_mcp_server"}:
            yield from self._close()
            yield from self._call(kind, text)
        elif kind == "mcp_server_response":
            self._output.append(text)
            yield from self._close()
        elif kind == "use_subagents":
            yield Gap("sub_agent")
        elif kind == "user_feedback_diff":
            yield Gap("outside_change")
        else:
            if kind == "api_req_started":
                yield from self._close()
                yield from _folder(text)
            yield Silent(kind) if kind in _SILENT else Unknown(kind)

    def _call(self, kind: str, text: str) -> Iterator[Part]:
        if kind == "command":
            yield Silent(kind)
            command = text.removesuffix("REQ_APP")
            self._open = Call("", "execute_command", {"command": command})
            return
        try:
            told = mapping(json.loads(text))
        except (ValueError, RecursionError):
            yield Unread("the text of a tool's call is cut off")
            return
        if kind == "use_mcp_server":
            tool, arguments = str(told.get("toolName")), told.get("arguments")
        else:
            name = str(told.get("tool"))
            tool, arguments = _TOOLS.get(name, name), _arguments(name, told)
        yield Silent(kind)
        self._open = Call("", tool, arguments)

    def _close(self) -> Iterator[Part]:
        """A call nothing is shown of may have been carried out or not, and so may one after which
        the person spoke.
        """
        if self._open is not None:
            printed = "\n".join(one for one in self._output if one)
            if printed:
                yield self._open
                yield Answer("", printed, tool=self._open.tool)
            else:
                yield event_of(self._open, None)
        self._open, self._output = None, []

    def end(self) -> Iterator[Part]:
        yield from self._close()


def _arguments(name: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """The content of an edit is its diff; of what was read, the full path."""
    arguments = {key: value for key, value in told.items() if key not in {"tool", "content"}}
    if name in _WRITES and "content" in told:
        key = "content" if name == "newFileCreated" else "diff"
        arguments[key] = told["content"]
    return arguments


# such as "# Current Working Directory (/work/app) Files"
_FOLDER = lazy_pattern(r"# Current (?:Working|Workspace) Directory \(([^)\n]+)\)")


def _folder(text: str) -> Iterator[Part]:
    match = _FOLDER.search(text)
    if match:
        yield Setting(match[1])


_NAMES = (
    "execute_command|read_file|write_to_file|replace_in_file|apply_diff|insert_content|search_files"
    "|list_files|list_code_definition_names|browser_action|use_mcp_tool|access_mcp_resource"
    "|ask_followup_question|attempt_completion|new_task|plan_mode_respond|delete_file"
)
# such as "<read_file>", before "<path>a.py</path>\n</read_file>"
_XML_CALL = lazy_pattern(rf"<({_NAMES})>")
# such as "<path>", before "a.py</path>"
_XML_ARGUMENT = lazy_pattern(r"<(\w{1,40})>")
# such as "[read_file for 'a.py'] Result:"
_RESULT = lazy_pattern(rf"\[({_NAMES})(?: for '[^\n]{{0,500}}')?\] Result:\s{{0,4}}")
_DENIED = "The user denied this operation."
_REFUSED = ("The tool execution failed", "<error>", "Error:")


class _Api(Reading):
    """Calls as blocks, or as XML in the text; then their results stand in the next message."""

    def __init__(self) -> None:
        self._is_xml = False

    def parts(self, record: Record) -> Iterator[Part]:
        if record.is_field:
            return
        message = fields(record)
        role = message.get("role")
        content = message.get("content")
        texts = [content] if isinstance(content, str) else []
        texts += [text_of(b) for b in objects(content) if b.get("type") == "text"]
        yield from anthropic_parts(message)
        for text in texts:
            yield from _folder(text)
            if role == "assistant":
                yield from self._calls(text)
            elif role == "user" and self._is_xml:
                yield from _results(text)

    def _calls(self, text: str) -> Iterator[Part]:
        for name, inside in elements(text, _XML_CALL):
            self._is_xml = True
            arguments = dict(elements(inside, _XML_ARGUMENT))
            yield Call("", name, {key: value.strip("\n") for key, value in arguments.items()})


def _results(text: str) -> Iterator[Part]:
    matches = list(_RESULT.finditer(text))
    for match, after in zip(matches, [*matches[1:], None], strict=True):
        result = text[match.end() : after.start() if after else len(text)]
        refused: RefusedBy | None = None
        if result.startswith(_DENIED):
            refused = "user"
        elif result.startswith(_REFUSED):
            refused = "tool"
        yield Answer("", result, is_error=bool(refused) or None, refused_by=refused, tool=match[1])


def _is_ui(record: Record) -> bool:
    message = fields(record)
    kind = str(message.get("type"))
    return kind in {"say", "ask"} and isinstance(message.get(kind), str) and "ts" in message


def _is_api(record: Record) -> bool:
    message = fields(record)
    if "role" not in message or message.keys() - {"role", "content", "ts", "id", "modelInfo"}:
        return False
    return any(
        mark in text_of(message.get("content"))
        for mark in ("<environment_details>", "<task>\n", "] Result:")
    )


_LEFT_OUT = "ids, exit codes and most results of calls"
UI = TraceReader(recognises=_is_ui, reading=_Ui, leaves_out=_LEFT_OUT)
API = TraceReader(recognises=_is_api, reading=_Api)
