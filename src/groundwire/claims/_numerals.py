"""Numbers as digits and as words, before any unit or bound."""

import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from groundwire.claims._scan import Kind, Token, glued

MAX_DIGITS = 30
"""A longer run of digits is a string to copy, not a number to compare."""

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
SMALL = {word: Decimal(value) for value, word in enumerate(_ONES)}
TENS = {word: Decimal(value * 10) for value, word in enumerate(_TENS, start=2)} | {
    "fourty": Decimal(40)
}
SCALES = {
    "hundred": Decimal(100),
    "thousand": Decimal(10**3),
    "lakh": Decimal(10**5),
    "million": Decimal(10**6),
    "mln": Decimal(10**6),
    "mn": Decimal(10**6),
    "crore": Decimal(10**7),
    "billion": Decimal(10**9),
    "bn": Decimal(10**9),
    "trillion": Decimal(10**12),
    "tn": Decimal(10**12),
    "dozen": Decimal(12),
}
LETTER_SCALES = {"k": 3, "K": 3, "m": 6, "M": 6, "b": 9, "B": 9}
_ORDINAL_ONES = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
    " thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
ORDINALS = {word: Decimal(value) for value, word in enumerate(_ORDINAL_ONES) if value} | {
    word.removesuffix("y") + "ieth": value for word, value in TENS.items()
}
_FRACTION_PARTS = {
    word: value for word, value in ORDINALS.items() if value > 2 and value <= 10
} | {"quarter": Decimal(4)}
FRACTIONS = (
    _FRACTION_PARTS
    | {word + "s": value for word, value in _FRACTION_PARTS.items()}
    | {"half": Decimal(2), "halves": Decimal(2)}
)
ARTICLES = {"a", "an"}
_VULGAR = {chr(code) for code in range(0xBC, 0xBF)} | {chr(code) for code in range(0x2150, 0x215F)}
NUMBER_WORDS = frozenset(SMALL | TENS | ORDINALS | dict.fromkeys(ARTICLES | _VULGAR | {"half"}))
"""Every word a number may begin with."""


@dataclass(frozen=True, slots=True)
class Numeral:
    """A bare number: its readings (value and precision) and the token after it."""

    readings: tuple[tuple[Decimal, Decimal], ...]
    after: int
    ordinal: bool = False
    fraction: bool = False
    weak: bool = False

    @property
    def value(self) -> Decimal:
        return self.readings[0][0]

    def scaled(self, factor: Decimal, after: int) -> "Numeral":
        readings = tuple((value * factor, step * factor) for value, step in self.readings)
        return Numeral(readings, after, self.ordinal, self.fraction)


def numeral_at(tokens: list[Token], index: int) -> Numeral | None:
    """The number that starts at a token: digits, words, fractions, and their magnitude."""
    token = tokens[index]
    found = _digits(tokens, index) if token.kind is Kind.NUMBER else _words(tokens, index)
    if found is None or found.ordinal:
        return found
    return _with_fraction(tokens, _with_scale(tokens, found))


def read_digits(text: str) -> tuple[tuple[Decimal, Decimal], ...]:
    """Every way to read a run of digits and separators, the likeliest first."""
    if len(text) > MAX_DIGITS + 10:
        return ()
    plain = text.replace("'", "").replace("\u2019", "").replace("\u00b7", ".")
    dots, commas = plain.count("."), plain.count(",")
    if not dots and not commas:
        return (_reading(plain),)
    if dots and commas:
        return _both_separators(plain)
    return _one_separator(plain, "." if dots else ",")


def _both_separators(text: str) -> tuple[tuple[Decimal, Decimal], ...]:
    decimal_mark = max(".,", key=text.rfind)
    grouping = "," if decimal_mark == "." else "."
    if text.count(decimal_mark) > 1:
        return ()
    whole, fraction = text.split(decimal_mark)
    if not _is_grouped(whole.split(grouping)):
        return ()
    return (_reading(whole.replace(grouping, "") + "." + fraction),)


