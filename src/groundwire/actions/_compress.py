"""Small claims for large edits: anchors and hashes, never contents."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from groundwire.actions._claims import (
    Anchor,
    AnyClaim,
    CodeInserted,
    ContentClaim,
    FileDelete,
    FileEdit,
    FileWrite,
)
from groundwire.actions._content import hash_of, normal

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
    if old is None:
        return [FileWrite(file_path=path, content_hash=hash_of(text))]
    hunks = _hunks(normal(old), text)
    if len(hunks) > MAX_HUNKS:
        return [FileWrite(file_path=path, content_hash=hash_of(text))]
    return [_edit(path, text, *hunk) for hunk in hunks]


def _edit(path: str, text: str, start: int, end: int, is_insertion: bool) -> ContentClaim:  # noqa: FBT001
    anchor = anchor_for(text, start, end)
    if is_insertion:
        return CodeInserted(file_path=path, anchor=anchor)
    return FileEdit(file_path=path, anchor=anchor)


def anchor_for(text: str, start: int, end: int) -> Anchor:
    """Anchors for a part of a text: whole lines around it where they are short enough."""
    before, after = text[:start], text[end:]
    return Anchor(
        before_snippet=_last_lines(before),
        after_snippet=_last_lines(after[::-1])[::-1],
        content_hash=hash_of(text[start:end]),
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
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
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


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


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
    before = _last_lines(anchor.before_snippet)
    after = _last_lines(anchor.after_snippet[::-1])[::-1]
    if (before, after) == (anchor.before_snippet, anchor.after_snippet):
        return claim
    return claim.model_copy(
        update={
            "anchor": Anchor(
                before_snippet=before, after_snippet=after, content_hash=anchor.content_hash
            )
        }
    )
