"""aider: `.aider.chat.history.md`, in which only its own lines tell what was done."""

from collections.abc import Iterator

from groundwire._patterns import lazy_pattern
from groundwire.traces._parts import (
    Gap,
    Note,
    Part,
    Silent,
    TraceReader,
)
from groundwire.traces._stream import Record
from groundwire.traces._trace import RecordedWrite, TraceEvent

# such as "#### /run pytest -q", "#### /test"
_USER_COMMAND = lazy_pattern(r"#### (?:/(?:run|test|git|lint|undo|commit)\b|!)")


_APPLIED = "> Applied edit to "
_COMMIT = "> Commit "
_REFUSED = "> ## SearchReplaceNoExactMatch:"
_RUNNING = "> Running "


def _line(record: Record) -> Iterator[Part]:
    text = str(record.value).rstrip()
    if text.startswith(_APPLIED):
        write = RecordedWrite(path=text.removeprefix(_APPLIED), action="edit")
        yield TraceEvent(tool="edit", outcome="ok", writes=(write,))
    elif text.startswith(_REFUSED):
        arguments = {"path": text.rpartition(" in ")[2]}
        yield TraceEvent(tool="edit", arguments=arguments, outcome="error", refused_by="tool")
    elif text.startswith(_COMMIT):
        identity, _, message = text.removeprefix(_COMMIT).partition(" ")
        arguments = {"commit": identity, "message": message}
        yield TraceEvent(tool="git_commit", arguments=arguments, outcome="ok", writes=())
    elif text.startswith(_RUNNING):
        arguments = {"command": text.removeprefix(_RUNNING)}
        yield TraceEvent(tool="bash", arguments=arguments, outcome="unknown")
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