def _one_separator(text: str, mark: str) -> tuple[tuple[Decimal, Decimal], ...]:
    parts = text.split(mark)
    as_decimal = _reading(".".join(parts)) if len(parts) == 2 else None
    as_grouped = _reading("".join(parts)) if _is_grouped(parts) else None
    readings = (as_grouped, as_decimal) if mark == "," else (as_decimal, as_grouped)
    return tuple(reading for reading in readings if reading is not None)


def _is_grouped(parts: list[str]) -> bool:
    if len(parts) == 1:
        return True
    first, *middle, last = parts
    western = all(len(part) == 3 for part in middle)
    indian = all(len(part) == 2 for part in middle)
    return len(first) <= 3 and len(last) == 3 and first != "0" and (western or indian)


def _reading(text: str) -> tuple[Decimal, Decimal]:
    value = Decimal(text)
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int)
    return value, Decimal(1).scaleb(exponent)


def _digits(tokens: list[Token], index: int) -> Numeral | None:
    text, after = _spaced_groups(tokens, index)
    readings = read_digits(text)
    if not readings:
        return None
    if _is_next(tokens, after, glued_to=after) and tokens[after].lower in {"st", "nd", "rd", "th"}:
        return Numeral(readings, after + 1, ordinal=True)
    if len(readings) == 1 and _is_fraction_bar(tokens, after):
        below = read_digits(tokens[after + 1].text)
        if below and below[0][0] > readings[0][0] > 0 and below[0][0] <= 100:
            return _fraction_of(readings[0][0], below[0][0], after + 2)
    return Numeral(readings, after)


def _is_fraction_bar(tokens: list[Token], after: int) -> bool:
    return (
        after + 1 < len(tokens)
        and tokens[after].text in {"/", "\u2044"}
        and tokens[after + 1].kind is Kind.NUMBER
        and glued(tokens, after)
        and glued(tokens, after + 1)
    )


_GROUP_SPACES = {"\u2009", "\u202f", "\u00a0", "\u2007", " "}


def _spaced_groups(tokens: list[Token], index: int) -> tuple[str, int]:
    """ "1 200 000" is one number."""
    text, after = tokens[index].text, index + 1
    if not text.isdigit() or len(text) > 3 or text[0] == "0":
        return text, after
    while after < len(tokens) and len(text) < MAX_DIGITS:
        token = tokens[after]
        if token.start != tokens[after - 1].end + 1 or token.kind is not Kind.NUMBER:
            break
        if len(token.text.split(".", maxsplit=1)[0]) != 3 or "," in token.text:
            break
        text, after = text + token.text, after + 1
        if "." in token.text:
            break
    return text, after


def _is_next(tokens: list[Token], index: int, *, glued_to: int) -> bool:
    return index < len(tokens) and glued(tokens, glued_to)


def _words(tokens: list[Token], index: int) -> Numeral | None:
    token = tokens[index]
    if len(token.text) == 1 and not token.text.isalpha():
        return None
    vulgar = _vulgar(token)
    if vulgar is not None:
        return _fraction_value(vulgar, index + 1)
    return _fraction_words(tokens, index) or _cardinal_or_ordinal(tokens, index)


def _vulgar(token: Token) -> Decimal | None:
    if len(token.text) == 1 and unicodedata.category(token.text) == "No":
        value = unicodedata.numeric(token.text)
        if 0 < value < 1:
            return Decimal(str(round(value, 6)))
    return None


def _fraction_words(tokens: list[Token], index: int) -> Numeral | None:
    """ "half", "a third", "two-thirds", "three quarters"."""
    word = tokens[index].lower
    if word == "half":
        return _fraction_of(Decimal(1), Decimal(2), index + 1, weak=True)
    top = Decimal(1) if word in ARTICLES else SMALL.get(word)
    if top is None or not top:
        return None
    after = index + 1
    if after < len(tokens) and tokens[after].text == "-":
        after += 1
    part = tokens[after].lower if after < len(tokens) else ""
    below = FRACTIONS.get(part)
    if below is None or below <= top or (top > 1 and not part.endswith("s")):
        return None
    return _fraction_of(top, below, after + 1, weak=word in ARTICLES)


