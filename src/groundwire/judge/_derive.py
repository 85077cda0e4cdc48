"""Numbers a writer may have worked out from the evidence: never a reason to accuse."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import permutations

from groundwire.claims import Period, Quantity, Value
from groundwire.judge._sentence import Sentence

_MAX_OPERANDS = 12
_EXACTLY = Decimal("0.0001")
_ROUGHLY = Decimal("0.015")
_YEAR_S = 31_000_000
_SHARES = frozenset({"ratio", "multiple", "points"})


def may_be_derived(claimed: Value, nearby: Sequence[Sentence]) -> bool:
    """Whether sums, differences, shares, ages or counts of nearby values give the claimed one."""
    if isinstance(claimed, Period):
        return _shifted_year(claimed, nearby)
    if not isinstance(claimed, Quantity) or claimed.ordinal:
        return False
    return (
        _sum_or_difference(claimed, nearby)
        or (claimed.dimension in _SHARES and _share(claimed, nearby))
        or (claimed.dimension in {"count", "time"} and _span_or_count(claimed, nearby))
    )


def _shifted_year(claimed: Period, nearby: Sequence[Sentence]) -> bool:
    """ "three years later"."""
    if claimed.frame != "calendar":
        return False
    shifts = {
        quantity.numerals[0]
        for quantity in _quantities(nearby)
        if quantity.dimension == "time" and quantity.measures[0].factor >= _YEAR_S
    }
    years = {year for sentence in nearby for year in sentence.years}
    target = claimed.first[0]
    return target not in years and any(target in {year + shift, year - shift} for year in years for shift in shifts)


def _sum_or_difference(claimed: Quantity, nearby: Sequence[Sentence]) -> bool:
    operands = [
        quantity.numerals[0]
        for quantity in _quantities(nearby)
        if quantity.dimension == claimed.dimension
    ][:_MAX_OPERANDS]
    results = {sum(operands)} if len(operands) > 1 else set()
    for one, other in permutations(operands, 2):
        results |= {one + other, one - other}
    return _reaches(claimed, results)


def _share(claimed: Quantity, nearby: Sequence[Sentence]) -> bool:
    operands = list(
        dict.fromkeys(number for quantity in _quantities(nearby) for number in quantity.numerals)
    )[:_MAX_OPERANDS]
    results = {
        result
        for one, other in permutations(operands, 2)
        if other
        for result in (one / other, 100 * one / other, 100 * (one - other) / other)
    }
    return _reaches(claimed, results)


def _span_or_count(claimed: Quantity, nearby: Sequence[Sentence]) -> bool:
    years = {year for sentence in nearby for year in sentence.years}
    spans = {abs(one - other) + slack for one in years for other in years for slack in (-1, 0, 1)}
    counts = {Decimal(len(sentence.values)) for sentence in nearby}
    return any(number in spans - {0, 1} or number in counts - {1, 2} for number in claimed.numerals)


def _quantities(nearby: Iterable[Sentence]) -> list[Quantity]:
    return [
        quantity
        for sentence in nearby
        for quantity in sentence.quantities
        if not quantity.ordinal
    ]


def _reaches(claimed: Quantity, results: Iterable[Decimal]) -> bool:
    rough = claimed.about or claimed.dimension in _SHARES
    share = _ROUGHLY if rough else _EXACTLY
    return any(
        abs(result - number) <= abs(number) * share
        for result in results
        for number in claimed.numerals
        if number
    )
