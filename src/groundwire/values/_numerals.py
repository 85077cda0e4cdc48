"""Numbers in figures and in words."""

import unicodedata
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple

from groundwire.model import ONES, ORDINAL_ONES, TEN_NAMES
from groundwire.text import Atom, Kind, word_list
from groundwire.values._tokens import (
    SUFFIXES,
    Precise,
    glued,
    is_number,
    lower_at,
    read_digits,
    spaced_groups,
)

_FRACTION_NAMES = word_list("third quarter fifth sixth seventh eighth ninth tenth")

SMALL = {word: Decimal(value) for value, word in enumerate(ONES)} | {
    word: Decimal(0) for word in ("nought", "naught")
}
TENS = {word: Decimal(10 * value) for value, word in enumerate(TEN_NAMES, start=2)}
SCALES = {
    word: Decimal(size)
    for word, size in {
        "dozen": 12,
        "hundred": 10**2,
        "thousand": 10**3,
        "lakh": 10**5,
        "million": 10**6,
        "mln": 10**6,
        "mn": 10**6,
        "crore": 10**7,
        "billion": 10**9,
        "bn": 10**9,
        "trillion": 10**12,
        "tn": 10**12,
    }.items()
}
ORDINALS = {word: Decimal(value) for value, word in enumerate(ORDINAL_ONES, start=1)} | {
    word.removesuffix("y") + "ieth": value for word, value in TENS.items()
}
_DENOMINATORS = {name: Decimal(value) for value, name in enumerate(_FRACTION_NAMES, start=3)}
FRACTIONS = (
    _DENOMINATORS
    | {name + "s": value for name, value in _DENOMINATORS.items()}
    | {"half": Decimal(2), "halves": Decimal(2)}
)
ARTICLES = frozenset({"a", "an"})
_VULGAR = frozenset(chr(code) for code in (*range(0xBC, 0xBF), *range(0x2150, 0x215F)))
REPEATS = {"twice": Decimal(2), "thrice": Decimal(3)}


def whole_number(word: str) -> int | None:
    """A single word as a whole number: "12", "four"; None for any other."""
    if word.isdecimal():
        return int(word)
    value = SMALL.get(word, TENS.get(word))
    return None if value is None else int(value)


NUMBER_WORDS = frozenset({*SMALL, *TENS, *ORDINALS, *ARTICLES, *_VULGAR, *REPEATS, "half"})
"""Every word a number may begin with."""

_THOUSAND = Decimal(1000)
_HUNDRED = Decimal(100)
_ANYTHING = Decimal(10**15)


class _Sum(NamedTuple):
    """A number being spelled: `room` is what may still follow ("sixty" leaves room for ones)."""

    total: Decimal = Decimal(0)
    group: Decimal = Decimal(0)
    room: Decimal = _ANYTHING


def _continued(so_far: _Sum, word: str) -> _Sum | None:
    total, group, room = so_far
    if word in SMALL and SMALL[word] < room:
        return _Sum(total, group + SMALL[word], Decimal(0))
    if word in TENS and room >= _HUNDRED:
        return _Sum(total, group + TENS[word], Decimal(10))
    if word == "hundred" and 0 < group < _HUNDRED:
        return _Sum(total, group * _HUNDRED, _HUNDRED)
    if group and word in SCALES and SCALES[word] >= _THOUSAND and total < _ANYTHING:
        return _Sum(total + group * SCALES[word], Decimal(0), _THOUSAND)
    return None


def _is_link(word: str, room: Decimal) -> bool:
    return word == "-" or (word == "and" and room >= _HUNDRED)


LETTER_SCALES = {
    letter: Decimal(10) ** power
    for letter, power in {"k": 3, "K": 3, "m": 6, "M": 6, "b": 9, "B": 9}.items()
}
_SCORE = Decimal(20)
_GROSS = Decimal(144)
_HALF = Decimal("0.5")
_TENTH = Decimal("0.1")
_HUNDREDTH = Decimal("0.01")
_ONE = Decimal(1)
_TEN = Decimal(10)
_MAX_EXPONENT = 30
_MAX_DENOMINATOR = 100
_ABBREVIATED = frozenset({"mn", "mln", "bn", "tn"})


@dataclass(frozen=True, slots=True)
class Numeral:
    """A bare number: its readings (value and precision) and the index of the token after it."""

    readings: tuple[Precise, ...]
    after: int
    ordinal: bool = False
    fraction: bool = False
    weak: bool = False

    @property
    def value(self) -> Decimal:
        return self.readings[0][0]

    def scaled(self, factor: Decimal, after: int) -> "Numeral":
        readings = tuple((value * factor, step * abs(factor)) for value, step in self.readings)
        return replace(self, readings=readings, after=after, weak=False)


