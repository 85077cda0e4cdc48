"""Whether the evidence may state a claim's value somewhere: then it is not accused."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import permutations

from groundwire.encoder import judge_calibration
from groundwire.judge.facts._relation import comparable, confirmed_by, may_be_same
from groundwire.judge.facts._sentence import Sentence
from groundwire.judge.facts._terms import made
from groundwire.values import Identifier, Period, Quantity, Value

MIN_WORDS = 2
_MIN_DIGITS = 3


def word_coverage(claim: Sentence, sentence: Sentence) -> float:
    """The share of the claim's content words that the sentence has; 0 when they are too few."""
    shared = sum(sentence.has_word(word) for word in claim.stems)
    return shared / len(claim.stems) if shared >= MIN_WORDS else 0.0


def states(claim: Sentence, index: int, sentence: Sentence) -> bool:
    """Whether a sentence states the value, or leaves room for it while speaking of the same."""
    value = claim.value(index)
    same = [found for _, found in sentence.values if may_be_same(value, found)]
    if not same:
        return False
    is_plain = not _is_bound(value) and any(_is_stated(value, found) for found in same)
    return is_plain or word_coverage(claim, sentence) >= judge_calibration().values.related


def _is_stated(value: Value, found: Value) -> bool:
    if isinstance(value, Quantity) and isinstance(found, Quantity) and not found.bounded:
        return confirmed_by(value, found) or not set(value.numerals).isdisjoint(found.numerals)
    return not _is_bound(found) and confirmed_by(value, found)


def _is_bound(value: Value) -> bool:
    if isinstance(value, Period):
        return value.is_bound
    return isinstance(value, Quantity) and value.bounded


def may_state(value: Value, sentence: Sentence, *, in_any_unit: bool = True) -> bool:
    """Whether a sentence may state a value somewhere, in whatever form and role.

    With `in_any_unit` "96 km" may be the 96 km/h that a claim has.
    """
    if any(may_be_same(value, found) for _, found in sentence.values):
        return True
    if isinstance(value, Quantity):
        return any(
            _has_number(sentence, number, value, in_any_unit=in_any_unit)
            for number in value.numerals
        )
    if isinstance(value, Period) and value.frame == "calendar":
        return _spans(value, sentence) or _has_digits(sentence, value)
    return isinstance(value, Identifier) and "".join(value.key) in sentence.letters


def _has_number(sentence: Sentence, number: Decimal, value: Quantity, *, in_any_unit: bool) -> bool:
    """The same digits in another role, in a date, or among others without a space."""
    same = [quantity for quantity in sentence.quantities if number in quantity.numerals]
    roles = [one for one in same if in_any_unit or "count" in {one.dimension, value.dimension}]
    if any(not comparable(value, quantity) for quantity in roles):
        return True
    text = str(number)
    is_inside = len(text) >= _MIN_DIGITS and text in sentence.digit_runs and not same
    return is_inside or text in sentence.bare_numbers


def _has_digits(sentence: Sentence, value: Period) -> bool:
    return any(
        str(abs(year)) in sentence.digits and Decimal(year) not in sentence.years
        for year in {value.first[0], value.last[0]}
    )


def _spans(value: Period, sentence: Sentence) -> bool:
    """Whether the value lies between the first and the last date of a sentence."""
    dates = sentence.dates
    return len(dates) > 1 and (
        min(date.first for date in dates) <= value.first
        and value.last <= max(date.last for date in dates)
    )


_MAX_OPERANDS = 12
_EXACTLY = Decimal("0.0001")
_ROUGHLY = Decimal("0.015")
_YEAR_S = 31_000_000
_MINUTE_S, _DAY_S, _DAY_MIN = 60, 86400, 24 * 60
_SHARES = frozenset({"ratio", "multiple", "points"})
_TRIVIAL_SPANS = frozenset({Decimal(0), Decimal(1)})
_TRIVIAL_LENGTHS = frozenset({Decimal(0), Decimal(1), Decimal(2)})


