"""Text as tokens with exact spans: the ground every value finder stands on.

One unambiguous expression, so the time is linear in the text whatever it holds. Zero-width and
direction marks separate nothing and belong to nothing.
"""

import re
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
