"""Periods longer than a month: years and their ranges, quarters, decades, centuries, eras."""

from itertools import pairwise

from groundwire._patterns import lazy_pattern
from groundwire.text import Atom, Kind, word_set
from groundwire.values._numerals import ORDINALS, TENS
from groundwire.values._period import (
    CENTURY,
    DASHES,
    LAST_BARE_YEAR,
    SHORT_YEAR_DIGITS,
    YEAR_DIGITS,
    Days,
    Found,
    bare_year_at,
    full_year,
    integer_at,
    month_days,
    past_suffix,
    year_after,
    year_days,
)
from groundwire.values._tokens import SUFFIXES, glued, is_number, lower_at

_LAST_CENTURY = 30
_DECADE = 10
_THIS_CENTURY = 2000
_MODERN = range(1500, 2101)
_BEFORE_CHRIST = word_set("bc bce")
_MONTHS_OF = {"q": 3, "h": 6}
_SHARES_OF_YEAR = {"q": 4, "h": 2}
_CERTAIN_YEAR = word_set("in since during year circa")
_YEAR_WORDS = word_set(
    "in since of during from until till by before after year between early late mid circa season"
    " and the to around"
)
_COUNTED = word_set("people men women children feet points metres meters dollars miles km")
_NOT_PLURAL = word_set("series was has championships olympics games sales")
_NOT_A_YEAR_AFTER = word_set("$ \u00a3 \u20ac #")
_MIN_PLURAL = 4
# such as "MDCCLXXXIV"
_ROMAN = lazy_pattern(r"M{1,2}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_MIN_ROMAN = 4


def year_at(tokens: list[Atom], index: int) -> Found | None:
    """A bare year, unless the word after it is what the number counts."""
    year = bare_year_at(tokens, index)
    if year is None:
        return None
    before, after = lower_at(tokens, index - 1), lower_at(tokens, index + 1)
    if before in _NOT_A_YEAR_AFTER or after in _COUNTED:
        return None
    is_modern = year in _MODERN
    is_certain = is_modern and before in _CERTAIN_YEAR
    is_likely = (is_modern or before in _YEAR_WORDS) and not _is_plural(after)
    return Found((year_days(year),), index + 1) if is_certain or is_likely else None


def roman_year(tokens: list[Atom], index: int) -> Found | None:
    """MDCCLXXXIV, as stones and title pages have it."""
    text = tokens[index].text
    if len(text) < _MIN_ROMAN or _ROMAN.fullmatch(text) is None:
        return None
    digits = [_ROMAN_DIGITS[letter] for letter in text]
    year = sum(-one if one < then else one for one, then in pairwise((*digits, 0)))
    return Found((year_days(year),), index + 1) if year <= LAST_BARE_YEAR else None


def _is_plural(word: str) -> bool:
    return (
        len(word) >= _MIN_PLURAL
        and word.isalpha()
        and word.endswith("s")
        and not word.endswith(("ss", "us", "is"))
        and word not in _NOT_PLURAL
    )


def year_range(tokens: list[Atom], index: int) -> Found | None:
    """1990-1995, 1990-95, 2019/20, from 1990 to 1995, between 1990 and 1995."""
    first = bare_year_at(tokens, index)
    place = None if first is None else _past_connector(tokens, index)
    last = None if place is None else integer_at(tokens, place, 0, LAST_BARE_YEAR)
    if first is None or place is None or last is None:
        return None
    if lower_at(tokens, place + 1) in DASHES and glued(tokens, place + 1):
        return None  # 1990-12-31
    if len(tokens[place].text) == SHORT_YEAR_DIGITS and tokens[place - 1].text in DASHES:
        last += first - first % CENTURY
    elif len(tokens[place].text) != YEAR_DIGITS:
        return None
    return Found((year_days(first, last),), place + 1) if last > first else None


def _past_connector(tokens: list[Atom], index: int) -> int | None:
    """The index of the number a range goes on to."""
    word, before = lower_at(tokens, index + 1), lower_at(tokens, index - 1)
    if word in DASHES:
        return index + 2 + (lower_at(tokens, index + 2) == "-" and glued(tokens, index + 2))
    if word in {"to", "until", "till", "through"} or (word == "and" and before == "between"):
        return index + 2
    return None


def decade(tokens: list[Atom], index: int) -> Found | None:
    """1990s, 1800s."""
    year = bare_year_at(tokens, index)
    apostrophe = lower_at(tokens, index + 1) in {"'", "\u2019"} and glued(tokens, index + 1)
    place = index + 1 + apostrophe
    if year is None or year % _DECADE or lower_at(tokens, place) != "s":
        return None
    is_century = year % CENTURY == 0 and year < _THIS_CENTURY
    length = CENTURY if is_century else _DECADE
    return Found((year_days(year, year + length - 1),), place + 1) if glued(tokens, place) else None


def short_decade(tokens: list[Atom], index: int) -> Found | None:
    """'90s."""
    tens = integer_at(tokens, index + 1, _DECADE, CENTURY - _DECADE)
    is_joined = glued(tokens, index + 1) and glued(tokens, index + 2)
    if tens is None or tens % _DECADE or lower_at(tokens, index + 2) != "s" or not is_joined:
        return None
    year = _THIS_CENTURY - CENTURY + tens
    return Found((year_days(year, year + _DECADE - 1),), index + 3)


def century(tokens: list[Atom], index: int) -> Found | None:
    """19th century, nineteenth century, first century BC."""
    number, place = _ordinal(tokens, index)
    place += lower_at(tokens, place) == "-"
    if lower_at(tokens, place) not in {"century", "centuries"}:
        return None
    if number is None or not 1 <= number <= _LAST_CENTURY:
        return None
    last = CENTURY * number
    if lower_at(tokens, place + 1) in _BEFORE_CHRIST:
        return Found((year_days(-last, CENTURY - 1 - last),), place + 2)
    return Found((year_days(last - CENTURY + 1, last),), place + 1, fuzzy=True)


def _ordinal(tokens: list[Atom], index: int) -> tuple[int | None, int]:
    word = tokens[index].lower
    if tokens[index].kind is Kind.NUMBER:
        after = past_suffix(tokens, index)
        return (integer_at(tokens, index, 1, _LAST_CENTURY) if after > index + 1 else None), after
    if word in TENS and lower_at(tokens, index + 1) == "-":
        ones = ORDINALS.get(lower_at(tokens, index + 2))
        return (None if ones is None else int(TENS[word] + ones)), index + 3
    return (int(ORDINALS[word]) if word in ORDINALS else None), index + 1


def era(tokens: list[Atom], index: int) -> Found | None:
    """44 BC, 79 AD."""
    year = integer_at(tokens, index, 1, 9999)
    word = lower_at(tokens, index + 1)
    if year is None or not word or tokens[index + 1].text.islower():
        return None
    if word in _BEFORE_CHRIST:
        return Found((year_days(-year),), index + 2)
    return Found((year_days(year),), index + 2) if word in {"ad", "ce"} else None


def share_of_year(tokens: list[Atom], index: int) -> Found | None:
    """Q3 2024, third quarter of 2024, H1 2024, first half of 2024."""
    word, following = lower_at(tokens, index), lower_at(tokens, index + 1)
    if word in _MONTHS_OF and glued(tokens, index + 1):
        share = integer_at(tokens, index + 1, 1, _SHARES_OF_YEAR[word])
    elif word in ORDINALS and following in {"quarter", "half"}:
        share, word = int(ORDINALS[word]), following[0]
    else:
        return None
    return _share_in(tokens, index + 2, word, share)


def _share_in(tokens: list[Atom], place: int, word: str, share: int | None) -> Found | None:
    """A share of the year that follows."""
    for filler in ("of", "the", "fiscal", "year"):
        place += lower_at(tokens, place) == filler
    year = year_after(tokens, place) or _short_year(tokens, place)
    if share is None or share > _SHARES_OF_YEAR[word] or year is None:
        return None
    return Found((_months(year[0], word, share),), year[1])


def _short_year(tokens: list[Atom], index: int) -> tuple[int, int] | None:
    """ "Q3'24", "Q3 FY24"."""
    if lower_at(tokens, index) not in {"'", "\u2019", "fy"} or not is_number(tokens, index + 1):
        return None
    short = integer_at(tokens, index + 1, 0, CENTURY - 1)
    return None if short is None else (full_year(short), index + 2)


def numbered_share(tokens: list[Atom], index: int) -> Found | None:
    """3Q24, 1H 2024, 3rd quarter of 2024."""
    word, following = lower_at(tokens, index + 1), lower_at(tokens, index + 2)
    if word in SUFFIXES and following in {"quarter", "half"}:
        share = integer_at(tokens, index, 1, _SHARES_OF_YEAR[following[0]])
        return _share_in(tokens, index + 3, following[0], share)
    if word not in _MONTHS_OF or not glued(tokens, index + 1):
        return None
    share = integer_at(tokens, index, 1, _SHARES_OF_YEAR[word])
    year = bare_year_at(tokens, index + 2)
    if year is None and glued(tokens, index + 2):
        year = integer_at(tokens, index + 2, 0, CENTURY - 1)
    if share is None or year is None:
        return None
    return Found((_months(full_year(year), word, share),), index + 3)


def _months(year: int, word: str, share: int) -> Days:
    length = _MONTHS_OF[word]
    return month_days(year, length * (share - 1) + 1, length * share)


def fiscal_year(tokens: list[Atom], index: int) -> Found | None:
    """FY24, FY2024, fiscal year 2024: a year whose first day is not known."""
    if lower_at(tokens, index) not in {"fy", "fiscal"}:
        return None
    place = index + 1 + (lower_at(tokens, index + 1) == "year")
    year = integer_at(tokens, place, 0, LAST_BARE_YEAR)
    if year is None or len(tokens[place].text) not in {SHORT_YEAR_DIGITS, YEAR_DIGITS}:
        return None
    year = full_year(year)
    return Found((((year - 1, 4, 1), (year, 12, 31)),), place + 1)
