"""When something was: a closed interval of days, so that `Q3 2024` lies within `2024`.

Dates without a year, days of the week and times of day are intervals too, each in a frame of its
own; only what shares a frame can agree or disagree.
"""

from calendar import monthrange
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from groundwire.model import MONTH_NAMES, MONTH_NAMES_ABROAD
from groundwire.text import Atom, Kind
from groundwire.values._tokens import SUFFIXES, glued, lower_at

Frame = Literal["calendar", "yearly", "weekday", "clock"]
Edge = Literal["", "start", "end", "by", "after", "before"]
Day = tuple[int, int, int]
"""Year, month, day; `(0, month, day)` in the yearly frame, `(0, 0, n)` in the last two."""
Days = tuple[Day, Day]

_MAX_YEAR = 9999
_FUZZY_YEARS = 3
_A_LEAP_YEAR = 2000
_DAY_MIN = 24 * 60
_WHOLE_YEAR = ((1, 1), (12, 31))
_FOREVER: Days = ((-10 * _MAX_YEAR, 1, 1), (10 * _MAX_YEAR, 12, 31))


@dataclass(frozen=True, slots=True)
class Period:
    """A date in a text. `readings` holds every way to read it: 03/04/2024 has two."""

    start: int
    end: int
    text: str
    frame: Frame
    readings: tuple[Days, ...]
    edge: Edge = ""
    """ "since" and "until" name an end of something longer; "after" and "before" exclude it."""
    fuzzy: bool = False
    zone_min: int | None = None
    """For a time of day: the minutes its zone is ahead of UTC, where it names one."""

    @property
    def first(self) -> Day:
        return min(first for first, _ in self.readings)

    @property
    def last(self) -> Day:
        return max(last for _, last in self.readings)

    @property
    def is_bound(self) -> bool:
        return self.edge in {"by", "after", "before"}


def year_days(year: int, last_year: int | None = None) -> Days:
    return (year, 1, 1), (year if last_year is None else last_year, 12, 31)


def month_days(year: int, month: int, last_month: int | None = None) -> Days:
    last_month = last_month or month
    return (year, month, 1), (year, last_month, last_of_month(year, last_month))


@lru_cache(maxsize=1024)
def last_of_month(year: int, month: int) -> int:
    # without a year February may have its leap day
    return monthrange(year if 0 < year <= _MAX_YEAR else _A_LEAP_YEAR, month)[1]


def lies_within(inner: Period, outer: Period) -> bool:
    """Whether the outer period holds all of the inner one, under some reading of each."""
    return any(b[0] <= a[0] and a[1] <= b[1] for a, b in _comparable(inner, outer))


def overlap(one: Period, other: Period) -> bool:
    """Whether some day belongs to both, whatever bounds them."""
    return any(a[0] <= b[1] and b[0] <= a[1] for a, b in _comparable(one, other))


def are_disjoint(one: Period, other: Period) -> bool:
    """Whether the two have no day in common, under any reading."""
    if not _edges_compare(one, other):
        return False
    pairs = [(_room(a, one, other), _room(b, other, one)) for a, b in _comparable(one, other)]
    return bool(pairs) and all(a[1] < b[0] or b[1] < a[0] for a, b in pairs)


def _edges_compare(one: Period, other: Period) -> bool:
    points = {"start", "end"}
    return one.edge == other.edge or (one.edge not in points and other.edge not in points)


def _comparable(one: Period, other: Period) -> list[tuple[Days, Days]]:
    if one.frame == other.frame == "clock":
        return _clock_pairs(one, other)
    if one.frame == other.frame:
        return [(a, b) for a in one.readings for b in other.readings]
    if {one.frame, other.frame} == {"calendar", "yearly"}:
        return [(a, b) for a in _without_year(one) for b in _without_year(other)]
    return []


def _clock_pairs(one: Period, other: Period) -> list[tuple[Days, Days]]:
    """Times of two zones at UTC; where only one names its zone, the other may be local to it."""
    pairs = [(a, b) for a in one.readings for b in other.readings]
    if one.zone_min is None or other.zone_min is None:
        is_told = one.zone_min is other.zone_min is None
        return pairs if is_told else [(a, b) for a, b in pairs if a == b]
    return [(_at_utc(a, one.zone_min), _at_utc(b, other.zone_min)) for a, b in pairs]


