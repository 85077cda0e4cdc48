"""What a text works out, worked out again: "12 + 40 = 52", "3 h is 180 min", "15 % of 80 is 12".

Rounding, truncation and sloppy chains ("5 + 3 = 8 - 2 = 6") are how people write; only a result
that none of them explains is called wrong.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import chain, combinations

from groundwire._patterns import lazy_pattern
from groundwire.text import Atom, Kind, atoms_of, word_set
from groundwire.values._comparisons import Comparison, comparisons_in
from groundwire.values._expressions import (
    HOLDERS,
    RESULT_WORDS,
    SET_WORDS,
    SIGNS_OF_SUMS,
    Expressions,
    Known,
    Number,
    mathematical_tokens,
    measured,
    signed_money,
)
from groundwire.values._period import Period
from groundwire.values._quantity import Quantity
from groundwire.values._read import Value, values_in
from groundwire.values._restated import Restated, restated_in
from groundwire.values._spans import spans_in
from groundwire.values._tokens import lower_at

_EQUAL = frozenset({"=", "equals"})
_ABOUT = frozenset({"\u2248", "approx", "approximately", "about", "roughly", "around", "nearly"})
_PASSED = word_set("to a an the total of us you exactly only just result in")
_NOT_EQUAL = frozenset({"<", ">", "!", ":", "\u2260", "=", "\\"})
_REMAINDERS = frozenset({"mod", "modulo", "pmod", "bmod", "equiv", "\u2261", "congruent"})
"""Where these stand, "2 + 8 = 4" may be so."""
_LEFT_OVER = word_set("remainder remainders rem r")
# such as ", with a" between "3" and "remainder of 2"
_BEFORE_LEFT_OVER = word_set(", ; with and a the ( leaving")
_MOST_PASSED = 4
_ROUGH = Fraction(1, 100)
_ROUGH_UNITS = Fraction(1, 5)
_TINY = Fraction(1, 10**15)
_LOOSE = frozenset({"time", "data", "volume", "mass"})
"""Months, gigabytes, gallons and tons are not the same everywhere."""
_HUNDRED = 100
# such as ", so 46 full trays" after "45.3"
_WHOLE_ONES = lazy_pattern(
    r"[\s,;:.]*(?:so|hence|thus|i\.e\.|that is|makes)?\s*(\d[\d,]*)\s+(?:full|whole|complete)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Computation:
    """Something worked out in a text: its place, and whether it holds; None where that is open."""

    start: int
    end: int
    text: str
    expected: str
    """What the left side gives, in figures."""
    holds: bool | None
    operands: tuple[Fraction, ...]
    result: Fraction
    """What the text says it gives."""
    is_span: bool = False
    """Whether it is about dates and durations, which have no bare number."""
    is_comparison: bool = False
    """Whether it says which of two values is more, or one thing twice, and works nothing out."""


def computations_in(text: str, known: Known | None = None) -> list[Computation]:
    """Every computation of a text, in order. `known` is what letters stand for."""
    return [one for line in _lines(text) for one in _of_line(text, line, known or {})]


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Where each line stands, without the dash that makes it an item of a list."""
    start = 0
    for line in text.splitlines(keepends=True):
        bare = line.lstrip()
        begin = start + len(line) - len(bare) + 2 * bare.startswith(("- ", "* ", "\u2022 "))
        yield min(begin, start + len(line)), start + len(line)
        start += len(line)


def _of_line(text: str, line: tuple[int, int], known: Known) -> Iterator[Computation]:
    begin, end = line
    tokens = mathematical_tokens(atoms_of(text[begin:end]))
    if not _REMAINDERS.isdisjoint(token.lower for token in tokens):
        return
    values = values_in(text[begin:end])
    spans = list(spans_in(text[begin:end], values))
    for span in spans:
        where = begin + span.start, begin + span.end
        shown = text[slice(*where)]
        yield Computation(*where, shown, span.expected, span.holds, (), Fraction(0), is_span=True)
    compared: Iterator[Comparison | Restated] = chain(
        comparisons_in(text[begin:end], values), restated_in(text[begin:end], values)
    )
    for one in compared:
        where = begin + one.start, begin + one.end
        shown = text[slice(*where)]
        yield Computation(*where, shown, one.told, one.holds, (), Fraction(0), is_comparison=True)
    readers = _readers(text[begin:end], values, known)
    for place in _relations(tokens):
        found = _read_all_ways(text[begin:end], readers, place)
        if found and not any(one.start < found.end and found.start < one.end for one in spans):
            yield _rounded_down(found, text[begin:end], begin)


