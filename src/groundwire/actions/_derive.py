"""Claims for an agent that makes none: read off the trace, as anchors and hashes."""

from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher
from itertools import takewhile

from groundwire.actions._claims import (
    Anchor,
    AnyClaim,
    CodeInserted,
    CommandExecuted,
    ContentClaim,
    FileChanged,
    FileDelete,
    FileEdit,
    FileWrite,
    TestsPass,
)
from groundwire.actions._content import hash_of, normal
from groundwire.actions._history import History
from groundwire.actions._output import TRACE_PREFIX, SpecialistOutput
from groundwire.actions._replay import Version
from groundwire.traces import Replacement, only_reads

MAX_ANCHOR_CHARS = 160
MAX_HUNKS = 20
MAX_DIFFED_LINES = 4_000


def claims_for_change(path: str, old: str | None, new: str | None) -> list[ContentClaim]:
    """What to claim for a file that was `old` and is now `new`; None for no file.

    Each changed place is one claim. A new file, or one changed all over, is claimed by the hash of
    all of it.
    """
    if new is None:
        return [FileDelete(file_path=path)]
    text = normal(new)
    hunks = [] if old is None else _hunks(normal(old), text)
    if old is None or len(hunks) > MAX_HUNKS:
        return [FileWrite(file_path=path, content_hash=hash_of(text))]
    return [_edit(path, text, *hunk) for hunk in hunks]


def _edit(path: str, text: str, start: int, end: int, is_insertion: bool) -> ContentClaim:  # noqa: FBT001
    kind = CodeInserted if is_insertion else FileEdit
    return kind(file_path=path, anchor=anchor_for(text, start, end))


def anchor_for(text: str, start: int, end: int) -> Anchor:
    """Anchors for a part of a text: whole lines around it where they are short enough."""
    return _anchor_between(text[:start], text[end:], hash_of(text[start:end]))


def _anchor_between(before: str, after: str, content_hash: str) -> Anchor:
    return Anchor(
        before_snippet=_last_lines(before),
        after_snippet=_last_lines(after[::-1])[::-1],
        content_hash=content_hash,
    )


def _last_lines(text: str) -> str:
    """As many of the last lines as fit, at least a part of the last that is not blank."""
    tail = text[-MAX_ANCHOR_CHARS:]
    if len(tail) == len(text):
        return tail
    _, line_feed, whole = tail.partition("\n")
    return whole if line_feed and whole.strip() else tail


def _hunks(old: str, new: str) -> list[tuple[int, int, bool]]:
    """Changed places of `new` as start, end, and whether nothing was there before."""
    old_lines, new_lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [0]
    for line in new_lines:
        starts.append(starts[-1] + len(line))
    return [
        (starts[first], starts[last], is_insertion)
        for first, last, is_insertion in _changed_lines(old_lines, new_lines)
    ]


def _changed_lines(old: list[str], new: list[str]) -> list[tuple[int, int, bool]]:
    head, tail = _shared(old, new)
    old_part, new_part = old[head : len(old) - tail], new[head : len(new) - tail]
    if not old_part and not new_part:
        return []
    if len(old_part) + len(new_part) > MAX_DIFFED_LINES:
        return [(head, head + len(new_part), not old_part)]
    matcher = SequenceMatcher(None, old_part, new_part, autojunk=False)
    return [
        (head + new_start, head + new_end, old_start == old_end)
        for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes()
        if tag != "equal"
    ]


def _shared(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many lines both begin with, and how many of the others both end with."""
    head = _common(old, new)
    return head, _common(old[head:][::-1], new[head:][::-1])


def _common(one: list[str], other: list[str]) -> int:
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def compress(claims: Iterable[AnyClaim]) -> list[AnyClaim]:
    """The same claims with short anchors, and none twice. One that was true stays true.

    The end of the text before an edit still stands right before it, and so does the beginning of
    the text after it.
    """
    small = (_shortened(claim) for claim in claims)
    return list({claim.model_dump_json(exclude={"said"}): claim for claim in small}.values())


def _shortened(claim: AnyClaim) -> AnyClaim:
    if not isinstance(claim, FileEdit | CodeInserted):
        return claim
    anchor = claim.anchor
    short = _anchor_between(anchor.before_snippet, anchor.after_snippet, anchor.content_hash)
    return claim.model_copy(update={"anchor": short})


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
    digest = hash_of(last.content.texts[0]) if last.content else last.content_hash
    if last.deleted:
        yield FileDelete(file_path=path, event_id=last.event_id)
    elif digest is not None:
        yield FileWrite(file_path=path, content_hash=digest, event_id=last.event_id)
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
    lines = new.splitlines(keepends=True)
    head, tail = _shared(old.splitlines(keepends=True), lines)
    if head and tail:
        return Anchor(
            before_snippet="".join(lines[:head])[-MAX_ANCHOR_CHARS:],
            after_snippet="".join(lines[-tail:])[:MAX_ANCHOR_CHARS],
            content_hash=hash_of("".join(lines[head:-tail])),
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
        for check in run.checks:
            if check.check == "tests" and check.mode == "run":
                if run.order > last_edit and check.outcome == "passed":
                    scope = "all" if check.is_whole else "some"
                    yield TestsPass(event_id=run.event_id, scope=scope)
                return