def _fraction_of(top: Decimal, below: Decimal, after: int, *, weak: bool = False) -> Numeral:
    found = _fraction_value(top / below, after)
    return Numeral(found.readings, after, fraction=True, weak=weak)


def _fraction_value(value: Decimal, after: int) -> Numeral:
    # people say "a third" for anything from 32 to 35 percent
    return Numeral(((value, value / 10),), after, fraction=True)


def _cardinal_or_ordinal(tokens: list[Token], index: int) -> Numeral | None:
    word = tokens[index].lower
    if word in ORDINALS:
        return Numeral(((ORDINALS[word], Decimal(1)),), index + 1, ordinal=True, weak=True)
    if word in ARTICLES:
        following = tokens[index + 1].lower if index + 1 < len(tokens) else ""
        if following not in SCALES or following in {"mn", "bn", "tn", "mln"}:
            return None
        return Numeral(((Decimal(1), Decimal(1)),), index + 1)
    if word not in SMALL and word not in TENS:
        return None
    return _spelled(tokens, index)


def _spelled(tokens: list[Token], index: int) -> Numeral:
    """ "two hundred and twenty-five": every word up to the first that does not continue it."""
    total = group = Decimal(0)
    room = Decimal(10**15)
    place, after = index, index
    while place < len(tokens):
        word = tokens[place].lower
        if word in SMALL and SMALL[word] < room:
            group, room = group + SMALL[word], Decimal(0)
        elif word in TENS and room >= 100:
            group, room = group + TENS[word], Decimal(10)
        elif word == "hundred" and 0 < group < 100:
            group, room = group * 100, Decimal(100)
        elif word in SCALES and SCALES[word] >= 1000 and group:
            total, group, room = total + group * SCALES[word], Decimal(0), Decimal(1000)
        elif word in ORDINALS and group and ORDINALS[word] < room and room <= 100:
            value = total + group + ORDINALS[word]
            return Numeral(((value, Decimal(1)),), place + 1, ordinal=True)
        else:
            break
        place = after = place + 1
        if place < len(tokens) and (
            tokens[place].text == "-" or (tokens[place].lower == "and" and room >= 100)
        ):
            place += 1
    value = total + group
    weak = value <= 1
    return Numeral(((value, Decimal(1)),), after, weak=weak)


def _with_scale(tokens: list[Token], found: Numeral) -> Numeral:
    after = found.after
    if after >= len(tokens):
        return found
    place = after
    if tokens[place].text == "-" and place + 1 < len(tokens):
        place += 1
    word = tokens[place].lower
    if word in {"of", "a"} and found.fraction:
        return _fraction_of_scale(tokens, found)
    if word in SCALES:
        scaled = found.scaled(SCALES[word], place + 1)
        return _with_scale(tokens, scaled) if SCALES[word] < 10**6 else scaled
    return found


def _fraction_of_scale(tokens: list[Token], found: Numeral) -> Numeral:
    """ "half a million", "a quarter of a million"."""
    place = found.after
    if tokens[place].lower == "of":
        place += 1
    if place + 1 < len(tokens) and tokens[place].lower == "a":
        scale = SCALES.get(tokens[place + 1].lower)
        if scale is not None:
            value, step = found.readings[0]
            return Numeral(((value * scale, step * scale),), place + 2)
    return found


def _with_fraction(tokens: list[Token], found: Numeral) -> Numeral:
    """ "two and a half", "2½"."""
    after = found.after
    if found.fraction or after >= len(tokens):
        return found
    vulgar = _vulgar(tokens[after])
    if vulgar is not None:
        return Numeral(((found.value + vulgar, Decimal("0.1")),), after + 1)
    words = [token.lower for token in tokens[after : after + 5] if token.text != "-"][:3]
    if words == ["and", "a", "half"]:
        dashes = sum(token.text == "-" for token in tokens[after : after + 5])
        return Numeral(((found.value + Decimal("0.5"), Decimal("0.1")),), after + 3 + dashes)
    return found
