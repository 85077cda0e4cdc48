"""Arithmetic as people write it out, read into exact numbers: "12 pumps * $40", "3/4 of 80".

Only what is certainly arithmetic is read: a variable, a function or an unknown sign makes an
expression unreadable, and nothing is said of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from math import isqrt

from groundwire.model import Unit
from groundwire.text import STOP_WORDS, Atom, Kind, word_list, word_set
from groundwire.values._money import currency_after, currency_before
from groundwire.values._numerals import SCALES, numeral_at
from groundwire.values._tokens import glued, lower_at, read_digits
from groundwire.values._units import unit_at

_SILENT = frozenset({"$", "~", "&", "\u20ac", "\u00a3"})
"""Marks of typesetting and of money, which say nothing about the operation."""
_MONEY = _SILENT - {"~", "&"}
_TYPESETTING = word_set("left right boxed displaystyle quad qquad")
_COMMANDS = word_set("times cdot div frac sqrt approx") | _TYPESETTING
"""What may follow a backslash; any other command makes what has it unreadable."""
_OPENING, _CLOSING = {"(": ")", "[": "]", "{": "}"}, frozenset(")]}")
_PLUS, _MINUS = frozenset({"+", "plus"}), frozenset({"-", "\u2212", "\u2013", "minus"})
SIGNS_OF_SUMS = _PLUS | _MINUS
_TIMES = frozenset({"*", "\u00d7", "\u00b7", "\u22c5", "times", "cdot", "x", "multiplied"})
_OVER = frozenset({"/", "\u00f7", "div", "divided"})
_POWER = frozenset({"^", "**"})
_FUNCTIONS = word_set(
    "sin cos tan cot sec csc log ln lg exp gcd lcm mod max min lim det arcsin arccos arctan binom"
)
OPERATOR_WORDS = word_set("plus minus times multiplied divided of by over per and from choose cdot")
_MOST_UNIT_WORDS = 3
_LETTERS = 3
_SET_APART = frozenset({"(", ")", "[", "]", "%", "$", ",", ";", "!"})
_MOST_TOKENS = 120
_LARGEST_POWER = 64
_LONGEST_NUMBER = 10**60
_HUNDRED = Fraction(100)
_SETS = {"dozen": 12, "dozens": 12, "pair": 2, "pairs": 2}
"""How many things there are in what is counted."""
HOLDERS = word_set(
    "couple couples set sets pack packs packet packets box boxes bag bags crate crates case cases"
    " carton cartons tray trays bundle bundles batch batches row rows bottle bottles roll rolls"
)
"""What holds things that may be counted instead of it."""
SET_WORDS = HOLDERS | _SETS.keys()
_PARTS_OF = {
    "speed": {"length": 1, "time": -1},
    "area": {"length": 2},
    "volume": {"length": 3},
    "frequency": {"time": -1},
    "force": {"mass": 1, "length": 1, "time": -2},
    "pressure": {"mass": 1, "length": -1, "time": -2},
    "energy": {"mass": 1, "length": 2, "time": -2},
    "power": {"mass": 1, "length": 2, "time": -3},
    "charge": {"current": 1, "time": 1},
    "voltage": {"mass": 1, "length": 2, "time": -3, "current": -1},
    "resistance": {"mass": 1, "length": 2, "time": -3, "current": -2},
    "count": {},
    "ratio": {},
    "multiple": {},
}
"""Dimensions that are made of others; all others stand for themselves."""

Known = Mapping[str, Fraction]
"""What letters stand for: {"A": -33}."""


Dimensions = frozenset[tuple[str, int]]
"""What something is measured in, each with its power: {("length", 1), ("time", -1)}."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A value in base units, and what it is measured in; nothing where it is a bare number."""

    value: Fraction
    dimensions: Dimensions = frozenset()

    def scaled(self, by: Fraction) -> "Measured":
        return replace(self, value=self.value * by)

    def plus(self, other: "Measured", sign: int) -> "Measured | None":
        if self.dimensions != other.dimensions:
            return None
        return replace(self, value=self.value + sign * other.value)

    def times(self, other: "Measured", sign: int) -> "Measured":
        """Multiplied, or divided where the sign is negative."""
        powers = dict(self.dimensions)
        for name, power in other.dimensions:
            powers[name] = powers.get(name, 0) + sign * power
        left = frozenset((name, power) for name, power in powers.items() if power)
        return Measured(self.value * other.value**sign, left)


