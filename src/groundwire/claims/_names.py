"""Finds proper names and acronyms by their capitals."""

from dataclasses import dataclass

from groundwire.claims._scan import Kind, Token

_LINKS = frozenset("of de la le van von der den del di da du the and & for al el bin ibn y".split())
_NOT_NAMES = frozenset(
    "the a an this that these those it its he his she her they their we our you your i my in on at"
    " by for from to of with without as and or but nor so yet if when while after before since until"
    " although though because there here what who which where why how not no yes one two three four"
    " five six seven eight nine ten first second third last next many most some all each every both"
    " several few more less other another such only also even just still however therefore moreover"
    " meanwhile according under over between during against about into through mr mrs ms dr sir"
    " president king queen prince professor ok okay well now then today yesterday tomorrow".split()
)
_MAX_WORDS = 8


@dataclass(frozen=True, slots=True)
class Name:
    start: int
    end: int
    text: str
    words: tuple[str, ...]
    """In lower case, without the small words that link them."""


def name_at(text: str, tokens: list[Token], index: int) -> tuple[Name, int] | None:
    """The name that starts at a capitalised token."""
    if tokens[index].lower in _NOT_NAMES:
        return None
    words, last, place = [tokens[index].lower], index, index + 1
    while place < len(tokens) and len(words) < _MAX_WORDS:
        token = tokens[place]
        if _opens_identifier(tokens, place):
            break
        if token.kind is Kind.MARK and token.text not in {"-", ".", "&", "'", "\u2019"}:
            break
        if _is_capital(token) and tokens[place - 1].text != ".":
            words.append(token.lower)
            last = place
        elif _is_capital(token) and len(tokens[place - 2].text) == 1:
            words.append(token.lower)
            last = place
        elif not _links(tokens, place):
            break
        place += 1
    if not index and last == index and words[0].endswith(("ed", "ing")):
        return None
    start, end = tokens[index].start, tokens[last].end
    return Name(start, end, text[start:end], tuple(words)), last + 1


def _opens_identifier(tokens: list[Token], place: int) -> bool:
    """ "Army B-25": the name ends before its designation."""
    rest = tokens[place + 1 : place + 3]
    for before, token in zip([tokens[place], *rest], rest, strict=False):
        if token.start != before.end:
            return False
        if token.kind is Kind.NUMBER:
            return True
        if token.text != "-":
            return False
    return False


def _links(tokens: list[Token], place: int) -> bool:
    token = tokens[place]
    if token.kind is Kind.MARK:
        return token.text != "." or len(tokens[place - 1].text) == 1
    return token.lower in _LINKS and token.text.islower()


def _is_capital(token: Token) -> bool:
    return token.kind is Kind.WORD and token.text[0].isupper()