def numeral_at(tokens: list[Atom], index: int) -> Numeral | None:
    """The number that starts at a token: digits, words, fractions, and their magnitude."""
    is_digits = tokens[index].kind is Kind.NUMBER
    found = _digits(tokens, index) if is_digits else _words(tokens, index)
    if found is None or found.ordinal:
        return found
    scaled = _score(tokens, index, _with_scale(tokens, found))
    halved = _and_a_half(tokens, scaled)
    return scaled if halved is scaled else _with_scale(tokens, halved)


def _digits(tokens: list[Atom], index: int) -> Numeral | None:
    text, after = spaced_groups(tokens, index)
    readings = read_digits(text)
    if not readings:
        return None
    if glued(tokens, after) and tokens[after].lower in SUFFIXES:
        return Numeral(readings, after + 1, ordinal=True)
    return _bar(tokens, readings, after) or _power_of_ten(tokens, Numeral(readings, after))


def _bar(tokens: list[Atom], readings: tuple[Precise, ...], after: int) -> Numeral | None:
    """ "3/4"."""
    if lower_at(tokens, after) not in {"/", "\u2044"} or not is_number(tokens, after + 1):
        return None
    below = read_digits(tokens[after + 1].text)
    if not below or not glued(tokens, after) or not glued(tokens, after + 1):
        return None
    top, bottom = readings[0][0], below[0][0]
    return _fraction(top / bottom, after + 2) if 0 < top < bottom <= _MAX_DENOMINATOR else None


def _power_of_ten(tokens: list[Atom], found: Numeral) -> Numeral:
    """ "1.5e6", "1.5 x 10^6"."""
    place = found.after
    if lower_at(tokens, place) == "e" and glued(tokens, place):
        place += 1
    elif [token.text for token in tokens[place : place + 3]] in (
        ["\u00d7", "10", "^"],
        ["x", "10", "^"],
    ):
        place += 3
    else:
        return found
    is_negative = lower_at(tokens, place) in {"-", "\u2212"}
    place += is_negative or lower_at(tokens, place) == "+"
    digits = tokens[place].text if is_number(tokens, place) and glued(tokens, place) else ""
    if not digits.isdigit() or int(digits) > _MAX_EXPONENT:
        return found
    return found.scaled(Decimal(1).scaleb(-int(digits) if is_negative else int(digits)), place + 1)


def _words(tokens: list[Atom], index: int) -> Numeral | None:
    token = tokens[index]
    vulgar = _vulgar(token)
    if vulgar is not None:
        return _fraction(vulgar, index + 1)
    if token.lower in ORDINALS:
        return Numeral(((ORDINALS[token.lower], _ONE),), index + 1, ordinal=True, weak=True)
    if token.lower in ARTICLES or token.lower == "half":
        return _spoken_fraction(tokens, index) or _a_scale(tokens, index)
    return _spoken_fraction(tokens, index) or _spelled(tokens, index)


def _vulgar(token: Atom) -> Decimal | None:
    """ "½"."""
    if len(token.text) != 1 or unicodedata.category(token.text) != "No":
        return None
    value = unicodedata.numeric(token.text)
    return Decimal(str(round(value, 6))) if 0 < value < 1 else None


def _spoken_fraction(tokens: list[Atom], index: int) -> Numeral | None:
    """ "half", "a third", "two-thirds", "three quarters"."""
    word = tokens[index].lower
    if word == "half":
        return replace(_fraction(_HALF, index + 1), weak=True)
    top = _ONE if word in ARTICLES else SMALL.get(word, Decimal(0))
    place = index + 1 + (lower_at(tokens, index + 1) == "-")
    part = lower_at(tokens, place)
    below = FRACTIONS.get(part)
    if below is None or not 0 < top < below or (top > 1 and not part.endswith("s")):
        return None
    return replace(_fraction(top / below, place + 1), weak=word in ARTICLES)


def _fraction(value: Decimal, after: int) -> Numeral:
    # people say "a third" for anything from 32 to 35 percent
    return Numeral(((value, value / 10),), after, fraction=True)


def _a_scale(tokens: list[Atom], index: int) -> Numeral | None:
    """ "a million", "a dozen", "a couple of"."""
    scale = lower_at(tokens, index + 1)
    counted = lower_at(tokens, index + 3)
    if scale == "score" and lower_at(tokens, index + 2) == "of" and counted.isalpha():
        is_result = counted in SMALL or counted in TENS  # "a score of two to one"
        return None if is_result else Numeral(((_ONE, _ONE),), index + 1)
    if scale == "couple" and lower_at(tokens, index + 2) == "of":
        return Numeral(((Decimal(2), _ONE),), index + 3, weak=True)
    if _is_gross(tokens, index + 1):
        return Numeral(((_GROSS, _ONE),), index + 2)
    if scale not in SCALES or scale in _ABBREVIATED:
        return None
    return Numeral(((_ONE, _ONE),), index + 1)


