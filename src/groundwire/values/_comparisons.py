"""What a text compares, compared again: "23,000 km is past 20,000", "8 lies between 4 and 13"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from groundwire._patterns import lazy_pattern
from groundwire.values._quantity import Quantity
from groundwire.values._read import Value

_NOUNS = r"(?:\s+(?!(?:that|this|which|who|and|or|but|there|it|they)\b)[a-z]+)?"
# not "lies", which of layers and places says where they are
_VERB = r"(?:is|are|was|were|stays?|remains?)"
_NOT = r"(?P<negated>\s+not|n['\u2019]t)?"
_HOW = (
    r"(?:\s+(?:still|well|just|clearly|only|far|already|also|even|slightly|much|thus|therefore))*"
)
_WHAT = r"(?:the|a|an|its|our|their)?\s*(?:(?:limit|maximum|minimum|threshold|cap|mark)\s+of\s+)?"
# such as " pupils is not ", where "under 66" is a number with its bound
_IS = lazy_pattern(rf"{_NOUNS}\s+{_VERB}{_NOT}{_HOW}\s+", re.IGNORECASE)
# such as " is past the limit of ", where the number after it stands alone
_MORE = lazy_pattern(
    rf"{_NOUNS}\s+(?:{_VERB}{_NOT}{_HOW}\s+(?:above|over|past|beyond)|exceeds?)\s+{_WHAT}",
    re.IGNORECASE,
)
# such as "the load is below 40"
_LESS = lazy_pattern(
    rf"{_NOUNS}\s+{_VERB}{_NOT}{_HOW}\s+(?:below|under|short\s+of)\s+{_WHAT}", re.IGNORECASE
)
# such as "the load stays within 40"
_UP_TO = lazy_pattern(
    rf"{_NOUNS}\s+{_VERB}{_NOT}{_HOW}\s+(?:within|inside)\s+{_WHAT}", re.IGNORECASE
)
# such as " lies between "
_BETWEEN = lazy_pattern(
    rf"{_NOUNS}\s+(?:{_VERB}|lies?|falls?){_NOT}{_HOW}\s+between\s+{_WHAT}", re.IGNORECASE
)
# such as " and " in "between 3 and 4"
_AND = lazy_pattern(r"\s+(?:and|to)\s+", re.IGNORECASE)
# such as "All" before "four readings lie between 0 and 2", which compares each of them
_EACH = lazy_pattern(
    r"\b(?:all|the|these|those|of|both|every|each|its|their|our|my)\s+$", re.IGNORECASE
)
# where nothing is said to be so
_SUPPOSED = lazy_pattern(
    r"\b(?:if|whether|unless|should|suppose|when|until|would)\b", re.IGNORECASE
)
# such as "times" after "3", which makes it another number
_GOES_ON = lazy_pattern(r"\s*(?:[*/+\u00d7-]|times\b|percent\b|%|of\b)", re.IGNORECASE)
_NO_UNITS = frozenset({"ratio", "multiple", "ordinal", "score", "points"})


@dataclass(frozen=True, slots=True)
class Comparison:
    start: int
    end: int
    holds: bool
    told: str
    """What is so, in words."""


def comparisons_in(text: str, values: Sequence[Value]) -> Iterator[Comparison]:
    """Those of two values of one kind, where nothing but the comparison stands between them."""
    if _SUPPOSED.search(text):
        return
    for place, (first, second) in enumerate(pairwise(values)):
        gap = text[first.end : second.start]
        if _counts(first) and _EACH.search(text[: first.start]):
            continue
        if found := _BETWEEN.fullmatch(gap):
            ends = _ends(text, values[place + 1 :])
            sizes = _size(first, second) if ends else None
            if ends and sizes:
                low, high = ends
                is_so = min(low, high) <= sizes[0] <= max(low, high)
                yield _told(
                    first, second, found, is_so=is_so, how=f"{'' if is_so else 'not '}there"
                )
        elif not _GOES_ON.match(text, second.end):
            yield from _of_two(first, second, gap)


def _counts(value: Value) -> bool:
    return isinstance(value, Quantity) and value.dimension == "count"


def _ends(text: str, values: Sequence[Value]) -> tuple[Decimal, Decimal] | None:
    """Of "between 13.8 and 14.6", read as one range or as two numbers."""
    first = values[0]
    if not isinstance(first, Quantity):
        return None
    if len(first.numerals) == len(("low", "high")):
        return first.measures[0].low, first.measures[0].high
    second = values[1] if len(values) > 1 else None
    if not isinstance(second, Quantity) or second.dimension != first.dimension:
        return None
    is_joined = _AND.fullmatch(text[first.end : second.start])
    return (first.value, second.value) if is_joined else None


def _of_two(first: Value, second: Value, gap: str) -> Iterator[Comparison]:
    sizes = _size(first, second)
    if sizes is None:
        return
    size, other = sizes
    if isinstance(second, Quantity) and second.bounded:
        found, is_so = _IS.fullmatch(gap), _is_within(size, other, second)
    elif found := _MORE.fullmatch(gap):
        is_so = size > other
    elif found := _LESS.fullmatch(gap):
        is_so = size < other
    else:
        found, is_so = _UP_TO.fullmatch(gap), size <= other
    if found:
        yield _told(first, second, found, is_so=is_so, how=_relation(size, other, second))


def _is_within(size: Decimal, end: Decimal, bound: Quantity) -> bool:
    measure = bound.measures[0]
    if size == end:
        return not measure.is_strict
    return size > end if measure.low.is_finite() else size < end


def _told(first: Value, last: Value, found: re.Match[str], *, is_so: bool, how: str) -> Comparison:
    is_denied = bool(found.groupdict().get("negated"))
    return Comparison(first.start, last.end, is_so != is_denied, f"{first.text} is {how}")


def _relation(one: Decimal, other: Decimal, second: Value) -> str:
    relation = "equal to" if one == other else "more than" if one > other else "less than"
    return f"{relation} {_bare(second)}"


def _bare(value: Value) -> str:
    """Without the words of its bound."""
    digit = re.search(r"\d", value.text)
    return value.text[digit.start() :] if digit else value.text


def _size(first: Value, second: Value) -> tuple[Decimal, Decimal] | None:
    """Both as numbers of one unit; None where they are unlike, or not exact."""
    if not isinstance(first, Quantity) or not isinstance(second, Quantity):
        return None
    if first.bounded or any(one.about or one.ordinal for one in (first, second)):
        return None
    if len(first.numerals) != 1:
        return None
    dimensions = {first.dimension, second.dimension}
    if len(dimensions) == 1:
        return first.value, second.value
    # a bare number is of the unit before it; a share may be written either way
    if "count" in dimensions and dimensions.isdisjoint(_NO_UNITS):
        return first.numerals[0], second.numerals[0]
    return None