def measured(value: Fraction, unit: Unit) -> Measured | None:
    """Nothing for degrees, which start at no nought."""
    if unit.offset:
        return None
    top, *below = unit.dimension.split("/")
    whole = Measured(value * Fraction(unit.factor), _dimensions(top))
    for name in below:
        whole = whole.times(Measured(Fraction(1), _dimensions(name)), -1)
    return whole


def _dimensions(name: str) -> Dimensions:
    return frozenset(_PARTS_OF.get(name, {name: 1}).items())


@dataclass(frozen=True, slots=True)
class Number:
    """What an expression gives, and how it was written."""

    value: Fraction
    step: Fraction = Fraction(0)
    """What the writer rounded to; nought where it was worked out."""
    operations: int = 0
    is_share: bool = False
    """Whether it was written with a percent sign."""
    applied: int = 0
    """Of a share in it: 1 where it multiplies, 2 where it is a share "of" something."""
    of_shares: bool = False
    """Whether a percent sign stands somewhere in it."""
    divides: bool = False
    """Whether something in it is divided."""
    by_hundred: bool = False
    """Whether something in it is multiplied by 100, which makes percents of a share."""
    is_part: bool = False
    """Whether it was written as a part of a whole: "54 of 360"."""
    units: tuple[Unit, ...] = ()
    operands: tuple[Fraction, ...] = ()
    measure: Measured | None = None
    """In base units; nothing where that cannot be told."""
    is_measured: bool = False
    """Whether each number in it has a unit."""

    def joined(self, other: "Number", value: Fraction, measure: Measured | None = None) -> "Number":
        return Number(
            value,
            operations=self.operations + other.operations + 1,
            applied=max(self.applied, other.applied),
            divides=self.divides or other.divides,
            by_hundred=self.by_hundred or other.by_hundred,
            of_shares=any(one.is_share or one.of_shares for one in (self, other)),
            is_part=self.is_part or other.is_part,
            units=tuple(dict.fromkeys((*self.units, *other.units))),
            operands=(*self.operands, *other.operands),
            measure=measure,
            is_measured=self.is_measured and other.is_measured,
        )

    def plus(self, other: "Number", sign: int) -> "Number":
        both = self.measure and other.measure and self.measure.plus(other.measure, sign)
        return self.joined(other, self.value + sign * other.value, both)

    def plus_share(self, share: "Number", sign: int) -> "Number":
        """ "200 + 8 %": the share is one of what stands before it."""
        by = 1 + sign * share.value
        more = self.joined(share, self.value * by, self.measure and self.measure.scaled(by))
        return replace(more, is_measured=self.is_measured)

    def times(self, other: "Number", sign: int, *, of_whole: bool = False) -> "Number":
        """Multiplied; divided where the sign is negative."""
        both = self.measure and other.measure and self.measure.times(other.measure, sign)
        made = self.joined(other, self.value * other.value**sign, both)
        # "0.4 * 100 %" is 40 % and takes no share of anything
        has_share = any(one.is_share and one.value != 1 for one in (self, other))
        applied = max(made.applied, (2 if of_whole else 1) if has_share else 0)
        by_hundred = made.by_hundred or (sign > 0 and _HUNDRED in (self.value, other.value))
        divides = made.divides or sign < 0
        return replace(made, applied=applied, divides=divides, by_hundred=by_hundred)

    def as_percent(self) -> "Number":
        share = self.value / _HUNDRED
        return replace(
            self, value=share, step=self.step / _HUNDRED, is_share=True, measure=Measured(share)
        )

    def negated(self) -> "Number":
        return replace(
            self, value=-self.value, measure=self.measure and self.measure.scaled(Fraction(-1))
        )


