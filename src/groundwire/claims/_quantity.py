"""What a number means, and when two of them agree.

A quantity is a set of possible values: a point with the precision it was written to, a range, or
everything on one side of a bound. Evidence confirms a claim when all it allows lies within what
the claim says, and excludes it when the two have nothing in common.
"""

from dataclasses import dataclass
from decimal import Decimal

ZERO = Decimal(0)
INFINITY = Decimal("Infinity")

# How far apart two numbers may be and still be one number written by two people.
_SAME = Decimal("1e-12")
_ROUND_NUMBER = Decimal("0.05")
_ABOUT_CONFIRMED = Decimal("0.05")
_ABOUT_ALLOWED = Decimal("0.2")
_CONVERTED = Decimal("0.1")


@dataclass(frozen=True, slots=True)
class Measure:
    """One reading of a quantity, in the base unit of its dimension."""

    dimension: str
    low: Decimal
    high: Decimal
    step: Decimal
    """What the writer rounded to."""
    factor: Decimal = Decimal(1)
    """Base units in one written unit."""

    @property
    def is_point(self) -> bool:
        return self.low == self.high


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text. `measures` holds every way to read it, the likeliest first."""

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
        measure = self.measures[0]
        if not measure.low.is_finite():
            return measure.high
        return measure.low if not measure.high.is_finite() else (measure.low + measure.high) / 2


def same_value(first: Quantity, second: Quantity) -> bool:
    """Equal in value and unit: `725 mV` and `0.725 V`, `1,200` and `1.2k`."""
    return any(
        one.dimension == other.dimension
        and _close(one.low, other.low, _SAME)
        and _close(one.high, other.high, _SAME)
        for one in first.measures
        for other in second.measures
    )


def confirms(evidence: Quantity, claim: Quantity) -> bool:
    """Whether everything the evidence allows is what the claim says, rounded as a person would."""
    return any(
        one.dimension == other.dimension and _within(one, other, about=claim.about)
        for one in evidence.measures
        for other in claim.measures
    )


def excludes(evidence: Quantity, claim: Quantity) -> bool:
    """Whether no reading of the evidence leaves room for any reading of the claim."""
    comparable = [
        (one, other)
        for one in evidence.measures
        for other in claim.measures
        if one.dimension == other.dimension
    ]
    about = evidence.about or claim.about
    if _one_format_apart(evidence, claim) or _one_format_apart(claim, evidence):
        return False
    return bool(comparable) and all(_apart(one, other, about=about) for one, other in comparable)


def _one_format_apart(one: Quantity, other: Quantity) -> bool:
    return any(number in other.numerals for number in one.otherwise)


def _within(evidence: Measure, claim: Measure, *, about: bool) -> bool:
    slack = claim.step / 2
    if claim.is_point:
        if evidence.step > claim.step and not _close(evidence.low, claim.low, _SAME):
            return False
        if about:
            slack = max(slack, abs(claim.low) * _ABOUT_CONFIRMED)
        if evidence.factor != claim.factor:
            slack = max(slack, evidence.step / 2)
    else:
        slack = abs(claim.low if claim.low.is_finite() else claim.high) * _SAME
    return claim.low - slack <= evidence.low and evidence.high <= claim.high + slack


def _apart(evidence: Measure, claim: Measure, *, about: bool) -> bool:
    gap = max(evidence.low - claim.high, claim.low - evidence.high)
    if gap <= 0:
        return False
    far = max(_ends_across_the_gap(evidence, claim), key=abs)
    slack = max(evidence.step, claim.step) / 2
    if evidence.step < claim.step:
        slack = claim.step  # "2 million" for 2.9 million: cut off, not rounded
    share = _ABOUT_ALLOWED if about else ZERO
    if evidence.factor != claim.factor:
        share = max(share, _CONVERTED)
    if _is_round(claim) or _is_round(evidence):
        share = max(share, _ROUND_NUMBER)
    return gap > max(slack, abs(far) * share)


def _ends_across_the_gap(one: Measure, other: Measure) -> tuple[Decimal, Decimal]:
    return (one.low, other.high) if one.low > other.high else (one.high, other.low)


def _is_round(measure: Measure) -> bool:
    """A number with a zero at its end may stand for its neighbours."""
    end = measure.low if measure.low.is_finite() else measure.high
    written = end / measure.factor
    return written != 0 and abs(written) >= 100 and written % 10 == 0


def _close(one: Decimal, other: Decimal, share: Decimal) -> bool:
    if one == other:
        return True
    if not (one.is_finite() and other.is_finite()):
        return False
    return abs(one - other) <= max(abs(one), abs(other)) * share
