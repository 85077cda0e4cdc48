"""Finds quantities: numbers with their unit, currency, range and bound."""

from dataclasses import dataclass, replace
from decimal import Decimal

from groundwire.claims._money import CURRENCY_SIGNS, currency_after, currency_before
from groundwire.claims._numerals import LETTER_SCALES, Numeral, numeral_at
from groundwire.claims._quantity import INFINITY, Measure, Quantity
from groundwire.claims._scan import Kind, Token, glued
from groundwire.claims._unit_table import UNITS, Unit
from groundwire.claims._units import rate_at, unit_at

COUNT = Unit("count")
_ORDINAL = Unit("ordinal")
_RATIO = Unit("ratio")
_SCORE_BASE = Decimal(1000)
_MAX_SCORE = 200
_DASHES = {"-", "\u2013", "\u2014", "\u2012", "\u2212"}
_MINUS = {"-", "\u2212", "\u2013"}


@dataclass(frozen=True, slots=True)
class _Single:
    """One number with its unit; `units` are the ways to read it."""

    numeral: Numeral
    units: tuple[Unit, ...]
    begin: int
    after: int


def quantity_at(text: str, tokens: list[Token], index: int) -> tuple[Quantity, int] | None:
    """The quantity that starts at a token, and the index after it."""
    single = _single_at(tokens, index)
    if single is None:
        return None
    found = _ratio(tokens, single) or _range(tokens, single) or _one(tokens, single)
    measures, numerals, after = found
    begin, edge, about = _bound_before(tokens, single.begin)
    after, edge, about = _bound_after(tokens, after, edge, about)
    start, end = tokens[begin].start, tokens[after - 1].end
    quantity = Quantity(
        start,
        end,
        text[start:end],
        tuple(_bounded(measure, edge) for measure in measures),
        numerals,
        tuple(value for value, _ in single.numeral.readings[1:]),
        about=about,
        bounded=edge != "",
        ordinal=single.numeral.ordinal,
        weak=single.numeral.weak and measures[0].dimension in {"count", "ordinal", "ratio"},
    )
    return quantity, after


def _single_at(tokens: list[Token], index: int) -> _Single | None:
    numeral = numeral_at(tokens, index)
    if numeral is None:
        return None
    if numeral.ordinal:
        return _Single(numeral, (_ORDINAL,), index, numeral.after)
    money = currency_before(tokens, index)
    begin = money[1] if money else index
    if money is None and _is_negative(tokens, index):
        numeral, begin = numeral.scaled(Decimal(-1), numeral.after), index - 1
        numeral = replace(numeral, readings=tuple((v, abs(s)) for v, s in numeral.readings))
    if money:
        numeral = _money_scale(tokens, numeral)
        after = currency_after(tokens, numeral.after)
        return _Single(numeral, (money[0],), begin, after[1] if after else numeral.after)
    return _measured(tokens, numeral, begin)


def _is_negative(tokens: list[Token], index: int) -> bool:
    if index == 0 or tokens[index - 1].text not in _MINUS or not glued(tokens, index):
        return False
    return index == 1 or (
        not glued(tokens, index - 1) and tokens[index - 2].kind is not Kind.NUMBER
    ) or tokens[index - 2].text in {"(", "["}


def _money_scale(tokens: list[Token], numeral: Numeral) -> Numeral:
    place = numeral.after
    if place < len(tokens) and tokens[place].text in LETTER_SCALES:
        if glued(tokens, place) or tokens[place].text in {"m", "M"}:
            return numeral.scaled(Decimal(10) ** LETTER_SCALES[tokens[place].text], place + 1)
    return numeral


def _measured(tokens: list[Token], numeral: Numeral, begin: int) -> _Single:
    place = numeral.after
    if place < len(tokens) and tokens[place].text == "-" and glued(tokens, place):
        place += 1
    letter = tokens[place].text if place < len(tokens) and glued(tokens, place) else ""
    unit = unit_at(tokens, place)
    if letter in LETTER_SCALES and place == numeral.after:
        return _lettered(tokens, numeral, begin, letter, unit)
    money = currency_after(tokens, place)
    if money is not None and (unit is None or unit[1] <= money[1]):
        units = (money[0], UNITS["lb"]) if money[0].dimension == "money:GBP" else (money[0],)
        return _Single(numeral, units, begin, money[1])
    if unit is not None:
        return _Single(numeral, (unit[0],), begin, unit[1])
    rate = rate_at(tokens, numeral.after)
    if rate is not None:
        return _Single(numeral, (rate[0],), begin, rate[1])
    return _Single(numeral, (_RATIO if numeral.fraction else COUNT,), begin, numeral.after)


