"""Identifiers and names."""

from dataclasses import dataclass

from groundwire._patterns import lazy_pattern
from groundwire.text import STOP_WORDS, Atom, Kind, word_set
from groundwire.values._tokens import glued, is_number, lower_at, read_digits

_JOINERS = frozenset({"-", ".", "_", "/", ":", "\u2010", "\u2011", "\u2013"})
_STANDARDS = word_set(
    "ISO RFC IEC IEEE EN DIN ANSI NIST CVE CWE ADR BCP PEP JEP JSR BS ASTM SAE ITU ETSI OIML"
)
_LABEL_WORDS = word_set(
    "chapter section article figure table page step part phase version volume item level type class"
    " grade stage room route highway flight episode season round rule appendix annex clause ticket"
    " issue principle requirement release channel line gate platform interstate act"
)
LABELS = _LABEL_WORDS | {name.lower() for name in _STANDARDS}
"""Every word that makes an identifier of the number after it."""
# "mid-1990s", "c.1850", "Rs.500"
_NO_IDENTIFIER = word_set("early mid late pre post circa c ca approx no rs us")
_GENERATIONS = frozenset({"D", "G"})  # 3D, 5G
# such as "RFC" and "7231" in "RFC7231"
_RUN = lazy_pattern(r"[^\W\d_]+|\d+")
_MAX_TOKENS = 32
_LONGEST_PREFIX, _LONGEST_DOTTED_PREFIX = 12, 6
_MIN_NUMBERS = 3
_MIN_OPAQUE_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Identifier:
    """`key` is the whole in normal form: ADR-0012 and ADR.12 have one key."""

    start: int
    end: int
    text: str
    key: tuple[str, ...]

    @property
    def family(self) -> tuple[str, ...]:
        """The same shape with every number left open."""
        return tuple("#" if part.isdigit() else part for part in self.key)


def identifier_at(text: str, tokens: list[Atom], index: int) -> tuple[Identifier, int] | None:
    """The identifier that starts at a token, and the index after it."""
    after = _end_of(tokens, index)
    if after is None:
        return None
    start, end = tokens[index].start, tokens[after - 1].end
    parts = _RUN.findall(text[start:end].casefold())
    key = tuple((part.lstrip("0") or "0") if part.isdigit() else part for part in parts)
    return Identifier(start, end, text[start:end], key), after


def _end_of(tokens: list[Atom], index: int) -> int | None:
    token = tokens[index]
    if token.kind is Kind.MARK:
        is_issue = token.text == "#" and glued(tokens, index + 1) and is_number(tokens, index + 1)
        return index + 2 if is_issue else None
    if glued(tokens, index) and tokens[index - 1].kind is not Kind.MARK:
        return None
    after = _clump_end(tokens, index)
    if after > index + 1 and _is_identifier(tokens[index:after]):
        return after
    if token.kind is Kind.WORD:
        return _labelled(tokens, index)
    return index + 1 if _is_opaque(token) else None


def _clump_end(tokens: list[Atom], index: int) -> int:
    """The index after the run of letters, digits and single joiners without a gap."""
    after = index + 1
    while glued(tokens, after) and after <= index + _MAX_TOKENS:
        if tokens[after].kind is not Kind.MARK:
            after += 1
        elif (
            tokens[after].text in _JOINERS
            and glued(tokens, after + 1)
            and tokens[after + 1].kind is not Kind.MARK
        ):
            after += 2
        else:
            break
    return after


def _is_identifier(parts: list[Atom]) -> bool:
    if len(parts) > _MAX_TOKENS or all(part.kind is not Kind.NUMBER for part in parts):
        return False
    return _letters_first(parts) if parts[0].kind is Kind.WORD else _digits_first(parts)


def _letters_first(parts: list[Atom]) -> bool:
    """COVID-19, H5N1, ADR.12, v2.3.1."""
    head, second = parts[0], parts[1]
    if head.lower in _NO_IDENTIFIER or second.text == "\u2013":
        return False
    if second.text in {".", ":", "/"}:
        is_code = head.text.isupper() and len(head.text) <= _LONGEST_DOTTED_PREFIX
        return is_code and parts[2].kind is Kind.NUMBER
    return second.kind is not Kind.NUMBER or len(head.text) <= _LONGEST_PREFIX


