"""Dates, times of day and durations that a text works out: "28 days after 23 May is 20 June"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise

from groundwire.values._period import Period
from groundwire.values._quantity import Quantity
from groundwire.values._read import Value

# such as "to" in "2 March to 11 March"
_TO = re.compile(r"\s*(?:to|until|till|through|[-\u2013\u2014])\s*(?:the\s+)?", re.IGNORECASE)
# such as ", so" before "45 minutes", and ", which is"
_MAKES = re.compile(
    r"\s*(?:[,:=(]|is|was|makes|lasts|takes|i\.e\.|so|that|which|are|\s){1,6}\s*", re.IGNORECASE
)
# such as "late" in "09:30 to 11:00, so 10 minutes late": that is no length of it
_COUNTED_FROM = re.compile(
    r"\s*(?:late|early|earlier|later|longer|shorter|before|after|from|until|till|left|remain\w*"
    r"|more|less|short|too|per|each|every|over|under|ago|away|apart)\b",
    re.IGNORECASE,
)
# such as "plus" in "2 May plus three weeks"
_PLUS = re.compile(r"\s*(?:\+|plus|and)\s*", re.IGNORECASE)
# such as "after" in "28 days after 23 May"
_AFTER = re.compile(r"\s*(?:after|from)\s+", re.IGNORECASE)
# such as "before" in "28 days before 23 May"
_BEFORE = re.compile(r"\s*before\s+", re.IGNORECASE)
# such as "is" before "20 June", and "falls on"
_IS = re.compile(r"\s*(?:=|is|gives|falls\s+on|comes\s+to|:|\u2192)\s*(?:on\s+)?", re.IGNORECASE)
# such as "at" in "2 March at 21:00"
_AT = re.compile(r"\s*(?:,|at)?\s*")
# such as "d" in "8 d 6 h"
_DAYS = re.compile(r"\s*d\s+")
_DAY_MIN = 24 * 60
_DAY_S = 24 * 60 * 60
_MONTH_S = 28 * _DAY_S
_YEARS = (2023, 2024)
"""A common and a leap year, for dates that name none."""


@dataclass(frozen=True, slots=True)
class _Moment:
    start: int
    end: int
    day: tuple[int, int, int] | None
    minute: int | None
    is_half_day: bool = False
    """Whether it may be meant by a clock of twelve hours: "11:45" is also 23:45."""

    def at(self, year: int) -> int | None:
        """Minutes since a fixed day; a date without a year is taken in `year`."""
        if self.day is None:
            return self.minute
        try:
            day = date(self.day[0] or year, self.day[1], self.day[2])
        except ValueError:
            return None
        return day.toordinal() * _DAY_MIN + (self.minute or 0)


@dataclass(frozen=True, slots=True)
class Span:
    """A relation of moments and a duration: where it stands, what it should be, if it holds."""

    start: int
    end: int
    expected: str
    holds: bool


def spans_in(text: str, values: Sequence[Value]) -> Iterator[Span]:
    items = list(_items(text, values))
    for first, second, third in zip(items, items[1:], items[2:], strict=False):
        gaps = (text[first.end : second.start], text[second.end : third.start])
        found = _related(first, second, third, gaps)
        if isinstance(third, Quantity) and _COUNTED_FROM.match(text, third.end):
            continue
        if found is not None:
            yield found


_Item = _Moment | Quantity


def _items(text: str, values: Sequence[Value]) -> Iterator[_Item]:
    """Moments and durations in order; a date and the time after it are one moment."""
    taken: Value | None = None
    for value, following in pairwise((*values, None)):
        if value is taken or value is None:
            continue
        if isinstance(value, Quantity) and value.dimension == "time" and not value.bounded:
            yield value
        elif isinstance(value, Quantity) and (whole := _with_days(text, value, following)):
            taken = following
            yield whole
        elif isinstance(value, Period) and _is_point(value):
            clock = value if value.frame == "clock" else _clock_after(text, value, following)
            end = value.end
            if clock is not None and clock is not value:
                end, taken = clock.end, clock
            day = None if value.frame == "clock" else value.first
            minute = None if clock is None else clock.readings[0][0][2]
            is_half_day = clock is not None and len(clock.readings) > 1
            yield _Moment(value.start, end, day, minute, is_half_day)


def _with_days(text: str, days: Quantity, value: Value | None) -> Quantity | None:
    """A bare "8 d" is no unit of time, but "8 d 6 h" is a duration."""
    if not isinstance(value, Quantity) or value.dimension != "time" or days.dimension != "count":
        return None
    if not _DAYS.fullmatch(text[days.end : value.start]):
        return None
    measure = value.measures[0]
    more = days.value * _DAY_S
    longer = replace(measure, low=measure.low + more, high=measure.high + more)
    return replace(value, start=days.start, measures=(longer,))


def _clock_after(text: str, day: Period, value: Value | None) -> Period | None:
    """The time of day that belongs to a date."""
    if not isinstance(value, Period) or value.frame != "clock" or not _is_point(value):
        return None
    return value if _AT.fullmatch(text[day.end : value.start]) else None


def _is_point(value: Period) -> bool:
    if value.fuzzy or any(first != last for first, last in value.readings):
        return False
    is_date = len(value.readings) == 1 and value.frame in {"calendar", "yearly"}
    return is_date or value.frame == "clock"


def _related(first: _Item, second: _Item, third: _Item, gaps: tuple[str, str]) -> Span | None:
    match first, second, third:
        case _Moment(), _Moment(), Quantity():
            if _TO.fullmatch(gaps[0]) and _MAKES.fullmatch(gaps[1]):
                return _lasting(first, second, third)
        case _Moment(), Quantity(), _Moment():
            if _PLUS.fullmatch(gaps[0]) and _IS.fullmatch(gaps[1]):
                return _shifted(first, second, third, 1, first.start)
        case Quantity(), _Moment(), _Moment():
            sign = 1 if _AFTER.fullmatch(gaps[0]) else -1 if _BEFORE.fullmatch(gaps[0]) else 0
            if sign and _IS.fullmatch(gaps[1]):
                return _shifted(second, first, third, sign, first.start)
    return None


def _lasting(first: _Moment, second: _Moment, third: Quantity) -> Span | None:
    if (first.day is None) != (second.day is None):
        return None
    claimed = float(third.value) / 60
    step = float(third.measures[0].step) / 60
    spans = [span for year in _YEARS if (span := _minutes(first, second, year)) is not None]
    if not spans:
        return None
    if first.is_half_day or second.is_half_day:
        spans += [(spans[0] + _DAY_MIN // 2) % _DAY_MIN] if first.day is None else []
        spans += [spans[0] + shift for shift in (-_DAY_MIN // 2, _DAY_MIN // 2) if first.day]
    days_only = first.minute is None or second.minute is None
    if days_only and float(third.measures[0].factor) >= _MONTH_S:
        return None  # months and years are counted in more than one way
    slack = max(_DAY_MIN if days_only else 0, step - 1 if step > 1 else 0)
    # "31 days" counts both ends or one; "two weeks" may be a day more
    holds = any(abs(span - claimed) <= slack for span in spans)
    return Span(first.start, third.end, _told(spans[0], days_only=days_only), holds)


def _minutes(first: _Moment, second: _Moment, year: int) -> int | None:
    begin, end = first.at(year), second.at(year)
    if begin is None or end is None:
        return None
    if end < begin:
        if first.day is None:
            return end + _DAY_MIN - begin
        later = second.at(year + 1)
        return None if later is None else later - begin
    return end - begin


def _shifted(base: _Moment, by: Quantity, said: _Moment, sign: int, start: int) -> Span | None:
    if float(by.measures[0].factor) >= _MONTH_S:
        return None
    if (base.day is None) != (said.day is None):
        return None
    minutes = sign * float(by.value) / 60
    expected = []
    for year in _YEARS:
        begin = base.at(year)
        if begin is not None:
            expected.append(begin + minutes)
    if not expected:
        return None
    holds = any(_is_at(said, base, moment) for moment in expected)
    return Span(start, said.end, _moment_told(expected[0], base), holds)


def _is_at(said: _Moment, base: _Moment, moment: float) -> bool:
    turn = _DAY_MIN // 2 if said.is_half_day or base.is_half_day else _DAY_MIN
    if said.day is None:
        return said.minute is not None and abs((said.minute - moment) % turn) < 1
    day = date.fromordinal(int(moment // _DAY_MIN))
    same_day = (day.month, day.day) == said.day[1:] and said.day[0] in (0, day.year)
    is_timed = base.minute is not None and said.minute is not None
    return same_day and (not is_timed or abs(((said.minute or 0) - moment) % turn) < 1)


def _told(minutes: float, *, days_only: bool) -> str:
    days, rest = divmod(int(minutes), _DAY_MIN)
    if days_only:
        return f"{days} days"
    hours, left = divmod(rest, 60)
    parts = [(days, "d"), (hours, "h"), (left, "min")]
    return " ".join(f"{count} {unit}" for count, unit in parts if count) or "0 min"


def _moment_told(moment: float, base: _Moment) -> str:
    minute = int(moment % _DAY_MIN)
    clock = f"{minute // 60:02}:{minute % 60:02}"
    if base.day is None:
        return clock
    day = date.min + timedelta(days=int(moment // _DAY_MIN) - 1)
    shown = f"{day.day} {day:%B}"
    return f"{shown} {clock}" if base.minute is not None else shown
