"""Finds dates, periods, weekdays and times of day."""

from collections.abc import Callable

from groundwire.values._clock import (
    NAMED_TIMES,
    SHORT_WEEKDAYS,
    WEEKDAYS,
    clock_time,
    named_time,
    weekday,
)
from groundwire.values._date_parts import MONTHS, SHORT_MONTHS, Found
from groundwire.values._day_dates import day_first, month_first, numeric_date
from groundwire.values._long_periods import (
    century,
    decade,
    era,
    fiscal_year,
    numbered_share,
    share_of_year,
    short_decade,
    year_at,
    year_range,
)
from groundwire.values._number_words import ORDINALS, TENS
from groundwire.values._period import Edge, Period
from groundwire.values._scan import Kind, Token, lower_at, word_set

_Reader = Callable[[list[Token], int], Found | None]
_FROM_DIGITS: tuple[_Reader, ...] = (
    numeric_date,
    clock_time,
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
    century,
)
DATE_WORDS = frozenset(
    {*MONTHS, *SHORT_MONTHS, *WEEKDAYS, *SHORT_WEEKDAYS, *NAMED_TIMES, *ORDINALS, *TENS}
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


def date_at(tokens: list[Token], index: int) -> Found | None:
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


def period_of(text: str, tokens: list[Token], index: int, found: Found, free_from: int) -> Period:
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
    return Period(start, end, text[start:end], found.frame, found.readings, edge, fuzzy)


__all__ = ["DATE_WORDS", "date_at", "period_of", "year_at"]
