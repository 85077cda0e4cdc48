"""Times of day, as people write and say them, with their zones."""

from groundwire.text import Atom
from groundwire.values._numerals import SMALL, TENS
from groundwire.values._period import Found, integer_at
from groundwire.values._tokens import glued, lower_at

_NOON = 12 * 60
_HOUR_MIN, _DAY_MIN = 60, 24 * 60
NAMED_TIMES = {"noon": _NOON, "midday": _NOON, "midnight": 0}
_LONGEST = 4  # words of a place
_HALF_DAY_H = 12
_LAST_HOUR, _LAST_MINUTE = 23, 59
_MINUTE_DIGITS = 2
_QUARTER = 15
_SHARES_OF_HOUR = {"half": 30, "quarter": _QUARTER}
TIME_WORDS = frozenset({*_SHARES_OF_HOUR, *SMALL, "a"})
"""The words a time that is spelled out begins with."""
_PARTS_OF_DAY = {
    ("in", "the", "morning"): 0,
    ("in", "the", "afternoon"): _NOON,
    ("in", "the", "evening"): _NOON,
}
_SPANS = frozenset({"from", "between"})
_BEFORE_TIMES = frozenset({"at", "until", "from", "by", "to", "before", "after"})
# minutes ahead of UTC
_ZONES_MIN = {
    **dict.fromkeys(("UTC", "GMT", "Z", "WET"), 0),
    **dict.fromkeys(("CET", "BST", "WEST"), 60),
    **dict.fromkeys(("CEST", "EET", "SAST"), 120),
    **dict.fromkeys(("EEST", "MSK"), 180),
    **dict.fromkeys(("JST", "KST"), 540),
    **dict.fromkeys(("EST", "CDT"), -300),
    **dict.fromkeys(("CST", "MDT"), -360),
    **dict.fromkeys(("MST", "PDT"), -420),
    "AEST": 600,
    "AEDT": 660,
    "EDT": -240,
    "PST": -480,
    "IST": 330,
}


def named_time(tokens: list[Atom], index: int) -> Found | None:
    """Noon, midnight UTC."""
    minute = NAMED_TIMES.get(tokens[index].lower)
    return None if minute is None else _minutes(tokens, [minute], index + 1)


def clock_time(tokens: list[Atom], index: int) -> Found | None:
    """10:30, 10.30pm, 5 p.m., 14:00 CEST; 10:30 alone has two readings, 09:30 has one."""
    time = _military(tokens, index) or _hour_and_minute(tokens, index)
    if time is None:
        return None
    hour, minute, place = time
    if hour == _HALF_DAY_H and lower_at(tokens, place) in NAMED_TIMES:
        return named_time(tokens, place)  # 12 noon
    is_longer = lower_at(tokens, place) == ":" and glued(tokens, place)
    is_bare = place == index + 1
    if _half_of_day(tokens, place) is None and (is_bare or is_longer):
        return None
    is_padded = tokens[index].text.startswith("0")
    return _of_day(tokens, hour, minute, place, is_24_hour=is_padded or place == index + 2)


