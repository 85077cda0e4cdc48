"""A number with its unit, its bounds and how exactly it is given."""

from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from typing import Literal, NamedTuple

from groundwire.text import Atom, word_list
from groundwire.values._tokens import glued, lower_at

ZERO = Decimal(0)
ONE = Decimal(1)
INFINITY = Decimal("Infinity")

# How far apart two numbers may be and still be one number written by two people.
_SAME = Decimal("1e-12")
_ROUND_NUMBER = Decimal("0.05")
_ABOUT_CONFIRMED = Decimal("0.05")
_ABOUT_ALLOWED = Decimal("0.2")
_CONVERTED = Decimal("0.05")
_ROUNDED_ALONE = Decimal("0.02")
_ROUNDED_MOST = Decimal("0.1")
"""Who says "a thousand" has not rounded 600, whatever the last digit is worth."""
_SHORT_BY = Decimal("0.1")
_FREEZING_K = Decimal("273.15")
_MIN_ROUND = Decimal(100)


@dataclass(frozen=True, slots=True)
class Measure:
    """One reading of a quantity, in the base unit of its dimension."""

    dimension: str
    low: Decimal
    high: Decimal
    step: Decimal
    """What the writer rounded to."""
    factor: Decimal = ONE
    """Base units in one written unit."""
    is_strict: bool = False
    """Whether a bound leaves the number itself out: "more than 500" is not 500."""

    @property
    def is_point(self) -> bool:
        return self.low == self.high

    @property
    def end(self) -> Decimal:
        """A finite end of it."""
        return self.low if self.low.is_finite() else self.high

    @property
    def at_end(self) -> "Measure":
        """The limit itself, where it is one."""
        return replace(self, low=self.end, high=self.end)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text. `measures` holds every way to read its unit, the likeliest first."""

    start: int
    end: int
    text: str
    measures: tuple[Measure, ...]
    numerals: tuple[Decimal, ...]
    """The bare numbers as written, whatever their unit or bound."""
    otherwise: tuple[Decimal, ...] = ()
    """What the digits say where the comma is the decimal mark, or the point groups thousands."""
    about: bool = False
    bounded: bool = False
    ordinal: bool = False
    weak: bool = False
    """A word that often counts nothing: "one", "first", "half"."""

    @property
    def dimension(self) -> str:
        return self.measures[0].dimension

    @property
    def value(self) -> Decimal:
        """The value in base units: the middle of a range, the finite end of a bound."""
        low, high = self.measures[0].low, self.measures[0].high
        return (low + high) / 2 if low.is_finite() and high.is_finite() else self.measures[0].end


def same_quantity(first: Quantity, second: Quantity) -> bool:
    """Equal in value and unit: `725 mV` and `0.725 V`, `1,200` and `1.2k`."""
    return any(
        _close(one.low, other.low) and _close(one.high, other.high)
        for one, other in _comparable(first, second)
    )


def confirms(evidence: Quantity, claim: Quantity) -> bool:
    """Whether everything the evidence allows is what the claim says, rounded as a person would."""
    pairs = _comparable(evidence, claim)
    return any(_within(one, other, about=claim.about) for one, other in pairs)


def excludes(evidence: Quantity, claim: Quantity) -> bool:
    """Whether no reading of the evidence leaves room for any reading of the claim."""
    if _one_format_apart(evidence, claim) or _one_format_apart(claim, evidence):
        return False
    about = evidence.about or claim.about
    pairs = _comparable(evidence, claim)
    return bool(pairs) and all(_apart(one, other, about=about) for one, other in pairs)


def other_range(evidence: Quantity, claim: Quantity) -> bool:
    """Whether both are ranges, and not the same one."""
    pairs = _comparable(evidence, claim)
    return bool(pairs) and all(_other_range(one, other) for one, other in pairs)


def other_limit(evidence: Quantity, claim: Quantity) -> bool:
    """Whether both bound the same side, at ends no rounding explains."""
    pairs = [(a, b) for a, b in _comparable(evidence, claim) if _same_side(a, b)]
    about = evidence.about or claim.about
    return bool(pairs) and all(_apart(a.at_end, b.at_end, about=about) for a, b in pairs)


def is_weaker(evidence: Quantity, claim: Quantity) -> bool:
    """Whether the claim's limit holds wherever the evidence's does."""
    pairs = [(a, b) for a, b in _comparable(evidence, claim) if _same_side(a, b)]
    return any(b.low <= a.low and a.high <= b.high for a, b in pairs)


def _comparable(first: Quantity, second: Quantity) -> list[tuple[Measure, Measure]]:
    """Every pair of readings of one dimension."""
    return [
        (one, other)
        for one in first.measures
        for other in second.measures
        if one.dimension == other.dimension
    ]


def _same_side(one: Measure, other: Measure) -> bool:
    open_below, open_above = not one.low.is_finite(), not one.high.is_finite()
    others = (not other.low.is_finite(), not other.high.is_finite())
    return open_below != open_above and (open_below, open_above) == others


def _one_format_apart(one: Quantity, other: Quantity) -> bool:
    """ "1.200" may be what others write as "1,200", of the same unit."""
    units = {(measure.dimension, measure.factor) for measure in one.measures}
    is_one_unit = any((measure.dimension, measure.factor) in units for measure in other.measures)
    return is_one_unit and any(number in other.numerals for number in one.otherwise)


def _within(evidence: Measure, claim: Measure, *, about: bool) -> bool:
    if _same_side(evidence, claim):
        return _limits_agree(evidence, claim)
    if claim.is_strict and evidence.is_point and _close(evidence.low, claim.end):
        return False
    if _other_range(evidence, claim):
        return False
    if not claim.is_point:
        slack = abs(claim.end) * _SAME
    else:
        slack = min(claim.step / 2, _size(claim.low, claim) * _ROUNDED_MOST)
        if about:
            slack = max(slack, _size(claim.low, claim) * _ABOUT_CONFIRMED)
        if _is_converted(evidence, claim):
            rounded = _size(claim.low, claim) * _ROUNDED_ALONE
            slack = max(slack, min(evidence.step / 2, rounded))
    return claim.low - slack <= evidence.low and evidence.high <= claim.high + slack


def _other_range(evidence: Measure, claim: Measure) -> bool:
    """ "2 to 25 °C" for 2 to 8: the ends of two ranges are the same, or rounded."""
    ranges = [one for one in (evidence, claim) if one.low < one.high and _is_finite(one)]
    if len(ranges) < 2:  # noqa: PLR2004
        return False
    slack = max(evidence.step, claim.step) / 2
    return abs(evidence.low - claim.low) > slack or abs(evidence.high - claim.high) > slack


def _is_finite(measure: Measure) -> bool:
    return measure.low.is_finite() and measure.high.is_finite()


def _limits_agree(evidence: Measure, claim: Measure) -> bool:
    """ "more than 2 million" for more than 2.3 million; not "within 3 days" for within one."""
    is_outside = evidence.low < claim.low or evidence.high > claim.high
    gap = abs(evidence.end - claim.end)
    return _close(evidence.end, claim.end) or (not is_outside and gap < claim.step)


def _apart(evidence: Measure, claim: Measure, *, about: bool) -> bool:
    gap = max(evidence.low - claim.high, claim.low - evidence.high)
    if gap <= 0:
        return False
    # "2 million" for 2.9 million is cut off, not rounded; a limit is not cut off
    is_cut_off = evidence.step < claim.step and claim.is_point and evidence.is_point
    slack = claim.step if is_cut_off else evidence.step / 2
    share = _ABOUT_ALLOWED if about else ZERO
    if _is_converted(evidence, claim):
        slack, share = max(slack, evidence.step), max(share, _CONVERTED)
    if _is_round(claim) or _is_round(evidence):
        share = max(share, _ROUND_NUMBER)
    ends = (evidence.low, claim.high) if evidence.low > claim.high else (evidence.high, claim.low)
    return gap > max(slack, max(_size(end, claim) for end in ends) * share)


def _is_converted(one: Measure, other: Measure) -> bool:
    """Whether people round on the way from one unit to the other: miles and km, not V and mV."""
    ratio = max(one.factor, other.factor) / min(one.factor, other.factor)
    return abs(ratio - ratio.to_integral_value()) > _SAME


def _size(value: Decimal, measure: Measure) -> Decimal:
    """How large a value is: temperatures count from the freezing point."""
    return abs(value - _FREEZING_K if measure.dimension == "temperature" else value)


def _is_round(measure: Measure) -> bool:
    """A number with a zero at its end may stand for its neighbours."""
    written = abs(measure.end / measure.factor)
    return written >= _MIN_ROUND and written % 10 == 0


def _close(one: Decimal, other: Decimal) -> bool:
    if one == other:
        return True
    if not (one.is_finite() and other.is_finite()):
        return False
    return abs(one - other) <= max(abs(one), abs(other)) * _SAME


Side = Literal["", "over", "under", "short of"]


class Bound(NamedTuple):
    side: Side = ""
    about: bool = False
    is_strict: bool = False
    """Whether the number itself is out: "more than 500", not "at least 500"."""

    def and_also(self, other: "Bound") -> "Bound":
        strict = other.is_strict if other.side else self.is_strict
        return Bound(other.side or self.side, self.about or other.about, strict)

    def of(self, measure: Measure) -> Measure:
        if self.side == "over":
            return replace(measure, high=INFINITY, is_strict=self.is_strict)
        if self.side == "under":
            return replace(measure, low=-INFINITY, is_strict=self.is_strict)
        if self.side == "short of":
            return replace(measure, low=measure.low - _size(measure.low, measure) * _SHORT_BY)
        return measure


_OVER, _UNDER, _ABOUT = Bound("over"), Bound("under"), Bound(about=True)
_BEYOND, _SHORT_OF = Bound("over", is_strict=True), Bound("under", is_strict=True)
_NEARLY = Bound("short of")
_MORE = word_list("more greater higher larger longer older")
_LESS = word_list("less fewer lower smaller shorter younger")
_NOT = word_list("no not")

_BEFORE: dict[tuple[str, ...], Bound] = {
    **{(word, "than"): _BEYOND for word in _MORE},
    **{(word, "than"): _SHORT_OF for word in _LESS},
    **{(negation, word, "than"): _UNDER for negation, word in product(_NOT, _MORE)},
    **{(negation, word, "than"): _OVER for negation, word in product(_NOT, _LESS)},
    **{(word,): _BEYOND for word in word_list("over above exceeding exceeded exceeds >")},
    **{(word,): _SHORT_OF for word in word_list("under below <")},
    **{(word,): _UNDER for word in word_list("within top \u2264")},
    ("\u2265",): _OVER,
    ("as", "many", "as"): _UNDER,
    ("as", "much", "as"): _UNDER,
    **{
        (word,): _ABOUT
        for word in word_list(
            "about around approximately approx roughly some circa ~ \u223c \u2248 estimated ca near"
        )
    },
    **{(word,): _NEARLY for word in word_list("nearly almost")},
    ("at", "least"): _OVER,
    ("minimum", "of"): _OVER,
    ("upwards", "of"): _OVER,
    ("excess", "of"): _OVER,
    (">", "="): _OVER,
    ("at", "most"): _UNDER,
    ("up", "to"): _UNDER,
    ("maximum", "of"): _UNDER,
    ("<", "="): _UNDER,
    ("close", "to"): _ABOUT,
    ("approx", "."): _ABOUT,
    ("ca", "."): _ABOUT,
}
_AFTER: dict[tuple[str, ...], Bound] = {
    **{("or", word): _OVER for word in (*_MORE, "above", "over")},
    **{("or", word): _UNDER for word in (*_LESS, "below", "under")},
    ("or", "so"): _ABOUT,
}
_LONGEST = 3


def bound_before(tokens: list[Atom], begin: int, free_from: int) -> tuple[Bound, int]:
    """What limits the number that begins at a token, and where those words begin."""
    bound = Bound()
    while not bound.side:
        size, found = _phrase_before(tokens, begin, free_from)
        if not size:
            break
        bound, begin = bound.and_also(found), begin - size
    return bound, begin


def _phrase_before(tokens: list[Atom], begin: int, free_from: int) -> tuple[int, Bound]:
    for size in range(min(_LONGEST, begin - free_from), 0, -1):
        found = _BEFORE.get(tuple(token.lower for token in tokens[begin - size : begin]))
        if found is not None:
            return size, found
    return 0, Bound()


def bound_after(tokens: list[Atom], after: int) -> tuple[Bound, int]:
    """What limits the number that ends before a token, and the index after those words."""
    found = _AFTER.get((lower_at(tokens, after), lower_at(tokens, after + 1)))
    if found is not None:
        return found, after + 2
    if lower_at(tokens, after) == "+" and glued(tokens, after):
        return _OVER, after + 1
    return Bound(), after
