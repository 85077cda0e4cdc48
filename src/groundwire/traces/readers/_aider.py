"""aider: `.aider.chat.history.md`, in which only its own lines tell what was done."""

import re
from collections.abc import Iterator

from groundwire.traces._parts import (
    Gap,
    Note,
    Part,
    Silent,
    TraceReader,
)
from groundwire.traces._stream import Record
from groundwire.traces._trace import RecordedWrite, TraceEvent

# such as "> Applied edit to src/app.py"
_APPLIED = re.compile(r"> Applied edit to (.+?)\s*$")
# such as "> Commit 1a2b3c4 fix: the test"
_COMMIT = re.compile(r"> Commit ([0-9a-f]{7,40}) (.*?)\s*$")
# such as "> ## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py"
_REFUSED = re.compile(r"> ## SearchReplaceNoExactMatch: .* in (.+?)\s*$")
# such as "> Running pytest -q"
_RUNNING = re.compile(r"> Running (.+?)\s*$")
# such as "#### /run pytest -q", "#### /test"
_USER_COMMAND = re.compile(r"#### (?:/(?:run|test|git|lint|undo|commit)\b|!)")


def _line(record: Record) -> Iterator[Part]:
    text = str(record.value)
    if match := _APPLIED.match(text):
        write = RecordedWrite(path=match[1], action="edit")
        yield TraceEvent(tool="edit", outcome="ok", writes=(write,))
    elif match := _REFUSED.match(text):
        arguments = {"path": match[1]}
        yield TraceEvent(tool="edit", arguments=arguments, outcome="error", refused_by="tool")
    elif match := _COMMIT.match(text):
        command = f"git commit -m {match[2]!r}"
        yield TraceEvent(tool="git", arguments={"message": command}, outcome="ok", writes=())
    elif match := _RUNNING.match(text):
        yield TraceEvent(tool="bash", arguments={"command": match[1]}, outcome="unknown")
    else:
        if _USER_COMMAND.match(text):
            yield Gap("user_command")
        if text.startswith("> ^C"):
            yield Note("interruption")
        yield Silent("aider's line" if text.startswith("> ") else "line")


def _recognises(record: Record) -> bool:
    return str(record.value).startswith("# aider chat started at ")


MARKDOWN = TraceReader(
    _line, _recognises, leaves_out="ids, exit codes and what commands printed", is_text=True
)
