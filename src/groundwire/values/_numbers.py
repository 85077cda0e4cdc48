"""Finds quantities: numbers with their unit, currency, range and bound."""

from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from groundwire.model import UNITS, Unit
from groundwire.text import STOP_WORDS, Atom, Kind, is_finite, word_set
from groundwire.values._money import CURRENCY_SIGNS, currency_after, currency_before
from groundwire.values._numerals import (
    LETTER_SCALES,
    REPEATS,
    SMALL,
    TENS,
    Numeral,
    numeral_at,
    part_at,
)
from groundwire.values._quantity import ONE, ZERO, Measure, Quantity, bound_after, bound_before
from groundwire.values._tokens import glued, is_number, lower_at
from groundwire.values._units import MULTIPLES, rate_at, unit_at

_COUNT = Unit("count")
_ORDINAL = Unit("ordinal")
_RATIO = Unit("ratio")
_MINUS = frozenset({"-", "\u2212", "\u2013"})
_DASHES = _MINUS | {"\u2014", "\u2012"}
_WEAK = frozenset({"count", "ordinal", "ratio"})
_COMPOUND = frozenset({"time", "length", "mass"})
_COUNTS = SMALL.keys() | TENS.keys()
_SCORE_BASE = 1000
_MAX_SCORE = 200
_THOUSAND = 1000
_MAX_COMPOUND = 3
_TENTH = Decimal("0.1")
_AFTER_A_SPAN = word_set("later earlier long ago late early")
_AT_ZERO = word_set("zero freezing")
# a pound is money or a weight, a cent is of a dollar or of a euro
_ALSO_READ = [("pound", UNITS["lb"]), ("cent", Unit("money:EUR", Decimal("0.01")))]


@dataclass(frozen=True, slots=True)
class _Single:
    """One number with its unit; `units` are the ways to read it."""

    numeral: Numeral
    units: tuple[Unit, ...]
    begin: int
    after: int


class _Parts(NamedTuple):
    measures: tuple[Measure, ...]
    numerals: tuple[Decimal, ...]
    after: int


def quantity_at(
    text: str, tokens: list[Atom], index: int, free_from: int
) -> tuple[Quantity, int] | None:
    """The quantity that starts at a token, and the index after it.

    What belongs to it on the left (a currency, a bound) is not looked for before `free_from`.
    """
    single = _single_at(tokens, index, free_from)
    if single is None:
        return None
    numeral = single.numeral
    parts = _ratio(tokens, single) or _range(tokens, single) or _one(tokens, single)
    before, begin = bound_before(tokens, single.begin, free_from)
    behind, after = bound_after(tokens, parts.after)
    bound = before.and_also(behind)
    start, end = tokens[begin].start, tokens[after - 1].end
    quantity = Quantity(
        start,
        end,
        text[start:end],
        tuple(bound.of(measure) for measure in parts.measures),
        parts.numerals,
        tuple(value for value, _ in numeral.readings[1:]),
        about=bound.about,
        bounded=bound.side != "",
        ordinal=numeral.ordinal,
        weak=numeral.weak and parts.measures[0].dimension in _WEAK,
    )
    return quantity, after


def _single_at(tokens: list[Atom], index: int, free_from: int) -> _Single | None:
    lone = (
        _unit_and_more(tokens, index)
        or _bounded_unit(tokens, index, free_from)
        or _repeated(tokens, index)
    )
    if lone is not None:
        return lone
    numeral = numeral_at(tokens, index)
    if numeral is None:
        return None
    if numeral.ordinal:
        return _Single(numeral, (_ORDINAL,), index, numeral.after)
    money = currency_before(tokens, index)
    if money is not None and money[1] >= free_from:
        numeral = _money_scale(tokens, numeral)
        again = currency_after(tokens, numeral.after)
        return _Single(numeral, (money[0],), money[1], again[1] if again else numeral.after)
    if index > free_from and _is_negative(tokens, index):
        return _measured(tokens, numeral.scaled(-ONE, numeral.after), index - 1)
    measured = _measured(tokens, numeral, index)
    return _from_zero(tokens, measured) or measured


