"""Does an edit stand in a text? Both its anchors, in order, and the claimed text between them.

Either anchor alone proves nothing: both stand there before any edit. So every ordered pair of
occurrences is tried, and the hash of what lies between decides.
"""

from bisect import bisect_left
from collections.abc import Iterator
from enum import Enum
from hashlib import sha256

from groundwire.actions._claims import Anchor
from groundwire.actions._content import Content, normal, visible_forms

MAX_OCCURRENCES = 20_000
MAX_PAIRS = 50_000
MAX_HASHED_CHARS = 64_000_000


class Match(Enum):
    HOLDS = "holds"
    NO_ANCHOR = "no anchor"
    OTHER_TEXT = "other text"
    TOO_COMMON = "too common"


def match_edit(content: Content, anchor: Anchor, same: frozenset[str] = frozenset()) -> Match:
    """Try the text as it is, then ever more tolerant views of it; the best answer counts.

    `same` are hashes of what a person would call the claimed text, where that text is known.
    """
    best = Match.NO_ANCHOR
    wanted = same | {anchor.content_hash}
    for text in content.forms:
        for before, after in _anchor_forms(anchor):
            found = _match(text, before, after, wanted)
            if found is Match.HOLDS:
                return found
            best = _stronger(best, found)
    return best


def _anchor_forms(anchor: Anchor) -> Iterator[tuple[str, str]]:
    before, after = normal(anchor.before_snippet), normal(anchor.after_snippet)
    yield before, after
    seen = {(before, after)}
    befores = [before, *visible_forms(before)]
    afters = [after, *visible_forms(after)]
    for pair in zip(_filled(befores), _filled(afters), strict=True):
        # an anchor of nothing but blanks would turn into "edge of the file"
        if pair not in seen and bool(pair[0]) == bool(before) and bool(pair[1]) == bool(after):
            seen.add(pair)
            yield pair


def _filled(forms: list[str]) -> list[str]:
    """As many forms as an anchor with tabs has: the last one again."""
    return (forms + forms[-1:] * 4)[:4]


def _stronger(one: Match, other: Match) -> Match:
    rank = [Match.NO_ANCHOR, Match.OTHER_TEXT, Match.TOO_COMMON]
    return max(one, other, key=rank.index)


def _match(text: str, before: str, after: str, wanted: frozenset[str]) -> Match:
    starts = [0] if not before else [at + len(before) for at in _occurrences(text, before)]
    stops = [len(text)] if not after else list(_occurrences(text, after))
    if not starts or not stops:
        return Match.NO_ANCHOR
    pairs = hashed_chars = 0
    any_pair = False
    # "a" and "b" on neighbouring lines have nothing between them; "a\n" and "b" have a blank line
    bare = not before.endswith("\n") and not after.startswith("\n")
    for start in starts:
        later = stops[bisect_left(stops, start) :]
        for digest, length in _between(text, start, later, bare=bare):
            any_pair = True
            if digest in wanted:
                return Match.HOLDS
            pairs += 1
            hashed_chars += length
            if pairs > MAX_PAIRS or hashed_chars > MAX_HASHED_CHARS:
                return Match.TOO_COMMON
    if len(starts) >= MAX_OCCURRENCES or len(stops) >= MAX_OCCURRENCES:
        return Match.TOO_COMMON
    return Match.OTHER_TEXT if any_pair else Match.NO_ANCHOR


def _occurrences(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    for _ in range(MAX_OCCURRENCES):
        if at < 0:
            return
        yield at
        at = text.find(part, at + 1)


def _between(text: str, start: int, stops: list[int], *, bare: bool) -> Iterator[tuple[str, int]]:
    """Hashes of the text from `start` to each stop, with the number of characters each cost.

    A person who names whole lines as anchors may or may not count the line feed next to them as
    part of the text, and may have hashed it with either kind of line ending. `bare` anchors have no
    line feed of their own there, so that one line feed alone may count as nothing.
    """
    for line_end in ("\n", "\r\n"):
        for skip in (0, 1) if text.startswith("\n", start) else (0,):
            yield from _growing(text, start, skip, stops, line_end, bare=bare)


def _growing(
    text: str, start: int, skip: int, stops: list[int], line_end: str, *, bare: bool
) -> Iterator[tuple[str, int]]:
    hasher = sha256()
    at = start + skip
    has_break = False
    for stop in stops:
        if stop < start + skip:
            continue
        piece = text[at:stop]
        at = stop
        has_break = has_break or "\n" in piece
        if line_end == "\r\n" and not has_break:
            hasher.update(piece.encode("utf-8", "surrogatepass"))
            continue
        ends_line = piece.endswith("\n")
        body = piece[:-1] if ends_line else piece
        hasher.update(body.replace("\n", line_end).encode("utf-8", "surrogatepass"))
        kept = stop - start - skip - ends_line
        # trimming must not turn an empty line into no line
        may_trim = kept > 0 or (bare and skip + ends_line == 1)
        if ends_line and may_trim:
            yield hasher.hexdigest(), 0
        if ends_line:
            hasher.update(line_end.encode())
        if not skip or may_trim or ends_line:
            yield hasher.hexdigest(), len(piece)
