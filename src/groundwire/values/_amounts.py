"""Numbers with what they are measured in, and what one operation on two of them gives."""

from collections.abc import Iterator
from fractions import Fraction

from groundwire.model import Unit
from groundwire.values._expressions import Measured, measured
from groundwire.values._quantity import Measure, Quantity

Amount = Measured
_UNCOUNTED = frozenset({"ordinal", "temperature", "points", "degree"})
"""A rank is no amount, and degrees start at no nought."""
_CLOSE, _ROUGHLY = Fraction(1, 50), Fraction(1, 20)


def amounts_of(quantity: Quantity) -> tuple[Amount, ...]:
    """Each way to read its unit, in base units; none where it is no one number."""
    read = [_amount(one) for one in quantity.measures if one.is_point]
    return tuple(one for one in read if one is not None)


def outcomes(one: Amount, other: Amount) -> Iterator[Amount]:
    """The sum, the difference, the product and the two quotients, where there are such."""
    total, rest = one.plus(other, 1), one.plus(other, -1)
    if total is not None and rest is not None:
        yield total
        yield Amount(abs(rest.value), rest.dimensions)
    yield one.times(other, 1)
    if other.value:
        yield one.times(other, -1)
    if one.value:
        yield other.times(one, -1)


def is_amount(claimed: Quantity, result: Amount, per: Amount | None = None) -> bool:
    """Whether a claim's number is a result, rounded to what is written; counts are not rounded.

    `per` is what the claim's number is for each of: a litre, a day.
    """
    points = [one for one in claimed.measures if one.is_point]
    return any(_is_close(one, result, per, is_rough=claimed.about) for one in points)


def _is_close(measure: Measure, result: Amount, per: Amount | None, *, is_rough: bool) -> bool:
    amount, step = _amount(measure), Fraction(measure.step)
    if amount is not None and per is not None:
        amount, step = amount.times(per, -1), step / per.value
    if amount is None or amount.dimensions != result.dimensions:
        return False
    size = abs(amount.value)
    slack = size * _ROUGHLY if is_rough else min(step / 2, size * _CLOSE)
    is_count = measure.dimension == "count" and per is None and not is_rough
    return abs(amount.value - result.value) <= (0 if is_count else slack)


def _amount(measure: Measure) -> Amount | None:
    if measure.dimension in _UNCOUNTED:
        return None
    return measured(Fraction(measure.low), Unit(measure.dimension))
