"""Days of the week and times of day."""

from groundwire.values._date_parts import Found, integer_at
from groundwire.values._scan import Token, glued, lower_at, word_list

_WEEKDAY_NAMES = word_list("monday tuesday wednesday thursday friday saturday sunday")
WEEKDAYS = {name: number for number, name in enumerate(_WEEKDAY_NAMES, start=1)} | {
    name + "s": number for number, name in enumerate(_WEEKDAY_NAMES, start=1)
}
SHORT_WEEKDAYS = {name[:3]: WEEKDAYS[name] for name in _WEEKDAY_NAMES}
_NOON = 12 * 60
NAMED_TIMES = {"noon": _NOON, "midday": _NOON, "midnight": 0}
_HALF_DAY_H = 12
_LAST_HOUR, _LAST_MINUTE = 23, 59
_MINUTE_DIGITS = 2


def weekday(tokens: list[Token], index: int) -> Found | None:
    """Monday, Mondays, "Mon,"."""
    token = tokens[index]
    number = WEEKDAYS.get(token.lower)
    if number is None and token.text.istitle() and lower_at(tokens, index + 1) in {",", "."}:
        number = SHORT_WEEKDAYS.get(token.lower)
    if number is None:
        return None
    day = (0, 0, number)
    return Found(((day, day),), index + 1, "weekday")


def named_time(tokens: list[Token], index: int) -> Found | None:
    minute = NAMED_TIMES.get(tokens[index].lower)
    return None if minute is None else _minutes([minute], index + 1)


def clock_time(tokens: list[Token], index: int) -> Found | None:
    """10:30, 10.30pm, 5 p.m.; without a half of the day 10:30 has two readings."""
    time = _hour_and_minute(tokens, index)
    if time is None:
        return None
    hour, minute, place = time
    half = _half_of_day(tokens, place)
    if half is not None:
        offset, after = half
        is_valid = 1 <= hour <= _HALF_DAY_H
        return _minutes([hour % _HALF_DAY_H * 60 + minute + offset], after) if is_valid else None
    is_longer = lower_at(tokens, place) == ":" and glued(tokens, place)
    if place == index + 1 or is_longer:
        return None
    readings = [hour * 60 + minute]
    if 0 < hour < _HALF_DAY_H:
        readings.append(readings[0] + _NOON)
    return _minutes(readings, place)


def _hour_and_minute(tokens: list[Token], index: int) -> tuple[int, int, int] | None:
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


def _half_of_day(tokens: list[Token], index: int) -> tuple[int, int] | None:
    """The minutes "am" or "pm" add, and the index after it."""
    word = lower_at(tokens, index)
    offset = _NOON if word.startswith("p") else 0
    if word in {"am", "pm"}:
        return offset, index + 1
    is_dotted = lower_at(tokens, index + 1) == "." and lower_at(tokens, index + 2) == "m"
    if word in {"a", "p"} and is_dotted and glued(tokens, index + 2):
        closing = lower_at(tokens, index + 3) == "." and glued(tokens, index + 3)
        return offset, index + 3 + closing
    return None


def _minutes(readings: list[int], after: int) -> Found:
    return Found(tuple(((0, 0, m), (0, 0, m)) for m in readings), after, "clock")