def _readers(line: str, values: Sequence[Value], known: Known) -> tuple[Expressions, ...]:
    """The likeliest way to read a line, and the others there are."""
    atoms = atoms_of(line)
    tokens = mathematical_tokens(atoms)
    dates = [one for one in values if isinstance(one, Period) and not _is_whole_years(one)]
    inside = [one for one in atoms if any(day.start <= one.start < day.end for day in dates)]
    closed = frozenset(one.start for one in inside)
    first = Expressions(tokens, known, closed, signed_money(atoms))
    words = {token.lower for token in tokens}
    ways = [first]
    if not words.isdisjoint(SET_WORDS):
        ways.append(replace(first, counts_sets=False))
    if not words.isdisjoint({"%", "percent"}):
        ways += [replace(way, takes_shares=False) for way in ways]
    return tuple(ways)


def _is_whole_years(period: Period) -> bool:
    """ "2024 - 1990" computes with years; nobody computes with the 10 of "10 June"."""
    is_calendar = period.frame == "calendar"
    return is_calendar and (period.first[1:], period.last[1:]) == ((1, 1), (12, 31))


def _read_all_ways(line: str, readers: Sequence[Expressions], place: int) -> Computation | None:
    """Wrong is only what is wrong however it is read."""
    found = _computation(line, readers[0], place)
    if found is None or found.holds is not False:
        return found
    others = [_computation(line, reader, place) for reader in readers[1:]]
    tokens = readers[0].tokens
    left = {one.lower for one in tokens[:place] if one.start >= found.start}
    right = {one.lower for one in tokens[place:] if one.start < found.end + 1}
    is_sum = not left.isdisjoint(SIGNS_OF_SUMS)
    if any(one is None or one.holds is not False for one in others):
        is_held = any(one is not None and one.holds for one in others)
        return replace(found, holds=None if is_sum or not is_held else True)
    # "3 boxes + 1 = 13 pens" counts what is in them
    holds_others = left & HOLDERS and not right & HOLDERS
    return replace(found, holds=None) if is_sum and holds_others else found


def _rounded_down(found: Computation, line: str, begin: int) -> Computation:
    """Of 45.3 trays 45 are full: where the whole ones are counted, they are counted down."""
    whole = _WHOLE_ONES.match(line, found.end)
    placed = replace(found, start=begin + found.start, end=begin + found.end)
    if whole is None or found.holds is not True or found.result.denominator == 1:
        return placed
    least = int(found.result)
    holds = int(whole[1].replace(",", "")) == least
    told = line[found.start : whole.end()]
    return replace(placed, end=begin + whole.end(), text=told, expected=str(least), holds=holds)


def bindings_in(text: str, known: Known | None = None) -> dict[str, Fraction]:
    """What letters are said to stand for: {"A": -33} of "A = (3 - -6 - 9 * 4) = -33"."""
    reader = _readers(text, values_in(text), known or {})[0]
    tokens = reader.tokens
    found: dict[str, Fraction] = {}
    for place, token in enumerate(tokens[:-1]):
        is_letter = token.kind is Kind.WORD and len(token.text) == 1 and token.text.isupper()
        if is_letter and lower_at(tokens, place + 1) == "=":
            last = _last_of_chain(reader, place + 1)
            if last is not None:
                found[token.text] = last.value
    return found


def numbers_in(text: str) -> Iterator[Fraction]:
    """Every number of a text, as written, whatever its unit; a percentage also as a share."""
    for value in values_in(text):
        if isinstance(value, Quantity):
            yield from map(Fraction, value.numerals)
            if value.dimension == "ratio":
                yield Fraction(value.value)
        elif isinstance(value, Period):
            yield from map(Fraction, value.first)


def numbers_match(written: Fraction, step: Fraction, worked_out: Fraction) -> bool:
    """Whether a number is another one, rounded or cut off as it is written."""
    return abs(written - worked_out) < step or written == worked_out


def _last_of_chain(reader: Expressions, place: int) -> Number | None:
    last = None
    while lower_at(reader.tokens, place) == "=":
        found = reader.starting_at(place + 1, len(reader.tokens))
        if found is None:
            return None
        last, place = found
    return last


def _relations(tokens: list[Atom]) -> Iterator[int]:
    for place, token in enumerate(tokens):
        is_mark = token.text in _EQUAL | {"\u2248"} or token.lower in {"approx", "equals"}
        if is_mark:
            near = {lower_at(tokens, place - 1), lower_at(tokens, place + 1)}
            if near.isdisjoint(_NOT_EQUAL):
                yield place
        elif token.lower in RESULT_WORDS:
            yield place