_Read = tuple[Number, int] | None


def signed_money(tokens: Sequence[Atom]) -> dict[int, Unit]:
    """The currency of each number with a sign for it, by where the number starts.

    In "$12 \\times 40 = 480$" the sign sets a formula, and is no dollar.
    """
    pairs = list(pairwise(tokens))
    is_typeset = any(
        one.kind is Kind.NUMBER and two.text == "$" and two.start == one.end for one, two in pairs
    )
    found = {}
    for place, (one, two) in enumerate(pairs):
        is_sign = one.text in _MONEY and not (one.text == "$" and is_typeset)
        unit = currency_before(list(tokens), place + 1) if is_sign else None
        if unit is not None and two.kind is Kind.NUMBER:
            found[two.start] = unit[0]
    return found


def mathematical_tokens(tokens: Sequence[Atom]) -> list[Atom]:
    """The tokens without what only sets them."""
    kept = []
    for token, following in zip(tokens, [*tokens[1:], None], strict=False):
        if token.text == "\\" and following is not None:
            if following.lower not in _COMMANDS and following.text not in _SET_APART:
                kept.append(token)
        elif token.text not in _SILENT and not (
            token.lower in _TYPESETTING and len(token.text) > _LETTERS
        ):
            kept.append(token)
    return kept


