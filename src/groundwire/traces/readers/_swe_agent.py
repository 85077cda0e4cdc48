"""SWE-agent (`.traj`) and mini-swe-agent (`.traj.json`)."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from groundwire._patterns import lazy_pattern
from groundwire.text import word_set
from groundwire.traces._messages import openai_parts, text_id
from groundwire.traces._parts import (
    Answer,
    Call,
    Part,
    Reading,
    Setting,
    Silent,
    TraceReader,
    Unknown,
    Unread,
)
from groundwire.traces._stream import Record
from groundwire.traces.readers._common import (
    fields,
    mapping,
    objects,
    text_of,
    text_or_none,
    whole_number,
)

_OWN = word_set(
    """open goto scroll_down scroll_up create edit insert append search_dir search_file find_file
    submit exit_forfeit exit_cost exit_format exit_context exit_error skip str_replace_editor"""
)
_NOT_WRITTEN = "Your proposed edit has introduced new syntax error(s)"
# such as "edit 3:5\nx = 1\nend_of_edit"
_EDIT = lazy_pattern(r"edit (\d+):(\d+)\n(.*?)\n?end_of_edit", re.DOTALL)


# such as "[File: /repo/src/app.py (23 lines total)]"
_SHOWN = lazy_pattern(r"^\[File: (?P<path>[^\n]+) \(\d+ lines total\)\]", re.MULTILINE)


class _Trajectory(Reading):
    """Steps without ids: each has its action and what was observed."""

    def __init__(self) -> None:
        self._step = 0
        self._open_file: str | None = None
        self._cwd: str | None = None

    def parts(self, record: Record) -> Iterator[Part]:
        if record.is_field:
            return
        step = fields(record)
        if record.name != "trajectory":
            yield Silent(f"{record.name or 'other'} message")
            return
        self._step += 1
        action = step.get("action")
        if not isinstance(action, str):
            yield Unread("a step without an action")
        elif action.strip():
            yield from self._call(action, step)
        else:
            yield Silent("step without a command")
        self._follow(step.get("state"))
        yield Setting(self._cwd)

    def _call(self, action: str, step: Mapping[str, Any]) -> Iterator[Part]:
        identity = str(self._step)
        word = action.split(None, 1)[0]
        tool = "bash"
        arguments: dict[str, Any] = {"command": action}
        if word in _OWN:
            # the state of a step may be that before it; what was shown is the file it worked on
            shown = _SHOWN.search(str(step.get("observation")))
            path = shown["path"] if shown else self._open_file
            tool, arguments = word, {"path": path, "action": action}
            if word in {"open", "create"}:
                arguments["path"] = _first_word(action.partition(" ")[2])
            elif match := _EDIT.match(action):
                arguments["new_lines"] = match[3]
        yield Call(identity, tool, arguments, cwd=self._cwd)
        observation = step.get("observation")
        if observation is None:
            return
        is_refused = _NOT_WRITTEN in str(observation)
        yield Answer(
            identity,
            observation,
            is_error=True if is_refused else None,
            refused_by="tool" if is_refused else None,
        )

    def _follow(self, state: Any) -> None:
        if isinstance(state, str):
            try:
                state = json.loads(state)
            except (ValueError, RecursionError):
                return
        told = mapping(state)
        opened = text_or_none(told.get("open_file"))
        self._open_file = opened if opened != "n/a" else None
        self._cwd = text_or_none(told.get("working_dir")) or self._cwd


def _first_word(text: str) -> str:
    """Without its quotes: `"a b.py" 12` is `a b.py`."""
    text = text.strip()
    if text[:1] in {"'", '"'}:
        return text[1:].partition(text[0])[0]
    return text.split(None, 1)[0] if text else ""


# such as "```bash", before "ls -la\n```"
_FENCE = lazy_pattern(r"```(?:mswea_bash_command|bash)\n")
# such as "<returncode>0</returncode>"
_CODE = lazy_pattern(r"<returncode>(-?\d{1,5})</returncode>")


class _Mini(Reading):
    """A fenced command has no id: its result is the next message."""

    def __init__(self) -> None:
        self._fenced = 0
        self._has_open = False
        self._last = ""

    def parts(self, record: Record) -> Iterator[Part]:
        if record.is_field:
            if record.name == "info":
                environment = mapping(
                    mapping(mapping(record.value).get("config")).get("environment")
                )
                yield Setting(text_or_none(environment.get("cwd")))
            return
        message = fields(record)
        extra = mapping(message.get("extra"))
        role = str(message.get("role"))
        if role == "assistant":
            yield from self._asked(message, extra)
        elif role == "tool" or "returncode" in extra or self._has_open:
            yield from self._answered(message, extra, role)
        elif role == "exit" and extra.get("exit_status") == "Submitted" and self._last:
            # the command that submits ends the run: what it printed is the submission
            yield Answer(self._last, text_of(message.get("content")), is_error=False)
        elif role in {"system", "user", "exit"}:
            yield Silent(f"{role} message")
        else:
            yield Unknown(f"{role} message")

    def _asked(self, message: Mapping[str, Any], extra: Mapping[str, Any]) -> Iterator[Part]:
        actions = objects(extra.get("actions"))
        calls = [part for part in openai_parts(message) if isinstance(part, Call)]
        text = text_of(message.get("content"))
        for action in actions if not calls else ():
            yield Call(text_id(action, "tool_call_id"), "bash", {"command": action.get("command")})
        yield from calls
        self._last = calls[-1].id if calls else ""
        fence = _FENCE.search(text) if not calls and not actions else None
        end = text.find("\n```", fence.end()) if fence is not None else -1
        if fence is not None and end >= 0:
            self._fenced += 1
            self._has_open = True
            yield Call(f"step {self._fenced}", "bash", {"command": text[fence.end() : end]})
        yield Silent("assistant message")

    def _answered(
        self, message: Mapping[str, Any], extra: Mapping[str, Any], role: str
    ) -> Iterator[Part]:
        text = text_of(message.get("content"))
        code = whole_number(extra.get("returncode"))
        if code is None and (match := _CODE.search(text)):
            code = int(match[1])
        identity = text_id(message, "tool_call_id")
        if role != "tool" and self._has_open:
            identity = f"step {self._fenced}"
            self._has_open = False
        self._last = "" if identity == self._last else self._last
        result = extra.get("raw_output", text)
        is_error = None if code is None else code != 0
        is_run = not extra.get("exception_info")
        yield Answer(identity, result, is_error=is_error, exit_code=code, outcome_is_known=is_run)


def _is_trajectory(record: Record) -> bool:
    step = fields(record)
    return record.name == "trajectory" and {"action", "observation"} <= step.keys()


def _is_mini(record: Record) -> bool:
    if record.is_field:
        is_named = record.name == "trajectory_format" and "mini-swe" in str(record.value)
        return is_named or (record.name == "info" and "mini_version" in mapping(record.value))
    return record.name == "messages" and "actions" in mapping(fields(record).get("extra"))


SWE_AGENT = TraceReader(recognises=_is_trajectory, reading=_Trajectory)
MINI = TraceReader(recognises=_is_mini, reading=_Mini)
