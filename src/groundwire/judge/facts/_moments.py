"""Times and dates that follow from others: a start and a duration, or two moments."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from groundwire.judge.facts._apart import day_of, moved_by
from groundwire.judge.facts._terms import (
    APART,
    BEGINS,
    END_CUES,
    ENDS,
    LONG,
    OLD,
    OLD_CUES,
    SPAN_CUES,
    Asked,
    Result,
    Term,
    amount_of,
    dimension_of,
    is_rough,
    made,
)
from groundwire.model import UNITS
from groundwire.values import Period, Quantity

_AFTER, _AGO = frozenset({"after", "later", "from"}), frozenset({"before", "earlier"})
DAY_MIN, _MINUTE_S, _DAY_S = 24 * 60, 60, Decimal(86400)
_Day = tuple[int, int, int]


def moments_of(asked: Asked, value: Period, terms: Sequence[Term]) -> Iterator[Result]:
    """ "starts at 14:00 and takes 90 minutes", "two weeks after 3 May"."""
    starts = [t for t in terms if isinstance(t.value, Period) and t.value.frame == value.frame]
    spans = [t for t in terms if dimension_of(t) == "time" and not is_rough(t.value)]
    if len(starts) != 1 or len(spans) != 1 or not isinstance(starts[0].value, Period):
        return
    start, span = starts[0], spans[0]
    when = starts[0].value
    if value.frame == "clock" and asked.has(ENDS) and ENDS.isdisjoint(start.sentence.lowers):
        minutes = int(amount_of(span) / _MINUTE_S)
        readings = {(first[2] + minutes) % DAY_MIN for first, _ in when.readings}
        days = tuple(((0, 0, minute), (0, 0, minute)) for minute in sorted(readings))
    else:
        way = bool(_AFTER & {*span.slot.after[:1]}) - bool(_AGO & {*span.slot.after[:1]})
        days = _shifted(when, way * amount_of(span))
    if days:
        told = f"{span.value.text} from {when.text} is {{}}."
        moment = replace(when, readings=days, edge=value.edge, text="")
        yield Result(moment, (start, span), told, len(days) == 1, END_CUES)


def _shifted(when: Period, seconds: Decimal) -> tuple[tuple[_Day, _Day], ...]:
    if len(when.readings) != 1 or when.frame not in {"calendar", "yearly"} or seconds % _DAY_S:
        return ()
    first, last = when.readings[0]
    if first != last or not seconds:
        return ()
    begin = day_of(first)
    moved = begin and moved_by(begin, int(seconds / _DAY_S))
    if moved is None:
        return ()
    day = (moved.year if first[0] else 0, moved.month, moved.day)
    return ((day, day),)


def ages(asked: Asked, value: Quantity, terms: Sequence[Term]) -> Iterator[Result]:
    """ "founded in 1974" makes it fifty years old in 2024; before its day in that year, 49."""
    dates = [t for t in terms if isinstance(t.value, Period) and t.value.frame == "calendar"]
    ours = [date for date in asked.claim.dates if date.first[0] == date.last[0]]
    if len(dates) != 1 or len(ours) != 1 or not asked.has(OLD) or dates[0].sentence.is_negated:
        return
    begin, when = dates[0], dates[0].sentence.dates[0]
    verbs = {*begin.slot.left, begin.slot.governor}
    if when.first[0] != when.last[0] or BEGINS.isdisjoint(verbs):
        return
    years = ours[0].first[0] - when.first[0]
    for age in (years, years - 1):
        if age > 0:
            told = f"From {when.text} to {ours[0].text} is {{}}."
            moment = made(value, age * UNITS["year"].factor)
            yield Result(moment, (begin,), told, is_certain=True, asked_by=OLD_CUES, is_dated=True)


def spans_between(asked: Asked, value: Quantity, terms: Sequence[Term]) -> Iterator[Result]:
    """From one time or date to another: "open from 9:00 to 17:30"."""
    periods = [(term, term.value) for term in terms if isinstance(term.value, Period)]
    if len(periods) != 2 or not asked.has(LONG | APART):  # noqa: PLR2004
        return
    (begin, one), (_, other) = periods
    if one.frame != other.frame or one.zone_min != other.zone_min:
        return
    first, last = one.readings[0], other.readings[0]
    if one.frame == "clock":
        # of a pair that is written with 24 hours, "9:00" is in the morning
        is_certain = 1 in {len(one.readings), len(other.readings)}
        seconds = Decimal((last[0][2] - first[0][2]) % DAY_MIN * _MINUTE_S)
    elif one.frame == "calendar" and first[0] == first[1] and last[0] == last[1]:
        is_certain = len(one.readings) == len(other.readings) == 1
        ends = day_of(first[0]), day_of(last[0])
        if ends[0] is None or ends[1] is None:
            return
        seconds = abs((ends[1] - ends[0]).days) * _DAY_S
    else:
        return
    told = f"From {one.text} to {other.text} is {{}}."
    is_certain = is_certain and begin.slot.before[:1] in {("from",), ("between",)}
    operands = tuple(term for term, _ in periods)
    yield Result(made(value, seconds), operands, told, is_certain, SPAN_CUES)
