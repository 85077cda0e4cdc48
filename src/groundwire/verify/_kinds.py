"""Of which kind a number is: its unit or currency, or what it counts."""

from collections.abc import Collection
from fractions import Fraction

from groundwire.text import STOP_WORDS, singular, tokens_of
from groundwire.values import quantities_in
from groundwire.verify._steps import ReadStep

_NO_KIND = frozenset({"count", "multiple"})
"""Of a bare number the word after it says what it counts."""
_COUNTED = "count of "


def worked_out(step: ReadStep) -> list[Fraction]:
    """What the computations of a step give."""
    return [one.result for one in step.computations if not (one.is_span or one.is_comparison)]


def kinds_of(text: str, numbers: Collection[Fraction]) -> frozenset[str]:
    """The kinds a text gives to some numbers; none where it writes them bare."""
    found = set()
    for one in quantities_in(text):
        if any(Fraction(numeral) in numbers for numeral in one.numerals):
            kind = one.dimension
            found.add(counted(text[one.end :]) if kind in _NO_KIND else kind)
    return frozenset(one for one in found if one)


def counted(after: str) -> str:
    """ "pen" of " pens."; nothing of " is 6" and " left", which are no plurals."""
    tokens = tokens_of(after)
    word = tokens[0].low if tokens else ""
    is_plural = word.isalpha() and word not in STOP_WORDS and singular(word) != word
    return f"{_COUNTED}{singular(word)}" if is_plural else ""


def is_measured(kinds: Collection[str]) -> bool:
    """Whether there is a unit among them, and not only a noun."""
    return any(not one.startswith(_COUNTED) for one in kinds)
