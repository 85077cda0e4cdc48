"""Times and days that lie so far from others, and how far stated ones lie apart."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import combinations
from typing import NamedTuple

from groundwire.judge.facts._terms import Term
from groundwire.values import Period, Quantity

_DAY_MIN = 24 * 60
_MINUTE_S, _DAY_S = 60, 86400
_A_YEAR = 2023  # for days without a year: no leap year
_MOST_SPANS = 3
_NEAR = 3
"""So many tokens between a day and a time make it another day's."""
_CLOSE = Decimal("0.02")


class _Point(NamedTuple):
    term: Term
    day: date | None
    minute: int | None


def shifted(
    claimed: Period, terms: Sequence[Term], own: Sequence[Term]
) -> Iterator[tuple[Term, ...]]:
    """A moment, and the times to or from it that give a claim's moment.

    The moment may be the claim's own ("for a 9:00 sailing"), the time may be of several parts.
    """
    for start in (*own, *terms):
        when = start.value
        if isinstance(when, Period) and _are_one_kind(when, claimed):
            for spans, seconds in _lengths(terms):
                if any(_is_there(claimed, when, way * seconds) for way in (1, -1)):
                    yield (start, *spans)


def _are_one_kind(one: Period, other: Period) -> bool:
    """Both times of day, or both days."""
    frames = {one.frame, other.frame}
    return frames == {"clock"} or frames <= {"calendar", "yearly"}


def _lengths(terms: Sequence[Term]) -> Iterator[tuple[tuple[Term, ...], int]]:
    """Each span of time, and what some that stand in a row in one sentence are together."""
    spans = [
        (term, int(term.value.value))
        for term in terms
        if isinstance(term.value, Quantity) and term.value.dimension == "time"
    ]
    for begin, end in combinations(range(len(spans) + 1), 2):
        some = spans[begin:end]
        if len(some) <= _MOST_SPANS and len({term.place for term, _ in some}) == 1:
            yield tuple(term for term, _ in some), sum(length for _, length in some)


def _is_there(claimed: Period, when: Period, seconds: int) -> bool:
    if claimed.frame == "clock":
        minutes = {(first[2] + seconds // _MINUTE_S) % _DAY_MIN for first, _ in when.readings}
        return bool(seconds % _DAY_S) and any(first[2] in minutes for first, _ in claimed.readings)
    if seconds % _DAY_S or not seconds:
        return False
    moved = [moved_by(day, seconds // _DAY_S) for day in _days(when)]
    ours = {(day.month, day.day) for day in _days(claimed)}
    return any(day is not None and (day.month, day.day) in ours for day in moved)


def moved_by(day: date, days: int) -> date | None:
    """So many days later, where a calendar has that day."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return None


def _days(period: Period) -> list[date]:
    """The days it may be, of those that a calendar has."""
    found = [first for first, last in period.readings if first == last]
    return [day for day in map(day_of, found) if day is not None]


def day_of(day: tuple[int, int, int]) -> date | None:
    """A day of the calendar; one without a year as in most years."""
    try:
        return date(day[0] or _A_YEAR, *day[1:])
    except (ValueError, OverflowError):
        return None  # 29 February, years before the first


def apart(claimed: Quantity, terms: Sequence[Term]) -> Iterator[tuple[Term, ...]]:
    """Two moments that lie a claim's time apart, or two temperatures."""
    if claimed.dimension == "degree":
        yield from _degrees_apart(claimed, terms)
    if claimed.dimension != "time":
        return
    target, step = claimed.measures[0].low, claimed.measures[0].step
    slack = min(step / 2, abs(target) * _CLOSE)
    for one, other in combinations(_points(terms), 2):
        if any(abs(target - seconds) <= slack for seconds in _between(one, other)):
            yield one.term, other.term


def _degrees_apart(claimed: Quantity, terms: Sequence[Term]) -> Iterator[tuple[Term, ...]]:
    found = [
        (term, term.value)
        for term in terms
        if isinstance(term.value, Quantity) and term.value.dimension == "temperature"
    ]
    for (first, one), (second, other) in combinations(found, 2):
        if claimed.value == abs(one.value - other.value) / one.measures[0].factor:
            yield first, second


def _points(terms: Sequence[Term]) -> list[_Point]:
    """Days, with the time of day that stands beside one, and times of day."""
    moments = [(term, term.value) for term in terms if isinstance(term.value, Period)]
    clocks = [(term, one.first[2]) for term, one in moments if one.frame == "clock"]
    days = [(term, one) for term, one in moments if one.frame in {"calendar", "yearly"}]
    found = [_Point(term, None, minute) for term, minute in clocks]
    for term, one in days:
        near = [(_gap(term, clock), minute) for clock, minute in clocks]
        gap, minute = min(near, key=lambda pair: pair[0], default=(_NEAR, 0))
        at = minute if gap < _NEAR else None
        found += [_Point(term, day, at) for day in _days(one)]
    return found


def _gap(day: Term, clock: Term) -> int:
    """How many tokens lie between a day and a time of day; many, where that is another's."""
    if day.place != clock.place:
        return _NEAR
    one, other = day.sentence.token_span(day.index), clock.sentence.token_span(clock.index)
    return max(one[0], other[0]) - min(one[1], other[1]) - 1


def _between(one: _Point, other: _Point) -> Iterator[int]:
    if one.day is not None and other.day is not None:
        days = abs((other.day - one.day).days)
        if one.minute is not None and other.minute is not None:
            way = 1 if other.day >= one.day else -1
            yield days * _DAY_S + way * (other.minute - one.minute) * _MINUTE_S
        elif days:
            yield days * _DAY_S
            yield (days + 1) * _DAY_S  # "from 4 to 11 May", both days counted
    elif one.minute is not None and other.minute is not None and one.minute != other.minute:
        yield (other.minute - one.minute) % _DAY_MIN * _MINUTE_S
