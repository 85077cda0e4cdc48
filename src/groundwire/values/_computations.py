"""What a text works out, worked out again: "12 + 40 = 52", "3 h is 180 min", "15 % of 80 is 12".

Rounding, truncation and sloppy chains ("5 + 3 = 8 - 2 = 6") are how people write; only a result
that none of them explains is called wrong.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from groundwire.text import Atom, Kind, atoms_of, word_set
from groundwire.values._comparisons import comparisons_in
from groundwire.values._expressions import Expressions, Known, Number, mathematical_tokens
from groundwire.values._period import Period
from groundwire.values._quantity import Quantity
from groundwire.values._read import values_in
from groundwire.values._spans import spans_in
from groundwire.values._tokens import lower_at

_EQUAL = frozenset({"=", "equals"})
_ABOUT = frozenset({"\u2248", "approx", "approximately", "about", "roughly", "around", "nearly"})
_RESULT_WORDS = word_set(
    "is are gives give makes make leaves yields totals was were get gets equals"
)
_PASSED = word_set("to a an the total of us you exactly only just result in")
_NOT_EQUAL = frozenset({"<", ">", "!", ":", "\u2260", "=", "\\"})
_REMAINDERS = frozenset({"mod", "modulo", "pmod", "bmod", "equiv", "\u2261", "congruent"})
"""Where these stand, "2 + 8 = 4" may be so."""
_MOST_PASSED = 4
_ROUGH = Fraction(1, 100)
_HUNDRED = 100
# such as ", so 46 full trays" after "45.3"
_WHOLE_ONES = re.compile(
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
    """Whether it says which of two values is more, and works nothing out."""


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
    for one in comparisons_in(text[begin:end], values):
        where = begin + one.start, begin + one.end
        shown = text[slice(*where)]
        yield Computation(*where, shown, one.told, one.holds, (), Fraction(0), is_comparison=True)
    reader = Expressions(tokens, known)
    for place in _relations(tokens):
        found = _computation(text[begin:end], reader, place)
        if found and not any(one.start < found.end and found.start < one.end for one in spans):
            yield _rounded_down(found, text[begin:end], begin)


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
    tokens = mathematical_tokens(atoms_of(text))
    reader = Expressions(tokens, known or {})
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
        elif token.lower in _RESULT_WORDS:
            yield place


def _computation(text: str, reader: Expressions, place: int) -> Computation | None:
    tokens = reader.tokens
    begin, is_about = _past_fillers(tokens, place)
    left, right = reader.ending_at(place, 0), reader.starting_at(begin, len(tokens))
    if left is None or right is None:
        return None
    (ours, start), (theirs, after) = left, right
    if not _is_worked_out(reader, ours, theirs, start, place):
        return None
    is_about = is_about or tokens[place].lower in _ABOUT
    expected = _converted(ours, theirs) if _is_conversion(ours, theirs) else ours.value
    return Computation(
        tokens[start].start,
        tokens[after - 1].end,
        text[tokens[start].start : tokens[after - 1].end],
        written(expected),
        _holds(ours, theirs, is_about=is_about),
        ours.operands,
        theirs.value,
    )


def _is_worked_out(
    reader: Expressions, ours: Number, theirs: Number, start: int, place: int
) -> bool:
    """Whether two sides of a relation are a computation, and not something that looks like one."""
    tokens = reader.tokens
    is_spoken = tokens[place].lower in _RESULT_WORDS
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


def _converted(ours: Number, theirs: Number) -> Fraction:
    return ours.value * Fraction(ours.units[0].factor) / Fraction(theirs.units[0].factor)


def _holds(ours: Number, theirs: Number, *, is_about: bool) -> bool | None:
    """True and False only where nothing else can be meant."""
    if ours.operations and theirs.operations and theirs.operands[:1] == (ours.value,):
        return None  # "5 + 3 = 8 - 2": the chain goes on from its result
    mine, other = ours.value, theirs.value
    if _is_conversion(ours, theirs):
        mine = _converted(ours, theirs)
    elif ours.units and theirs.units and set(ours.units) != set(theirs.units):
        return True if _equal(mine, other, ours, theirs) else None
    shares = ours.is_share != theirs.is_share or ours.of_shares
    alike = (mine, mine * _HUNDRED, mine / _HUNDRED) if shares else (mine,)
    if any(_equal(one, other, ours, theirs) for one in alike):
        return True
    return None if _may_be_rounded(mine, other, theirs, is_about=is_about) else False


def _may_be_rounded(mine: Fraction, other: Fraction, theirs: Number, *, is_about: bool) -> bool:
    """A number with decimals may be rounded from rounded ones; a whole one up or down."""
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
