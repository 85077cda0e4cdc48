"""Pairs of cause and effect from the learned reader's tags.

Annotated sentences mark things ("a fever") or clauses ("the militants opened fire"). A stretch of
many tagged words is a clause; there a tag lasts, and one pair is meant. Elsewhere things are meant,
and their lists are split. Where only causes or only effects are found, less is taken for nothing.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.encoder import SpansCalibration, judge_calibration
from groundwire.text import is_auxiliary, word_set

if TYPE_CHECKING:
    import numpy as np

Range = tuple[int, int]


class Pair(NamedTuple):
    """Where the cause stands and where the effect: from, up to."""

    cause: Range
    effect: Range


# "don't", "W32/Sircam", "19.1"; every other mark stands alone
_WORD = lazy_pattern(r"\w+(?:[-'’./]\w+)*|[^\w\s]")
# such as "fever, rash and nausea", "tazobactam/piperacillin"
_LIST = lazy_pattern(
    r"\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or|and/or|as well as)\s+|\s*/\s*|\s*\(\s*|\)\s*"
)
_KINDS = ("", "cause", "effect")
_MAX_GAP_WORDS = 3
_MAX_LISTED_WORDS = 4
_LEANS = (0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0)
"""How much less is taken for nothing, step by step, until a cause and an effect are found."""
_FIRST_LEAN = 1.0
_FIRST_COST = 1.0
# what joins a cause to its effect belongs to neither
_BEFORE = word_set(
    """because of by in as when after due to since while despite following for from with on over
    during and but so that thus thereby caused resulting resulted leading led triggered owing thanks
    through at until ahead where whereby out result was were is are amid given"""
)
_BEHIND = word_set(
    """because of by in as when after due to since while despite following for from with on over
    during and but so that which who was were is are had been has have resulted caused led the a an
    only also at said"""
)


class _Found(NamedTuple):
    start: int
    end: int
    kind: str

    @property
    def place(self) -> Range:
        return self.start, self.end


def words_apart(text: str) -> list[Range]:
    return [match.span() for match in _WORD.finditer(text)]


def decoded(
    text: str, logits: "np.ndarray[Any, Any]", tuned: SpansCalibration | None = None
) -> list[Pair]:
    """`logits` is a row of (nothing, cause, effect) for each word."""
    tuned = tuned or judge_calibration().spans
    rows = [(float(none), float(cause), float(effect)) for none, cause, effect in logits]
    longest = _longest(_tagged(rows, _FIRST_LEAN, _FIRST_COST))
    are_things = longest < tuned.clauses_words
    lean, cost = (
        (tuned.things_lean, tuned.things_cost)
        if are_things
        else (tuned.clauses_lean, tuned.clauses_cost)
    )
    for more in _LEANS:
        found = _stretches(text, _tagged(rows, lean + more, cost))
        pairs = _of_things(text, found) if are_things else _of_clauses(found)
        if pairs:
            return pairs
    return []


def _longest(tags: Sequence[int]) -> int:
    longest = length = last = 0
    for tag in tags:
        length = length + 1 if tag and tag == last else bool(tag)
        longest, last = max(longest, length), tag
    return longest


def _tagged(logits: Sequence[tuple[float, ...]], lean: float, cost: float) -> list[int]:
    """The likeliest tags when each change of tag costs something (Viterbi)."""
    if not logits:
        return []
    rows = [(none - lean, cause, effect) for none, cause, effect in logits]
    best: Sequence[float] = rows[0]
    ways: list[list[int]] = []
    for row in rows[1:]:
        top = max(range(len(best)), key=best.__getitem__)
        before = [one if best[one] >= best[top] - cost else top for one in range(len(best))]
        ways.append(before)
        best = [row[to] + best[one] - (cost if one != to else 0.0) for to, one in enumerate(before)]
    tag = max(range(len(best)), key=best.__getitem__)
    path = [tag]
    for before in reversed(ways):
        tag = before[tag]
        path.append(tag)
    return path[::-1]


def _stretches(text: str, tags: Sequence[int]) -> list[_Found]:
    found: list[_Found] = []
    last = 0
    for (start, end), tag in zip(words_apart(text), tags, strict=True):
        if tag and tag == last:
            found[-1] = _Found(found[-1].start, end, _KINDS[tag])
        elif tag:
            found.append(_Found(start, end, _KINDS[tag]))
        last = tag
    return [_trimmed(text, one) for one in _joined(text, found)]


def _joined(text: str, found: Sequence[_Found]) -> list[_Found]:
    """Pieces of one phrase joined over a small gap; marks at the edges left off."""
    joined: list[_Found] = []
    for first, last_end, kind in found:
        said = text[first:last_end]
        inside = [place for place, sign in enumerate(said) if sign.isalnum()]
        if not inside:
            continue
        start, end = first + inside[0], first + inside[-1] + 1
        last = joined[-1] if joined else None
        if last is not None and last.kind == kind and _is_gap(text[last.end : start]):
            joined[-1] = _Found(last.start, end, kind)
        else:
            joined.append(_Found(start, end, kind))
    return joined


def _is_gap(between: str) -> bool:
    words = between.split()
    return len(words) <= _MAX_GAP_WORDS and not any(word in ",;:." for word in words)


def _trimmed(text: str, found: _Found) -> _Found:
    """Without the words that only join it to the other: `caused by the riot` is the riot."""
    said = text[found.start : found.end]
    words = [match for match in _WORD.finditer(said) if match[0][0].isalnum()]
    while len(words) > 1 and words[0][0].lower() in _BEFORE:
        words.pop(0)
    while len(words) > 1 and words[-1][0].lower() in _BEHIND:
        words.pop()
    if not words:
        return found
    return _Found(found.start + words[0].start(), found.start + words[-1].end(), found.kind)


def _of_clauses(found: Sequence[_Found]) -> list[Pair]:
    """Each effect with its nearest cause, and of those the pair that says most on both sides."""
    causes = [[one] for one in found if one.kind == "cause"]
    effects = [one for one in found if one.kind == "effect"]
    if not causes:
        return []
    pairs = [Pair(_nearest([one], causes)[0].place, one.place) for one in effects]
    return sorted(pairs, key=lambda pair: -min(_chars(pair.cause), _chars(pair.effect)))[:1]


def _chars(place: Range) -> int:
    return place[1] - place[0]


def _of_things(text: str, found: Sequence[_Found]) -> list[Pair]:
    """Each effect with the nearest cause; of a list each with each."""
    groups = [_listed(text, one) for one in found]
    causes = [group for group in groups if group[0].kind == "cause"]
    effects = [group for group in groups if group[0].kind == "effect"]
    if not causes:
        return []
    return [
        Pair(cause.place, effect.place)
        for group in effects
        for cause in _nearest(group, causes)
        for effect in group
    ]


def _nearest(one: Sequence[_Found], others: Sequence[Sequence[_Found]]) -> Sequence[_Found]:
    gaps = [max(one[0].start - two[-1].end, two[0].start - one[-1].end) for two in others]
    return others[gaps.index(min(gaps))]


def _listed(text: str, found: _Found) -> list[_Found]:
    said = text[found.start : found.end]
    parts: list[_Found] = []
    at = 0
    for start, end in (*(match.span() for match in _LIST.finditer(said)), (len(said), len(said))):
        if any(map(str.isalnum, said[at:start])):
            parts.append(_Found(found.start + at, found.start + start, found.kind))
        at = end
    words = [text[one.start : one.end].split() for one in parts]
    is_list = all(
        len(one) <= _MAX_LISTED_WORDS and not any(map(is_auxiliary, one)) for one in words
    )
    return parts if is_list and len(parts) > 1 else [found]
