"""The values that a text gives of several things, each with the words of its own thing.

"Artists 55,000, stage hire 28,000" has two entries, and so have "Boil 90 min." and "Mash 75 min."
"""

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from groundwire.judge.facts._place import fold
from groundwire.judge.facts._sentence import IndexedEvidence, Sentence
from groundwire.judge.facts._terms import EVERY, Term, is_rough
from groundwire.text import STOP_WORDS, is_finite, stem, word_set
from groundwire.values import Period, Quantity, Value

_BREAKS = word_set(", ; : and but while whereas or |")
_MOST = 12


class Entry(NamedTuple):
    """A value with the words that say what it is of; days and names are such words too."""

    term: Term
    kind: str
    """What it measures, or the frame of a time."""
    noun: str
    """What it counts, where that is said beside it."""
    amount: Decimal
    """In base units; of a time something that grows with it."""
    factor: Decimal
    """Base units in one of its units."""
    own: frozenset[str]
    near: frozenset[str]
    """Those of its own words that no mark parts from it."""
    above: frozenset[str]
    """The words before the colon that heads a list."""

    @property
    def place(self) -> int:
        return self.term.place


class _Kind(NamedTuple):
    """What a value measures: its dimension or frame, the noun it counts, the size of its unit."""

    name: str
    noun: str = ""
    factor: Decimal = Decimal(1)


def labels(sentence: Sentence, begin: int = 0, end: int | None = None) -> frozenset[str]:
    """The words between two tokens that can tell one thing from another."""
    words = (word.removesuffix("'s") for word in sentence.lowers[begin:end])
    said = (word for word in words if word[:1].isalnum() and word not in STOP_WORDS)
    return frozenset(fold(stem(word)) for word in said)


def entries_at(evidence: IndexedEvidence, place: int) -> list[list[Entry]]:
    """The entries of a sentence, those of one kind together."""
    sentence = evidence.sentences[place]
    if place in evidence.rows or sentence.is_negated or sentence.asks:
        return []
    if len(sentence.values) > _MOST:
        return []
    groups: dict[tuple[str, str], list[tuple[int, _Kind]]] = {}
    for index, kind in _kinds(sentence).items():
        groups.setdefault((kind.name, kind.noun), []).append((index, kind))
    return [_group(evidence, place, found) for found in groups.values()]


def _kinds(sentence: Sentence) -> dict[int, _Kind]:
    """What each value measures; a bare number measures what the one before it does: "East melts 14
    tonnes and West 11". Where none is before it, what the one after it does."""
    known = {i: kind for i, value in sentence.values if (kind := _kind(sentence, i, value))}
    numbers = [i for i in known if isinstance(sentence.value(i), Quantity)]
    bare = [i for i in numbers if known[i] == _Kind("count")]
    last = next((known[i] for i in numbers if i not in bare), None)
    for index in numbers:
        if index not in bare:
            last = known[index]
        elif last is not None and (last.noun or not _is_subject(sentence, index)):
            known[index] = last
    return known


def _kind(sentence: Sentence, index: int, value: Value) -> _Kind | None:
    if isinstance(value, Quantity):
        is_change = Term(0, sentence, index, value).way != 0  # "EUR 11,000 less than feared"
        if is_rough(value) or value.weak or is_change or _is_name(sentence, index):
            return None
        noun = _counted(sentence, index) if value.dimension == "count" else ""
        return _Kind(value.dimension, noun, value.measures[0].factor)
    if not isinstance(value, Period) or len(value.readings) > 1 or value.is_bound:
        return None
    is_moment = value.first == value.last and value.frame != "weekday"
    return _Kind(value.frame) if is_moment else None


def _counted(sentence: Sentence, index: int) -> str:
    """What a number counts: of "400 edited pictures" the pictures."""
    slot = sentence.slot(index)
    run = slot.run[1:] if slot.after[0:1] and slot.after[0].endswith(("ed", "ing")) else ()
    return next(map(fold, run or slot.run), "")


def _is_subject(sentence: Sentence, index: int) -> bool:
    """ "EUR 75 a year; 130 were sold": it counts what something is said of."""
    return is_finite(next(iter(sentence.slot(index).after), ""))


def _is_name(sentence: Sentence, index: int) -> bool:
    """ "Week 15"."""
    return next(iter(sentence.slot(index).before), "") in EVERY


def _amount(value: Value, kind: _Kind) -> Decimal:
    if isinstance(value, Quantity):
        is_bare = value.dimension == "count" != kind.name
        return value.value * (kind.factor if is_bare else 1)
    year, month, day = value.first if isinstance(value, Period) else (0, 0, 0)
    return Decimal(year * 10_000 + month * 100 + day)


def _group(
    evidence: IndexedEvidence, place: int, found: Sequence[tuple[int, _Kind]]
) -> list[Entry]:
    sentence = evidence.sentences[place]
    lowers = sentence.lowers
    spans = [sentence.token_span(index) for index, _ in found]
    cuts = [
        next((at for at in range(last + 1, first) if lowers[at] in _BREAKS), first)
        for (_, last), (first, _) in pairwise(spans)
    ]
    is_list = len(found) > 1
    colons = [at for at in range(spans[-1][0]) if lowers[at] == ":"] if is_list else []
    head = colons[-1] if colons and colons[-1] < spans[0][0] else 0  # "Boil: 90, mash: 75" has none
    bounds = zip([head, *cuts], [*cuts, len(lowers)], strict=True)
    before = evidence.stems_at(place) - sentence.stems
    further = frozenset() if is_list else frozenset(map(fold, before))
    return [
        Entry(
            Term(place, sentence, index, sentence.value(index)),
            kind.name,
            kind.noun,
            _amount(sentence.value(index), kind),
            kind.factor,
            _without_value(sentence, index, begin, end) | further,
            _near(sentence, index),
            labels(sentence, 0, head),
        )
        for (index, kind), (begin, end) in zip(found, bounds, strict=True)
    ]


def _near(sentence: Sentence, index: int) -> frozenset[str]:
    first, last = sentence.token_span(index)
    lowers = sentence.lowers
    # "Boil: 90 min": what a colon names right before a value is named beside it
    breaks = [at for at, lower in enumerate(lowers) if lower in _BREAKS]
    breaks = [at for at in breaks if (lowers[at], at) != (":", first - 1)]
    begin = max((at for at in breaks if at < first), default=0)
    end = min((at for at in breaks if at > last), default=None)
    return _without_value(sentence, index, begin, end)


def _without_value(sentence: Sentence, index: int, begin: int, end: int | None) -> frozenset[str]:
    first, last = sentence.token_span(index)
    return labels(sentence, begin, first) | labels(sentence, last + 1, end)
