""" "The Petrel takes more cars than the Guillemot": two named things, and a number for each.

Only where one sentence gives both, each after its name and no other, or a table has a row for each
and the column that the claim names. Which of the two is more is then known.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from groundwire.judge.facts._place import fold
from groundwire.judge.facts._relation import comparable
from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._terms import is_rough
from groundwire.text import stem, word_set
from groundwire.values import Name, Quantity

_MORE = word_set("more larger bigger higher longer heavier taller wider deeper greater")
_LESS = word_set("fewer less smaller lower shorter lighter narrower shallower")
_THAN = "than"
_CAPACITY = frozenset(
    fold(stem(word))
    for word in word_set("room space capacity have has had hold take carry fit") | _MORE | _LESS
)
"""What a claim may say in its own words; any other word of it must stand in the sentence."""


_TOLD = ("name", "number", "name", "number")


class Comparison(NamedTuple):
    """What a claim says of two names: that the first has more, or less."""

    first: Name
    second: Name
    word: str

    @property
    def is_more(self) -> bool:
        return self.word in _MORE


class Compared(NamedTuple):
    is_so: bool
    place: int
    found: Quantity


def comparison_of(claim: Sentence) -> Comparison | None:
    """Of a claim that compares one name with another in one respect, and says no more."""
    words = [word for word in claim.lowers if word in _MORE | _LESS]
    if len(words) != 1 or claim.lowers.count(_THAN) != 1 or claim.is_negated or claim.values:
        return None
    than = claim.lowers.index(_THAN)
    before = [name for index, name in claim.named if claim.token_span(index)[1] < than]
    after = [name for index, name in claim.named if claim.token_span(index)[0] > than]
    if len(before) != 1 or len(after) != 1 or claim.lowers.index(words[0]) > than:
        return None
    return Comparison(before[0], after[0], words[0])


def compared(
    claim: Sentence, sentences: Sequence[Sentence], places: Sequence[int]
) -> Compared | None:
    """What the sentences say of it; None where they give no two numbers, or several."""
    asked = comparison_of(claim)
    if asked is None:
        return None
    found = [one for place in places for one in _in(asked, claim, sentences[place], place)]
    return found[0] if found and len({one.is_so for one in found}) == 1 else None


def _in(asked: Comparison, claim: Sentence, sentence: Sentence, place: int) -> Iterator[Compared]:
    """A name and its number, then the other name and its number, of the same noun."""
    if sentence.is_negated or sentence.asks:
        return
    told = sorted(
        [(sentence.token_span(index)[0], value) for index, value in sentence.named]
        + [(sentence.token_span(index)[0], value) for index, value in sentence.values],
        key=lambda one: one[0],
    )
    values = [value for _, value in told]
    owned = [(one, two) for one, two in pairwise(values) if isinstance(one, Name)]
    pairs = {one.words: two for one, two in owned if isinstance(two, Quantity)}
    first, second = pairs.get(asked.first.words), pairs.get(asked.second.words)
    numbers = [value for value in values if not isinstance(value, Name)]
    if len(pairs) != len(asked[:2]) or len(numbers) != len(pairs) or len(values) > len(_TOLD):
        return
    if first is None or second is None or not comparable(first, second):
        return
    if is_rough(first) or is_rough(second) or first.about or second.about:
        return
    said = {fold(word.stem) for word in claim.words if not claim.is_name(word.stem)}
    counted = {fold(word) for index, _ in sentence.values for word in sentence.slot(index).run[:1]}
    told_there = {fold(word.stem) for word in sentence.words}
    if not said & counted or said - told_there - _CAPACITY or first.value == second.value:
        return
    is_so = (first.value > second.value) is asked.is_more
    yield Compared(is_so, place, first)
