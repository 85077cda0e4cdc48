"""Claims for an agent that makes none: read off the trace of what its tools did."""

from collections.abc import Callable, Iterator

from groundwire.actions._claims import (
    Anchor,
    AnyClaim,
    CommandExecuted,
    FileChanged,
    FileDelete,
    FileEdit,
    FileWrite,
    TestsPass,
)
from groundwire.actions._compress import MAX_ANCHOR_CHARS, anchor_for
from groundwire.actions._content import hash_of, normal
from groundwire.actions._history import History
from groundwire.actions._output import TRACE_PREFIX, SpecialistOutput
from groundwire.actions._replay import Version
from groundwire.traces import Replacement, only_reads

TextOf = Callable[[str], str | None]
"""The text of a file now, None if there is none."""


def claims_from_trace(
    history: History, *, trace_id: str | None = None, text_of: TextOf = lambda _: None
) -> SpecialistOutput:
    """What an honest agent would claim after this trace. Refused calls are not claimed.

    Contents come from the trace alone; the files only lend the lines around an edit.
    """
    files = [claim for path in history.changes for claim in _file_claims(path, history, text_of)]
    commands = list(_command_claims(history))
    return SpecialistOutput(
        summary=f"Derived from a trace: {len(files)} about files, {len(commands)} about commands.",
        trace_ref=f"{TRACE_PREFIX}{trace_id or 'unknown'}",
        claims=(*files, *commands, *_tests_claims(history)),
    )


def _file_claims(path: str, history: History, text_of: TextOf) -> Iterator[AnyClaim]:
    versions = [version for version in history.versions(path) if version.sure]
    if not versions:
        return
    last = versions[-1]
    if last.deleted:
        yield FileDelete(file_path=path, event_id=last.event_id)
    elif last.content is not None:
        digest = hash_of(last.content.texts[0])
        yield FileWrite(file_path=path, content_hash=digest, event_id=last.event_id)
    elif last.content_hash is not None:
        yield FileWrite(file_path=path, content_hash=last.content_hash, event_id=last.event_id)
    else:
        yield from _edit_claims(path, versions, text_of(path))


def _edit_claims(path: str, versions: list[Version], now: str | None) -> Iterator[AnyClaim]:
    """One claim per edit since the file was last made or removed."""
    since = max((i for i, one in enumerate(versions) if one.effect.action != "edit"), default=-1)
    for version in versions[since + 1 :] or versions[-1:]:
        anchors = [_anchor(one, now) for one in version.effect.replacements]
        for anchor in anchors:
            if anchor is not None:
                yield FileEdit(file_path=path, anchor=anchor, event_id=version.event_id)
        if not anchors or None in anchors:
            yield FileChanged(file_path=path, event_id=version.event_id)


def _anchor(replacement: Replacement, now: str | None) -> Anchor | None:
    """Anchors from the lines both texts share, from the file around it, or from the text itself."""
    old, new = normal(replacement.old), normal(replacement.new)
    head, tail = _shared(old, new)
    if head and tail:
        return Anchor(
            before_snippet=new[:head][-MAX_ANCHOR_CHARS:],
            after_snippet=new[len(new) - tail :][:MAX_ANCHOR_CHARS],
            content_hash=hash_of(new[head : len(new) - tail]),
        )
    if new and now is not None and normal(now).count(new) == 1:
        text = normal(now)
        start = text.index(new)
        return anchor_for(text, start, start + len(new))
    if len(new.strip()) < 2:  # noqa: PLR2004
        return None
    half = min(MAX_ANCHOR_CHARS // 2, len(new) // 2)
    return Anchor(
        before_snippet=new[:half],
        after_snippet=new[-half:],
        content_hash=hash_of(new[half : len(new) - half]),
    )


def _shared(old: str, new: str) -> tuple[int, int]:
    """How many characters of whole lines both texts begin and end with."""
    old_lines, new_lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    head = tail = 0
    while old_lines and new_lines and old_lines[0] == new_lines[0]:
        head += len(old_lines.pop(0))
        new_lines.pop(0)
    while old_lines and new_lines and old_lines[-1] == new_lines[-1]:
        tail += len(old_lines.pop())
        new_lines.pop()
    return head, tail


def _command_claims(history: History) -> Iterator[AnyClaim]:
    for run in history.runs:
        if not only_reads(run.command):
            yield CommandExecuted(
                command=run.command, exit_code=run.exit_code, event_id=run.event_id
            )


def _tests_claims(history: History) -> Iterator[AnyClaim]:
    """The tests pass if their last run came after the last edit and passed."""
    last_edit = history.last_change_order
    for run in reversed(history.runs):
        for check, outcome in run.checks:
            if check.check == "tests":
                if run.order > last_edit and outcome == "passed":
                    scope = "some" if check.narrow else "all"
                    yield TestsPass(event_id=run.event_id, scope=scope)
                return
