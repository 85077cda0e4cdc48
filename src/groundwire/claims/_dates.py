"""Finds dates, periods, weekdays and times of day."""

from collections.abc import Callable
from dataclasses import dataclass

from groundwire.claims._numerals import ORDINALS, SMALL, TENS
from groundwire.claims._period import Days, Edge, Frame, Period, month_days, year_days
from groundwire.claims._scan import Kind, Token, glued

_MONTH_NAMES = (
    "january february march april may june july august september october november december"
).split()
MONTHS = {name: number for number, name in enumerate(_MONTH_NAMES, start=1)}
_SHORT_MONTHS = {name[:3]: number for name, number in MONTHS.items()} | {"sept": 9}
_WEEKDAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday".split()
WEEKDAYS = {name: number for number, name in enumerate(_WEEKDAY_NAMES, start=1)}
_SHORT_WEEKDAYS = {name[:3]: number for name, number in WEEKDAYS.items()}
DATE_WORDS = frozenset(
    MONTHS | _SHORT_MONTHS | WEEKDAYS | _SHORT_WEEKDAYS | ORDINALS | TENS
    | dict.fromkeys(name + "s" for name in WEEKDAYS)
    | dict.fromkeys("q h fy fiscal noon midday midnight".split())
)
"""Every word a date may begin with."""
_PARTS = {"early", "mid", "late", "middle", "beginning", "end", "start"}
_ROUGHLY = {"about", "around", "circa", "ca", "c", "approximately", "roughly", "nearly", "almost"}
_EDGES: dict[str, Edge] = {
    "since": "start",
    "from": "start",
    "until": "end",
    "till": "end",
    "through": "end",
    "after": "after",
    "following": "after",
    "before": "before",
    "by": "by",
    "prior": "before",
}
_DASHES = {"-", "\u2013", "\u2014", "\u2012", "/"}
_ERAS_BEFORE = {"bc", "bce"}
_MIN_BARE_YEAR, _MAX_BARE_YEAR = 1000, 2199


@dataclass(frozen=True, slots=True)
class Found:
    """A date read from tokens, before its edge and roughness are known."""

    readings: tuple[Days, ...]
    after: int
    frame: Frame = "calendar"
    fuzzy: bool = False


def date_at(tokens: list[Token], index: int) -> Found | None:
    """The date that starts at a token, if one certainly does. Bare years are `year_at`'s."""
    token = tokens[index]
    readers: tuple[Callable[[list[Token], int], Found | None], ...]
    if token.kind is Kind.NUMBER:
        readers = (_numeric, _clock, _day_month, _decade, _century, _year_range, _era, _quarter_year)
    elif token.kind is Kind.WORD:
        readers = (_month_first, _quarter, _fiscal, _weekday, _noon, _century)
    elif token.text in {"'", "\u2019"}:
        readers = (_short_decade,)
    else:
        return None
    for reader in readers:
        found = reader(tokens, index)
        if found is not None:
            return found
    return None


def bare_year(token: Token) -> int | None:
    """The year four plain digits may stand for."""
    if token.kind is not Kind.NUMBER or len(token.text) != 4 or not token.text.isdigit():
        return None
    year = int(token.text)
    return year if _MIN_BARE_YEAR <= year <= _MAX_BARE_YEAR else None


def period_of(text: str, tokens: list[Token], index: int, found: Found) -> Period:
    """The date with what stands before it: "since", "about", "early"."""
    begin, edge, fuzzy = index, "", found.fuzzy
    place = index - 1
    while place >= 0 and index - place <= 4:
        word = tokens[place].lower
        if word in _PARTS or (word in {"the", "-", "in", "of", "summer", "year"} and place > 0):
            pass
        elif word in _ROUGHLY or tokens[place].text in {"~", "\u2248"}:
            fuzzy, begin = True, place
        elif word == "." and place > 0 and tokens[place - 1].lower in {"c", "ca"}:
            pass
        else:
            edge = _EDGES.get(word, "")
            break
        place -= 1
    start, end = tokens[begin].start, tokens[found.after - 1].end
    return Period(start, end, text[start:end], found.frame, found.readings, edge, fuzzy)  # type: ignore[arg-type]


def _integer(token: Token, low: int, high: int) -> int | None:
    if token.kind is not Kind.NUMBER or not token.text.isdigit() or len(token.text) > 4:
        return None
    value = int(token.text)
    return value if low <= value <= high else None


