"""What the readers of dates share: months, years, and what they hand back."""

from typing import NamedTuple

from groundwire.text import Atom, Kind, word_list
from groundwire.values._period import Days, Frame
from groundwire.values._tokens import glued, lower_at

_MONTH_NAMES = word_list(
    "january february march april may june july august september october november december"
)
MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, start=1)}
SHORT_MONTHS = {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
DASHES = frozenset({"-", "\u2013", "\u2014", "\u2012", "/"})
SUFFIXES = frozenset({"st", "nd", "rd", "th"})
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
    return None


def past_suffix(tokens: list[Atom], index: int) -> int:
    """The index after a number and the "th" that may be glued to it."""
    return index + 1 + (lower_at(tokens, index + 1) in SUFFIXES and glued(tokens, index + 1))