@dataclass(frozen=True, slots=True)
class Expressions:
    """Reads expressions from the tokens of one text."""

    tokens: list[Atom]
    known: Known
    closed: frozenset[int] = frozenset()
    """Where tokens start that belong to a date or a time of day: no numbers to compute with."""
    money: Mapping[int, Unit] = field(default_factory=dict)
    """The currency of the numbers that have a sign for it, by where they start."""
    counts_sets: bool = True
    """Whether "3 dozen" is 36, or three of something."""
    takes_shares: bool = True
    """Whether "200 + 8 %" is 216, or 200.08."""

    def ending_at(self, end: int, begin: int) -> tuple[Number, int] | None:
        """The longest expression that ends before a token, and where it starts."""
        for start in range(max(begin, end - _MOST_TOKENS), end):
            if not self._may_start(start):
                continue
            found = self._sum(start, end)
            if found is not None and self._past_units(found[1], end) == end:
                return found[0], start
        return None

    def starting_at(self, start: int, end: int) -> tuple[Number, int] | None:
        """The longest expression from a token on, and where it stops."""
        found = self._sum(start, min(end, start + _MOST_TOKENS))
        return found if found is not None and self._may_stop(found[1]) else None

    def _may_start(self, place: int) -> bool:
        token = self.tokens[place]
        is_opening = token.text in _OPENING or token.text in _MINUS or token.lower in _HEADS
        if not is_opening and not self._is_operand(place):
            return False
        if place == 0:
            return True
        before = self.tokens[place - 1]
        if before.start in self.closed:
            return False  # "2 pm - 3 hours"
        if before.kind is Kind.WORD:
            if glued(self.tokens, place) or before.lower in OPERATOR_WORDS | _FUNCTIONS:
                return False
            return len(before.text) > 1 or before.text in {"a", "I"}
        return before.kind is not Kind.NUMBER and before.text in _BEFORE_EXPRESSION

    def _may_stop(self, place: int) -> bool:
        if place >= len(self.tokens):
            return True
        token = self.tokens[place]
        if token.kind is Kind.NUMBER:
            return False
        if token.kind is Kind.WORD:
            unit = self._unit_at(place)
            if unit is not None:
                is_rate = lower_at(self.tokens, unit[1]) == "per"
                return is_rate or self._may_stop(unit[1])
            is_operator = token.lower in (OPERATOR_WORDS - {"and", "by", "from", "over"})
            if token.lower == "of":  # "96 kg of tin", but not "5 of 12"
                is_operator = self._leads_to_operand(place + 1)
            return not (is_operator or glued(self.tokens, place) or len(token.text) == 1)
        if token.text == "\\":
            return False
        is_rate = token.text == "/" and lower_at(self.tokens, place + 1).isalpha()
        is_cut = token.text == "." and lower_at(self.tokens, place + 1) == "."
        return is_rate or (token.text in _AFTER_EXPRESSION and not is_cut)

    def _leads_to_operand(self, place: int) -> bool:
        place += lower_at(self.tokens, place) in {"the", "these", "all", "its"}
        return place < len(self.tokens) and (
            self._is_operand(place) or self.tokens[place].kind is not Kind.WORD
        )

    def _unit_at(self, place: int) -> tuple[Unit, int] | None:
        """A letter close to its number is more often a variable than a unit: "3L", "30h"."""
        if place >= len(self.tokens) or self.tokens[place].kind is not Kind.WORD:
            return None
        is_letter = len(self.tokens[place].text) == 1
        if is_letter and (glued(self.tokens, place) or lower_at(self.tokens, place + 1) == "^"):
            return None
        found = currency_after(self.tokens, place) or unit_at(self.tokens, place)
        if found is None and lower_at(self.tokens, place + 1) in _AFTER_UNITS:
            return unit_at(self.tokens[: place + 1], place)  # "1.5 h is 90 minutes"
        return found

    def _is_operand(self, place: int) -> bool:
        token = self.tokens[place]
        if token.start in self.closed:
            return False
        if token.kind is Kind.NUMBER:
            return True
        return token.text in self.known or (
            token.kind is Kind.WORD and numeral_at(self.tokens, place) is not None
        )

    def _sum(self, place: int, end: int) -> _Read:
        found = self._product(place, end)
        while found is not None and found[1] < end:
            number, after = found
            sign = lower_at(self.tokens, after)
            if sign not in _PLUS | _MINUS:
                break
            other = self._product(after + 1, end)
            if other is None:
                break
            found = self._added(number, other[0], 1 if sign in _PLUS else -1), other[1]
        return found

    def _added(self, number: Number, other: Number, sign: int) -> Number:
        if other.is_share and not number.is_share and self.takes_shares:
            return number.plus_share(other, sign)
        if other.applied == 1 and not (number.of_shares or self.takes_shares):
            return number.plus_share(other, sign)  # "100 + 10 % * 2 = 120"
        if number.is_share and not (other.is_share or other.units or self.takes_shares):
            other = other.as_percent()  # "20 % + 5 = 25 %"
        both = number.plus(other, sign)
        # "5 % + 3 %" is a share as well
        return replace(both, is_share=number.is_share and other.is_share)

    def _product(self, place: int, end: int) -> _Read:
        found, divided = self._power(place, end), False
        while found is not None and found[1] < end:
            number, after = found
            step = self._factor(after, end)
            if step is None or abs(number.value) > _LONGEST_NUMBER:
                break
            other, is_division, behind = step
            if divided and self.tokens[after].text in _OPENING:
                return None  # "343/4(131)" is read one way or the other
            place_of_sign = after
            is_part = lower_at(self.tokens, after) == "of" and is_division
            divided, after = divided or is_division, behind
            if is_division and not other.value:
                return None
            is_whole = lower_at(self.tokens, place_of_sign) == "of"
            joined = number.times(other, -1 if is_division else 1, of_whole=is_whole)
            found = replace(joined, is_part=joined.is_part or is_part), after
        return found

    def _factor(self, place: int, end: int) -> tuple[Number, bool, int] | None:
        """What is multiplied or divided by next: also "50 % of 80" and "2(3 + 4)"."""
        sign = lower_at(self.tokens, place)
        if sign == "x" and glued(self.tokens, place) != glued(self.tokens, place + 1):
            return None  # "36x - 16"
        if sign in _TIMES | _OVER:
            place += 1 + (lower_at(self.tokens, place + 1) == "by")
            is_division = sign in _OVER
        elif sign == "of" and self._is_share_before(place):
            place, is_division = place + 1 + (lower_at(self.tokens, place + 1) == "the"), False
        elif sign == "of" and self._is_operand(place + 1):
            place, is_division = place + 1, True
        elif sign in _OPENING and sign != "[" and glued(self.tokens, place):
            is_division = False
        else:
            return None
        found = self._power(place, end)
        return None if found is None else (found[0], is_division, found[1])

    def _is_share_before(self, place: int) -> bool:
        before = lower_at(self.tokens, place - 1)
        if before in {"%", "percent", "half", "third", "quarter", ")", "}"}:
            return True
        return before.endswith(("thirds", "quarters", "fifths", "tenths", "eighths")) or (
            lower_at(self.tokens, place - 2) == "/"
        )

    def _power(self, place: int, end: int) -> _Read:
        if place >= end:
            return None
        if self.tokens[place].text in _MINUS:
            found = self._power(place + 1, end)
            return found and (found[0].negated(), found[1])
        base = self._primary(place, end)
        if base is None or base[1] >= end or self.tokens[base[1]].text not in _POWER:
            return base
        raised = self._primary(base[1] + 1, end)
        if raised is None or raised[0].value.denominator != 1:
            return None
        exponent = int(raised[0].value)
        if abs(exponent) > _LARGEST_POWER or (exponent < 0 and not base[0].value):
            return None
        return base[0].joined(raised[0], base[0].value ** exponent), raised[1]

    def _primary(self, place: int, end: int) -> _Read:
        if place >= end:
            return None
        if currency_before(self.tokens, place + 1) is not None:
            return self._primary(place + 1, end)  # "12 * EUR 40"
        token = self.tokens[place]
        if token.text in _OPENING:
            return self._group(place, end)
        if token.lower in _SPOKEN:
            found = self._spoken(place, end)
            if found is not None:
                return found
        if token.lower in {"frac", "sqrt"}:
            return (self._fraction if token.lower == "frac" else self._root)(place, end)
        return self._plain(place, end)

    def _plain(self, place: int, end: int) -> _Read:
        token = self.tokens[place]
        if token.text in self.known and not glued(self.tokens, place + 1):
            value = self.known[token.text]
            return _bare(value), place + 1
        number = self._number(place)
        if number is None:
            return None
        money = self.money.get(token.start)
        found = self._with_unit(*number, end)
        return found if money is None else (_in_unit(number[0], money), found[1])

    def _group(self, place: int, end: int) -> _Read:
        found = self._sum(place + 1, end)
        closing = _OPENING[self.tokens[place].text]
        if found is None or found[1] >= end or self.tokens[found[1]].text != closing:
            return None
        return self._with_unit(found[0], found[1] + 1, end)

    def _fraction(self, place: int, end: int) -> _Read:
        top = self._primary(place + 1, end)
        below = None if top is None else self._primary(top[1], end)
        if top is None or below is None or not below[0].value:
            return None
        return top[0].times(below[0], -1), below[1]

    def _root(self, place: int, end: int) -> _Read:
        found = self._primary(place + 1, end)
        root = None if found is None else _exact_root(found[0].value)
        return (
            None if found is None or root is None else (found[0].joined(found[0], root), found[1])
        )

    def _number(self, place: int) -> tuple[Number, int] | None:
        token = self.tokens[place]
        if token.start in self.closed:
            return None
        if token.kind is Kind.NUMBER:
            readings = read_digits(token.text)
            if not readings:
                return None
            value, step = map(Fraction, readings[0])
            scale, after = self._scale(place + 1)
            return _bare(value * scale, step * scale), after
        numeral = numeral_at(self.tokens, place) if token.kind is Kind.WORD else None
        if numeral is None or numeral.ordinal or token.lower in {"a", "an"}:
            return None
        value = Fraction(numeral.value).limit_denominator(10**6)
        if lower_at(self.tokens, numeral.after - 1) in _SETS:  # "three dozen"
            return _bare(value if self.counts_sets else value / 12), numeral.after
        scale, after = self._scale(numeral.after)
        return _bare(value * scale), after

    def _scale(self, place: int) -> tuple[Fraction, int]:
        """What a number is multiplied by, and the index after it: "million", "dozen"."""
        word = lower_at(self.tokens, place)
        if word in _SETS:
            place += 1 + (lower_at(self.tokens, place + 1) == "of")
            return Fraction(_SETS[word] if self.counts_sets else 1), place
        scale = SCALES.get(word) if self.tokens[place - 1].kind is Kind.NUMBER else None
        return (Fraction(1), place) if scale is None else (Fraction(scale), place + 1)

    def _with_unit(self, number: Number, place: int, end: int) -> tuple[Number, int]:
        if lower_at(self.tokens, place) in {"%", "percent"} and place < end:
            share = replace(number.as_percent(), is_measured=True)
            return share, self._past_units(place + 1, end)
        found = self._unit_at(place) if place < end else None
        if found is not None and found[1] <= end and self.tokens[place].text != "x":
            return _in_unit(number, found[0]), found[1]
        return number, self._past_units(place, end)

    def _past_units(self, place: int, end: int) -> int:
        """After what is counted, where an operation or the end follows it: "12 pumps * 4"."""
        after = place
        while after < end and after - place < _MOST_UNIT_WORDS and self._counts(after):
            after += 1
        sign = lower_at(self.tokens, after)
        goes_on = after >= end or sign in _CLOSING or sign in _SIGNS
        return after if goes_on else place

    def _counts(self, place: int) -> bool:
        token = self.tokens[place]
        is_word = token.kind is Kind.WORD and len(token.text) > 1 and token.text.isalpha()
        return is_word and not (
            token.lower in OPERATOR_WORDS | _FUNCTIONS | _NO_UNITS
            or self._is_operand(place)
            or glued(self.tokens, place)
        )

    def _spoken(self, place: int, end: int) -> _Read:
        """ "the sum of 3, 4 and 5", "dividing 480 by 12"."""
        word = lower_at(self.tokens, place)
        form = _SPOKEN[word]
        listed = self._listed(place + 1, end, form.openings, form.joints)
        if listed is None or not form.least <= len(listed[0]) <= form.most:
            return None
        numbers, after = listed
        value = form.work_out([one.value for one in numbers])
        if value is None:
            return None
        whole = numbers[0]
        for number in numbers[1:]:
            whole = whole.joined(number, value)
        measure = _together(form, numbers)
        operations = max(1, whole.operations)
        return replace(whole, value=value, operations=operations, measure=measure), after

    def _listed(
        self, place: int, end: int, openings: frozenset[str], joints: frozenset[str]
    ) -> tuple[list[Number], int] | None:
        if openings:
            if lower_at(self.tokens, place) not in openings:
                return None
            place += 1
        numbers: list[Number] = []
        while place < end:
            place += lower_at(self.tokens, place) in {"the", "these", "all"}
            found = self._power(place, end)
            if found is None:
                return None
            numbers.append(found[0])
            place = self._past_nouns(found[1], end, joints)
            if lower_at(self.tokens, place) not in joints:
                return numbers, place
            place += 1
            place += lower_at(self.tokens, place) in joints
        return None

    def _past_nouns(self, place: int, end: int, joints: frozenset[str]) -> int:
        after = place
        while after < end and after - place < _MOST_UNIT_WORDS and self._counts(after):
            after += 1
        return after if lower_at(self.tokens, after) in joints else place


