"""A claim's value written into the sentence it was worked out from, for who judges the claim.

A judge that cannot reckon reads "Hire was EUR 350 a day for six days (EUR 2,100 altogether)." It
still decides whether that is what the claim is about.
"""

from collections.abc import Sequence
from typing import NamedTuple

from groundwire.judge.facts._arithmetic import Derivation
from groundwire.judge.facts._relation import confirmed_by
from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._terms import DOWN, LEFT, TOTAL, UP
from groundwire.values import Period, Quantity, Value, same_value

_FOLLOWING = UP | DOWN | LEFT | TOTAL


Sentences = Sequence[Sentence]


class Gloss(NamedTuple):
    """What is written into a sentence, and the sentences it was worked out from, if it was."""

    place: int
    offset: int
    text: str
    operands: tuple[int, ...]


def gloss_of(claim: Sentence, index: int, found: Derivation | None) -> Gloss | None:
    """It stands at the end of the clause that has the last of the operands."""
    if found is None:
        return None
    last = found.result.operands[-1]
    offset = last.sentence.clause_end(last.index)
    told = _told(claim, index)
    if found.result.is_dated:
        dates = [value.text for _, value in claim.values if isinstance(value, Period)]
        told = f"{', '.join(dates)}: {told}"
    return Gloss(last.place, offset, f" ({told})", found.places)


def spelled(claim: Sentence, index: int, places: Sequence[int], given: Sentences) -> Gloss | None:
    """The claim's own writing, after what says it otherwise: "14 days (two weeks)"."""
    value = claim.value(index)
    for place in places:
        for _, other in given[place].values:
            is_apart = other.text.casefold() != value.text.casefold()
            if is_apart and _is_equal(value, other):
                return Gloss(place, other.end, f" ({value.text})", ())
    return None


def _is_equal(value: Value, other: Value) -> bool:
    """Of a limit what lies just on it: any number is more than some other."""
    if not isinstance(value, Quantity) or not isinstance(other, Quantity):
        return same_value(value, other)
    is_on_it = value.value == other.value and confirmed_by(value, other)
    return same_value(value, other) or is_on_it


def _told(claim: Sentence, index: int) -> str:
    """The value with what says which way it goes: "25 % dearer", "up by half", "375 left"."""
    first, last = claim.token_span(index)
    lowers = claim.lowers
    if lowers[first - 1 : first] == ["by"] and not (UP | DOWN).isdisjoint(lowers[first - 2 :][:1]):
        first -= 2
    if not _FOLLOWING.isdisjoint(lowers[last + 1 : last + 2]):
        last += 1
    return claim.phrase(first, last)
