"""Days as documents write them."""

from datetime import date

from groundwire._patterns import lazy_pattern
from groundwire.model import MONTH_NAMES, WEEKDAY_NAMES
from groundwire.values import Period, values_in

DAY_WORDS = WEEKDAY_NAMES + MONTH_NAMES
# such as "22-02-03", which is 3 February 2022 or 22 February 2003
_SHORT_YEAR = lazy_pattern(r"(?P<year>\d{2})-(?P<month>\d{2})-(?P<day>\d{2})")
# such as "2020-02-30", "31/02/2020", "30 February 2020", "February 30, 2020"
_LIKE_A_DAY = lazy_pattern(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2} [A-Za-z]+ \d{4}|[A-Za-z]+ \d{1,2},? \d{4}"
)


def parse_date(text: str) -> date | None:
    """The first day named, if it can be read in one way only: 03/04/2018 is two days, so none."""
    day = day_in(text)
    if day is None or len(day.readings) > 1 or _is_short_year(day.text):
        return None
    return date(*day.first)


def day_in(text: str) -> Period | None:
    """The first day named, in however many ways it can be read."""
    for value in values_in(text):
        if isinstance(value, Period) and value.frame == "calendar":
            first, last = value.readings[0]
            if first == last:
                return value
    return None


def begins_day(text: str) -> bool:
    is_day = text[:1].isdigit() or text.lower().startswith(DAY_WORDS)
    return is_day and parse_date(text) is not None


def is_no_day(text: str) -> bool:
    """Written as a day, but of no calendar: 2020-02-30."""
    return _LIKE_A_DAY.fullmatch(text.strip()) is not None and day_in(text) is None


def _is_short_year(text: str) -> bool:
    short = _SHORT_YEAR.fullmatch(text)
    return short is not None and not is_no_day(f"20{text}")
