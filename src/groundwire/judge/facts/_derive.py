"""Numbers a writer may have worked out from the evidence: never a reason to accuse."""

from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import permutations

from groundwire.judge.facts._sentence import Sentence
from groundwire.values import Period, Quantity, Value

_MAX_OPERANDS = 12
_EXACTLY = Decimal("0.0001")
_ROUGHLY = Decimal("0.015")
_YEAR_S = 31_000_000
_SHARES = frozenset({"ratio", "multiple", "points"})
_TRIVIAL_SPANS = frozenset({Decimal(0), Decimal(1)})
_TRIVIAL_LENGTHS = frozenset({Decimal(0), Decimal(1), Decimal(2)})


def may_be_derived(claimed: Value, nearby: Sequence[Sentence]) -> bool:
    """Whether sums, differences, shares, ages or counts of nearby values give the claimed one."""
    if isinstance(claimed, Period):
        return _is_shifted_year(claimed, nearby)
    if not isinstance(claimed, Quantity) or claimed.ordinal:
        return False
    return (
        _is_sum_or_difference(claimed, nearby)
        or (claimed.dimension in _SHARES and _is_share(claimed, nearby))
        or (claimed.dimension in {"count", "time"} and _is_span_or_count(claimed, nearby))
    )


def _is_shifted_year(claimed: Period, nearby: Sequence[Sentence]) -> bool:
    """ "three years later"."""
    years = _years(nearby)
    target = Decimal(claimed.first[0])
    if claimed.frame != "calendar" or target in years:
        return False
    shifts = {
        quantity.numerals[0]
        for quantity in _quantities(nearby)
        if quantity.dimension == "time" and quantity.measures[0].factor >= _YEAR_S
    }
    return any(target in {year + shift, year - shift} for year in years for shift in shifts)


def _is_sum_or_difference(claimed: Quantity, nearby: Sequence[Sentence]) -> bool:
    operands = [
        quantity.value
        for quantity in _quantities(nearby)
        if quantity.dimension == claimed.dimension
    ][:_MAX_OPERANDS]
    results = {sum(operands, Decimal(0))} if len(operands) > 1 else set()
    for one, other in permutations(operands, 2):
        results |= {one + other, one - other}
    return _reaches(claimed, claimed.value, results)


def _is_share(claimed: Quantity, nearby: Sequence[Sentence]) -> bool:
    """A percentage, a growth rate or a ratio of two nearby numbers."""
    numbers = [number for quantity in _quantities(nearby) for number in quantity.numerals]
    operands = list(dict.fromkeys(numbers))[:_MAX_OPERANDS]
    results = {
        result
        for one, other in permutations(operands, 2)
        if other
        for result in (one / other, 100 * one / other, 100 * (one - other) / other)
    }
    return any(_reaches(claimed, number, results) for number in claimed.numerals)


def _is_span_or_count(claimed: Quantity, nearby: Sequence[Sentence]) -> bool:
    """The years between two dates, or how many like values a sentence lists."""
    years = _years(nearby)
    spans = {abs(one - other) + slack for one in years for other in years for slack in (-1, 0, 1)}
    lengths = {Decimal(length) for sentence in nearby for length in _list_lengths(sentence)}
    likely = (spans - _TRIVIAL_SPANS) | (lengths - _TRIVIAL_LENGTHS)
    return any(number in likely for number in claimed.numerals)


def _list_lengths(sentence: Sentence) -> Iterable[int]:
    kinds = (getattr(value, "dimension", type(value).__name__) for _, value in sentence.values)
    return Counter(kinds).values()


def _quantities(nearby: Iterable[Sentence]) -> list[Quantity]:
    found = [quantity for sentence in nearby for quantity in sentence.quantities]
    return [quantity for quantity in found if not quantity.ordinal]


def _years(nearby: Iterable[Sentence]) -> set[Decimal]:
    return {year for sentence in nearby for year in sentence.years}


def _reaches(claimed: Quantity, target: Decimal, results: Iterable[Decimal]) -> bool:
    is_rough = claimed.about or claimed.dimension in _SHARES
    slack = abs(target) * (_ROUGHLY if is_rough else _EXACTLY)
    return bool(target) and any(abs(result - target) <= slack for result in results)
