"""Dates and times of day, as people write them."""

from collections.abc import Callable

from groundwire.model import MONTH_NAMES_ABROAD, WEEKDAY_NAMES
from groundwire.text import Atom, Kind, word_set
from groundwire.values._clock import NAMED_TIMES, TIME_WORDS, clock_time, named_time, spoken_time
from groundwire.values._long_periods import (
    century,
    decade,
    era,
    fiscal_year,
    numbered_share,
    share_of_year,
    short_decade,
    year_range,
)
from groundwire.values._numerals import ORDINALS, TENS
from groundwire.values._period import (
    DASHES,
    FIRST_BARE_YEAR,
    LAST_BARE_YEAR,
    LAST_DAY,
    MONTHS,
    MONTHS_A_YEAR,
    SHORT_MONTHS,
    SHORT_YEAR_DIGITS,
    YEAR_DIGITS,
    Day,
    Edge,
    Found,
    Period,
    full_year,
    integer_at,
    last_of_month,
    month_at,
    month_days,
    past_suffix,
    year_after,
)
from groundwire.values._tokens import glued, lower_at

WEEKDAYS = {name: number for number, name in enumerate(WEEKDAY_NAMES, start=1)} | {
    name + "s": number for number, name in enumerate(WEEKDAY_NAMES, start=1)
}
SHORT_WEEKDAYS = {name[:3]: WEEKDAYS[name] for name in WEEKDAY_NAMES}


def weekday(tokens: list[Atom], index: int) -> Found | None:
    """Monday, Mondays, "Mon,"."""
    token = tokens[index]
    number = WEEKDAYS.get(token.lower)
    if number is None and token.text.istitle() and lower_at(tokens, index + 1) in {",", "."}:
        number = SHORT_WEEKDAYS.get(token.lower)
    if number is None:
        return None
    day = (0, 0, number)
    return Found(((day, day),), index + 1, "weekday")


_DATE_PARTS = 3
# "may", "march" and "august" are words too
_ALSO_WORDS = word_set("may march august")
_MONTH_INTRODUCTIONS = word_set("in since until last next early late mid by during this")
_NO_DAY = word_set("million billion % percent people")


def numeric_date(tokens: list[Atom], index: int) -> Found | None:
    """2024-03-05; 05/03/2024, which has two readings."""
    parts, after = _joined_numbers(tokens, index)
    if len(parts) != _DATE_PARTS:
        return None
    first, second, third = (int(part) for part in parts)
    if len(parts[0]) == YEAR_DIGITS:
        days = [_real_day(first, second, third)]
    elif len(parts[2]) in {SHORT_YEAR_DIGITS, YEAR_DIGITS}:
        year = full_year(third)
        days = [_real_day(year, second, first), _real_day(year, first, second)]
    else:
        return None
    readings = tuple(dict.fromkeys((day, day) for day in days if day is not None))
    return Found(readings, after) if readings else None


def _joined_numbers(tokens: list[Atom], index: int) -> tuple[list[str], int]:
    """The numbers one kind of mark joins without a gap, and the index after them."""
    text = tokens[index].text
    if "." in text:
        parts = text.split(".")
        return (parts if all(map(_is_date_part, parts)) else []), index + 1
    mark = lower_at(tokens, index + 1)
    parts, place = [text], index + 1
    while mark in {"-", "/", "\u2013"} and len(parts) <= _DATE_PARTS:
        if lower_at(tokens, place) != mark or not glued(tokens, place):
            break
        if not glued(tokens, place + 1) or tokens[place + 1].kind is not Kind.NUMBER:
            break
        parts.append(tokens[place + 1].text)
        place += 2
    return (parts if all(map(_is_date_part, parts)) else []), place


def _is_date_part(text: str) -> bool:
    return text.isdigit() and len(text) <= YEAR_DIGITS


def _real_day(year: int, month: int, day: int) -> Day | None:
    if not FIRST_BARE_YEAR <= year <= LAST_BARE_YEAR or not 1 <= month <= MONTHS_A_YEAR:
        return None
    return (year, month, day) if 1 <= day <= last_of_month(year, month) else None


def day_first(tokens: list[Atom], index: int) -> Found | None:
    """3 March 2024, 3rd of March, 3-5 March 2024; 3. März 2024."""
    first = integer_at(tokens, index, 1, LAST_DAY)
    if first is None:
        return None
    last, place = _last_day(tokens, past_suffix(tokens, index), first, DASHES | {"to", "and"})
    mark = lower_at(tokens, place)
    joined = mark in {"-", "."} and glued(tokens, place)
    month_place = place + (joined or mark == "of")
    month = month_at(tokens, month_place)
    if month is None or (month_place == index + 1 and _is_verb(tokens, month_place)):
        return None
    # "It took 3. May I ask" ends a sentence, "3. Mai 2024" is a day
    is_ordinal = lower_at(tokens, month_place) in MONTH_NAMES_ABROAD
    if mark == "." and not (is_ordinal and year_after(tokens, month[1])):
        return None
    return _days_in(tokens, month, first, last)


def _is_verb(tokens: list[Atom], place: int) -> bool:
    """ "Well 2 may be opened", "rows 1 and 4 march on": a small letter, and no sign of a date."""
    is_introduced = lower_at(tokens, place - 2) in _MONTH_INTRODUCTIONS | {"on", "of", "from"}
    has_year = year_after(tokens, place + 1) is not None
    return tokens[place].text in _ALSO_WORDS and not (is_introduced or has_year)