def _at(tokens: list[Token], index: int) -> Token | None:
    return tokens[index] if 0 <= index < len(tokens) else None


def _lower(tokens: list[Token], index: int) -> str:
    return tokens[index].lower if 0 <= index < len(tokens) else ""


def _month(tokens: list[Token], index: int) -> tuple[int, int] | None:
    """A month's number and the index after its name."""
    word = _lower(tokens, index)
    if word in MONTHS:
        return MONTHS[word], index + 1
    if word in _SHORT_MONTHS:
        dotted = _lower(tokens, index + 1) == "." and glued(tokens, index + 1)
        return _SHORT_MONTHS[word], index + 1 + dotted
    return None


def _year_after(tokens: list[Token], index: int) -> tuple[int, int] | None:
    """The year that closes a date: "2024", ", 2024", "of 2024", "in 2024"."""
    place = index
    if _lower(tokens, place) in {",", "of", "in"}:
        place += 1
    token = _at(tokens, place)
    year = token and bare_year(token)
    return (year, place + 1) if year else None


def _numeric(tokens: list[Token], index: int) -> Found | None:
    """2024-03-05, 05/03/2024, 5.3.2024."""
    parts, after = _joined_numbers(tokens, index)
    if len(parts) == 2 and len(parts[0]) == 4 and 1 <= int(parts[1]) <= 12 and len(parts[1]) == 2:
        year = int(parts[0])
        is_iso = tokens[index + 1].text == "-" and int(parts[1]) <= 12
        if is_iso and _MIN_BARE_YEAR <= year <= _MAX_BARE_YEAR and int(parts[1]) > year % 100:
            return None
    if len(parts) != 3:
        return None
    if len(parts[0]) == 4:
        readings = [_real_day(int(parts[0]), int(parts[1]), int(parts[2]))]
    elif len(parts[2]) in {2, 4}:
        year = int(parts[2]) if len(parts[2]) == 4 else _century_guess(int(parts[2]))
        one, two = int(parts[0]), int(parts[1])
        readings = [_real_day(year, two, one), _real_day(year, one, two)]
    else:
        return None
    found = tuple(dict.fromkeys((day, day) for day in readings if day is not None))
    return Found(found, after) if found else None


def _joined_numbers(tokens: list[Token], index: int) -> tuple[list[str], int]:
    text = tokens[index].text
    if "." in text and "," not in text:
        return ([p for p in text.split(".")] if text.count(".") == 2 else []), index + 1
    parts, place = [text], index
    if not text.isdigit() or len(text) > 4:
        return [], index + 1
    while (
        place + 2 < len(tokens)
        and len(parts) < 4
        and tokens[place + 1].text in {"-", "/", "\u2013"}
        and tokens[place + 1].text == tokens[index + 1].text
        and tokens[place + 2].kind is Kind.NUMBER
        and tokens[place + 2].text.isdigit()
        and len(tokens[place + 2].text) <= 4
        and glued(tokens, place + 1)
        and glued(tokens, place + 2)
    ):
        parts.append(tokens[place + 2].text)
        place += 2
    return parts, place + 1


def _century_guess(short: int) -> int:
    return 2000 + short if short < 50 else 1900 + short


def _real_day(year: int, month: int, day: int) -> tuple[int, int, int] | None:
    if not (_MIN_BARE_YEAR <= year <= _MAX_BARE_YEAR and 1 <= month <= 12):
        return None
    _, last = month_days(year, month)
    return (year, month, day) if 1 <= day <= last[2] else None


def _day_month(tokens: list[Token], index: int) -> Found | None:
    """3 March 2024, 3rd of March, 3-5 March 2024."""
    first = _integer(tokens[index], 1, 31)
    if first is None:
        return None
    last, place = first, _past_suffix(tokens, index)
    if _lower(tokens, place) in _DASHES | {"to", "and"} and place + 1 < len(tokens):
        second = _integer(tokens[place + 1], first + 1, 31)
        if second is not None:
            last, place = second, _past_suffix(tokens, place + 1)
    if _lower(tokens, place) == "of" or (_lower(tokens, place) == "-" and glued(tokens, place)):
        place += 1
    month = _month(tokens, place)
    return month and _days_in(tokens, month, first, last)


def _past_suffix(tokens: list[Token], index: int) -> int:
    is_ordinal = _lower(tokens, index + 1) in {"st", "nd", "rd", "th"} and glued(tokens, index + 1)
    return index + 1 + is_ordinal


