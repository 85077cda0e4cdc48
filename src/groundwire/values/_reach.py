"""Which numbers others may have been worked out to: sums, differences, products, shares, spans.

It errs to "may have been": a number that is called out of reach is neither given nor one
operation away from what is given.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import combinations

from groundwire._kept import kept
from groundwire.text import Kind, atoms_of
from groundwire.values._computations import Computation, computations_in
from groundwire.values._period import Period
from groundwire.values._quantity import Quantity, same_quantity
from groundwire.values._read import Value, values_in
from groundwire.values._restated import calendar_in
from groundwire.values._tokens import read_digits

_LARGEST_COUNT = 12
_MOST_NUMBERS = 60
_CONSTANTS = (7, 12, 24, 52, 60, 100, 365, 1000)
_SAME = 1 / 500
_DAY_MIN = 24 * 60
_DAY_S = 60 * _DAY_MIN
_A_YEAR = 2023
_UNCOUNTED = frozenset({"ordinal", "score", "multiple"})


@kept(2_048)
def _values_of(text: str) -> list[Value]:
    return values_in(text)


@kept(2_048)
def _computations_of(text: str) -> list[Computation]:
    return computations_in(text)


@dataclass(frozen=True)
class Given:
    """The numbers of some texts, each text a sentence or so."""

    texts: tuple[str, ...]

    @cached_property
    def _values(self) -> list[list[Value]]:
        return [_values_of(text) for text in self.texts]

    @cached_property
    def quantities(self) -> list[Quantity]:
        return [one for values in self._values for one in values if isinstance(one, Quantity)]

    @cached_property
    def _computations(self) -> list[Computation]:
        return [one for text in self.texts for one in _computations_of(text)]

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        """As written, whatever their unit, the last given first."""
        found = [float(n) for one in self.quantities for n in (*one.numerals, one.value)]
        found += [float(one.result) for one in self._computations]
        dates = [one for one in self._periods if one.frame in {"calendar", "yearly"}]
        found += [float(part) for one in dates for part in one.first if part > 1]
        return tuple(dict.fromkeys(reversed(found)))[:_MOST_NUMBERS]

    @cached_property
    def _periods(self) -> list[Period]:
        return [one for values in self._values for one in values if isinstance(one, Period)]

    @cached_property
    def _spans_min(self) -> frozenset[int]:
        """Between any two times of day."""
        clocks = {one.first[2] for one in self._periods if one.frame == "clock"}
        pairs = [(b - a) % _DAY_MIN for a in clocks for b in clocks if a != b]
        return frozenset(pairs)

    @cached_property
    def _spans_days(self) -> frozenset[int]:
        """Between any two dates, and with both of their days counted."""
        points = [one for one in self._periods if one.first == one.last]
        days = [day for one in points for day in _ordinals(one)]
        apart = {abs(one - other) for one, other in combinations(days, 2)} - {0}
        return frozenset(apart | {one + 1 for one in apart})

    @cached_property
    def _sums(self) -> tuple[float, ...]:
        """Of like numbers that stand together."""
        found: list[float] = []
        for values in self._values:
            numbers = [float(one.value) for one in values if isinstance(one, Quantity)]
            for size in range(3, len(numbers) + 1):
                found += [
                    sum(numbers[begin : begin + size]) for begin in range(len(numbers) - size + 1)
                ]
        return tuple(found)

    def has(self, quantity: Quantity) -> bool:
        """Whether it is given as it stands, in whatever unit."""
        if any(same_quantity(quantity, one) for one in self.quantities):
            return True
        return any(
            float(number) in self.numbers or float(number) in self._written
            for number in quantity.numerals
        )

    @cached_property
    def _written(self) -> frozenset[float]:
        """Every run of digits, also in versions, names and dates: "Version 4.2", "Job 77"."""
        atoms = [one for text in self.texts for one in atoms_of(text) if one.kind is Kind.NUMBER]
        readings = [read_digits(one.text) for one in atoms]
        return frozenset(float(found[0][0]) for found in readings if found)

    def may_give(self, quantity: Quantity, beside: Sequence[Quantity] = ()) -> bool:
        """Whether it is given, or one operation away; `beside` stands in the same statement."""
        if _counts_few(quantity) or quantity.dimension in _UNCOUNTED or self.has(quantity):
            return True
        if quantity.dimension == "ratio":
            return self._reaches(float(quantity.value), self._shares(), quantity)
        shares = [float(one.value) for one in beside if _is_percentage(one)]
        if shares and self._reaches(float(quantity.numerals[0]), self._parts(shares), quantity):
            return True
        if quantity.dimension == "time" and self._is_span(float(quantity.value)):
            return True
        if shares:
            return False
        return any(
            self._reaches(number, self._results(), quantity)
            for number in {float(quantity.numerals[0]), float(quantity.value)}
        )

    def _is_span(self, seconds: float) -> bool:
        return seconds / 60 in self._spans_min or seconds / _DAY_S in self._spans_days

    def may_give_date(self, period: Period) -> bool:
        """Whether a date is given, or a given duration away from one that is; years are left open.

        A time of day or a day of the week may be anything.
        """
        if period.frame not in {"calendar", "yearly"} or period.fuzzy or not _ordinals(period):
            return True
        if any(_is_part_of(period, one) for one in self._periods):
            return True
        lengths = [float(one.value) for one in self.quantities if one.dimension == "time"]
        shifts = {round(sign * one / _DAY_S) for one in lengths for sign in (1, -1)}
        near = {shift + slack for shift in shifts for slack in (-1, 0, 1)} | {-1, 1}
        asked = {day for one in _ordinals(period) for day in (one, one + 365, one - 365)}
        given = {day for one in self._periods for end in _both_ends(one) for day in end}
        return any(day + shift in asked for day in given for shift in near)

    def may_give_time(self, period: Period) -> bool:
        """Whether a time of day is given, or a given duration away from one that is."""
        if period.frame != "clock":
            return False
        shifts = {float(one.value) / 60 for one in self.quantities if one.dimension == "time"}
        shifts = {0.0, *shifts, *(-one for one in shifts)}
        clocks = {one.first[2] for one in self._periods if one.frame == "clock"}
        asked = period.first[2]
        return any((clock + shift - asked) % _DAY_MIN == 0 for clock in clocks for shift in shifts)

    def _shares(self) -> Iterator[float]:
        shares = [float(one.value) for one in self.quantities if one.dimension == "ratio"]
        for one in shares:
            yield 1 - one
            yield from (abs(one - other) for other in shares)
            yield from (one * other for other in shares)
        for one, other in combinations(self.numbers, 2):
            if one and other:
                yield from (one / other, other / one, abs(one - other) / other)
                yield abs(one - other) / one

    def _parts(self, shares: Iterable[float]) -> Iterator[float]:
        for share in shares:
            for number in self.numbers:
                yield from (share * number, (1 - share) * number, (1 + share) * number)
                if share:
                    yield number / share

    def _results(self) -> Iterator[float]:
        yield from self._sums
        numbers = self.numbers
        for one, other in combinations(numbers, 2):
            yield from (one + other, abs(one - other), one * other)
            if one and other:
                yield from (one / other, other / one)
        for one in numbers:
            for constant in _CONSTANTS:
                yield from (one * constant, one / constant)

    def _reaches(self, target: float, results: Iterable[float], quantity: Quantity) -> bool:
        written = quantity.measures[0]
        step = float(written.step / written.factor) if written.factor else 0.0
        slack = abs(target) * _SAME
        if quantity.dimension == "ratio":
            slack = max(slack, float(written.step))
        elif step < 1 or quantity.about:
            slack = max(slack, step)
        return any(abs(result - target) <= slack for result in results)


def _ordinals(period: Period) -> list[int]:
    """A date as a number of days; one without a year is taken in any, as only spans count."""
    if period.frame not in {"calendar", "yearly"}:
        return []
    year, month, day = period.first
    try:
        return [date(year or _A_YEAR, month, day).toordinal()]
    except ValueError:
        return []


def _is_part_of(one: Period, other: Period) -> bool:
    """Whether one may be the other, or a day of it: a year counts only where both name it."""
    if other.frame not in {"calendar", "yearly"}:
        return False
    if 0 in {one.first[0], other.first[0]}:
        return other.first[1:] <= one.first[1:] <= other.last[1:] or one.first[1:] == other.last[1:]
    return other.first <= one.first <= other.last


def _both_ends(period: Period) -> list[list[int]]:
    return [
        _ordinals(replace(period, readings=((day, day),))) for day in (period.first, period.last)
    ]


def _is_percentage(quantity: Quantity) -> bool:
    return quantity.dimension == "ratio" and quantity.text.endswith(("%", "percent"))


def _counts_few(quantity: Quantity) -> bool:
    """A small whole number may count what nobody counted before."""
    is_count = quantity.dimension == "count" and quantity.value == int(quantity.value)
    return quantity.weak or (is_count and abs(quantity.value) <= _LARGEST_COUNT)


def out_of_reach(text: str, given: Given) -> list[Quantity]:
    """The quantities of a statement that are neither given nor one operation away.

    What it says first may be used for what it says next: "8,000 written off, 16,000 left".
    """
    values = values_in(text)
    stated = [one for one in values if isinstance(one, Quantity) and not one.ordinal]
    known = [one for one in calendar_in(text, values) if one.holds]
    missing: list[Quantity] = []
    for one in stated:
        if any(fact.start <= one.start < fact.end for fact in known):
            continue  # "December has 31 days"
        others = [other for other in stated if other is not one]
        so_far = Given((*given.texts, text[: one.start])) if one.start else given
        if not given.may_give(one, others) and not so_far.may_give(one, others):
            missing.append(one)
    return missing
