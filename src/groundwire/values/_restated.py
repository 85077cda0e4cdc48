"""What a text says twice, read twice: "13,671 cents, i.e. 136.71 euros", "14 and 9 make 23",
"three of them: A, B and C", "February 2028 has 29 days", "Thursday 3 October 2030".

It only says what cannot be so; what holds says nothing of what is restated.
"""

import re
from calendar import isleap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise

from groundwire._patterns import lazy_pattern
from groundwire.model import WEEKDAY_NAMES
from groundwire.values._numerals import SMALL, whole_number
from groundwire.values._period import Period, last_of_month
from groundwire.values._quantity import Measure, Quantity
from groundwire.values._read import Value
from groundwire.values._spans import COUNTED_FROM

# such as ", i.e. " in "1,125 g, i.e. 1.125 kg", and " (" in "288 g (0.288 kg)"
_THAT_IS = lazy_pattern(
    r"\s*(?:(?:[,;(\u2013-]\s*)?(?:i\.\s?e\.|that\s+is|which\s+is|in\s+other\s+words|meaning)"
    r"\s*,?|(?P<opened>\())\s*",
    re.IGNORECASE,
)
# such as " * " before "8 g", which is then a part of something else
_IN_SUM = lazy_pattern(
    r"[*/+\u00d7\u00b7\u2212-]\s*$|\b(?:times|plus|minus|by|per)\s+$", re.IGNORECASE
)
# such as " and " and " chairs, " between the numbers of a sum
_AND = lazy_pattern(r"(?P<noun>\s+[a-z]+)?(?:\s*,\s*|\s*,?\s+(?:and|plus)\s+)", re.IGNORECASE)
# such as " chairs make "
_MAKE = lazy_pattern(
    r"(?P<noun>\s+[a-z]+)?\s+(?:together\s+)?(?:makes?|comes?\s+to|adds?\s+up\s+to|sums?\s+to)\s+",
    re.IGNORECASE,
)
# such as "chairs" after "25"
_NOUN = lazy_pattern(r"\s+(?P<noun>[a-z]+)", re.IGNORECASE)
# such as "So " before the first number: anything else may be what it is the number of
_OPENS = lazy_pattern(
    r"(?:^|[.,;:(])\s*(?:(?:so|thus|hence|then|together|and)\s+)?$", re.IGNORECASE
)
_ITEM = r"[^\W\d_][\w'\u2019-]*(?:\s\d{1,3})?"
_ITEMS = rf"{_ITEM}(?:\s*,\s*{_ITEM})*\s*,?\s+and\s+{_ITEM}"
_HOW_MANY = rf"(?P<count>\d{{1,3}}|{'|'.join(SMALL)})"
# such as "n1, n2 and n4, which makes seven."
_LIST_AND_COUNT = lazy_pattern(
    rf"(?:\b(?:are|is|were|was)|[:(\u2013\u2014])\s+(?P<items>{_ITEMS})\s*,\s*"
    rf"(?:which|that)\s+(?:makes?|is)\s+{_HOW_MANY}\s*(?:in\s+all|in\s+total|altogether)?\s*(?:[.;]|$)",
    re.IGNORECASE,
)
# such as "four charges: February, March, April and May."
_COUNT_AND_LIST = lazy_pattern(
    rf"\b{_HOW_MANY}\s+[a-z]+(?:\s+[a-z]+)?\s*:\s*(?P<items>{_ITEMS})\s*(?:[.;]|$)", re.IGNORECASE
)
# such as " has " between "February 2028" and "29 days"
_HAS = lazy_pattern(r"\s+(?:has|had|have)\s+(?:only\s+)?", re.IGNORECASE)
# such as "2028 is a leap year"
_LEAP = lazy_pattern(
    r"\b(\d{4})\s+(?:is|was)(n['\u2019]t|\s+not)?\s+a\s+leap\s+year\b", re.IGNORECASE
)
# such as ", the " between "Thursday" and "3 October 2030"
_DAY_OF = lazy_pattern(r"\s*,?\s*(?:the\s+)?", re.IGNORECASE)
# such as " is a " between "3 October 2030" and "Thursday"
_FALLS_ON = lazy_pattern(r"\s*(?:,|\(|(?:is|was|falls\s+on|fell\s+on)(?:\s+a)?)\s*", re.IGNORECASE)
_DAY_S, _MONTH_S = 24 * 60 * 60, 28 * 24 * 60 * 60
_CONVERTED = frozenset({"mass", "length", "volume", "energy", "power"})
_NEAR = Decimal("0.05")
"""Rounding, and units that are not the same everywhere, explain so much."""


@dataclass(frozen=True, slots=True)
class Restated:
    start: int
    end: int
    holds: bool
    told: str
    """What is so, in words."""


def restated_in(text: str, values: Sequence[Value]) -> Iterator[Restated]:
    yield from _in_another_unit(text, values)
    yield from _summed(text, values)
    yield from _counted(text)
    yield from calendar_in(text, values)


def _in_another_unit(text: str, values: Sequence[Value]) -> Iterator[Restated]:
    for one, other in pairwise(values):
        if not isinstance(one, Quantity) or not isinstance(other, Quantity):
            continue
        found = _THAT_IS.fullmatch(text, one.end, other.start)
        is_cut = found and found["opened"] and not text[other.end :].lstrip().startswith(")")
        pair = _in_two_units(one, other)
        is_more = COUNTED_FROM.match(text, other.end) or _IN_SUM.search(text[: one.start])
        if not found or is_cut or is_more or pair is None:
            continue
        mine, theirs = pair
        gap, size = abs(mine.low - theirs.low), max(abs(mine.low), abs(theirs.low))
        is_near = gap <= _NEAR * size
        if is_near and gap > max(mine.step, theirs.step):
            continue  # roughly so
        unit = other.text.lstrip("0123456789., \u00a0")
        told = f"{one.text} is {float(mine.low / theirs.factor):.6g} {unit}"
        yield Restated(
            one.start, other.end, is_near, told if unit.isalpha() else f"that is not {one.text}"
        )


