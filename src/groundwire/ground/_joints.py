"""Where a clause ends and another begins: `…, and disk saturation held up the log`.

A conjunction joins clauses where a verb with a subject of its own follows it, and predicates where
a verb follows it at once: `touched the conductor and tripped the line`.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from groundwire._kept import kept
from groundwire._patterns import lazy_pattern
from groundwire.ground._points import STOP
from groundwire.text import (
    STOP_WORDS,
    Token,
    coordinations,
    is_auxiliary,
    is_finite,
    is_preposition,
    tokens_of,
    word_set,
)

DETERMINERS = word_set(
    """the a an this that these those its their our his her my your every each all some any no both
    many several most more other such another few two three four five six"""
)
_SUBJECTS = word_set("it they he she we i you this that these those there which nobody everyone")
_BINDERS = word_set("that which who whom whose if unless when whether because although though")
_NOT_ED = word_set("need speed feed seed shed embed indeed hundred unprecedented red bed")
_PARTICLES = word_set("up down off out away back over through")
_REACH = 9
# such as "Then", "later", "thereby": between a conjunction and its verb
_BETWEEN = word_set("then also later thereby so again finally eventually in turn")
# the full stop of "done. The"; not that of "Dr. Lund"
_ENDS = lazy_pattern(STOP)
# before the name of a month: "3 ", "in "
_MONTH = lazy_pattern(r"\d\s+$|\b(?:in|of|since|until|by|early|late)\s+$", re.IGNORECASE)


class Boundary(NamedTuple):
    """From where to where a joint stands; `shares`: what follows has the subject of what stood
    before it."""

    start: int
    end: int
    shares: bool


def is_month(text: str, token: Token) -> bool:
    """ "11 May": no verb."""
    return token.text == "May" and _MONTH.search(text[: token.start]) is not None


_LIKE_THEIR_BASE = word_set("reset upset offset undercut burst cast broadcast overrode overran")


def looks_past(word: str) -> bool:
    """By its ending, whatever the verb: `clogged`, `tore`."""
    if word in _LIKE_THEIR_BASE:
        return True
    regular = word.endswith("ed") and len(word) > len("need") and word not in _NOT_ED
    return regular or (is_finite(word) and not word.endswith("s"))


@kept(4_096)
def boundaries(sentence: str) -> tuple[Boundary, ...]:
    return tuple(_boundaries(sentence))


def _boundaries(sentence: str) -> Iterator[Boundary]:
    for joint in coordinations(sentence):
        tokens = tokens_of(sentence[joint.end : joint.end + 200])
        if not tokens or not (joint.mark or joint.word in ("and", "but", "so", "and then")):
            continue
        if joint.mark == "." and not _ENDS.match(sentence, joint.start):
            continue
        if joint.mark in (";", ":", ".") or _begins_clause(tokens, after_mark=bool(joint.mark)):
            yield Boundary(joint.start, joint.end, shares=False)
        elif joint.word.startswith(("and", "but", "then")) and _begins_predicate(tokens):
            yield Boundary(joint.start, joint.end, shares=True)


def _begins_clause(tokens: list[Token], *, after_mark: bool) -> bool:
    first = tokens[0].low
    if first in _BINDERS and first not in ("which", "that"):
        return False
    opens = first in DETERMINERS or first in _SUBJECTS
    if after_mark and is_preposition(first):
        return _begins_after_setting(tokens)
    if not opens and (not after_mark or is_finite(first)):
        return False
    if first == "which":
        return True
    return _verb_after_subject(tokens) is not None


def _begins_after_setting(tokens: list[Token]) -> bool:
    """`within a day the scaling had cut the flow`: the subject comes after the time or place."""
    for place in range(2, min(_REACH, len(tokens))):
        token, before = tokens[place], tokens[place - 1].low
        if token.text in ",;:":
            return False
        is_new = token.low in DETERMINERS or token.low in _SUBJECTS
        if is_new and before not in DETERMINERS and not is_preposition(before):
            return _verb_after_subject(tokens[place:]) is not None
    return False


def _verb_after_subject(tokens: list[Token]) -> int | None:
    """Where the verb stands that the first words are the subject of; none in a mere list."""
    for place, token in enumerate(tokens[: _REACH + 1]):
        if token.text in ",;:" or token.low in ("and", "or"):
            return None
        before = tokens[place - 1].low if place else ""
        is_pronoun = place == 1 and before in _SUBJECTS
        opens_noun = before in DETERMINERS or (is_preposition(before) and before != "to")
        if not place or (opens_noun and not is_pronoun):
            continue
        if is_auxiliary(token.low) or (is_finite(token.low) and token.low.endswith("s")):
            return place
        if looks_past(token.low) and _goes_on(tokens, place):
            return place
    return None


def _goes_on(tokens: list[Token], place: int) -> bool:
    """`slowed the consumers`, `went down`, `rose`: a past form that is no adjective here."""
    following = tokens[place + 1].low if place + 1 < len(tokens) else ""
    if not following or following in ".,;" or not tokens[place].low.endswith(("ed", "en")):
        return True
    return (
        following in DETERMINERS
        or following in _PARTICLES
        or following in STOP_WORDS
        or is_preposition(following)
        or following.endswith("ly")
        or place + 2 < len(tokens)
    )


def _begins_predicate(tokens: list[Token]) -> bool:
    place = 0
    while place < len(tokens) - 1 and (
        tokens[place].low in _BETWEEN or tokens[place].low.endswith("ly")
    ):
        place += 1
    if place + 1 >= len(tokens) or not looks_past(tokens[place].low):
        return False
    following = tokens[place + 1].low
    return (
        following in DETERMINERS
        or following in _PARTICLES
        or following in ("it", "them", "us")
        or not tokens[place].low.endswith(("ed", "en"))
    )


def has_verb(text: str) -> bool:
    """Whether it says what something does or is: `the clamp slipped`."""
    tokens = [one for one in tokens_of(text) if one.text[0].isalnum()]
    return any(
        is_auxiliary(one.low) or is_finite(one.low) or looks_past(one.low)
        for before, one in pairwise(tokens)
        if before.low not in DETERMINERS and not is_preposition(before.low)
    )


def clause_end(text: str) -> int:
    """Where the clause ends that a text begins with."""
    return next((one.start for one in boundaries(text)), len(text))