def _at_utc(days: Days, zone_min: int) -> Days:
    minute = (0, 0, (days[0][2] - zone_min) % _DAY_MIN)
    return minute, minute


def same_period(one: Period, other: Period) -> bool:
    """The same days, or the same minute of the day, under some reading of each."""
    is_alike = (one.frame, one.edge) == (other.frame, other.edge)
    return is_alike and any(a == b for a, b in _comparable(one, other))


def _without_year(period: Period) -> list[Days]:
    if period.frame == "yearly":
        return list(period.readings)
    return [
        ((0, *first[1:]), (0, *last[1:]))
        for first, last in period.readings
        if first[0] == last[0] and (first[1:], last[1:]) != _WHOLE_YEAR
    ]


def _room(days: Days, period: Period, other: Period) -> Days:
    """The days a period leaves open: all on one side of a bound, some around a rough date.

    Two deadlines are two dates: "by 2025" and "by 2030" leave no room for each other.
    """
    first, last = days
    if period.fuzzy and period.frame == "calendar":
        first = (first[0] - _FUZZY_YEARS, *first[1:])
        last = (last[0] + _FUZZY_YEARS, *last[1:])
    if period.edge == "after":
        last = _FOREVER[1]
    if period.edge == "before" or (period.edge == "by" and other.edge != "by"):
        first = _FOREVER[0]
    return first, last


MONTHS = {name: number for number, name in enumerate(MONTH_NAMES, start=1)}
SHORT_MONTHS = {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
DASHES = frozenset({"-", "\u2013", "\u2014", "\u2012", "/"})
FIRST_BARE_YEAR, LAST_BARE_YEAR = 1000, 2199
MONTHS_A_YEAR = 12
LAST_DAY = 31
YEAR_DIGITS, SHORT_YEAR_DIGITS = 4, 2
CENTURY = 100
_THIS_CENTURY = 2000
_PIVOT = 50


class Found(NamedTuple):
    """A date read from tokens, before what stands around it is known."""

    readings: tuple[Days, ...]
    after: int
    frame: Frame = "calendar"
    fuzzy: bool = False
    zone_min: int | None = None


def integer_at(tokens: list[Atom], index: int, low: int, high: int) -> int | None:
    """The whole number a token writes, within bounds."""
    if not 0 <= index < len(tokens):
        return None
    text = tokens[index].text
    if tokens[index].kind is not Kind.NUMBER or not text.isdigit() or len(text) > YEAR_DIGITS:
        return None
    value = int(text)
    return value if low <= value <= high else None


def bare_year_at(tokens: list[Atom], index: int) -> int | None:
    """The year four plain digits may stand for."""
    year = integer_at(tokens, index, FIRST_BARE_YEAR, LAST_BARE_YEAR)
    return year if year and len(tokens[index].text) == YEAR_DIGITS else None


def year_after(tokens: list[Atom], index: int) -> tuple[int, int] | None:
    """The year that closes a date ("2024", ", 2024", "of 2024"), and the index after it."""
    place = index + (lower_at(tokens, index) in {",", "of", "in"})
    year = bare_year_at(tokens, place)
    return None if year is None else (year, place + 1)


def full_year(short: int) -> int:
    """ "FY24" is 2024, "3/4/87" is 1987."""
    if short >= CENTURY:
        return short
    return short + (_THIS_CENTURY if short < _PIVOT else _THIS_CENTURY - CENTURY)


def month_at(tokens: list[Atom], index: int) -> tuple[int, int] | None:
    """A month's number and the index after its name."""
    word = lower_at(tokens, index)
    if word in MONTHS:
        return MONTHS[word], index + 1
    if word in SHORT_MONTHS:
        is_dotted = lower_at(tokens, index + 1) == "." and glued(tokens, index + 1)
        return SHORT_MONTHS[word], index + 1 + is_dotted
    if word in MONTH_NAMES_ABROAD:
        return MONTH_NAMES_ABROAD[word], index + 1
    return None


def past_suffix(tokens: list[Atom], index: int) -> int:
    """The index after a number and the "th" that may be glued to it."""
    return index + 1 + (lower_at(tokens, index + 1) in SUFFIXES and glued(tokens, index + 1))