def _spelled(tokens: list[Atom], index: int) -> Numeral | None:
    """ "two hundred and twenty-five": every word up to the first that does not continue it."""
    so_far, place, after = _Sum(), index, index
    while place < len(tokens):
        word = tokens[place].lower
        if so_far.group and word in ORDINALS and ORDINALS[word] < so_far.room <= _HUNDRED:
            value = so_far.total + so_far.group + ORDINALS[word]
            return Numeral(((value, _ONE),), place + 1, ordinal=True)
        longer = _continued(so_far, word)
        if longer is None:
            break
        so_far, after = longer, place + 1
        place = after + _is_link(lower_at(tokens, after), so_far.room)
    value = so_far.total + so_far.group
    if after == index:
        return None
    return _with_decimals(tokens, value, after) or Numeral(((value, _ONE),), after, weak=value <= 1)


def _with_decimals(tokens: list[Atom], value: Decimal, after: int) -> Numeral | None:
    """ "nought point three", "two point seven five"."""
    if lower_at(tokens, after) != "point":
        return None
    digits, place = "", after + 1
    while (digit := SMALL.get(lower_at(tokens, place), _TEN)) < _TEN:
        digits, place = f"{digits}{digit}", place + 1
    if not digits:
        return None
    return Numeral(((Decimal(f"{value}.{digits}"), Decimal(1).scaleb(-len(digits))),), place)


def _is_gross(tokens: list[Atom], index: int) -> bool:
    """ "a gross of buttons"; "gross weight" is none."""
    return lower_at(tokens, index) == "gross" and lower_at(tokens, index + 1) == "of"


def _with_scale(tokens: list[Atom], found: Numeral) -> Numeral:
    """ "1.2 million", "three hundred thousand", "half a million"."""
    place = found.after
    if found.fraction and lower_at(tokens, place) in {"of", "a"}:
        place += lower_at(tokens, place) == "of"
        scale = SCALES.get(lower_at(tokens, place + 1)) if lower_at(tokens, place) == "a" else None
        return replace(found.scaled(scale, place + 2), fraction=False) if scale else found
    for _ in range(2):
        place = found.after + (lower_at(tokens, found.after) == "-")
        scale = _GROSS if _is_gross(tokens, place) else SCALES.get(lower_at(tokens, place))
        if scale is None:
            break
        found = found.scaled(scale, place + 1)
        if scale in {SCALES["dozen"], _GROSS}:
            found = _and_ones(tokens, found, scale)
    return found


def _and_ones(tokens: list[Atom], found: Numeral, scale: Decimal) -> Numeral:
    """ "two dozen and one" are 25, each counted."""
    more = SMALL.get(lower_at(tokens, found.after + 1), Decimal(0))
    is_more = lower_at(tokens, found.after) == "and" and 0 < more < scale
    readings = tuple((value + more * is_more, _ONE) for value, _ in found.readings)
    return replace(found, readings=readings, after=found.after + 2 * is_more)


def _score(tokens: list[Atom], index: int, found: Numeral) -> Numeral:
    """ "three score", but not "a 12 score"."""
    is_spelled = tokens[index].kind is Kind.WORD and not found.fraction
    is_score = is_spelled and lower_at(tokens, found.after) == "score"
    return found.scaled(_SCORE, found.after + 1) if is_score else found


def _and_a_half(tokens: list[Atom], found: Numeral) -> Numeral:
    """ "two and a half", "2½", "three and a quarter", "one and three quarters"."""
    after = found.after
    if found.fraction or after >= len(tokens):
        return found
    vulgar = _vulgar(tokens[after]) if tokens[after].kind is Kind.WORD else None
    if vulgar is not None:
        return Numeral(((found.value + vulgar, _TENTH),), after + 1)
    if lower_at(tokens, after) not in {"and", "-"}:
        return found
    places = [p for p in range(after, min(after + 6, len(tokens))) if tokens[p].text != "-"][:3]
    words = [tokens[place].lower for place in places]
    if words == ["and", "a", "half"]:
        return Numeral(((found.value + _HALF, _TENTH),), places[-1] + 1)
    part = part_at(tokens, places[1]) if words[:1] == ["and"] and words[2:] else None
    return Numeral(((found.value + part.value, _HUNDREDTH),), part.after) if part else found


def part_at(tokens: list[Atom], index: int) -> Numeral | None:
    """What "two and" goes on with: "a half", "three quarters", not "a third of the rest"."""
    part = _spoken_fraction(tokens, index)
    return None if part is None or lower_at(tokens, part.after) == "of" else part