def _unit_and_more(tokens: list[Atom], index: int) -> _Single | None:
    """ "an hour and a half", "an hour and three quarters", "an hour and ten minutes" (whose second
    part `_compound` adds), "a fortnight"."""
    if lower_at(tokens, index) not in {"a", "an", "one"}:
        return None
    if lower_at(tokens, index + 1) == "fortnight":
        return _Single(Numeral(((ONE, ONE),), index + 1), (UNITS["fortnight"],), index, index + 2)
    place = index + 3
    unit = unit_at(tokens, index + 1) if lower_at(tokens, index + 2) == "and" else None
    if unit is None or unit[1] != index + 2:
        return None
    part = part_at(tokens, place) if place < len(tokens) else None
    if part is not None:
        numeral = Numeral(((ONE + part.value, _TENTH),), part.after)
        return _Single(numeral, (unit[0],), index, part.after)
    whole = _Single(Numeral(((ONE, ONE),), index + 1), (unit[0],), index, index + 2)
    after = _compound(tokens, whole).after if unit[0].dimension in _COMPOUND else place
    # "two meals a day and ten minutes of rest"
    before = lower_at(tokens, index - 1)
    is_one = not before or before in STOP_WORDS or is_finite(before)
    is_span = is_one or lower_at(tokens, after) in _AFTER_A_SPAN
    return whole if after > place and is_span else None


def _bounded_unit(tokens: list[Atom], index: int, free_from: int) -> _Single | None:
    """ "more than a year", "just under an hour": one of it, where something bounds it."""
    bound, _ = bound_before(tokens, index, free_from)
    if lower_at(tokens, index) not in {"a", "an"} or not bound.side:
        return None
    unit = unit_at(tokens, index + 1)
    if unit is None or unit[0].dimension not in _COMPOUND:
        return None
    return _Single(Numeral(((ONE, ONE),), index + 1), (unit[0],), index, unit[1])


def _repeated(tokens: list[Atom], index: int) -> _Single | None:
    """ "twice as many" is two times as many."""
    times = REPEATS.get(lower_at(tokens, index))
    if times is None or lower_at(tokens, index + 1) not in MULTIPLES:
        return None
    return _Single(Numeral(((times, ONE),), index + 1), (UNITS["x"],), index, index + 1)


def _from_zero(tokens: list[Atom], single: _Single) -> _Single | None:
    """ "5 degrees below zero", "12 \u00b0C below freezing", "six degrees above zero Celsius"."""
    side, after = lower_at(tokens, single.after), single.after + 2
    is_from_zero = side in {"below", "above"} and lower_at(tokens, after - 1) in _AT_ZERO
    if not is_from_zero or single.units[0].dimension not in {"degree", "temperature", "count"}:
        return None
    numeral = single.numeral.scaled(-ONE if side == "below" else ONE, single.numeral.after)
    is_bare = single.units[0].dimension != "temperature"
    units = (UNITS["C"],) if is_bare else single.units
    after += lower_at(tokens, after) == "celsius"
    return _Single(numeral, units, single.begin, after)


def _is_negative(tokens: list[Atom], index: int) -> bool:
    """A minus is glued to its number and to nothing before it; the word stands after no number."""
    if lower_at(tokens, index - 1) == "minus":
        return index < 2 or tokens[index - 2].kind is not Kind.NUMBER  # noqa: PLR2004
    if lower_at(tokens, index - 1) not in _MINUS or not glued(tokens, index):
        return False
    before = tokens[index - 2] if index > 1 else None
    if before is None or before.text in {"(", "["}:
        return True
    return not glued(tokens, index - 1) and before.kind is not Kind.NUMBER


def _money_scale(tokens: list[Atom], numeral: Numeral) -> Numeral:
    """ "$5m", "£5 m"."""
    place = numeral.after
    letter = tokens[place].text if place < len(tokens) else ""
    if letter in LETTER_SCALES and (glued(tokens, place) or letter in {"m", "M"}):
        return numeral.scaled(LETTER_SCALES[letter], place + 1)
    return numeral