def _days_in(tokens: list[Token], month: tuple[int, int], first: int, last: int) -> Found | None:
    number, place = month
    year = _year_after(tokens, place)
    if year is None and _lower(tokens, place) == "-" and glued(tokens, place):
        year = _year_after(tokens, place + 1)
    which = year[0] if year else 0
    if last > month_days(which, number)[1][2]:
        return None
    days = ((which, number, first), (which, number, last))
    return Found((days,), year[1] if year else place, "calendar" if year else "yearly")


def _month_first(tokens: list[Token], index: int) -> Found | None:
    """March 3, 2024; March 3-5; March 2024; March."""
    month = _month(tokens, index)
    if month is None:
        return None
    number, place = month
    token = _at(tokens, place)
    first = token and _integer(token, 1, 31)
    if first is not None and token is not None and not _number_goes_on(tokens, place):
        last, after = first, _past_suffix(tokens, place)
        if _lower(tokens, after) in _DASHES | {"to"} and after + 1 < len(tokens):
            second = _integer(tokens[after + 1], first + 1, 31)
            if second is not None and _month(tokens, after + 2) is None:
                last, after = second, _past_suffix(tokens, after + 1)
        return _days_in(tokens, (number, after), first, last)
    year = _year_after(tokens, place)
    if year is not None:
        return Found((month_days(year[0], number),), year[1])
    return _lone_month(tokens, index, number, place)


def _number_goes_on(tokens: list[Token], index: int) -> bool:
    """ "March 20 million people" is no date."""
    return _lower(tokens, index + 1) in {"million", "billion", "%", "percent", "people"}


def _lone_month(tokens: list[Token], index: int, number: int, place: int) -> Found | None:
    word = tokens[index]
    is_name = word.lower in MONTHS and word.text[0].isupper()
    in_phrase = _lower(tokens, index - 1) in {"in", "since", "until", "last", "early", "late", "mid"}
    if word.lower in {"may", "march", "august"} or word.lower not in MONTHS:
        is_name = is_name and in_phrase
    if not is_name and not (in_phrase and word.lower in MONTHS and word.lower not in {"may", "march"}):
        return None
    return Found((month_days(0, number),), place, "yearly")


def _year_range(tokens: list[Token], index: int) -> Found | None:
    """1990-1995, 1990-95, 2019/20, from 1990 to 1995, between 1990 and 1995."""
    first = bare_year(tokens[index])
    if first is None or index + 2 >= len(tokens):
        return None
    place = _past_connector(tokens, index)
    last = None if place is None else _integer(tokens[place], 0, _MAX_BARE_YEAR)
    if place is None or last is None:
        return None
    if _lower(tokens, place + 1) in _DASHES and glued(tokens, place + 1):
        return None
    if len(tokens[place].text) == 2 and tokens[place - 1].text in _DASHES:
        last += first - first % 100
    elif len(tokens[place].text) != 4:
        return None
    return Found((year_days(first, last),), place + 1) if last > first else None


def _past_connector(tokens: list[Token], index: int) -> int | None:
    """The index of the number a range goes on to."""
    word, before = _lower(tokens, index + 1), _lower(tokens, index - 1)
    if word in _DASHES:
        doubled = word == "-" and _lower(tokens, index + 2) == "-" and glued(tokens, index + 2)
        return index + 2 + doubled if index + 2 + doubled < len(tokens) else None
    if word in {"to", "until", "till", "through"} or (word == "and" and before == "between"):
        return index + 2
    return None


def _decade(tokens: list[Token], index: int) -> Found | None:
    """1990s, 1900s."""
    year = bare_year(tokens[index])
    place = index + 1
    if _lower(tokens, place) in {"'", "\u2019"} and glued(tokens, place):
        place += 1
    if year is None or year % 10 or _lower(tokens, place) != "s" or not glued(tokens, place):
        return None
    length = 99 if year % 100 == 0 and year < 2000 else 9
    return Found((year_days(year, year + length),), place + 1)


def _short_decade(tokens: list[Token], index: int) -> Found | None:
    """'90s."""
    if index + 2 >= len(tokens) or not glued(tokens, index + 1) or not glued(tokens, index + 2):
        return None
    decade = _integer(tokens[index + 1], 10, 90)
    if decade is None or decade % 10 or tokens[index + 2].text != "s":
        return None
    return Found((year_days(1900 + decade, 1909 + decade),), index + 3)


