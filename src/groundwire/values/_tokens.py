"""Characters become tokens: words, marks, and runs of digits as people group them."""

import re
from decimal import Decimal
from enum import IntEnum
from typing import NamedTuple


class Kind(IntEnum):
    NUMBER = 1
    WORD = 2
    MARK = 3


class Token(NamedTuple):
    """A run of digits (with its separators), a word, or one other character."""

    kind: Kind
    text: str
    lower: str
    start: int
    end: int


_KINDS: dict[int | None, Kind] = {1: Kind.NUMBER, 2: Kind.WORD, 3: Kind.MARK}
_LETTERS = r"[^\W\d_]+"
_ACCENTS = r"[\u0300-\u036f]"
_TOKEN = re.compile(
    r"(\d+(?:[.,\u00b7]\d+|['\u2019](?=\d{3}(?!\d))\d+)*)"
    rf"|({_LETTERS}(?:(?:['\u2019]|{_ACCENTS}+){_LETTERS})*{_ACCENTS}*)"
    r"|([^\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad])"
)


def scan(text: str) -> list[Token]:
    tokens = []
    for match in _TOKEN.finditer(text):
        piece = match.group()
        start, end = match.span()
        tokens.append(Token(_KINDS[match.lastindex], piece, piece.lower(), start, end))
    return tokens


def glued(tokens: list[Token], index: int) -> bool:
    """Whether a token follows its predecessor without a gap."""
    return 0 < index < len(tokens) and tokens[index].start == tokens[index - 1].end


def lower_at(tokens: list[Token], index: int) -> str:
    """A token in lower case, or nothing where there is none."""
    return tokens[index].lower if 0 <= index < len(tokens) else ""


def is_number(tokens: list[Token], index: int) -> bool:
    return index < len(tokens) and tokens[index].kind is Kind.NUMBER


def word_list(text: str) -> list[str]:
    """Words written in one string: long lists stay readable."""
    return text.split()


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


Precise = tuple[Decimal, Decimal]
"""A value, and the step it was written to."""

MAX_DIGITS = 30
"""A longer run of digits is a string to copy, not a number to compare."""

_GROUP = 3
_INDIAN_GROUP = 2
_MAX_GROUPS = 4


def read_digits(text: str) -> tuple[Precise, ...]:
    """Every way to read a run of digits and separators, the likeliest first."""
    if len(text) > MAX_DIGITS:
        return ()
    plain = text.replace("'", "").replace("\u2019", "").replace("\u00b7", ".")
    has_point, has_comma = "." in plain, "," in plain
    if has_point and has_comma:
        return _both_separators(plain)
    if has_point or has_comma:
        return _one_separator(plain, "." if has_point else ",")
    return (_precise(plain),)


def spaced_groups(tokens: list[Token], index: int) -> tuple[str, int]:
    """The digits that start at a token, and the index after them: "1 200 000" is one number."""
    text, after = tokens[index].text, index + 1
    if not text.isdigit() or len(text) > _GROUP or text[0] == "0":
        return text, after
    while after < len(tokens) and _continues(tokens, after):
        text, after = text + tokens[after].text, after + 1
        if after > index + _MAX_GROUPS:
            return tokens[index].text, index + 1  # a row of numbers
        if not text.isdigit():
            break
    return text, after


def _continues(tokens: list[Token], index: int) -> bool:
    token = tokens[index]
    is_next = token.kind is Kind.NUMBER and token.start == tokens[index - 1].end + 1
    whole, _, fraction = token.text.partition(".")
    return (
        is_next
        and whole.isdigit()
        and len(whole) == _GROUP
        and (fraction.isdigit() or whole == token.text)
    )


def _both_separators(text: str) -> tuple[Precise, ...]:
    decimal_mark = max(".,", key=text.rfind)
    grouping = "," if decimal_mark == "." else "."
    whole, *rest = text.split(decimal_mark)
    if len(rest) != 1 or not _are_groups(whole.split(grouping)) or not rest[0].isdigit():
        return ()
    return (_precise(whole.replace(grouping, "") + "." + rest[0]),)


def _one_separator(text: str, mark: str) -> tuple[Precise, ...]:
    parts = text.split(mark)
    as_decimal = (_precise(".".join(parts)),) if text.count(mark) == 1 else ()
    as_groups = (_precise("".join(parts)),) if _are_groups(parts) else ()
    return as_groups + as_decimal if mark == "," else as_decimal + as_groups


def _are_groups(parts: list[str]) -> bool:
    """1,200,000 or, in India, 12,00,000."""
    if len(parts) == 1:
        return True
    first, *middle, last = parts
    sizes = {len(part) for part in middle}
    return (
        len(first) <= _GROUP
        and first != "0"
        and len(last) == _GROUP
        and sizes in (set(), {_GROUP}, {_INDIAN_GROUP})
    )


def _precise(text: str) -> Precise:
    decimals = len(text.partition(".")[2])
    return Decimal(text), Decimal(1).scaleb(-decimals)