def _measured(tokens: list[Atom], numeral: Numeral, begin: int) -> _Single:
    place = numeral.after
    if glued(tokens, place) and tokens[place].text in LETTER_SCALES:
        return _lettered(tokens, numeral, begin)
    place += lower_at(tokens, place) == "-" and glued(tokens, place)
    part = _part_of_unit(tokens, numeral)
    if part is not None:
        return _Single(numeral, (part[0],), begin, part[1])
    money, unit = currency_after(tokens, place), unit_at(tokens, place)
    if money is not None and (unit is None or unit[1] <= money[1]):
        word = lower_at(tokens, money[1] - 1)
        other = next((unit for name, unit in _ALSO_READ if word.startswith(name)), None)
        return _Single(numeral, (money[0], other) if other else (money[0],), begin, money[1])
    found = unit or rate_at(tokens, numeral.after)
    if found is not None:
        return _Single(numeral, (found[0],), begin, found[1])
    return _Single(numeral, (_RATIO if numeral.fraction else _COUNT,), begin, numeral.after)


def _part_of_unit(tokens: list[Atom], numeral: Numeral) -> tuple[Unit, int] | None:
    """ "half an hour", "three quarters of an hour", "a third of a mile", "half a megabyte"."""
    place = numeral.after + (lower_at(tokens, numeral.after) == "of")
    if not numeral.fraction or lower_at(tokens, place) not in {"a", "an"}:
        return None
    unit = unit_at(tokens, place + 1)
    return unit if unit is not None and unit[0].dimension not in _WEAK else None


def _lettered(tokens: list[Atom], numeral: Numeral, begin: int) -> _Single:
    """ "50m" is fifty metres or fifty million; "10k" is ten thousand."""
    after = numeral.after + 1
    letter = tokens[numeral.after].text
    unit = unit_at(tokens, numeral.after)
    if unit is not None and unit[1] > after:
        return _Single(numeral, (unit[0],), begin, unit[1])
    if letter == "k" or unit is None:
        return _Single(numeral.scaled(LETTER_SCALES[letter], after), (_COUNT,), begin, after)
    scale = Unit("count", LETTER_SCALES[letter])
    units = (unit[0], scale) if letter == "m" else (scale, unit[0])
    return _Single(numeral, units, begin, after)


def _one(tokens: list[Atom], single: _Single) -> _Parts:
    value, step = single.numeral.readings[0]
    if len(single.units) == 1 and single.units[0].dimension in _COMPOUND:
        return _compound(tokens, single)
    tolerance, after = _tolerance(tokens, single.after)
    measures = (_measure(unit, value - tolerance, value + tolerance, step) for unit in single.units)
    return _Parts(tuple(measures), (value,), after)


def _compound(tokens: list[Atom], single: _Single) -> _Parts:
    """ "2 h 30 min", "6 ft 2 in": ever smaller units of one dimension."""
    unit, after = single.units[0], single.after
    value, step = single.numeral.readings[0]
    tolerance, end = _tolerance(tokens, after)
    total, step = value * unit.factor, step * unit.factor
    for _ in range(_MAX_COMPOUND):
        place = after + (lower_at(tokens, after) in {",", "and"})
        is_counted = is_number(tokens, place) or lower_at(tokens, place) in _COUNTS
        part = _single_at(tokens, place, place) if is_counted else None
        if part is None or part.units[0].dimension != unit.dimension or tolerance:
            break
        smaller = part.units[0]
        if not smaller.factor < unit.factor or part.numeral.value * smaller.factor >= unit.factor:
            break
        total += part.numeral.value * smaller.factor
        step, after = part.numeral.readings[0][1] * smaller.factor, part.after
        unit = smaller
    slack = tolerance * single.units[0].factor
    measure = Measure(unit.dimension, total - slack, total + slack, step, unit.factor)
    return _Parts((measure,), (value,), max(end, after))


def _tolerance(tokens: list[Atom], index: int) -> tuple[Decimal, int]:
    """ "10 ± 2"."""
    if lower_at(tokens, index) == "\u00b1" and is_number(tokens, index + 1):
        numeral = numeral_at(tokens, index + 1)
        if numeral is not None and not numeral.ordinal:
            return abs(numeral.value), numeral.after
    return ZERO, index