def _computation(text: str, reader: Expressions, place: int) -> Computation | None:
    tokens = reader.tokens
    begin, is_about = _past_fillers(tokens, place)
    is_day = _is_day_of_date(reader, begin)
    right_reader = replace(reader, closed=frozenset()) if is_day else reader
    left, right = reader.ending_at(place, 0), right_reader.starting_at(begin, len(tokens))
    if left is None or right is None:
        return None
    (ours, start), (theirs, after) = left, right
    if not _is_worked_out(reader, ours, theirs, start, place) or _leaves_rest(tokens, after):
        return None
    is_about = is_about or tokens[place].lower in _ABOUT
    holds = _holds(ours, theirs, is_about=is_about)
    return Computation(
        tokens[start].start,
        tokens[after - 1].end,
        text[tokens[start].start : tokens[after - 1].end],
        written(_expected(ours, theirs)),
        (holds or None) if is_day else holds,
        ours.operands,
        theirs.value,
    )


def _is_day_of_date(reader: Expressions, place: int) -> bool:
    """ "6 + 7 = 13 April": so the days of a month are counted, as long as it has them."""
    tokens = reader.tokens
    if place + 1 >= len(tokens) or tokens[place].kind is not Kind.NUMBER:
        return False
    return tokens[place].start in reader.closed and tokens[place + 1].kind is Kind.WORD


def _leaves_rest(tokens: list[Atom], place: int) -> bool:
    """ "17 / 5 = 3 remainder 2" comes to no 3."""
    for _ in range(_MOST_PASSED):
        if lower_at(tokens, place) in _BEFORE_LEFT_OVER:
            place += 1
    word, following = lower_at(tokens, place), lower_at(tokens, place + 1)
    return word in _LEFT_OVER and (len(word) > 1 or following.isdecimal())


def _is_worked_out(
    reader: Expressions, ours: Number, theirs: Number, start: int, place: int
) -> bool:
    """Whether two sides of a relation are a computation, and not something that looks like one."""
    tokens = reader.tokens
    is_spoken = tokens[place].lower in RESULT_WORDS
    is_conversion = _is_conversion(ours, theirs)
    if ours.is_part and not (theirs.is_share and ours.operations == 1):
        return False  # "54 of 360 is 15 %"; of anything else "of" says nothing
    if is_spoken:
        # "the last digit of 3^3 is 7" works nothing out
        is_power = any(token.text == "^" for token in tokens[start:place])
        return not (theirs.operations or is_power) and bool(ours.operations or is_conversion)
    # "5 pairs = 5 * 2" speaks of so many things, not of a number
    is_bare = tokens[place - 1].kind is Kind.NUMBER and ours.value >= 0
    return bool(ours.operations or is_conversion or (theirs.operations and is_bare))


def _past_fillers(tokens: list[Atom], place: int) -> tuple[int, bool]:
    """After "gives us a total of about"."""
    after, is_about = place + 1, False
    while after - place <= _MOST_PASSED and lower_at(tokens, after) in _PASSED | _ABOUT:
        is_about = is_about or lower_at(tokens, after) in _ABOUT
        after += 1
    return after, is_about


def _is_conversion(ours: Number, theirs: Number) -> bool:
    """ "2.5 hours = 150 minutes"."""
    if ours.operations or theirs.operations:
        return False
    if len(ours.units) != 1 or len(theirs.units) != 1:
        return False
    mine, other = ours.units[0], theirs.units[0]
    return mine.dimension == other.dimension and mine != other and not mine.offset + other.offset


def _expected(ours: Number, theirs: Number) -> Fraction:
    """What the left side gives, in the unit of the right one."""
    return ours.value if _is_of_one_unit(ours, theirs) else _as_theirs(ours, theirs) or ours.value


def _is_of_one_unit(ours: Number, theirs: Number) -> bool:
    return len({*ours.units, *theirs.units}) <= 1


def _as_theirs(ours: Number, theirs: Number) -> Fraction | None:
    """What ours is in the unit of theirs, where both are measured in the same."""
    unit = measured(Fraction(1), theirs.units[0]) if len(theirs.units) == 1 else None
    if ours.measure is None or unit is None or ours.measure.dimensions != unit.dimensions:
        return None
    value = ours.measure.value / unit.value
    near = value.limit_denominator(10**6)
    # "km/h" is no exact number of metres a second
    return near if abs(value - near) <= abs(value) * _TINY else value


def _holds(ours: Number, theirs: Number, *, is_about: bool) -> bool | None:
    """True and False only where nothing else can be meant."""
    if ours.operations and theirs.operations and theirs.operands[:1] == (ours.value,):
        return None  # "5 + 3 = 8 - 2": the chain goes on from its result
    if not _is_of_one_unit(ours, theirs):
        return _holds_measured(ours, theirs, is_about=is_about)
    if _equal(ours.value, theirs.value, ours, theirs):
        return True
    if ours.is_share or ours.of_shares or theirs.is_share:
        as_percent = _holds_as_percent(ours, theirs)
        if as_percent is not False:
            return as_percent
    if _is_time_and_bare(ours):
        return None  # "8.30 minus 30 minutes is 8.00"
    is_open = _may_be_rounded(ours.value, theirs.value, theirs, is_about=is_about)
    return None if is_open else False


