"""Dates, times of day and durations that a text works out: "28 days after 23 May is 20 June"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, date, timedelta
from fractions import Fraction
from itertools import pairwise

from groundwire._patterns import lazy_pattern
from groundwire.model import UNITS
from groundwire.values._period import Day, Period, last_of_month
from groundwire.values._quantity import Quantity
from groundwire.values._read import Value

# such as "to" in "2 March to 11 March"
_TO = lazy_pattern(r"\s*(?:to|until|till|through|[-\u2013\u2014])\s*(?:the\s+)?", re.IGNORECASE)
# such as "minus" in "10:30 minus 09:15", and the dash, which may be a range as well
_MINUS = lazy_pattern(r"\s*(?:[-\u2212\u2013]|minus|less)\s*(?:the\s+)?", re.IGNORECASE)
# such as ", so" before "45 minutes", and ", which is"
_MAKES = lazy_pattern(
    r"\s*(?:[,:=(]|is|was|makes|lasts|takes|i\.e\.|so|that|which|are|\s){1,6}\s*", re.IGNORECASE
)
# such as "late" in "09:30 to 11:00, so 10 minutes late": that is no length of it
COUNTED_FROM = lazy_pattern(
    r"\s*(?:late|early|earlier|later|longer|shorter|before|after|from|until|till|left|remain\w*"
    r"|more|less|short|too|per|each|every|over|under|ago|away|apart)\b",
    re.IGNORECASE,
)
# such as "plus" in "2 May plus three weeks"
_PLUS = lazy_pattern(r"\s*(?:\+|plus|and)\s*", re.IGNORECASE)
# such as "-" after "9:00" in "= 9:00 - 30 minutes"
_GOES_ON = lazy_pattern(r"\s*(?:[-+\u2212\u2013]|plus\b|minus\b)", re.IGNORECASE)
# such as "+" before "8:00" in "45 minutes + 8:00"
_WENT_ON = lazy_pattern(r"(?:[-+\u2212]|\bplus|\bminus)\s*$", re.IGNORECASE)
# such as "Subtracting" before "30 minutes from 8:00", and "going back"
_TAKES = lazy_pattern(
    r"\b(?:subtract\w*|deduct\w*|remov\w+|tak\w+(?:\s+away)?|back|minus)\s*$", re.IGNORECASE
)
# such as "Adding" before "3 days to 12 May"
_ADDS = lazy_pattern(r"\badd\w*\s*$", re.IGNORECASE)
# such as "from" in "subtracting 30 minutes from 8:00"
_FROM = lazy_pattern(r"\s*(?:from|off)\s+", re.IGNORECASE)
# such as "to" in "adding 3 days to 12 May"
_ONTO = lazy_pattern(r"\s*(?:to|onto)\s+", re.IGNORECASE)
# such as "after" in "28 days after 23 May"
_AFTER = lazy_pattern(r"\s*(?:after|from)\s+", re.IGNORECASE)
# such as "before" in "28 days before 23 May"
_BEFORE = lazy_pattern(r"\s*before\s+", re.IGNORECASE)
# such as "is" before "20 June", "falls on", and ", on Saturday"
_IS = lazy_pattern(
    r"\s*(?:=|is|was|gives|equals|makes|leaves|yields|falls\s+on|comes\s+to|:|\u2192|,\s*(?:on|at|i\.e\.))"
    r"\s*(?:on\s+)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+(?:the\s+)?)?",
    re.IGNORECASE,
)
# such as "at" in "2 March at 21:00"
_AT = lazy_pattern(r"\s*(?:,|at)?\s*")
# such as "d" in "8 d 6 h"
_DAYS = lazy_pattern(r"\s*d\s+")
_MINUTE_S = 60
_DAY_MIN = 24 * 60
_DAY_S = 24 * 60 * 60
_MONTH_S = 28 * _DAY_S
_MEAN_MONTH_S = Fraction(UNITS["month"].factor)
_YEAR_MONTHS = 12
_YEARS = (2023, 2024)
"""A common and a leap year, for dates that name none."""


@dataclass(frozen=True, slots=True)
class _Moment:
    start: int
    end: int
    days: tuple[Day, ...]
    """Every way to read its date, 03/04/2024 has two; none for a time of day alone."""
    minute: int | None
    is_half_day: bool = False
    """Whether it may be meant by a clock of twelve hours: "11:45" is also 23:45."""
    zone_min: int | None = None

    @property
    def day(self) -> Day | None:
        return self.days[0] if self.days else None

    def readings(self) -> list["_Moment"]:
        """One for each way to read its date."""
        return [replace(self, days=(day,)) for day in self.days] or [self]

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
    holds: bool | None
    """Nothing where it may be counted otherwise."""


def spans_in(text: str, values: Sequence[Value]) -> Iterator[Span]:
    items = list(_items(text, values))
    for first, second, third in zip(items, items[1:], items[2:], strict=False):
        if isinstance(third, Quantity) and COUNTED_FROM.match(text, third.end):
            continue
        found = _related(text, first, second, third)
        if found is None:
            continue
        is_term = _WENT_ON.search(text[: first.start]) or _GOES_ON.match(text, third.end)
        # "45 minutes + 8:00 + 30 minutes = 9:15" is not all there is to it
        yield replace(found, holds=found.holds or None) if is_term else found


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
            taken = clock if clock is not value else taken
            yield _moment(value, clock)


def _moment(value: Period, clock: Period | None) -> _Moment:
    days = () if value.frame == "clock" else tuple(first for first, _ in value.readings)
    if clock is None:
        return _Moment(value.start, value.end, days, None)
    is_half_day = len(clock.readings) > 1
    minute = clock.readings[0][0][2]
    return _Moment(value.start, clock.end, days, minute, is_half_day, clock.zone_min)


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
    return value.frame in {"calendar", "yearly", "clock"}


def _related(text: str, first: _Item, second: _Item, third: _Item) -> Span | None:
    gaps = (text[first.end : second.start], text[second.end : third.start])
    match first, second, third:
        case _Moment(), _Moment(), Quantity():
            if _MAKES.fullmatch(gaps[1]):
                return _lasting(first, second, third, gaps[0])
        case _Moment(), Quantity(), _Moment():
            is_minus = _MINUS.fullmatch(gaps[0])
            # the minus of "2 pm minus 3 hours" belongs to the duration
            is_added = _PLUS.fullmatch(gaps[0]) or (second.value < 0 and gaps[0].isspace())
            sign = 1 if is_added else -1 if is_minus else 0
            if sign and _IS.fullmatch(gaps[1]):
                return _shifted(first, second, third, sign, first.start)
        case Quantity(), _Moment(), _Moment():
            sign = _direction(text[: first.start], gaps[0])
            if sign and _IS.fullmatch(gaps[1]):
                return _shifted(second, first, third, sign, first.start)
    return None


def _direction(before: str, gap: str) -> int:
    """1 for "28 days after" and "adding 28 days to", -1 for "subtracting 28 days from"."""
    if _TAKES.search(before):
        return -1 if _FROM.fullmatch(gap) else 0
    if _ADDS.search(before):
        return 1 if _ONTO.fullmatch(gap) else 0
    return 1 if _AFTER.fullmatch(gap) else -1 if _BEFORE.fullmatch(gap) else 0


def _lasting(first: _Moment, second: _Moment, third: Quantity, gap: str) -> Span | None:
    """From one to the other, or the difference of the two where a dash may be either."""
    if (first.day is None) != (second.day is None) or first.zone_min != second.zone_min:
        return None
    is_range, is_difference = bool(_TO.fullmatch(gap)), bool(_MINUS.fullmatch(gap))
    days_only = first.minute is None or second.minute is None
    if days_only and float(third.measures[0].factor) >= _MONTH_S:
        return None  # months and years are counted in more than one way
    spans = _lengths(first, second) if is_range else []
    differences = _lengths(second, first) if is_difference else []
    # two dates with their years are apart one way only
    forward = [one for one in (*spans, *differences) if one >= 0]
    forward = sorted(forward) if is_difference else forward
    if not forward:
        return None
    claimed = float(third.value) / 60
    step = float(third.measures[0].step) / 60
    slack = max(_DAY_MIN if days_only else 0, step - 1 if step > 1 else 0)
    # "31 days" counts both ends or one; "two weeks" may be a day more
    holds: bool | None = any(abs(one - claimed) <= slack for one in forward)
    is_exact = any(abs(one - claimed) < 1 for one in forward)
    if not holds and first.day is None and any(abs(one - claimed * 60) < 1 for one in forward):
        return None  # "6:34 minus 6:31 is 3 seconds" tells minutes and seconds
    if holds and not is_exact and is_difference and min(spans, default=-1) < 0:
        holds = None  # who subtracts counts no ends
    return Span(first.start, third.end, _told(forward[0], days_only=days_only), holds)


def _lengths(first: _Moment, second: _Moment) -> list[int]:
    """The minutes from one moment to another, in every way to read them."""
    spans = [
        span
        for one in first.readings()
        for other in second.readings()
        for year in _YEARS
        if (span := _minutes(one, other, year)) is not None
    ]
    if spans and (first.is_half_day or second.is_half_day):
        half = _DAY_MIN // 2
        is_dated = first.day is not None
        spans += [spans[0] - half, spans[0] + half] if is_dated else [(spans[0] + half) % _DAY_MIN]
    return spans


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
    if (base.day is None) != (said.day is None) or base.zone_min != said.zone_min:
        return None
    months = _months_of(by)
    if months is None:
        minutes = sign * float(by.value) / 60
        tries = [
            (one, begin + minutes)
            for one in base.readings()
            for year in _YEARS
            if (begin := one.at(year)) is not None
        ]
    else:
        tries = [(one, end) for one in base.readings() for end in _months_on(one, sign * months)]
    if not tries:
        return None
    ways = said.readings()
    holds: bool | None = any(_is_at(way, one, moment) for way in ways for one, moment in tries)
    if not holds and months is not None and _is_a_day_off(ways, tries):
        holds = None  # a year from 1 January ends on 31 December
    if base.day is None and by.measures[0].factor < _MINUTE_S and not holds:
        return None  # "6:31 plus 3 seconds is 6:34" tells minutes and seconds
    one, moment = tries[0]
    return Span(start, said.end, _moment_told(moment, one), holds)


def _months_of(by: Quantity) -> Fraction | None:
    """So many months; nothing where it is counted in days or less."""
    if float(by.measures[0].factor) < _MONTH_S:
        return None
    return Fraction(by.value) / _MEAN_MONTH_S


def _months_on(base: _Moment, months: Fraction) -> Iterator[int]:
    """The moment so many months away; where that month is shorter, its last day or the days on."""
    if base.day is None or months.denominator != 1:
        return
    for year in (base.day[0],) if base.day[0] else _YEARS:
        index = year * _YEAR_MONTHS + base.day[1] - 1 + int(months)
        new_year, month = index // _YEAR_MONTHS, index % _YEAR_MONTHS + 1
        if not MINYEAR <= new_year < MAXYEAR:
            continue
        over = base.day[2] - last_of_month(new_year, month)
        end = date(new_year, month, min(base.day[2], last_of_month(new_year, month))).toordinal()
        for day in {end, end + max(over, 0)}:
            yield day * _DAY_MIN + (base.minute or 0)


def _is_a_day_off(ways: list[_Moment], tries: list[tuple[_Moment, float]]) -> bool:
    return any(
        _is_at(way, one, moment + shift)
        for way in ways
        for one, moment in tries
        for shift in (-_DAY_MIN, _DAY_MIN)
    )


def _is_at(said: _Moment, base: _Moment, moment: float) -> bool:
    turn = _DAY_MIN // 2 if said.is_half_day or base.is_half_day else _DAY_MIN
    if said.day is None:
        return said.minute is not None and abs((said.minute - moment) % turn) < 1
    day = date.fromordinal(int(moment // _DAY_MIN))
    same_day = (day.month, day.day) == said.day[1:] and (
        0 in (said.day[0], base.day[0] if base.day else 0) or said.day[0] == day.year
    )
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
    shown = f"{day.day} {day:%B}{f' {day.year}' if base.day[0] else ''}"
    return f"{shown} {clock}" if base.minute is not None else shown
