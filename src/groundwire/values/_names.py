"""Finds proper names and acronyms by their capitals."""

from dataclasses import dataclass

from groundwire.values._scan import Kind, Token, glued, is_number, lower_at, word_set

_LINKS = word_set("of de la le van von der den del di da du the and & for al el bin ibn y")
_INSIDE = frozenset({"-", ".", "&", "'", "\u2019"})
_NOT_NAMES = word_set(
    "the a an this that these those it its he his she her they their we our you your i my in on at"
    " by for from to of with without as and or but nor so yet if when while after before since"
    " until although though because there here what who which where why how not no yes one two"
    " three four five six seven eight nine ten first second third last next many most some all each"
    " every both several few more less other another such only also even just still however"
    " therefore moreover meanwhile according under over between during against about into through"
    " mr mrs ms dr sir president king queen prince professor ok okay well now then today yesterday"
    " tomorrow"
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


def name_at(text: str, tokens: list[Token], index: int) -> tuple[Name, int] | None:
    """The name that starts at a capitalised token, and the index after it."""
    if tokens[index].lower in _NOT_NAMES:
        return None
    places = _capitals(tokens, index)
    words = tuple(tokens[place].lower for place in places)
    if not index and len(words) == 1 and words[0].endswith(_VERB_ENDINGS):
        return None  # "Founded in 1998, ..."
    start, end = tokens[index].start, tokens[places[-1]].end
    return Name(start, end, text[start:end], words), places[-1] + 1


def _capitals(tokens: list[Token], index: int) -> list[int]:
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


def _is_capital(token: Token) -> bool:
    return token.kind is Kind.WORD and token.text[0].isupper()


def _follows_a_stop(tokens: list[Token], place: int) -> bool:
    """A full stop ends a name, unless it shortens one letter: "J. Smith"."""
    return lower_at(tokens, place - 1) == "." and len(lower_at(tokens, place - 2)) > 1


def _links(tokens: list[Token], place: int) -> bool:
    token = tokens[place]
    if token.kind is Kind.MARK:
        is_initial = len(lower_at(tokens, place - 1)) == 1
        return token.text in _INSIDE and (token.text != "." or is_initial)
    return token.lower in _LINKS and token.text.islower()


def _opens_identifier(tokens: list[Token], place: int) -> bool:
    """ "Army B-25": the name ends before its designation."""
    if glued(tokens, place + 1) and is_number(tokens, place + 1):
        return True
    is_joined = lower_at(tokens, place + 1) == "-" and glued(tokens, place + 1)
    return is_joined and glued(tokens, place + 2) and is_number(tokens, place + 2)
