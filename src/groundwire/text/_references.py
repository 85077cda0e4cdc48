"""What a pronoun may mean: the things a sentence names, by number and gender.

A pronoun is replaced only where exactly one thing agrees with it and has a name of its own;
otherwise the claim is read together with the sentence before it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.model import MONTH_NAMES, WEEKDAY_NAMES
from groundwire.text._grammar import (
    PREPOSITIONS,
    first_finite,
    is_auxiliary,
    is_base,
    is_finite,
    is_past,
    looks_plural,
)
from groundwire.text._words import STOP_WORDS, Token, tokens_of, word_set

Gender = Literal["she", "he", "person", "thing", "any"]

# such as "It" in "It opened in 1990"; not "It's"
_OPENING = lazy_pattern(r"(He|She|It|They|His|Her|Its|Their)\b(?!')", re.IGNORECASE)
_REFERRING = word_set(
    "he she it they his her its their him them this these those it's he's she's they're"
)
_POSSESSIVE = word_set("his her its their")
_PLURAL = word_set("they their them these those they're")
_DEFINITE = word_set("the this our that its their his her")
_INDEFINITE = word_set("a an another each every")
_MANY = word_set("these those some many several most all both few two three four five six seven")
_TITLES = word_set("mr mrs ms dr prof professor president minister king queen sir lord lady judge")
_TITLE_GENDER: dict[str, Gender] = {
    "mr": "he",
    "king": "he",
    "sir": "he",
    "lord": "he",
    "mrs": "she",
    "ms": "she",
    "queen": "she",
    "lady": "she",
}
_THING_WORDS = word_set(
    """inc corp corporation ltd limited gmbh company group bank university college school
    hospital museum bridge tower river lake mountain city county state republic party council
    committee agency ministry department office institute foundation association union church
    airport station street road park island sea ocean act law treaty project programme program
    system service team club league cup award book film album song journal newspaper magazine
    court board grid network protocol policy standard report gateway server platform database
    api library framework"""
)
_WOMEN = word_set(
    """anna anne maria marie mary elizabeth sarah laura emma julia lucy alice jane susan linda
    karen lisa nancy helen sophie clara eva ada grace rosa ingrid astrid yuki priya anita kate amy
    beth ruth rachel rebecca hannah olivia sofia isabel carmen teresa monica angela barbara
    margaret dorothy catherine katherine"""
)
_MEN = word_set(
    """john james robert michael william david richard thomas charles joseph george peter paul
    mark daniel henry frank edward brian kevin steven andrew simon martin stephen patrick anthony
    eric erik lars jan pieter hans otto max leo oscar hugo carlos juan jose luis pedro miguel
    antonio marco ali omar ahmed mohamed mohammed ivan igor dmitri hiro kenji raj sven olaf nils
    karl kurt klaus jack harry oliver noah liam sam ben tom tim joe bob bill jim"""
)
_LINKS = word_set("and or but that which who when while if as than so because nor not")
_IN_NAMES = word_set("of the for de van von der & la le")
_OPENING_ADVERBS = word_set(
    """yes no ok okay please sorry thanks however therefore moreover furthermore meanwhile today
    yesterday tomorrow instead otherwise nevertheless nonetheless hence perhaps maybe"""
)
_BEFORE_A_PLACE = word_set("in at near inside within across throughout around")
_TO_A_PLACE = word_set("to from into toward towards")
_MOVED = word_set(
    """move moves moved go goes went gone travel travels travelled traveled fly flies flew flown
    drive drives drove driven sail sails sailed return returns returned come comes came relocate
    relocates relocated emigrated immigrated fled moving travelling traveling flying"""
)
_DAYS = frozenset({*WEEKDAY_NAMES, *MONTH_NAMES})
_MAX_WORDS = 6


@dataclass(frozen=True)
class Thing:
    """What a sentence names: `has_name` where its words can stand for it elsewhere."""

    text: str
    start: int
    end: int
    is_plural: bool
    gender: Gender
    has_name: bool

    def agrees(self, pronoun: str) -> bool:
        """ "they" may also mean a named thing: a firm is many people."""
        if pronoun in _PLURAL:
            return self.is_plural or (self.has_name and self.gender in ("any", "person"))
        if self.is_plural:
            return False
        if pronoun in ("it", "its", "it's", "this"):
            return self.gender in ("thing", "any")
        wanted: Gender = "he" if pronoun in ("he", "his", "him", "he's") else "she"
        return self.gender in (wanted, "person", "any")


def things_in(sentence: str) -> list[Thing]:
    """The named and the definite or counted things, in order: "Marie Dupont", "the 4 pumps"."""
    tokens = tokens_of(sentence)
    found: list[Thing] = []
    place = 0
    while place < len(tokens):
        stop = _named_end(tokens, place) or _phrase_end(tokens, place)
        if stop is None:
            place += 1
            continue
        found.append(_thing(sentence, tokens[place:stop], is_place=_is_place(tokens, place)))
        place = stop
    return _joined(sentence, found)


def resolve(claim: str, before: str) -> str | None:
    """The claim with its opening pronoun replaced by what the sentence before it names.

    None where more than one thing agrees, or none that has a name.
    """
    match = _OPENING.match(claim)
    if match is None:
        return claim
    pronoun = match[1].lower()
    agreeing = {one.text.lower(): one for one in things_in(before) if one.agrees(pronoun)}
    if len(agreeing) != 1:
        return None
    (thing,) = agreeing.values()
    if not thing.has_name:
        return None
    name = f"{thing.text}'s" if pronoun in _POSSESSIVE else thing.text
    return name[0].upper() + name[1:] + claim[match.end() :]


def refers_back(claim: str) -> bool:
    """Whether it has a pronoun for something that it does not itself name before it."""
    for token in tokens_of(claim):
        if token.low in _REFERRING:
            earlier = [one for one in things_in(claim) if one.end <= token.start]
            if not any(one.agrees(token.low) for one in earlier):
                return True
    return False


class Mention(NamedTuple):
    """ "the boat", with nothing that says which, and where it ends."""

    head: str
    end: int


def bare_mentions(sentence: str) -> list[Mention]:
    """What a sentence speaks of as known: "the boat" in "until the boat has been looked over"."""
    tokens = tokens_of(sentence)
    return [
        Mention(noun.low, noun.end)
        for opener, noun, after in zip(tokens, tokens[1:], [*tokens[2:], None], strict=False)
        if opener.low == "the" and _is_noun(noun) and (after is None or _ends_phrase(after))
    ]


def name_of(mention: Mention, said: Iterable[str]) -> str | None:
    """The one name that some sentences have for it: "narrow boat", "turbine 9", "the Vik mast".

    None where they have none, or two that may be of two things.
    """
    names: dict[frozenset[str], str] = {}
    for sentence in said:
        for words, text in _names_with(mention.head, sentence):
            names.setdefault(words, text)
    widest = [words for words in names if not any(words < other for other in names)]
    return names[widest[0]] if len(widest) == 1 else None


def _names_with(head: str, sentence: str) -> Iterator[tuple[frozenset[str], str]]:
    """Each "Vik mast" or "mast 4" of a sentence, as the words that tell which, and as written."""
    tokens = tokens_of(sentence)
    for place, token in enumerate(tokens):
        if token.low != head:
            continue
        first, last = place, place
        while first > 0 and place - first < _MAX_WORDS and _tells_which(tokens[first - 1]):
            first -= 1
        while last + 1 < len(tokens) and _is_own_name(tokens[last + 1]):
            last += 1
        beside = frozenset(one.low for one in (*tokens[first:place], *tokens[place + 1 : last + 1]))
        if beside:
            yield beside, sentence[tokens[first].start : tokens[last].end]


def _is_noun(token: Token) -> bool:
    return token.text.isalpha() and not token.is_capitalised and len(token.text) > 2  # noqa: PLR2004


def _ends_phrase(token: Token) -> bool:
    """Whether what stands before it is whole: before a verb, a preposition, a mark."""
    return (
        not token.text[0].isalnum()
        or token.low in PREPOSITIONS | _LINKS
        or is_auxiliary(token.low)
        or is_finite(token.low)
    )


def _tells_which(token: Token) -> bool:
    """ "14 masts" are counted, not named."""
    return token.text[0].isalpha() and not (
        token.low in PREPOSITIONS | _LINKS | _DEFINITE | _INDEFINITE | _MANY | _REFERRING
        or is_auxiliary(token.low)
        or (is_finite(token.low) and not token.is_capitalised)
    )


def _is_own_name(token: Token) -> bool:
    return token.is_capitalised or token.text.isdecimal()


def _named_end(tokens: list[Token], place: int) -> int | None:
    """After "Halden Grid", "the University of Oslo"; the first word of a sentence is no name alone
    where it is a pronoun or opens a phrase."""
    first = tokens[place]
    if not first.is_capitalised or first.low in _REFERRING | _DEFINITE | _INDEFINITE | _MANY:
        return None
    if first.low in PREPOSITIONS or is_auxiliary(first.low) or not first.text[0].isalpha():
        return None
    if _names_nothing(first) or (place == 0 and _only_opens(tokens)):
        return None
    stop = place + 1
    while stop < len(tokens) and stop - place < _MAX_WORDS:
        following = tokens[stop]
        if _names_nothing(following):
            break
        if following.is_capitalised and following.text[0].isalpha():
            stop += 1
        elif (
            following.low in _IN_NAMES
            and stop + 1 < len(tokens)
            and tokens[stop + 1].is_capitalised
        ):
            stop += 2
        else:
            break
    is_day = stop == place + 1 and first.low in _DAYS
    return None if is_day else stop


def _names_nothing(token: Token) -> bool:
    """ "We", "I", "There", "If", whatever their case; "US" and "IT" are names."""
    is_acronym = token.text.isupper() and len(token.text) > 1
    return token.is_capitalised and token.low in STOP_WORDS and not is_acronym


def _only_opens(tokens: list[Token]) -> bool:
    """Whether a sentence's first word is large only there: "Contact", "However", "Unfortunately".

    "Target opened a shop", "Mark Gurman left" and "Italy grew" open with names.
    """
    first, following = tokens[0], tokens[1] if len(tokens) > 1 else None
    if first.low in _OPENING_ADVERBS:
        return True
    has_verb_next = following is not None and (
        is_auxiliary(following.low) or is_past(following.low)
    )
    if first.low.endswith("ly"):
        return not has_verb_next
    goes_on = following is not None and following.is_capitalised
    is_name = has_verb_next or (goes_on and first_finite(tokens) is not None)
    return is_base(first.low) and not is_name


def _is_place(tokens: list[Token], place: int) -> bool:
    """ "in Halden", "moved to Halden": what is named there is nobody."""
    before = [token.low for token in tokens[max(0, place - 2) : place]]
    if before[-1:] and before[-1] in _BEFORE_A_PLACE:
        return True
    return before[-1:] != [] and before[-1] in _TO_A_PLACE and before[0] in _MOVED


def _phrase_end(tokens: list[Token], place: int) -> int | None:
    """After "the north mast", "a cave", "4 substations": up to a verb, a preposition, a mark."""
    first = tokens[place]
    opens = first.low in _DEFINITE | _INDEFINITE | _MANY or first.text.isdecimal()
    if not opens:
        return None
    stop = place + 1
    while stop < len(tokens) and stop - place < _MAX_WORDS:
        word = tokens[stop]
        if not word.text[0].isalnum() or word.low in PREPOSITIONS or word.low in _REFERRING:
            break
        if word.low in {"and", "or", "that", "which", "who"}:
            break
        if stop > place + 1 and (is_auxiliary(word.low) or is_finite(word.low)):
            break
        if is_base(word.low) and looks_plural(tokens[stop - 1].low):
            break
        stop += 1
    return stop if stop > place + 1 else None


def _thing(sentence: str, tokens: list[Token], *, is_place: bool) -> Thing:
    words = [token.low for token in tokens]
    opener, head = words[0], words[-1]
    is_name = tokens[0].is_capitalised and opener not in _DEFINITE | _INDEFINITE | _MANY
    counted = tokens[0].text.isdecimal() and words[0] != "1"
    plural = opener in _MANY or counted
    if not is_name and not plural:
        plural = opener in _DEFINITE and looks_plural(head)
    return Thing(
        text=sentence[tokens[0].start : tokens[-1].end],
        start=tokens[0].start,
        end=tokens[-1].end,
        is_plural=plural,
        gender=_gender(words, is_name=is_name, is_place=is_place),
        has_name=is_name or opener in {"the", "our"},
    )


def _gender(words: list[str], *, is_name: bool, is_place: bool) -> Gender:
    if words[0] in _TITLES:
        return _TITLE_GENDER.get(words[0], "person")
    if not is_name or any(word in _THING_WORDS for word in words):
        return "thing"
    if words[0] in _WOMEN:
        return "she"
    if words[0] in _MEN:
        return "he"
    return "thing" if is_place else "any"


def _joined(sentence: str, found: list[Thing]) -> list[Thing]:
    """ "Ada and Otto" are also many."""
    both = [
        Thing(
            sentence[one.start : other.end],
            one.start,
            other.end,
            is_plural=True,
            gender="any",
            has_name=one.has_name and other.has_name,
        )
        for one, other in pairwise(found)
        if sentence[one.end : other.start].strip() == "and"
    ]
    return [*found, *both]