def _century(tokens: list[Token], index: int) -> Found | None:
    """19th century, nineteenth century, first century BC."""
    number, place = _ordinal(tokens, index)
    if _lower(tokens, place) == "-":
        place += 1
    if number is None or not 1 <= number <= 30:
        return None
    if _lower(tokens, place) not in {"century", "centuries"}:
        return None
    if _lower(tokens, place + 1) in _ERAS_BEFORE:
        return Found((year_days(-100 * number, -100 * number + 99),), place + 2)
    return Found((year_days(100 * number - 99, 100 * number),), place + 1, fuzzy=True)


def _ordinal(tokens: list[Token], index: int) -> tuple[int | None, int]:
    token = tokens[index]
    if token.kind is Kind.NUMBER:
        after = _past_suffix(tokens, index)
        return (_integer(token, 1, 30) if after == index + 2 else None), after
    if token.lower in ORDINALS:
        return int(ORDINALS[token.lower]), index + 1
    if token.lower in TENS and _lower(tokens, index + 1) == "-":
        ones = ORDINALS.get(_lower(tokens, index + 2))
        if ones is not None:
            return int(TENS[token.lower] + ones), index + 3
    return None, index + 1


def _era(tokens: list[Token], index: int) -> Found | None:
    """44 BC, 79 AD."""
    year = _integer(tokens[index], 1, 9999)
    era = _lower(tokens, index + 1)
    if year is None or not tokens[index + 1 : index + 2] or tokens[index + 1].text.islower():
        return None
    if era in _ERAS_BEFORE:
        return Found((year_days(-year),), index + 2)
    return Found((year_days(year),), index + 2) if era in {"ad", "ce"} else None


_QUARTERS = {"q1": 1, "q2": 2, "q3": 3, "q4": 4}


def _quarter(tokens: list[Token], index: int) -> Found | None:
    """Q3 2024, third quarter of 2024, H1 2024, first half of 2024."""
    word = tokens[index].lower
    share, place = None, index + 2
    if word in {"q", "h"} and index + 1 < len(tokens) and glued(tokens, index + 1):
        share = _integer(tokens[index + 1], 1, 4 if word == "q" else 2)
    elif word in ORDINALS and _lower(tokens, index + 1) in {"quarter", "half"}:
        word = _lower(tokens, index + 1)[0]
        share = int(ORDINALS[tokens[index].lower])
    if share is None or share > (4 if word == "q" else 2):
        return None
    for filler in ("of", "the", "fiscal", "year"):
        place += _lower(tokens, place) == filler
    year = _year_after(tokens, place) or _short_year(tokens, place)
    if year is None:
        return None
    return Found((_share_of_year(year[0], word, share),), year[1])


def _share_of_year(year: int, word: str, share: int) -> Days:
    months = 3 if word == "q" else 6
    return month_days(year, months * (share - 1) + 1, months * share)


def _short_year(tokens: list[Token], index: int) -> tuple[int, int] | None:
    """ "Q3'24", "Q3 FY24"."""
    place = index + (_lower(tokens, index) in {"'", "\u2019", "fy"})
    token = _at(tokens, place)
    short = token and place > index and len(token.text) == 2 and _integer(token, 0, 99)
    if short is None or short is False or short == "":
        return None
    return (2000 + int(short), place + 1) if token else None


def _quarter_year(tokens: list[Token], index: int) -> Found | None:
    """3Q24, 1H 2024."""
    share = _integer(tokens[index], 1, 4)
    word = _lower(tokens, index + 1)
    if share is None or word not in {"q", "h"} or not glued(tokens, index + 1):
        return None
    if word == "h" and share > 2:
        return None
    token = _at(tokens, index + 2)
    year = token and (bare_year(token) or (_integer(token, 0, 99) if glued(tokens, index + 2) else None))
    if not year:
        return None
    return Found((_share_of_year(year if year > 99 else 2000 + year, word, share),), index + 3)


def _fiscal(tokens: list[Token], index: int) -> Found | None:
    """FY24, FY2024, fiscal 2024, fiscal year 2024: a year whose first day is not known."""
    word, place = tokens[index].lower, index + 1
    if word not in {"fy", "fiscal"}:
        return None
    place += _lower(tokens, place) == "year"
    token = _at(tokens, place)
    year = token and _integer(token, 0, _MAX_BARE_YEAR)
    if token is None or year is None or len(token.text) not in {2, 4}:
        return None
    year = year if year > 99 else 2000 + year
    return Found((((year - 1, 4, 1), (year, 12, 31)),), place + 1)


