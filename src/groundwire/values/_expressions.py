"""Arithmetic as people write it out, read into exact numbers: "12 pumps * $40", "3/4 of 80".

Only what is certainly arithmetic is read: a variable, a function or an unknown sign makes an
expression unreadable, and nothing is said of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isqrt

from groundwire.model import Unit
from groundwire.text import STOP_WORDS, Atom, Kind, word_list, word_set
from groundwire.values._money import currency_after, currency_before
from groundwire.values._numerals import SCALES, numeral_at
from groundwire.values._tokens import glued, lower_at, read_digits
from groundwire.values._units import unit_at

_SILENT = frozenset({"$", "~", "&", "\u20ac", "\u00a3"})
"""Marks of typesetting and of money, which say nothing about the operation."""
_TYPESETTING = word_set("left right boxed displaystyle quad qquad")
_COMMANDS = word_set("times cdot div frac sqrt approx") | _TYPESETTING
"""What may follow a backslash; any other command makes what has it unreadable."""
_OPENING, _CLOSING = {"(": ")", "[": "]", "{": "}"}, frozenset(")]}")
_PLUS, _MINUS = frozenset({"+", "plus"}), frozenset({"-", "\u2212", "\u2013", "minus"})
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

Known = Mapping[str, Fraction]
"""What letters stand for: {"A": -33}."""


@dataclass(frozen=True, slots=True)
class Number:
    """What an expression gives, and how it was written."""

    value: Fraction
    step: Fraction = Fraction(0)
    """What the writer rounded to; nought where it was worked out."""
    operations: int = 0
    is_share: bool = False
    """Whether it was written with a percent sign."""
    of_shares: bool = False
    """Whether a percent sign stands somewhere in it."""
    is_part: bool = False
    """Whether it was written as a part of a whole: "54 of 360"."""
    units: tuple[Unit, ...] = ()
    operands: tuple[Fraction, ...] = ()

    def joined(self, other: "Number", value: Fraction) -> "Number":
        return Number(
            value,
            operations=self.operations + other.operations + 1,
            of_shares=any(one.is_share or one.of_shares for one in (self, other)),
            is_part=self.is_part or other.is_part,
            units=tuple(dict.fromkeys((*self.units, *other.units))),
            operands=(*self.operands, *other.operands),
        )


_Read = tuple[Number, int] | None


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
        return currency_after(self.tokens, place) or unit_at(self.tokens, place)

    def _is_operand(self, place: int) -> bool:
        token = self.tokens[place]
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
            by = other[0].value if sign in _PLUS else -other[0].value
            found = number.joined(other[0], number.value + by), other[1]
        return found

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
            is_part = lower_at(self.tokens, after) == "of" and is_division
            divided, after = divided or is_division, behind
            if is_division and not other.value:
                return None
            value = number.value / other.value if is_division else number.value * other.value
            joined = number.joined(other, value)
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
            return found and (replace(found[0], value=-found[0].value), found[1])
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
            return Number(value, operands=(value,)), place + 1
        number = self._number(place)
        return None if number is None else self._with_unit(*number, end)

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
        return top[0].joined(below[0], top[0].value / below[0].value), below[1]

    def _root(self, place: int, end: int) -> _Read:
        found = self._primary(place + 1, end)
        root = None if found is None else _exact_root(found[0].value)
        return (
            None if found is None or root is None else (found[0].joined(found[0], root), found[1])
        )

    def _number(self, place: int) -> tuple[Number, int] | None:
        token = self.tokens[place]
        if token.kind is Kind.NUMBER:
            readings = read_digits(token.text)
            if not readings:
                return None
            value, step = map(Fraction, readings[0])
            word = lower_at(self.tokens, place + 1)
            scale = SCALES.get(word) if word != "dozen" else None
            after = place + 1
            if scale is not None:
                value, step, after = value * Fraction(scale), step * Fraction(scale), after + 1
            return Number(value, step, operands=(value,)), after
        numeral = numeral_at(self.tokens, place) if token.kind is Kind.WORD else None
        if numeral is None or numeral.ordinal or token.lower in {"a", "an"}:
            return None
        value = Fraction(numeral.value).limit_denominator(10**6)
        return Number(value, operands=(value,)), numeral.after

    def _with_unit(self, number: Number, place: int, end: int) -> tuple[Number, int]:
        if lower_at(self.tokens, place) in {"%", "percent"} and place < end:
            value, step = number.value / _HUNDRED, number.step / _HUNDRED
            return replace(number, value=value, step=step, is_share=True), place + 1
        found = self._unit_at(place) if place < end else None
        if found is not None and found[1] <= end and self.tokens[place].text != "x":
            return replace(number, units=(*number.units, found[0])), found[1]
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
        return replace(whole, value=value, operations=max(1, whole.operations)), after

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
    "product": _Form(_product_of, _OF, _LIST),
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
                _Form(_product_of, frozenset(), frozenset({"by", "with", "and"}), most=2),
            ),
            (
                ("dividing", "divide"),
                _Form(_quotient, frozenset(), frozenset({"by"}), most=2),
            ),
        )
        for word in words
    },
}
_HEADS = _SPOKEN.keys() | {"frac", "sqrt"}
_SIGNS = _PLUS | _MINUS | _TIMES | _OVER | _POWER | {"=", "\u2248", "approx", "equals"}
_NO_UNITS = STOP_WORDS | word_set("gives give makes make leaves yields get gets equals equal")
_BEFORE_EXPRESSION = frozenset(
    {"=", "\u2248", ",", ":", ";", ".", "?", "!", '"', "'", "(", "\u201c"}
)
_AFTER_EXPRESSION = frozenset(
    word_list(". , ; : ? ! ) ] } = \u2248 \" ' \u201d < > \u2264 \u2265 \u2192")
)
