"""Numbers spelled out."""

from decimal import Decimal
from typing import NamedTuple

from groundwire.values._scan import Token, lower_at, word_list

_ONES = word_list(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
_TENS = word_list("twenty thirty forty fifty sixty seventy eighty ninety")
_ORDINAL_ONES = word_list(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_FRACTION_NAMES = word_list("third quarter fifth sixth seventh eighth ninth tenth")

SMALL = {word: Decimal(value) for value, word in enumerate(_ONES)}
TENS = {word: Decimal(10 * value) for value, word in enumerate(_TENS, start=2)}
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
ORDINALS = {word: Decimal(value) for value, word in enumerate(_ORDINAL_ONES, start=1)} | {
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
NUMBER_WORDS = frozenset({*SMALL, *TENS, *ORDINALS, *ARTICLES, *_VULGAR, "half"})
"""Every word a number may begin with."""

_THOUSAND = Decimal(1000)
_HUNDRED = Decimal(100)
_ANYTHING = Decimal(10**15)


class Spelled(NamedTuple):
    value: Decimal
    after: int
    ordinal: bool = False


class _Sum(NamedTuple):
    """A number being spelled: `room` is what may still follow ("sixty" leaves room for ones)."""

    total: Decimal = Decimal(0)
    group: Decimal = Decimal(0)
    room: Decimal = _ANYTHING


def spelled_at(tokens: list[Token], index: int) -> Spelled | None:
    """ "two hundred and twenty-five": every word up to the first that does not continue it."""
    so_far, place, after = _Sum(), index, index
    while place < len(tokens):
        word = tokens[place].lower
        if so_far.group and word in ORDINALS and ORDINALS[word] < so_far.room <= _HUNDRED:
            value = so_far.total + so_far.group + ORDINALS[word]
            return Spelled(value, place + 1, ordinal=True)
        longer = _continued(so_far, word)
        if longer is None:
            break
        so_far, after = longer, place + 1
        place = after + _is_link(lower_at(tokens, after), so_far.room)
    return Spelled(so_far.total + so_far.group, after) if after > index else None


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
