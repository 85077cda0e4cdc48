"""The number of a sheet's cell as its format shows it: a day, a time, a share, a price.

Numbers are not rounded to what a format shows unless it also gives them a unit or a currency.
"""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

from groundwire._patterns import lazy_pattern

_DAY = "yyyy-mm-dd"
_BUILT_IN = {
    **dict.fromkeys([*range(14, 18), *range(27, 37), *range(50, 59)], _DAY),
    9: "0%",
    10: "0.00%",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: f"{_DAY} h:mm",
    32: "h:mm",
    33: "h:mm:ss",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss",
}
"""Formats that a file names by number only; the others show a plain number, or the currency of
the program that opens the file, which nobody knows here."""
_DAY_ZERO = datetime(1899, 12, 30)  # noqa: DTZ001 -- a sheet's dates have no zone
_MAX_DECIMALS = 10
_MAX_WRITTEN_OUT = 1e15
"""Numbers as large as this are shown as they are, and not digit by digit."""
# such as '"approx. "', "[Red]", "\-", "_)", "* "; what is left are letters with a meaning
_SPOKEN = lazy_pattern(r"\"[^\"]*\"|\[[^\]]*\]|[\\_*].")
# such as "yyyy-mm-dd", "mmm" or "m/"; not "AM/PM"
_DAY_LETTERS = lazy_pattern(r"[yd]|(?<!a)m+/|mmm", re.IGNORECASE)
# such as "h:mm", "mm:ss"
_TIME_LETTERS = lazy_pattern(r"h|s", re.IGNORECASE)
# such as "[h]:mm", "[mm]:ss"
_ELAPSED = lazy_pattern(r"\[(h+|m+|s+)\]", re.IGNORECASE)
# such as '"each; net"'
_QUOTED = lazy_pattern(r"\"[^\"]*\"")
# such as "[>=1000]"
_CONDITION = lazy_pattern(r"\[[<>=]")
# the pieces of '[$€-407] #,##0.00_)' and '"approx. "0.0': a text, a colour or locale, a space as
# wide as a sign, a number, any other sign
_PIECE = lazy_pattern(
    r"\"(?P<text>[^\"]*)\"|\\(?P<sign>.)|\[\$(?P<money>[^\]-]*)[^\]]*\]|\[[^\]]*\]|[_*]."
    r"|(?P<number>General|[#0?][#0?,.]*)|(?P<other>.)",
    re.IGNORECASE,
)
# such as "e+00" and "/" in "0.00e+00" and "# ?/?": numbers written in another way
_OTHER_NUMBER = lazy_pattern(r"e[+-]|/|@", re.IGNORECASE)


def format_code(number: int, own: dict[int, str]) -> str:
    return own.get(number) or _BUILT_IN.get(number, "")


def shown(value: str, code: str) -> str:
    """Empty where the format shows nothing, such as ";;;"."""
    section = _section(float(value), code)
    letters = _SPOKEN.sub("", section)
    if code and not section:
        return ""
    if _ELAPSED.search(section):
        return _elapsed(float(value), section)
    if _DAY_LETTERS.search(letters) or _TIME_LETTERS.search(letters):
        return _moment(float(value), letters)
    if "%" in letters:
        return f"{round(float(value) * 100, 6):.15g}%"
    return _spoken(float(value), section, letters) or _plain(value)


def _section(value: float, code: str) -> str:
    """Of "positive;negative;zero" the one for this value; numbers of each look like the first."""
    sections = _QUOTED.sub(lambda text: text[0].replace(";", ","), code).split(";")
    place = 1 if value < 0 else 2 if value == 0 else 0
    own = sections[place] if place < len(sections) else sections[0]
    return sections[0] if own.strip() and sections[0].strip() else own.strip()


def _plain(value: str) -> str:
    return f"{float(value):.15g}" if "." in value or "E" in value else value


def _moment(value: float, letters: str) -> str:
    moment = _DAY_ZERO + timedelta(seconds=round(value * 86_400))
    if not _DAY_LETTERS.search(letters):
        return _time_of_day(moment, letters.lower())
    has_time = _TIME_LETTERS.search(letters) and (moment.hour or moment.minute)
    return f"{moment:%F %R}" if has_time else moment.date().isoformat()


def _time_of_day(moment: datetime, letters: str) -> str:
    if "h" not in letters:
        return f"{moment:%M:%S}"
    seconds = f"{moment:%S}" if "s" in letters else ""
    minutes = ":".join(filter(None, (f"{moment:%M}", seconds)))
    if "am/pm" in letters or "a/p" in letters:
        return f"{moment.hour % 12 or 12}:{minutes} {'AM' if moment.hour < 12 else 'PM'}"  # noqa: PLR2004 -- noon
    return f"{moment.hour:0{2 if 'hh' in letters else 1}}:{minutes}"


def _elapsed(value: float, section: str) -> str:
    """A time that may be longer than a day: "36:00"."""
    total = round(abs(value) * 86_400)
    minutes, seconds = divmod(total, 60)
    hours, minutes_left = divmod(minutes, 60)
    rest = _ELAPSED.sub("", section).lower()
    parts: dict[str, Callable[[], str]] = {
        "h": lambda: f"{hours}:{minutes_left:02}" + (f":{seconds:02}" if "s" in rest else ""),
        "m": lambda: f"{minutes}:{seconds:02}" if "s" in rest else f"{minutes}",
        "s": lambda: f"{total}",
    }
    unit = _ELAPSED.findall(section)[0][0].lower()
    return ("-" if value < 0 else "") + parts[unit]()


def _spoken(value: float, section: str, letters: str) -> str:
    """The number between the words of its format; empty where that has none to say."""
    if _CONDITION.search(section) or _OTHER_NUMBER.search(letters):
        return ""
    said, numbers = "", 0
    for piece in _PIECE.finditer(section):
        if piece["number"]:
            numbers += 1
            said += _digits(abs(value), piece["number"])
        else:
            said += piece["text"] or piece["sign"] or piece["money"] or piece["other"] or ""
    has_words = any(not one["number"] and one[0].strip() for one in _PIECE.finditer(section))
    return ("-" if value < 0 else "") + said.strip() if has_words and numbers == 1 else ""


def _digits(value: float, pattern: str) -> str:
    """As "#,##0.00" shows it; each comma at the end of the pattern stands for thousands."""
    if pattern.lower() == "general" or value >= _MAX_WRITTEN_OUT:
        return f"{value:.15g}"
    bare = pattern.rstrip(",")
    whole, _, fraction = bare.partition(".")
    places = min(len(fraction), _MAX_DECIMALS)
    scaled = value / 1_000 ** (len(pattern) - len(bare))
    # half a cent goes up, as in a sheet, and not to the next even one
    exact = Decimal(f"{scaled:.15g}").quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    written = f"{exact:{',' if ',' in whole else ''}f}"
    for _ in fraction[len(fraction.rstrip("#?")) :]:
        written = written.removesuffix("0")
    return written.removesuffix(".").zfill(whole.count("0"))
