"""Finds identifiers: what is copied letter by letter, and compared without its punctuation."""

import re
from dataclasses import dataclass

from groundwire.claims._scan import Kind, Token, glued

_JOINERS = {"-", ".", "_", "/", ":", "\u2010", "\u2011", "\u2013"}
_STANDARDS = frozenset(
    "ISO RFC IEC IEEE EN DIN ANSI NIST CVE CWE ADR BCP PEP JEP JSR BS ASTM SAE ITU ETSI OIML UN GB"
    .split()
)
_LABEL_WORDS = frozenset(
    "chapter section article figure table page step part phase version volume item level type class"
    " grade stage room route highway flight episode season round rule appendix annex clause ticket"
    " issue version principle requirement release channel line gate platform interstate act"
    .split()
)
LABELS = _LABEL_WORDS | {name.lower() for name in _STANDARDS}
_DATE_PREFIXES = frozenset("early mid late pre post circa c ca approx no rs us".split())
_RUN = re.compile(r"[^\W\d_]+|\d+")
_MAX_PARTS = 12


@dataclass(frozen=True, slots=True)
class Identifier:
    """`family` is what it identifies ("cve", "v"), `key` the whole in normal form."""

    start: int
    end: int
    text: str
    key: tuple[str, ...]

    @property
    def family(self) -> tuple[str, ...]:
        """The same shape with every number left open."""
        return tuple("#" if part.isdigit() else part for part in self.key)


def identifier_at(text: str, tokens: list[Token], index: int) -> tuple[Identifier, int] | None:
    """The identifier that starts at a token, and the index after it."""
    token = tokens[index]
    if token.kind is Kind.MARK:
        return _hash(text, tokens, index)
    if index and glued(tokens, index) and tokens[index - 1].kind is not Kind.MARK:
        return None
    after = _clump_end(tokens, index)
    if after - index > 1 and _looks_like_one(tokens, index, after):
        return _identifier(text, tokens, index, after), after
    if token.kind is Kind.WORD:
        return _labelled(text, tokens, index)
    if _is_opaque(token):
        return _identifier(text, tokens, index, index + 1), index + 1
    return None


def is_clumped(tokens: list[Token], index: int) -> bool:
    """Whether something follows a token without a gap."""
    return index + 1 < len(tokens) and tokens[index].end == tokens[index + 1].start


def _clump_end(tokens: list[Token], index: int) -> int:
    """The index after the run of letters, digits and single joiners without a gap."""
    after = index + 1
    while after < len(tokens) and glued(tokens, after):
        if tokens[after].kind is not Kind.MARK:
            after += 1
        elif (
            tokens[after].text in _JOINERS
            and after + 1 < len(tokens)
            and glued(tokens, after + 1)
            and tokens[after + 1].kind is not Kind.MARK
        ):
            after += 2
        else:
            break
    return after


def _looks_like_one(tokens: list[Token], index: int, after: int) -> bool:
    parts = tokens[index:after]
    kinds = {part.kind for part in parts}
    if Kind.NUMBER not in kinds or len(parts) > 4 * _MAX_PARTS:
        return False
    if tokens[index].kind is Kind.WORD:
        return _letters_first(parts)
    return _digits_first(parts)


def _letters_first(parts: list[Token]) -> bool:
    head, second = parts[0], parts[1]
    if head.lower in _DATE_PREFIXES:
        return False
    if second.text in {".", ":", "/"}:
        return head.text.isupper() and len(head.text) <= 6 and parts[2].kind is Kind.NUMBER
    if second.kind is Kind.NUMBER:
        return len(head.text) <= 12
    return any(part.kind is Kind.NUMBER for part in parts[1:]) and second.text != "\u2013"


def _digits_first(parts: list[Token]) -> bool:
    """Interleaved letters and digits ("2B04"), or three and more numbers ("4-4-2")."""
    numbers = [part for part in parts if part.kind is Kind.NUMBER]
    if all(part.kind is not Kind.WORD for part in parts):
        return len(numbers) >= 3
    word_places = [place for place, part in enumerate(parts) if part.kind is Kind.WORD]
    inner = word_places[0]
    return (
        parts[inner].text.isupper()
        and inner + 1 < len(parts)
        and parts[inner - 1].kind is Kind.NUMBER
        and parts[-1].kind is Kind.NUMBER
    ) or (len(parts) == 2 and parts[1].text in {"D", "G", "st"})


def _is_opaque(token: Token) -> bool:
    digits = token.text.replace(",", "").replace(".", "")
    return token.text.count(".") >= 2 or len(digits) >= 16


def _hash(text: str, tokens: list[Token], index: int) -> tuple[Identifier, int] | None:
    if tokens[index].text != "#" or index + 1 >= len(tokens) or not glued(tokens, index + 1):
        return None
    if tokens[index + 1].kind is not Kind.NUMBER:
        return None
    return _identifier(text, tokens, index, index + 2), index + 2


def _labelled(text: str, tokens: list[Token], index: int) -> tuple[Identifier, int] | None:
    """ "RFC 7231", "section 3.2"."""
    token = tokens[index]
    if index + 1 >= len(tokens) or tokens[index + 1].kind is not Kind.NUMBER:
        return None
    if token.text not in _STANDARDS and token.lower not in _LABEL_WORDS:
        return None
    after = _clump_end(tokens, index + 1)
    if after > index + 2 and tokens[index + 2].kind is Kind.WORD and len(tokens[index + 2].text) > 2:
        return None
    return _identifier(text, tokens, index, after), after


def _identifier(text: str, tokens: list[Token], index: int, after: int) -> Identifier:
    start, end = tokens[index].start, tokens[after - 1].end
    key = []
    for part in _RUN.findall(text[start:end].casefold()):
        key.append((part.lstrip("0") or "0") if part.isdigit() else part)
    return Identifier(start, end, text[start:end], tuple(key))