def may_be_derived(claimed: Value, nearby: Sequence[Sentence]) -> bool:
    """Whether sums, differences, shares, ages or counts of nearby values give the claimed one."""
    if isinstance(claimed, Period):
        return _is_shifted_year(claimed, nearby) or _is_shifted_clock(claimed, nearby)
    if not isinstance(claimed, Quantity) or claimed.ordinal:
        return False
    return any(
        _is_sum_or_difference(one, nearby)
        or _is_part(one, nearby)
        or (one.dimension in _SHARES and _is_share(one, nearby))
        or (one.dimension in {"count", "time"} and _is_span_or_count(one, nearby))
        for one in _readings(claimed)
    )


def _readings(claimed: Quantity) -> list[Quantity]:
    """Every way to read its unit: cents are a dollar's or a euro's."""
    return [replace(claimed, measures=(one,)) for one in claimed.measures]


def is_within_reach(claimed: Quantity, nearby: Sequence[Sentence]) -> bool:
    """Whether nearby values may give it by any one operation: products, parts and means too."""
    found = _quantities(nearby)
    counts = [number for one in found for number in one.numerals if number][:_MAX_OPERANDS]
    for reading in _readings(claimed):
        amounts = [one.value for one in found if one.dimension == reading.dimension]
        amounts = amounts[:_MAX_OPERANDS]
        results = {result for one in amounts for two in counts for result in (one * two, one / two)}
        if _reaches(reading, reading.value, results | _means(amounts)):
            return True
    return may_be_derived(claimed, nearby)


def is_one_step_away(claimed: Value, sentence: Sentence) -> bool:
    """Whether one operation on the numbers of a sentence gives it, whatever their units.

    Units are left out where they are understood: "in 2022 320 cubic metres, in 2023 480".
    """
    if not isinstance(claimed, Quantity):
        return False
    results = {
        result
        for one, two in permutations(dict.fromkeys(_numerals(sentence)), 2)
        for result in (one + two, one - two, one * two, one / two if two else one)
    }
    by_number = any(_reaches(claimed, number, results) for number in claimed.numerals)
    return by_number or is_within_reach(claimed, [sentence])


def _means(amounts: Sequence[Decimal]) -> set[Decimal]:
    """Of the first two, the first three, and so on."""
    return {sum(amounts[:size], Decimal(0)) / size for size in range(2, len(amounts) + 1)}


def _is_shifted_year(claimed: Period, nearby: Sequence[Sentence]) -> bool:
    """ "three years later"."""
    years = _years(nearby)
    target = Decimal(claimed.first[0])
    if claimed.frame != "calendar" or target in years:
        return False
    shifts = {
        quantity.numerals[0]
        for quantity in _quantities(nearby)
        if quantity.dimension == "time" and quantity.measures[0].factor >= _YEAR_S
    }
    return any(target in {year + shift, year - shift} for year in years for shift in shifts)


def _is_shifted_clock(claimed: Period, nearby: Sequence[Sentence]) -> bool:
    """A time of day so long after or before another: "03:12, eleven minutes later"."""
    if claimed.frame != "clock":
        return False
    spans_min = {one.value / _MINUTE_S for one in _quantities(nearby) if one.dimension == "time"}
    shifted_min = {
        (minute + way * span) % _DAY_MIN
        for minute in _minutes(v for s in nearby for _, v in s.values if isinstance(v, Period))
        for span in spans_min
        for way in (1, -1)
    }
    return not shifted_min.isdisjoint(_minutes([claimed]))


def _minutes(periods: Iterable[Period]) -> set[int]:
    """The times of day among them, in minutes since midnight."""
    firsts = [(one.frame, *reading) for one in periods for reading in one.readings]
    return {first[2] for frame, first, last in firsts if frame == "clock" and first == last}


def _is_sum_or_difference(claimed: Quantity, nearby: Sequence[Sentence]) -> bool:
    operands = [
        quantity.value
        for quantity in _quantities(nearby)
        if quantity.dimension == claimed.dimension
    ][:_MAX_OPERANDS]
    results = {sum(operands, Decimal(0))} if len(operands) > 1 else set()
    for one, other in permutations(operands, 2):
        results |= {one + other, one - other}
    return _reaches(claimed, claimed.value, results)