def _holds_as_percent(ours: Number, theirs: Number) -> bool | None:
    """Where the sign for percent is left out on one side: "100 - 35 = 65 %", "5 % + 3 % = 8"."""
    if theirs.is_share and _equal(ours.value / _HUNDRED, theirs.value, ours, theirs):
        # "45 / 60 = 0.75 %" is a slip, "45 / 60 * 100 = 75 %" is none
        is_plain = not (ours.of_shares or ours.divides)
        return True if ours.by_hundred or is_plain else None if ours.value > 1 else False
    if theirs.is_share or not _equal(ours.value * _HUNDRED, theirs.value, ours, theirs):
        return False
    return (True, None, False)[ours.applied]


def _is_time_and_bare(ours: Number) -> bool:
    is_time = any(unit.dimension == "time" for unit in ours.units)
    return is_time and ours.measure is None and not ours.is_measured


def _holds_measured(ours: Number, theirs: Number, *, is_about: bool) -> bool | None:
    """Of more than one unit: converted, where each number has its own."""
    if not theirs.units:
        return _holds_in_some_unit(ours, theirs)
    mine = _as_theirs(ours, theirs)
    if mine is None:
        # "40 hours * $15 = $600": so much an hour
        is_same = _equal(ours.value, theirs.value, ours, theirs)
        is_product = ours.measure is not None and set(theirs.units) <= set(ours.units)
        return True if is_same and is_product else None
    if _equal(mine, theirs.value, ours, theirs):
        return True
    if not ours.is_measured:
        # "3 h * 60 = 180 min" converts; "2 days * 8 = 16 h" may be so
        is_same = _equal(ours.value, theirs.value, ours, theirs)
        return True if is_same and _has_ratio(ours, theirs) else None
    if _may_be_rounded(mine, theirs.value, theirs, is_about=is_about):
        return None
    gap, size = abs(mine - theirs.value), max(abs(mine), abs(theirs.value))
    return None if _is_loose(ours, theirs) and gap <= size * _ROUGH_UNITS else False


def _holds_in_some_unit(ours: Number, theirs: Number) -> bool | None:
    """ "1 kg + 500 g = 1,500": in grams."""
    of_one = (replace(theirs, units=(unit,)) for unit in ours.units)
    values = [value for one in of_one if (value := _as_theirs(ours, one)) is not None]
    if ours.measure is not None and not ours.measure.dimensions:
        values.append(ours.measure.value)
    if ours.measure is not None and not values:
        values.append(ours.value)  # "30 hours * 4 weeks = 120": so many a week
    return any(_equal(one, theirs.value, ours, theirs) for one in values) or None


def _has_ratio(ours: Number, theirs: Number) -> bool:
    """Whether one of the numbers is how many of one unit make the other."""
    theirs_in_base = Fraction(theirs.units[0].factor)
    for unit in ours.units:
        ratio = Fraction(unit.factor) / theirs_in_base
        for one in ours.operands:
            if one and any(abs(one / way - 1) <= _ROUGH for way in (ratio, 1 / ratio)):
                return True
    return False


def _is_loose(ours: Number, theirs: Number) -> bool:
    """Whether people convert it in more than one way: months to days, GB to MB."""
    for one, other in combinations((*ours.units, *theirs.units), 2):
        if one.dimension == other.dimension and one.dimension in _LOOSE and one != other:
            ratio = Fraction(max(one.factor, other.factor)) / Fraction(
                min(one.factor, other.factor)
            )
            if ratio.denominator != 1 or one.dimension == "data":
                return True
    return False


def _may_be_rounded(mine: Fraction, other: Fraction, theirs: Number, *, is_about: bool) -> bool:
    """A number with decimals may be rounded from rounded ones; a whole one up or down."""
    if theirs.is_share:  # 8 % is whole
        mine, other, theirs = (
            mine * _HUNDRED,
            other * _HUNDRED,
            replace(theirs, step=theirs.step * _HUNDRED),
        )
    gap, size = abs(mine - other), max(abs(mine), abs(other))
    is_whole = mine.denominator == 1 and other.denominator == 1
    if is_about and gap <= size / 10:
        return True
    if theirs.operations or is_whole:
        return gap <= size * _ROUGH and not is_whole
    slack = max(2 * theirs.step, size * _ROUGH) if theirs.step < 1 else Fraction(1)
    return gap < slack


def _equal(mine: Fraction, other: Fraction, ours: Number, theirs: Number) -> bool:
    step = max(
        ours.step if not ours.operations else Fraction(0),
        theirs.step if not theirs.operations else Fraction(0),
    )
    step = step if step < 1 else Fraction(0)
    return numbers_match(other, step, mine)


def written(value: Fraction) -> str:
    """In figures, no longer than people write it."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{Decimal(value.numerator) / Decimal(value.denominator):.6g}"