def _last_day(tokens: list[Atom], place: int, first: int, links: frozenset[str]) -> tuple[int, int]:
    """The day a range goes on to, or the same day, and the index after it."""
    if lower_at(tokens, place) in links:
        last = integer_at(tokens, place + 1, first + 1, LAST_DAY)
        if last is not None:
            return last, past_suffix(tokens, place + 1)
    return first, place


def _days_in(tokens: list[Atom], month: tuple[int, int], first: int, last: int) -> Found | None:
    number, place = month
    joined = lower_at(tokens, place) == "-" and glued(tokens, place)
    year = year_after(tokens, place + joined)
    which, after = year or (0, place)
    if last > last_of_month(which, number):
        return None
    days = ((which, number, first), (which, number, last))
    return Found((days,), after, "calendar" if year else "yearly")


def month_first(tokens: list[Atom], index: int) -> Found | None:
    """March 3, 2024; March 3-5; March 2024; March."""
    month = month_at(tokens, index)
    if month is None:
        return None
    number, place = month
    first = integer_at(tokens, place, 1, LAST_DAY)
    if first is not None and not _is_a_count(tokens, index, place):
        last, after = _last_day(tokens, past_suffix(tokens, place), first, DASHES | {"to"})
        if last > first and month_at(tokens, after) is not None:
            last, after = first, past_suffix(tokens, place)  # "March 30 to 3 April"
        return _days_in(tokens, (number, after), first, last)
    year = year_after(tokens, place)
    if year is not None:
        return Found((month_days(year[0], number),), year[1])
    return _lone_month(tokens, index, number)


def _is_a_count(tokens: list[Atom], index: int, place: int) -> bool:
    """ "in March 20 million people", "they may 3 times"."""
    is_verb = tokens[index].text in _ALSO_WORDS
    is_introduced = lower_at(tokens, index - 1) in _MONTH_INTRODUCTIONS | {"on", "of", "from"}
    return lower_at(tokens, place + 1) in _NO_DAY or (is_verb and not is_introduced)


def _lone_month(tokens: list[Atom], index: int, number: int) -> Found | None:
    """ "in May", "June": a month of any year."""
    token = tokens[index]
    is_introduced = lower_at(tokens, index - 1) in _MONTH_INTRODUCTIONS
    is_capital = token.text[0].isupper()
    certain = is_introduced if token.lower in _ALSO_WORDS else is_introduced or is_capital
    if token.lower not in MONTHS or not certain or (token.lower in _ALSO_WORDS and not is_capital):
        return None
    return Found((month_days(0, number),), index + 1, "yearly")


_Reader = Callable[[list[Atom], int], Found | None]
_FROM_DIGITS: tuple[_Reader, ...] = (
    numeric_date,
    clock_time,
    spoken_time,
    day_first,
    decade,
    century,
    year_range,
    era,
    numbered_share,
)
_FROM_WORDS: tuple[_Reader, ...] = (
    month_first,
    share_of_year,
    fiscal_year,
    weekday,
    named_time,
    spoken_time,
    century,
)
DATE_WORDS = frozenset(
    {
        *MONTHS,
        *SHORT_MONTHS,
        *MONTH_NAMES_ABROAD,
        *WEEKDAYS,
        *SHORT_WEEKDAYS,
        *NAMED_TIMES,
        *ORDINALS,
        *TENS,
        *TIME_WORDS,
    }
    | {"q", "h", "fy", "fiscal"}
)
"""Every word a date may begin with."""

_SKIPPED = word_set("early mid late middle beginning end start the - in of summer spring year")
_ROUGHLY = word_set("about around circa ca c approximately roughly nearly almost ~ \u2248")
_EDGES: dict[str, Edge] = {
    "since": "start",
    "from": "start",
    "until": "end",
    "till": "end",
    "through": "end",
    "by": "by",
    "after": "after",
    "following": "after",
    "before": "before",
}
_REACH = 4


def date_at(tokens: list[Atom], index: int) -> Found | None:
    """The date that starts at a token, if one certainly does. Bare years are `year_at`'s."""
    token = tokens[index]
    if token.kind is Kind.NUMBER:
        readers = _FROM_DIGITS
    elif token.kind is Kind.WORD:
        readers = _FROM_WORDS
    else:
        return short_decade(tokens, index) if token.text in {"'", "\u2019"} else None
    for reader in readers:
        found = reader(tokens, index)
        if found is not None:
            return found
    return None


def period_of(text: str, tokens: list[Atom], index: int, found: Found, free_from: int) -> Period:
    """The date with what stands before it: "since", "about", "by the end of"."""
    begin, place, fuzzy = index, index - 1, found.fuzzy
    while place >= max(free_from, index - _REACH):
        word = lower_at(tokens, place)
        is_dot = word == "." and lower_at(tokens, place - 1) in {"c", "ca"}
        if word in _ROUGHLY:
            fuzzy, begin = True, place
        elif word not in _SKIPPED and not is_dot:
            break
        place -= 1
    edge = _EDGES.get(lower_at(tokens, place), "") if place >= free_from else ""
    start, end = tokens[begin].start, tokens[found.after - 1].end
    return Period(
        start, end, text[start:end], found.frame, found.readings, edge, fuzzy, found.zone_min
    )