def _in_two_units(one: Quantity, other: Quantity) -> tuple[Measure, Measure] | None:
    """Both as one thing in two units, of which each is so many of the other."""
    if any(each.about or each.bounded or len(each.numerals) > 1 for each in (one, other)):
        return None
    pairs = [
        (mine, theirs)
        for mine in one.measures
        for theirs in other.measures
        if mine.dimension == theirs.dimension and mine.factor != theirs.factor
    ]
    return next((pair for pair in pairs if _converts(*pair)), None)


def _converts(one: Measure, other: Measure) -> bool:
    if one.dimension == "time":  # 40 hours are five days of work, and five days a week
        factors = (one.factor, other.factor)
        return max(factors) < _DAY_S or min(factors) >= _MONTH_S
    return one.dimension.startswith("money:") or one.dimension in _CONVERTED


def _summed(text: str, values: Sequence[Value]) -> Iterator[Restated]:
    numbers: list[Quantity] = []
    nouns: set[str] = set()
    for one, other in pairwise(values):
        if not isinstance(one, Quantity) or not isinstance(other, Quantity):
            numbers, nouns = [], set()
            continue
        if not numbers and not _OPENS.search(text[: one.start]):
            continue
        numbers.append(one)
        if joined := _AND.fullmatch(text, one.end, other.start):
            nouns |= {noun.strip().lower() for noun in [joined["noun"]] if noun}
            continue
        made = _MAKE.fullmatch(text, one.end, other.start)
        if made and numbers[1:]:
            after = _NOUN.match(text, other.end)
            nouns |= {noun.strip().lower() for noun in [made["noun"]] if noun}
            same = not nouns or (after is not None and nouns == {after["noun"].lower()})
            if same and _add_up([*numbers, other]):
                total = sum(number.value for number in numbers)
                told = f"they make {float(total / other.measures[0].factor):.6g}"
                yield Restated(numbers[0].start, other.end, total == other.value, told)
        numbers, nouns = [], set()


def _add_up(quantities: Sequence[Quantity]) -> bool:
    measures = {(one.dimension, one.measures[0].factor) for one in quantities[-1:]}
    others = {(one.dimension, one.measures[0].factor) for one in quantities}
    is_plain = not any(one.about or one.bounded or one.ordinal for one in quantities)
    # "14 and 9 kg make 23 kg": a bare number is of the unit that follows
    return is_plain and (others == measures) and all(len(q.numerals) == 1 for q in quantities)


def _counted(text: str) -> Iterator[Restated]:
    for pattern in (_LIST_AND_COUNT, _COUNT_AND_LIST):
        for found in pattern.finditer(text):
            count = whole_number(found["count"].lower())
            items = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", found["items"])
            if count is not None and len(set(items)) == len(items):
                yield Restated(
                    found.start(), found.end(), count == len(items), f"{len(items)} are listed"
                )


def calendar_in(text: str, values: Sequence[Value]) -> Iterator[Restated]:
    """What nobody has to give: how long months are, which day is which, and leap years."""
    for one, other in pairwise(values):
        gap = slice(one.end, other.start)
        if not isinstance(one, Period) or one.fuzzy or one.edge:
            continue
        if isinstance(other, Quantity) and _HAS.fullmatch(text[gap]) and (days := _month_days(one)):
            is_days = other.dimension == "time" and other.text.lower().endswith(("day", "days"))
            if is_days and not other.bounded:
                told = f"{one.text} has {' or '.join(map(str, sorted(days)))} days"
                yield Restated(one.start, other.end, other.value / _DAY_S in days, told)
        elif isinstance(other, Period):
            weekday, day = (one, other) if one.frame == "weekday" else (other, one)
            between = _DAY_OF if weekday is one else _FALLS_ON
            if weekday.frame == "weekday" and between.fullmatch(text[gap]) and _is_day(day):
                yield _on_weekday(weekday, day, one.start, other.end)
    for found in _LEAP.finditer(text):
        is_leap = isleap(int(found[1]))
        told = f"{found[1]} is {'a' if is_leap else 'no'} leap year"
        yield Restated(found.start(), found.end(), is_leap != bool(found[2]), told)


def _month_days(period: Period) -> set[int]:
    """How many days a month has; nothing for what is no month."""
    if period.frame not in {"calendar", "yearly"} or len(period.readings) > 1:
        return set()
    (year, month, first), (_, last_month, last) = period.readings[0]
    if month != last_month or (first, last) != (1, last_of_month(year, month)):
        return set()
    years = (year,) if year else (2023, 2024)
    return {last_of_month(one, month) for one in years}


def _is_day(period: Period) -> bool:
    is_one = len(period.readings) == 1 and period.first == period.last
    return is_one and period.frame == "calendar" and not period.fuzzy


def _on_weekday(weekday: Period, day: Period, start: int, end: int) -> Restated:
    number = date(*day.first).isoweekday()
    told = f"{day.text} is a {WEEKDAY_NAMES[number - 1].title()}"
    return Restated(start, end, number == weekday.first[2], told)