def spoken_time(tokens: list[Atom], index: int) -> Found | None:
    """Half past three, a quarter to nine, ten past four, seven o'clock in the evening."""
    place = index + (lower_at(tokens, index) == "a")
    count, after = _small(tokens, place)
    if count is not None and lower_at(tokens, after) in {"o'clock", "o\u2019clock"}:
        return _of_day(tokens, count, 0, after + 1) if 1 <= count <= _HALF_DAY_H else None
    past = _SHARES_OF_HOUR.get(lower_at(tokens, place), count)
    if past is None or not 1 <= past < _HOUR_MIN:
        return None
    after += _past_unit(tokens, after)
    link = lower_at(tokens, after)
    way = 1 if link == "past" else -1
    noon = NAMED_TIMES.get(lower_at(tokens, after + 1))
    is_told = past == _QUARTER or after > place + 1
    if noon is not None and (link == "past" or (link == "to" and is_told)):
        return _minutes(tokens, [(noon + way * past) % _DAY_MIN], after + 2)
    hour, end = _small(tokens, after + 1)
    # "ten to four" is as often a range, and "from ten to four in the afternoon" is one
    is_of_day = _half_of_day(tokens, end) is not None and lower_at(tokens, index - 1) not in _SPANS
    is_time = link == "past" or (link == "to" and (is_told or is_of_day))
    if not is_time or hour is None or not 1 <= hour <= _HALF_DAY_H:
        return None
    minute = hour * 60 + way * past
    return _of_day(tokens, minute // 60, minute % 60, end)


def _past_unit(tokens: list[Atom], index: int) -> int:
    """How many tokens say what is counted: "ten minutes past", "a quarter of an hour past"."""
    if tuple(lower_at(tokens, index + step) for step in range(3)) == ("of", "an", "hour"):
        return 3
    return lower_at(tokens, index) in {"minutes", "minute"}


def _small(tokens: list[Atom], index: int) -> tuple[int | None, int]:
    """A whole number in figures or in one word, and the index after it."""
    word = lower_at(tokens, index)
    spelled = SMALL.get(word, TENS.get(word))
    value = int(spelled) if spelled is not None else integer_at(tokens, index, 0, _LAST_MINUTE)
    return value, index + 1


def _military(tokens: list[Atom], index: int) -> tuple[int, int, int] | None:
    """0600 hours, at 1800 hours."""
    text = tokens[index].text
    is_four = text.isdigit() and len(text) == 2 * _MINUTE_DIGITS
    if not is_four or lower_at(tokens, index + 1) not in {"hours", "hrs", "h"}:
        return None
    hour, minute = int(text[:2]), int(text[2:])
    is_time = text[0] == "0" or lower_at(tokens, index - 1) in _BEFORE_TIMES
    is_valid = hour <= _LAST_HOUR and minute <= _LAST_MINUTE
    return (hour, minute, index + 2) if is_time and is_valid else None


def _of_day(
    tokens: list[Atom], hour: int, minute: int, place: int, *, is_24_hour: bool = False
) -> Found | None:
    half = _half_of_day(tokens, place)
    if half is not None:
        offset, after = half
        is_valid = 1 <= hour <= _HALF_DAY_H
        minutes = hour % _HALF_DAY_H * 60 + minute + offset
        return _minutes(tokens, [minutes], after) if is_valid else None
    place += lower_at(tokens, place) in {"h", "hrs"}
    readings = [hour * 60 + minute]
    if 0 < hour < _HALF_DAY_H and not is_24_hour:
        readings.append(readings[0] + _NOON)
    return _minutes(tokens, readings, place)


def _hour_and_minute(tokens: list[Atom], index: int) -> tuple[int, int, int] | None:
    """The hour, the minute, and the index after both."""
    hour, dot, minute = tokens[index].text.partition(".")
    if dot:
        is_time = hour.isdigit() and minute.isdigit() and len(minute) == _MINUTE_DIGITS
        is_time = is_time and len(hour) <= _MINUTE_DIGITS and int(minute) <= _LAST_MINUTE
        return (int(hour), int(minute), index + 1) if is_time else None
    whole = integer_at(tokens, index, 0, _LAST_HOUR)
    if whole is None:
        return None
    if lower_at(tokens, index + 1) != ":" or not glued(tokens, index + 1):
        return whole, 0, index + 1
    past = integer_at(tokens, index + 2, 0, _LAST_MINUTE) if glued(tokens, index + 2) else None
    if past is None or len(tokens[index + 2].text) != _MINUTE_DIGITS:
        return None
    return whole, past, index + 3


def _half_of_day(tokens: list[Atom], index: int) -> tuple[int, int] | None:
    """The minutes "am" or "pm" add, and the index after it."""
    word = lower_at(tokens, index)
    offset = _NOON if word.startswith("p") else 0
    if word in {"am", "pm"}:
        return offset, index + 1
    part = tuple(lower_at(tokens, index + step) for step in range(3))
    if part in _PARTS_OF_DAY:
        return _PARTS_OF_DAY[part], index + 3
    is_dotted = lower_at(tokens, index + 1) == "." and lower_at(tokens, index + 2) == "m"
    if word in {"a", "p"} and is_dotted and glued(tokens, index + 2):
        closing = lower_at(tokens, index + 3) == "." and glued(tokens, index + 3)
        return offset, index + 3 + closing
    return None


def _minutes(tokens: list[Atom], readings: list[int], after: int) -> Found:
    zone_min, after = _zone(tokens, after)
    if zone_min is None:
        zone_min = _bracketed_zone(tokens, after)
    days = tuple(((0, 0, minute), (0, 0, minute)) for minute in readings)
    return Found(days, after, "clock", zone_min=zone_min)


def _bracketed_zone(tokens: list[Atom], index: int) -> int | None:
    """ "(UTC+2)", "local time (CEST)", "local time in Port Louis (UTC+4)"."""
    if [lower_at(tokens, index + step) for step in range(2)] == ["local", "time"]:
        index += 2
        if lower_at(tokens, index) == "in":
            names = [token.text[:1].isupper() for token in tokens[index + 1 : index + 1 + _LONGEST]]
            index += 1 + [*names, False].index(False)
    return _zone(tokens, index + 1)[0] if lower_at(tokens, index) == "(" else None


def _zone(tokens: list[Atom], index: int) -> tuple[int | None, int]:
    """The minutes a zone is ahead of UTC: CEST, Z, UTC+2, GMT-05:30."""
    text = tokens[index].text if index < len(tokens) else ""
    offset = _ZONES_MIN.get(text)
    if offset is None or (text == "Z" and not glued(tokens, index)):
        return None, index
    zone_min, after = offset, index + 1
    sign = {"+": 1, "-": -1, "\u2212": -1}.get(lower_at(tokens, after))
    hours = integer_at(tokens, after + 1, 0, _HALF_DAY_H + 2) if glued(tokens, after) else None
    if offset or sign is None or hours is None:
        return zone_min, after
    minutes = integer_at(tokens, after + 3, 0, _LAST_MINUTE)
    has_minutes = lower_at(tokens, after + 2) == ":" and minutes is not None
    zone_min = sign * (hours * 60 + (minutes or 0) * has_minutes)
    return zone_min, after + 2 + 2 * has_minutes