def _lettered(
    tokens: list[Token], numeral: Numeral, begin: int, letter: str, unit: tuple[Unit, int] | None
) -> _Single:
    """ "50m" is fifty metres or fifty million; "10k" is ten thousand."""
    after = numeral.after + 1
    scaled = numeral.scaled(Decimal(10) ** LETTER_SCALES[letter], after)
    if letter == "k" or unit is None:
        return _Single(scaled, (COUNT,), begin, after)
    if unit[1] > after:
        return _Single(numeral, (unit[0],), begin, unit[1])
    scale_as_unit = Unit("count", Decimal(10) ** LETTER_SCALES[letter])
    return _Single(numeral, (unit[0], scale_as_unit), begin, after)


_Parts = tuple[tuple[Measure, ...], tuple[Decimal, ...], int]


def _one(tokens: list[Token], single: _Single) -> _Parts:
    numeral = single.numeral
    tolerance, after = _tolerance(tokens, single.after)
    value, step = numeral.readings[0]
    measures = tuple(
        _measure(unit, value - tolerance, value + tolerance, step) for unit in single.units
    )
    return measures, (value,), after


def _tolerance(tokens: list[Token], index: int) -> tuple[Decimal, int]:
    """ "10 ± 2"."""
    if index + 1 < len(tokens) and tokens[index].text == "\u00b1":
        numeral = numeral_at(tokens, index + 1)
        if numeral is not None and not numeral.ordinal:
            return abs(numeral.value), numeral.after
    return Decimal(0), index


def _measure(unit: Unit, low: Decimal, high: Decimal, step: Decimal) -> Measure:
    factor, offset = unit.factor, unit.offset
    return Measure(
        unit.dimension, low * factor + offset, high * factor + offset, step * factor, factor
    )


def _ratio(tokens: list[Token], single: _Single) -> _Parts | None:
    """ "one in four", "4 out of 5": a share."""
    place = single.after
    if single.units != (COUNT,) or place >= len(tokens):
        return None
    if tokens[place].lower == "in":
        place += 1
    elif tokens[place].lower == "out" and place + 1 < len(tokens) and tokens[place + 1].lower == "of":
        place += 2
    else:
        return None
    whole = _single_at(tokens, place) if place < len(tokens) else None
    if whole is None or whole.units != (COUNT,) or whole.numeral.ordinal:
        return None
    top, below = single.numeral.value, whole.numeral.value
    is_year = tokens[place].kind is Kind.NUMBER and below >= 1000
    if not 0 < top < below or is_year:
        return None
    share = top / below
    return (Measure("ratio", share, share, share / 10),), (top, below), whole.after


def _range(tokens: list[Token], single: _Single) -> _Parts | None:
    """ "10-20 km", "between 10 and 20", "5 to 10 percent"."""
    place = single.after
    connector = _connector(tokens, single, place)
    if connector is None or single.numeral.ordinal:
        return None
    place += 1 + (tokens[place + 1].text in CURRENCY_SIGNS)
    second = _single_at(tokens, place) if place < len(tokens) else None
    if second is None or second.numeral.ordinal:
        return None
    units, low, high = _shared(single, second)
    if units is None:
        return None
    numerals = (single.numeral.value, second.numeral.value)
    measures: list[Measure] = []
    if low < high:
        step = min(single.numeral.readings[0][1], second.numeral.readings[0][1])
        measures += [_measure(unit, low, high, step) for unit in units]
    if connector == "dash" and units == (COUNT,) and 0 <= min(low, high) and max(low, high) <= _MAX_SCORE:
        score = low * _SCORE_BASE + high
        measures.append(Measure("score", score, score, Decimal(0)))
    return (tuple(measures), numerals, second.after) if measures else None