def _weekday(tokens: list[Token], index: int) -> Found | None:
    word = tokens[index].lower.removesuffix("s") if len(tokens[index].text) > 5 else tokens[index].lower
    number = WEEKDAYS.get(word)
    if number is None and tokens[index].text.istitle() and _lower(tokens, index + 1) in {",", "."}:
        number = _SHORT_WEEKDAYS.get(word)
    if number is None:
        return None
    day = (0, 0, number)
    return Found(((day, day),), index + 1, "weekday")


def _noon(tokens: list[Token], index: int) -> Found | None:
    minute: int | None
    minute = {"noon": 720, "midday": 720, "midnight": 0}.get(tokens[index].lower)
    return None if minute is None else _minutes([minute], index + 1)


def _clock(tokens: list[Token], index: int) -> Found | None:
    """10:30, 10.30pm, 5 p.m., 17:45."""
    hour, minute, place = _hour_minute(tokens, index)
    if hour is None or minute is None:
        return None
    half = _meridiem(tokens, place)
    has_colon = place > index + 1
    if half is None:
        if not has_colon or (_lower(tokens, place) == ":" and glued(tokens, place)):
            return None
        readings = [hour * 60 + minute] + ([hour * 60 + minute + 720] if 0 < hour < 12 else [])
        return _minutes(readings, place)
    offset, after = half
    return _minutes([(hour % 12) * 60 + minute + offset], after) if 1 <= hour <= 12 else None


def _hour_minute(tokens: list[Token], index: int) -> tuple[int | None, int | None, int]:
    text = tokens[index].text
    if "." in text and len(text) <= 5:
        hour, _, minute = text.partition(".")
        is_time = minute.isdigit() and len(minute) == 2 and int(minute) < 60 and hour.isdigit()
        return (int(hour), int(minute), index + 1) if is_time else (None, None, index + 1)
    hour = _integer(tokens[index], 0, 23)
    if hour is None:
        return None, None, index + 1
    if (
        _lower(tokens, index + 1) == ":"
        and index + 2 < len(tokens)
        and glued(tokens, index + 1)
        and glued(tokens, index + 2)
        and len(tokens[index + 2].text) == 2
    ):
        return hour, _integer(tokens[index + 2], 0, 59), index + 3
    return hour, 0, index + 1


def _meridiem(tokens: list[Token], index: int) -> tuple[int, int] | None:
    word = _lower(tokens, index)
    if word in {"o'clock", "o\u2019clock"}:
        return None
    if word in {"am", "pm"}:
        return (720 if word == "pm" else 0), index + 1
    is_dotted = _lower(tokens, index + 1) == "." and _lower(tokens, index + 2) == "m"
    if word in {"a", "p"} and is_dotted and glued(tokens, index + 2):
        closing = _lower(tokens, index + 3) == "." and glued(tokens, index + 3)
        return (720 if word == "p" else 0), index + 3 + closing
    return None


def _minutes(readings: list[int], after: int) -> Found:
    return Found(tuple(((0, 0, m), (0, 0, m)) for m in readings), after, "clock")


_YEAR_WORDS = {"in", "since", "of", "during", "from", "until", "till", "by", "before", "after", "year"}
_YEAR_WORDS |= {"between", "early", "late", "mid", "circa", "season", "and", "the", "to", "around"}
_COUNTED = {"people", "men", "women", "children", "feet", "points", "metres", "meters", "dollars"}


def year_at(tokens: list[Token], index: int) -> Found | None:
    """A bare year, unless the word after it is what the number counts."""
    year = bare_year(tokens[index])
    if year is None:
        return None
    before, after = _lower(tokens, index - 1), _lower(tokens, index + 1)
    if before in {"$", "\u00a3", "\u20ac", "#"} or after in _COUNTED:
        return None
    modern = 1500 <= year <= 2100
    if before in {"in", "since", "during", "year", "circa"} and modern:
        return Found((year_days(year),), index + 1)
    counts = after.endswith("s") and after.isalpha() and not after.endswith(("ss", "us", "is")) and len(after) > 3
    if counts and after not in {"series", "was", "has", "championships", "olympics", "games"}:
        return None
    if modern or before in _YEAR_WORDS:
        return Found((year_days(year),), index + 1)
    return None


__all__ = ["Found", "bare_year", "date_at", "period_of", "year_at"]
_UNUSED = SMALL
