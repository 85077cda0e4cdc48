"""Statements that share one verb: "Cycle 1 took 16 minutes, cycle 2 12 and cycle 3 17."

Only the first of them is whole. The others say what differs, in the same order, and leave out what
stays. Each is made whole by laying its words over those of the first, like on like: a number on a
number, a name on a name, a word on the same word, and another word only where its place is certain.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from groundwire._kept import kept
from groundwire._patterns import lazy_pattern
from groundwire.model import MONTH_NAMES, ONES, ORDINAL_ONES, TEN_NAMES, WEEKDAY_NAMES
from groundwire.text._cues import is_negation
from groundwire.text._grammar import (
    is_auxiliary,
    is_base,
    is_finite,
    is_past,
    is_preposition,
    is_present,
)
from groundwire.text._words import PRONOUNS, Token, stem, tokens_of

_FEWEST_TOKENS, _MOST_TOKENS = 6, 120
_MOST_BORROWING = 14
_JOINERS = frozenset({",", ";", "and", "while", "whereas", "but"})
_ARTICLES = frozenset({"the", "a", "an", "its", "their", "his", "her", "our"})
_STANDS_FOR = frozenset({"one", "ones"})
"""What stands for the noun of the first: "the US one"."""
_OF_ONE = frozenset({"is", "was", "has", "does"})
"""After these a word with an s may be a verb of the same subject: "is checked daily, runs …"."""
_CARDINALS = frozenset({*ONES, *TEN_NAMES, "noon", "midnight", "none"})
_DAYS = frozenset({*WEEKDAY_NAMES, *MONTH_NAMES})
_OPENERS = frozenset(
    """if so or nor when because as that which who where not then also here there unless until
    although though since whether for""".split()
)
"""What opens a clause of another kind, or no statement."""
_MARKS = frozenset("%$€£°/:.-")
_MOST_SHARED_AFTER = 3
"""Words after the value that all share: "gave 8.1 points", "cost 80 an hour"."""
_RESPECTIVELY = "respectively"
# the blanks of "22 : 04"
_CLOCK = lazy_pattern(r"(?<=\d)\s*:\s*(?=\d\d(?!\d))")
_TWO = 2
_SAME, _LIKE, _OTHER = 3, 2, 1
_NUMBERED = frozenset({"number", "ordinal", "day", "name"})
_FIXED = frozenset({"link", "verb", "number", "ordinal"})


@dataclass(frozen=True)
class _Unit:
    """A word, or the words of one name."""

    text: str
    kind: str
    """`number`, `ordinal`, `day`, `name`, `link` (a preposition or an article), `verb`, `word`."""

    def is_same(self, other: "_Unit") -> bool:
        return stem(self.text.lower()) == stem(other.text.lower())


_AND = _Unit("and", "word")


@kept(4_000)
def conjuncts(sentence: str) -> tuple[str, ...]:
    """The whole statements of a sentence whose later parts lack their verb; none of any other."""
    tokens = tokens_of(sentence)
    if not _FEWEST_TOKENS <= len(tokens) <= _MOST_TOKENS:
        return ()
    if _RESPECTIVELY in (tokens[-1].low, tokens[-2].low):
        return _respective(tokens)
    pieces = [*_pieces(tokens)]
    said = _said(sentence, pieces) if _may_lend(pieces) else []
    return tuple(f"{one[0].upper()}{one[1:]}." for one in said)


def _may_lend(pieces: Sequence[list[Token]]) -> bool:
    """Whether the first of several pieces is a statement, or a label, that others can share."""
    if len(pieces) <= 1 or any(piece[0].low in _OPENERS for piece in pieces):
        return False
    first = pieces[0]
    is_label = any(token.text == ":" for token in first[1:-1])
    # of a denial it is not certain which of them it denies
    is_denied = any(is_negation(token.low) for token in first)
    return (is_label or _verb(first) is not None) and _is_plain(first) and not is_denied


def _said(sentence: str, pieces: Sequence[list[Token]]) -> list[str]:
    """Each piece as a statement; nothing where one of them is none, or none borrows or repeats."""
    first, *others = pieces
    verb = _verb(first)
    whole = _units(first, verb, opens=True)
    said = [sentence[first[0].start : first[-1].end]]
    is_parallel = False
    for piece in others:
        own_verb = _verb(piece)
        lacks_verb = own_verb is None and not _continues(first, verb, piece[0].low)
        units = _units(piece, own_verb)
        laid = _laid(whole, units) if lacks_verb and _is_plain(piece) else None
        if lacks_verb and laid is None:
            return []
        said.append(laid or sentence[piece[0].start : piece[-1].end])
        is_parallel = is_parallel or laid is not None or _is_repeated(whole, units)
    return said if is_parallel else []


def _is_plain(piece: Sequence[Token]) -> bool:
    """Words and numbers; nothing quoted, bracketed or marked up."""
    return all(token.text[0].isalnum() or token.text in _MARKS for token in piece)


def _pieces(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """What stands between commas and conjunctions, brackets left whole."""
    piece: list[Token] = []
    depth = 0
    for token in tokens:
        depth += (token.text in "([{") - (token.text in ")]}")
        if token.low in _JOINERS and depth <= 0:
            if piece:
                yield piece
            piece = []
        elif token.text not in ".!":
            piece.append(token)
    if piece:
        yield piece


def _verb(piece: Sequence[Token]) -> int | None:
    """Where the verb of a piece stands; something must stand before it."""
    for place in range(1, len(piece)):
        word, before = piece[place].low, piece[place - 1]
        if _is_day(piece, place) or _is_link(piece, place - 1):
            continue
        if is_finite(word) and not (is_present(word) and _counts(piece, place - 1)):
            return place
        # "adults pay", "children go": a plural before a verb's plain form
        if is_base(word) and stem(before.low) != before.low and before.text.isalpha():
            return place
    return None


def _counts(piece: Sequence[Token], place: int) -> bool:
    """The 12 of "by 12 trains", not that of "version 12 adds"."""
    is_number = piece[place].text[0].isdigit()
    return is_number and (place == 0 or _is_link(piece, place - 1))


def _is_link(piece: Sequence[Token], place: int) -> bool:
    token = piece[place]
    is_article = token.low in _ARTICLES and (place == 0 or token.text != "A")
    return is_article or is_preposition(token.low)


def _continues(first: list[Token], verb: int | None, word: str) -> bool:
    """ "works in Potsdam" after "She lives in Berlin": a verb of the same subject."""
    if verb is None:
        return False
    main = first[verb].low
    if is_past(word) and not is_present(word):
        return True
    return is_present(word) and (is_present(main) or main in _OF_ONE)


def _units(piece: Sequence[Token], verb: int | None, *, opens: bool = False) -> list[_Unit]:
    """Words with what they are; names of several words are one."""
    found: list[_Unit] = []
    for place, token in enumerate(piece):
        is_verb = place == verb or (found and found[-1].kind == "verb" and _goes_on(token.low))
        kind = "verb" if is_verb else _kind(piece, place, opens=opens)
        # the first word has its capital anyway: "Anna Berg" is a name, of "Team A" one word is
        opens_name = opens and place == 1 and not _is_letter(token) and found[0].kind == "word"
        if kind == "name" and found and (found[-1].kind == "name" or opens_name):
            found[-1] = _Unit(f"{found[-1].text} {token.text}", "name")
        else:
            found.append(_Unit(token.text, kind))
    return found


def _is_letter(token: Token) -> bool:
    """ "A", "B2"."""
    return len(token.text) <= _TWO


def _goes_on(word: str) -> bool:
    """ "are kept", "has been served"."""
    return is_auxiliary(word) or is_past(word) or word == "not"


def _kind(piece: Sequence[Token], place: int, *, opens: bool) -> str:
    token = piece[place]
    low = token.low
    is_capital_by_place = opens and place == 0 and token.text[1:].islower()
    kinds = {
        "word": low in _STANDS_FOR and place > 0,
        "number": low[0].isdigit() or low in _CARDINALS,
        "ordinal": low in ORDINAL_ONES,
        "day": _is_day(piece, place),
        "link": _is_link(piece, place),
        "name": not is_capital_by_place and (token.text[0].isupper() or _has_digit(low)),
    }
    return next((kind for kind, is_so in kinds.items() if is_so), "word")


def _has_digit(word: str) -> bool:
    return any(char.isdigit() for char in word)


def _is_day(piece: Sequence[Token], place: int) -> bool:
    """ "May" is one beside a number."""
    low = piece[place].low
    if low not in _DAYS:
        return False
    near = [*piece[max(0, place - 1) : place], *piece[place + 1 : place + 2]]
    return low != "may" or any(token.text[0].isdigit() for token in near)


def _laid(whole: list[_Unit], rest: list[_Unit]) -> str | None:
    """The first statement with the rest laid over it, if all of the rest finds its place.

    Two things must differ, what is spoken of and what is said of it, and something be borrowed.
    """
    places = _aligned(whole, rest) if len(rest) <= _MOST_BORROWING else None
    if places is None or not _is_one_gap(whole, sorted(places)):
        return None
    changed = [rest[by] for at, by in places.items() if not whole[at].is_same(rest[by])]
    is_parallel = len(changed) < len(rest) or rest[-1].kind in _NUMBERED - {"name"}
    if not is_parallel or sum(one.kind != "link" for one in changed) < _TWO:
        return None
    if not any(one.kind in _NUMBERED for one in changed):
        return None
    words = [rest[places[at]] if at in places else unit for at, unit in enumerate(whole)]
    if any(one.text in _STANDS_FOR for one in words):
        noun = {at: whole[at] for at, by in places.items() if rest[by].text in _STANDS_FOR}
        words = [noun.get(at, one) for at, one in enumerate(words)]
    return _joined([one.text for one in words])


def _is_repeated(whole: list[_Unit], rest: list[_Unit]) -> bool:
    """The same again of another thing: "pier 1 is 2 mm wide, pier 2 is 5 mm wide"."""
    places = _aligned(whole, rest) if len(rest) == len(whole) else None
    if places is None or not any(one.kind == "verb" for one in rest):
        return False
    return sum(not whole[at].is_same(rest[by]) for at, by in places.items()) > 1


def _is_one_gap(whole: list[_Unit], at: list[int]) -> bool:
    """What is borrowed stands together around the verb, or before all that is said.

    [Cycle 2] held them [for 12] minutes · [the second] judge gave [7.6] points · The readings were
    [34 at eight]
    """
    verbs = [place for place, unit in enumerate(whole) if unit.kind == "verb"]
    verb = verbs[0] if verbs else next(p for p, unit in enumerate(whole) if unit.text == ":")
    before = [place for place in at if place < verb]
    after = [place for place in at if place > verb]
    if not after or len(whole) - 1 - after[-1] > _MOST_SHARED_AFTER:
        return False
    left_out = set(range(after[0], after[-1])) - set(after)
    if any(whole[one].kind != "word" or whole[one - 1].kind != "number" for one in left_out):
        return False  # but for the unit of a number
    if any(unit.kind == "number" for unit in whole[after[-1] + 1 :]):
        return False  # "the first two bins, Musa the third"
    if not before:
        return len(after) > 1
    return bool(verbs) and before == list(range(len(before)))


def _joined(words: Sequence[str]) -> str:
    text = " ".join(words)
    for mark in "%°:/":
        text = text.replace(f" {mark}", mark)
    for mark in "/$€£":
        text = text.replace(f"{mark} ", mark)
    return _CLOCK.sub(":", text).replace(" 's", "'s")


def _respective(tokens: Sequence[Token]) -> tuple[str, ...]:
    """ "Cores 1 and 2 reached 40 and 65 cm respectively": two lists of one length, in order."""
    units = [one for one in _units(tokens, None) if one.text not in ".!"][:-1]
    lists = [found for found in _lists(units) if len(found) > 1]
    if len(lists) != _TWO or len(lists[0]) != len(lists[1]):
        return ()
    (first, last), (again, end) = ((found[0], found[-1] + 1) for found in lists)
    parts = (units[:first], units[last:again], units[end:])
    said = []
    for one, other in zip(*lists, strict=True):
        words = [*parts[0], units[one], *parts[1], units[other], *parts[2]]
        said.append(_joined([unit.text for unit in words]).rstrip(" ,"))
    return tuple(f"{one}." for one in said)


def _lists(units: Sequence[_Unit]) -> Iterator[list[int]]:
    """Where units of one kind stand one after another, with commas and an "and" between."""
    place = 0
    while place < len(units):
        found = [place]
        after = place + 1
        kind = units[place].kind
        while kind in _NUMBERED and after < len(units) and units[after].text in (",", "and"):
            is_both = units[after].text == "," and units[after + 1 : after + 2] == [_AND]
            following = after + 1 + is_both
            if following >= len(units) or units[following].kind != kind:
                break
            found.append(following)
            after = following + 1
        yield found
        place = found[-1] + 1


def _aligned(whole: list[_Unit], rest: list[_Unit]) -> dict[int, int] | None:
    """Which unit of the first statement each of the rest stands for, in order; None without one.

    The best of all alignments: as many same words as can be, then like kinds, then others.
    """
    nowhere = float("-inf")
    best = [[0.0] * (len(whole) + 1)]
    taken = [[False] * (len(whole) + 1)]
    for by in range(len(rest)):
        row, laid_here = [nowhere], [False]
        for at in range(len(whole)):
            score = _score(whole, at, rest, by)
            laid = best[by][at] + score if score else nowhere
            row.append(max(laid, row[at]))
            laid_here.append(laid > nowhere and laid >= row[at])
        best.append(row)
        taken.append(laid_here)
    if best[-1][-1] == nowhere:
        return None
    places: dict[int, int] = {}
    by, at = len(rest), len(whole)
    while by:
        if taken[by][at]:
            by -= 1
            places[at - 1] = by
        at -= 1
    return places


def _score(whole: list[_Unit], at: int, rest: list[_Unit], by: int) -> float:
    one, other = whole[at], rest[by]
    if one.is_same(other):
        return _SAME
    if one.kind == other.kind and one.kind in _NUMBERED:
        return _LIKE
    is_stand_in = other.text in _STANDS_FOR
    if one.kind in _FIXED or other.kind in _FIXED or one.text.lower() in PRONOUNS:
        return 0.0
    return _OTHER if is_stand_in or _is_certain(whole, at, rest, by) else 0.0


def _is_certain(whole: list[_Unit], at: int, rest: list[_Unit], by: int) -> bool:
    """Beside the same word or after a number, at the end of both, or all there is of a subject."""
    if at and by:
        before, beside = whole[at - 1], rest[by - 1]
        if before.is_same(beside) or before.kind == beside.kind == "number":
            return True
    if at + 1 < len(whole) and by + 1 < len(rest) and whole[at + 1].is_same(rest[by + 1]):
        return True
    if at == len(whole) - 1 and by == len(rest) - 1:
        return True
    return at == by == 0 and len(whole) > 1 and whole[1].kind == "verb"