def _connector(tokens: list[Token], single: _Single, place: int) -> str | None:
    if place + 1 >= len(tokens):
        return None
    before = tokens[single.begin - 1].lower if single.begin else ""
    word = tokens[place].lower
    if tokens[place].text in _DASHES:
        if glued(tokens, place) == glued(tokens, place + 1):
            return "dash"
        return None
    if word in {"and", "to"} and before == "between":
        return "between"
    is_number = tokens[place + 1].kind is Kind.NUMBER or tokens[place + 1].text in CURRENCY_SIGNS
    if word == "to" and before != "from" and is_number:
        return "to"
    return None


def _shared(
    first: _Single, second: _Single
) -> tuple[tuple[Unit, ...] | None, Decimal, Decimal]:
    """One unit and magnitude for both ends: "$10-20 million" is ten to twenty million dollars."""
    low, high = first.numeral.value, second.numeral.value
    units = second.units
    if first.units != (COUNT,):
        if second.units not in {first.units, (COUNT,)}:
            return None, low, high
        units = first.units
    step = second.numeral.readings[0][1]
    if step >= 1000 and low < 1000 <= high:
        low *= step if step % 1000 == 0 and low * step <= high else Decimal(1)
    return units, low, high


_OVER = {"over", "above", "exceeding", "exceeded", "exceeds", ">", "\u2265"}
_UNDER = {"under", "below", "<", "\u2264", "within"}
_ABOUT = {"about", "around", "approximately", "approx", "roughly", "some", "circa", "~", "\u2248"}
_ABOUT |= {"estimated", "nearly", "almost", "ca", "near", "c"}
_THAN = {
    "more": "over",
    "greater": "over",
    "higher": "over",
    "larger": "over",
    "longer": "over",
    "older": "over",
    "less": "under",
    "fewer": "under",
    "lower": "under",
    "smaller": "under",
    "younger": "under",
    "shorter": "under",
}
_OPPOSITE = {"over": "under", "under": "over"}


def _bound_before(tokens: list[Token], begin: int) -> tuple[int, str, bool]:
    """What limits the number from the left: where it begins, which side, and whether roughly."""
    edge, about = "", False
    while begin:
        size, side, rough = _bound_words(tokens, begin)
        if not size:
            break
        begin, edge, about = begin - size, side or edge, about or rough
        if side:
            break
    return begin, edge, about


def _bound_words(tokens: list[Token], begin: int) -> tuple[int, str, bool]:
    last = tokens[begin - 1].lower
    before = tokens[begin - 2].lower if begin > 1 else ""
    if last == "than" and before in _THAN:
        negated = begin > 2 and tokens[begin - 3].lower in {"no", "not", "n't"}
        side = _OPPOSITE[_THAN[before]] if negated else _THAN[before]
        return (3 if negated else 2), side, False
    if (before, last) in {("at", "least"), ("minimum", "of"), ("upwards", "of"), ("excess", "of")}:
        return 2, "over", False
    if (before, last) in {("at", "most"), ("up", "to"), ("maximum", "of")}:
        return 2, "under", False
    if last == "=" and before in {">", "<"}:
        return 2, ("over" if before == ">" else "under"), False
    if (before, last) == ("close", "to"):
        return 2, "", True
    if last == "top":
        return 1, "under", False
    if last in _OVER or last in _UNDER:
        return 1, ("over" if last in _OVER else "under"), False
    if last in _ABOUT:
        return 1, "", True
    if last == "." and before in {"approx", "ca", "c"}:
        return 2, "", True
    return 0, "", False


def _bound_after(
    tokens: list[Token], after: int, edge: str, about: bool  # noqa: FBT001
) -> tuple[int, str, bool]:
    words = tuple(token.lower for token in tokens[after : after + 2])
    if words in {("or", "more"), ("or", "above"), ("or", "higher"), ("or", "older")}:
        return after + 2, "over", about
    if words in {("or", "less"), ("or", "fewer"), ("or", "below"), ("or", "younger")}:
        return after + 2, "under", about
    if words == ("or", "so"):
        return after + 2, edge, True
    if words[:1] == ("+",) and glued(tokens, after):
        return after + 1, "over", about
    return after, edge, about


def _bounded(measure: Measure, edge: str) -> Measure:
    if edge == "over":
        return replace(measure, high=INFINITY)
    if edge == "under":
        return replace(measure, low=-INFINITY)
    return measure