def _digits_first(parts: list[Atom]) -> bool:
    """Letters between digits ("2B04"), or three and more numbers ("4-4-2")."""
    words = [place for place, part in enumerate(parts) if part.kind is Kind.WORD]
    if not words:
        return sum(part.kind is Kind.NUMBER for part in parts) >= _MIN_NUMBERS
    inner = words[0]
    is_code = parts[inner].text.isupper() and parts[inner - 1].kind is Kind.NUMBER
    if inner + 1 == len(parts):
        return is_code and parts[inner].text in _GENERATIONS
    return is_code and parts[-1].kind is Kind.NUMBER


def _is_opaque(token: Atom) -> bool:
    """An address or a key: "192.168.0.1", sixteen digits and more."""
    digits = sum(character.isdigit() for character in token.text[: 2 * _MIN_OPAQUE_DIGITS])
    is_dotted = token.text.count(".") > 1 and not read_digits(token.text)
    return is_dotted or digits >= _MIN_OPAQUE_DIGITS


def _labelled(tokens: list[Atom], index: int) -> int | None:
    """ "RFC 7231", "section 3.2"."""
    token = tokens[index]
    is_label = token.text in _STANDARDS or token.lower in _LABEL_WORDS
    if not is_label or not is_number(tokens, index + 1):
        return None
    after = _clump_end(tokens, index + 1)
    suffix = lower_at(tokens, index + 2) if after > index + 2 else ""
    return None if suffix.isalpha() and len(suffix) > 1 else after


_LINKS = word_set("of de la le van von der den del di da du the and & for al el bin ibn y")
_INSIDE = frozenset({"-", ".", "&", "'", "\u2019"})
_NOT_NAMES = STOP_WORDS | word_set(
    "without although though yes one two three four five six seven eight nine ten first second"
    " third last next many every several less another even still however therefore moreover"
    " meanwhile mr mrs ms dr sir president king queen prince professor ok okay well now today"
    " yesterday tomorrow"
)
_VERB_ENDINGS = ("ed", "ing")
_MAX_WORDS = 8


@dataclass(frozen=True, slots=True)
class Name:
    start: int
    end: int
    text: str
    words: tuple[str, ...]
    """In lower case, without the small words that link them."""


def name_at(text: str, tokens: list[Atom], index: int) -> tuple[Name, int] | None:
    """The name that starts at a capitalised token, and the index after it."""
    if tokens[index].lower in _NOT_NAMES:
        return None
    places = _capitals(tokens, index)
    words = tuple(tokens[place].lower for place in places)
    if not index and len(words) == 1 and words[0].endswith(_VERB_ENDINGS):
        return None  # "Founded in 1998, ..."
    start, end = tokens[index].start, tokens[places[-1]].end
    return Name(start, end, text[start:end], words), places[-1] + 1


def _capitals(tokens: list[Atom], index: int) -> list[int]:
    """The places of a name's capitalised words."""
    places, place = [index], index + 1
    while place < len(tokens) and len(places) < _MAX_WORDS:
        if _opens_identifier(tokens, place):
            break
        if _is_capital(tokens[place]) and not _follows_a_stop(tokens, place):
            places.append(place)
        elif not _links(tokens, place):
            break
        place += 1
    return places


def _is_capital(token: Atom) -> bool:
    return token.kind is Kind.WORD and token.text[0].isupper()


def _follows_a_stop(tokens: list[Atom], place: int) -> bool:
    """A full stop ends a name, unless it shortens one letter: "J. Smith"."""
    return lower_at(tokens, place - 1) == "." and len(lower_at(tokens, place - 2)) > 1


def _links(tokens: list[Atom], place: int) -> bool:
    token = tokens[place]
    if token.kind is Kind.MARK:
        is_initial = len(lower_at(tokens, place - 1)) == 1
        return token.text in _INSIDE and (token.text != "." or is_initial)
    return token.lower in _LINKS and token.text.islower()


def _opens_identifier(tokens: list[Atom], place: int) -> bool:
    """ "Army B-25": the name ends before its designation."""
    if glued(tokens, place + 1) and is_number(tokens, place + 1):
        return True
    is_joined = lower_at(tokens, place + 1) == "-" and glued(tokens, place + 1)
    return is_joined and glued(tokens, place + 2) and is_number(tokens, place + 2)