def _bare(value: Fraction, step: Fraction = Fraction(0)) -> Number:
    return Number(value, step, operands=(value,), measure=Measured(value))


def _in_unit(number: Number, unit: Unit) -> Number:
    is_bare = number.measure is not None and not number.measure.dimensions
    measure = measured(number.value, unit) if is_bare else None
    return replace(number, units=(*number.units, unit), measure=measure, is_measured=True)


def _exact_root(value: Fraction) -> Fraction | None:
    """Of a perfect square; others are no exact number."""
    if value < 0:
        return None
    top, below = isqrt(value.numerator), isqrt(value.denominator)
    return (
        Fraction(top, below)
        if top**2 == value.numerator and below**2 == value.denominator
        else None
    )


Values = Sequence[Fraction]


@dataclass(frozen=True, slots=True)
class _Form:
    """A word that names an operation, and how its operands are joined."""

    work_out: Callable[[Values], Fraction | None]
    openings: frozenset[str]
    joints: frozenset[str]
    least: int = 2
    most: int = 12
    is_additive: bool = True
    """Whether its operands and its result are of one dimension."""


def _together(form: _Form, numbers: Sequence[Number]) -> Measured | None:
    """What a named operation gives in base units."""
    measures = [one.measure for one in numbers if one.measure is not None]
    dimensions = {one.dimensions for one in measures}
    if len(measures) < len(numbers) or len(dimensions) > 1:
        return None
    value = form.work_out([one.value for one in measures])
    (kind,) = dimensions
    return None if value is None or (kind and not form.is_additive) else Measured(value, kind)