def _measure(unit: Unit, low: Decimal, high: Decimal, step: Decimal) -> Measure:
    factor, offset = unit.factor, unit.offset
    low, high = low * factor + offset, high * factor + offset
    return Measure(unit.dimension, low, high, step * factor, factor)


def _ratio(tokens: list[Atom], single: _Single) -> _Parts | None:
    """ "one in four", "4 out of 5", "one pupil in five": a share."""
    place = single.after
    if single.units != (_COUNT,):
        return None
    is_of_noun = single.numeral.value == ONE and lower_at(tokens, place + 1) == "in"
    place += is_of_noun
    if lower_at(tokens, place) == "in":
        place += 1
    elif (lower_at(tokens, place), lower_at(tokens, place + 1)) == ("out", "of"):
        place += 2
    else:
        return None
    whole = _single_at(tokens, place, place) if place < len(tokens) else None
    if whole is None or whole.units != (_COUNT,):
        return None
    top, below = single.numeral.value, whole.numeral.value
    is_year = is_number(tokens, place) and below >= _THOUSAND
    is_counting = is_of_noun and _counts(tokens, whole.after)
    if not 0 < top < below or is_year or is_counting:
        return None
    share = top / below
    return _Parts((Measure("ratio", share, share, share / 10),), (top, below), whole.after)


def _counts(tokens: list[Atom], index: int) -> bool:
    """Whether a number before a token counts it: "in five cities", not "in five now eats"."""
    near = [lower_at(tokens, place) for place in (index, index + 1)]
    return any(word.endswith("s") and not is_finite(word) for word in near)


def _range(tokens: list[Atom], single: _Single) -> _Parts | None:
    """ "10-20 km", "between 10 and 20", "5 to 10 percent"; "3-1" may also be a score."""
    connector = _connector(tokens, single)
    if connector is None or single.numeral.ordinal:
        return None
    place = single.after + 1
    place += lower_at(tokens, place) in CURRENCY_SIGNS
    second = _single_at(tokens, place, single.after + 1) if place < len(tokens) else None
    units = None if second is None else _shared_units(single, second)
    if second is None or units is None:
        return None
    low, high = _shared_scale(single.numeral, second.numeral)
    measures = [_measure(unit, low, high, second.numeral.readings[0][1]) for unit in units]
    if low >= high:
        measures.clear()
    if connector == "dash" and units == (_COUNT,) and 0 <= min(low, high) <= _MAX_SCORE >= high:
        score = low * _SCORE_BASE + high
        measures.append(Measure("score", score, score, ZERO))
    numerals = (single.numeral.value, second.numeral.value)
    return _Parts(tuple(measures), numerals, second.after) if measures else None


def _connector(tokens: list[Atom], single: _Single) -> str | None:
    place = single.after
    word, before = lower_at(tokens, place), lower_at(tokens, single.begin - 1)
    if word in _DASHES:
        return "dash" if glued(tokens, place) == glued(tokens, place + 1) else None
    if before == "between" and word in {"and", "to"}:
        return "between"
    is_figure = is_number(tokens, place + 1) or lower_at(tokens, place + 1) in CURRENCY_SIGNS
    is_range = word == "to" and (before != "from" or _keeps(tokens, single.begin - 2))
    return "to" if is_range and is_figure else None


def _keeps(tokens: list[Atom], place: int) -> bool:
    """ "ranges from 10 to 20" is a range; "rose from 10 to 20" is two values."""
    return lower_at(tokens, place).startswith(("rang", "var", "anywhere"))


def _shared_units(first: _Single, second: _Single) -> tuple[Unit, ...] | None:
    if second.numeral.ordinal:
        return None
    if first.units == (_COUNT,):
        return second.units
    is_money = first.units[0].dimension.startswith("money:")
    is_bare = is_money and second.units == (_COUNT,)
    return first.units if is_bare or second.units == first.units else None


def _shared_scale(first: Numeral, second: Numeral) -> tuple[Decimal, Decimal]:
    """ "$10-20 million" is ten to twenty million."""
    low, high = first.value, second.value
    scale = second.readings[0][1]
    if scale >= _THOUSAND and low < _THOUSAND and low * scale <= high:
        low *= scale
    return low, high