def _is_part(claimed: Quantity, nearby: Sequence[Sentence]) -> bool:
    """A share of a stated whole, the rest of it, or both: "50 patients, 40 % of them men"."""
    found = _quantities(nearby)[:_MAX_OPERANDS]
    shares = {quantity.value for quantity in found if quantity.dimension == "ratio"}
    wholes = {quantity.value for quantity in found if quantity.dimension == claimed.dimension}
    results = {
        whole * part
        for whole in wholes
        for share in shares
        for part in (share, 1 - share, 1 + share)
    }
    if claimed.dimension == "count":
        results |= {result.to_integral_value() for result in results}
    return _reaches(claimed, claimed.value, results)


def _is_share(claimed: Quantity, nearby: Sequence[Sentence]) -> bool:
    """A percentage, a growth rate or a ratio of two nearby numbers."""
    numbers = [number for quantity in _quantities(nearby) for number in quantity.numerals]
    operands = list(dict.fromkeys(numbers))[:_MAX_OPERANDS]
    results = {
        result
        for one, other in permutations(operands, 2)
        if other
        for result in (one / other, 100 * one / other, 100 * (one - other) / other)
    }
    # "61,000 of 100,000 were blocked": the rest of them got through
    results |= {
        100 * (1 - one.value / other.value)
        for sentence in nearby
        for one, other in permutations(_quantities([sentence])[:_MAX_OPERANDS], 2)
        if one.dimension == other.dimension != "ratio" and 0 < one.value < other.value
    }
    return any(_reaches(claimed, number, results) for number in claimed.numerals)


def _is_span_or_count(claimed: Quantity, nearby: Sequence[Sentence]) -> bool:
    """The years between two dates, or how many like values a sentence lists."""
    years = _years(nearby)
    spans = {abs(one - other) + slack for one in years for other in years for slack in (-1, 0, 1)}
    lengths = {Decimal(length) for sentence in nearby for length in _list_lengths(sentence)}
    likely = (spans - _TRIVIAL_SPANS) | (lengths - _TRIVIAL_LENGTHS)
    is_counted = any(number in likely for number in claimed.numerals)
    return is_counted or (claimed.dimension == "time" and _is_apart(claimed, nearby))


def _is_apart(claimed: Quantity, nearby: Sequence[Sentence]) -> bool:
    """The time between two times of day or two days: from 22:40 to 6:10."""
    found = [v for s in nearby for _, v in s.values if isinstance(v, Period)][:_MAX_OPERANDS]
    firsts = {(one.frame, first) for one in found for first, last in one.readings if first == last}
    minutes = _minutes(found)
    days = {date(*first) for frame, first in firsts if frame == "calendar" and first[0] > 0}
    apart = {(two - one) % _DAY_MIN * _MINUTE_S for one in minutes for two in minutes}
    apart |= {abs((two - one).days) * _DAY_S for one in days for two in days}
    return any(confirmed_by(claimed, made(claimed, Decimal(one))) for one in apart - {0})


def _numerals(sentence: Sentence) -> list[Decimal]:
    found = [number for quantity in _quantities([sentence]) for number in quantity.numerals]
    return found[:_MAX_OPERANDS]


def _list_lengths(sentence: Sentence) -> Iterable[int]:
    kinds = (getattr(value, "dimension", type(value).__name__) for _, value in sentence.values)
    return Counter(kinds).values()


def _quantities(nearby: Iterable[Sentence]) -> list[Quantity]:
    found = [quantity for sentence in nearby for quantity in sentence.quantities]
    return [quantity for quantity in found if not quantity.ordinal]


def _years(nearby: Iterable[Sentence]) -> set[Decimal]:
    return {year for sentence in nearby for year in sentence.years}


def _reaches(claimed: Quantity, target: Decimal, results: Iterable[Decimal]) -> bool:
    is_rough = claimed.about or claimed.dimension in _SHARES
    slack = abs(target) * (_ROUGHLY if is_rough else _EXACTLY)
    return bool(target) and any(abs(result - target) <= slack for result in results)