def _product_of(values: Values) -> Fraction:
    whole = Fraction(1)
    for value in values:
        whole *= value
    return whole


def _quotient(values: Values) -> Fraction | None:
    return values[0] / values[1] if values[1] else None


_OF, _LIST = frozenset({"of", ":"}), frozenset({",", "and", "+", "&"})
_SPOKEN: dict[str, _Form] = {
    **dict.fromkeys(("sum", "total"), _Form(lambda v: sum(v, Fraction(0)), _OF, _LIST)),
    **dict.fromkeys(("average", "mean"), _Form(lambda v: sum(v, Fraction(0)) / len(v), _OF, _LIST)),
    "product": _Form(_product_of, _OF, _LIST, is_additive=False),
    "difference": _Form(
        lambda v: abs(v[0] - v[1]), frozenset({"between", "of"}), frozenset({"and"}), most=2
    ),
    **{
        word: form
        for words, form in (
            (("adding", "add"), _Form(lambda v: sum(v, Fraction(0)), frozenset(), _LIST | {"to"})),
            (
                ("subtracting", "subtract"),
                _Form(lambda v: v[1] - v[0], frozenset(), frozenset({"from"}), most=2),
            ),
            (
                ("multiplying", "multiply"),
                _Form(
                    _product_of,
                    frozenset(),
                    frozenset({"by", "with", "and"}),
                    most=2,
                    is_additive=False,
                ),
            ),
            (
                ("dividing", "divide"),
                _Form(_quotient, frozenset(), frozenset({"by"}), most=2, is_additive=False),
            ),
        )
        for word in words
    },
}
_HEADS = _SPOKEN.keys() | {"frac", "sqrt"}
_SIGNS = _PLUS | _MINUS | _TIMES | _OVER | _POWER | {"=", "\u2248", "approx", "equals"}
RESULT_WORDS = word_set(
    "is are gives give makes make leaves yields totals was were get gets equals"
)
_AFTER_UNITS = RESULT_WORDS | word_set("plus minus times multiplied divided")
_NO_UNITS = STOP_WORDS | word_set("gives give makes make leaves yields get gets equals equal")
_BEFORE_EXPRESSION = frozenset(
    {"=", "\u2248", ",", ":", ";", ".", "?", "!", '"', "'", "(", "\u201c"}
)
_AFTER_EXPRESSION = frozenset(
    word_list(". , ; : ? ! ) ] } = \u2248 \" ' \u201d < > \u2264 \u2265 \u2192")
)
