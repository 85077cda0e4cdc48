""" "The Petrel takes more cars than the Guillemot": two things, and a number for each.

Only where one sentence gives both, each in a part of its own, and no further number. Which of the
two is more is then known.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.judge.facts._place import fold
from groundwire.judge.facts._relation import comparable
from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._terms import is_rough
from groundwire.text import stem, word_set, words_of
from groundwire.values import Quantity

_MORE = word_set("more larger bigger higher longer heavier taller wider deeper greater")
_LESS = word_set("fewer less smaller lower shorter lighter narrower shallower")
_THAN = "than"
_PAIRS = """more fewer|larger smaller|bigger smaller|higher lower|longer shorter|heavier lighter
    taller shorter|wider narrower|deeper shallower|greater smaller|faster slower|older younger
    cheaper dearer|earlier later|warmer colder|thicker thinner|stronger weaker|more less"""
_OPPOSITES = {
    one: two
    for pair in _PAIRS.replace("\n", "|").split("|")
    for one, two in (pair.split(), pair.split()[::-1])
}
_CAPACITY = frozenset(
    fold(stem(word))
    for word in word_set("room space capacity have has had hold take carry fit") | _MORE | _LESS
)
"""What a claim may say in its own words; any other word of it must stand in the sentence."""


class Comparison(NamedTuple):
    """What a claim says of two things: that the first has more, or less."""

    first: frozenset[str]
    """The words before "than"; those after it are of the second."""
    second: frozenset[str]
    word: str

    @property
    def is_more(self) -> bool:
        return self.word in _MORE


def turned(claim: str) -> str | None:
    """The opposite of a claim that compares: "lower than" for "higher than"."""
    words = [word for word in words_of(claim) if word in _OPPOSITES]
    if len(words) != 1 or _THAN not in words_of(claim):
        return None
    return re.sub(rf"\b{words[0]}\b", _OPPOSITES[words[0]], claim, count=1, flags=re.IGNORECASE)


class Compared(NamedTuple):
    is_so: bool
    place: int
    found: Quantity


def comparison_of(claim: Sentence) -> Comparison | None:
    """Of a claim that compares two things in one respect, and says no more."""
    words = [word for word in claim.lowers if word in _MORE | _LESS]
    if len(words) != 1 or claim.lowers.count(_THAN) != 1 or claim.is_negated or claim.quantities:
        return None
    than = claim.lowers.index(_THAN)
    first = frozenset(word.stem for word in claim.words if word.place < than)
    second = frozenset(word.stem for word in claim.words if word.place > than) - first
    if not second or claim.lowers.index(words[0]) > than:
        return None
    return Comparison(first, second, words[0])


def compared(
    claim: Sentence, sentences: Sequence[Sentence], places: Sequence[int]
) -> Compared | None:
    """What the sentences say of it; None where they give no two numbers, or several."""
    asked = comparison_of(claim)
    if asked is None:
        return None
    found = [one for place in places for one in _in(asked, sentences[place], place)]
    return found[0] if found and len({one.is_so for one in found}) == 1 else None


def _in(asked: Comparison, sentence: Sentence, place: int) -> Iterator[Compared]:
    """One number in the part of each, of the same noun."""
    given = [(i, one) for i, one in sentence.values if isinstance(one, Quantity)]
    if sentence.is_negated or sentence.asks or len(given) != 2:  # noqa: PLR2004
        return
    if any(is_rough(one) or one.about for _, one in given) or not comparable(
        *(v for _, v in given)
    ):
        return
    seconds = [(i, one) for i, one in given if asked.second <= sentence.slot(i).clause]
    firsts = [one for one in given if one not in seconds]
    if len(seconds) != 1 or not _is_told(asked, sentence, [i for i, _ in given]):
        return
    (index, first), (other, second) = firsts[0], seconds[0]
    own = asked.first & sentence.slot(index).clause
    if own - sentence.slot(other).clause and first.value != second.value:
        yield Compared((first.value > second.value) is asked.is_more, place, first)


def _is_told(asked: Comparison, sentence: Sentence, indices: Sequence[int]) -> bool:
    """Whether the sentence has the claim's words, and counts what it counts."""
    said = {fold(word) for word in asked.first | asked.second}
    told = {fold(word.stem) for word in sentence.words}
    counted = {fold(word) for index in indices for word in sentence.slot(index).run[:1]}
    return not said - told - _CAPACITY and (not counted or bool(said & counted))
