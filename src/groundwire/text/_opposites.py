"""Opposite states: "log rotation is enabled" denies "log rotation disabled".

A statement gives a thing the opposite of the state that a name gives it ("the certificate is valid"
of "expired certificate"), or denies the opposite and so gives it that state ("is not valid"). Both
are seen only where the word for the state belongs to the thing: stands before it, or is said of it.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from groundwire.text._cues import is_negation
from groundwire.text._grammar import BE_FORMS, is_auxiliary, is_past, is_preposition
from groundwire.text._words import STOP_WORDS, Token, content_terms, stem, tokens_of, word_set

# what is not the one is the other
_EITHER = """
enabled active activated on|disabled inactive deactivated off
up online running alive operational started|down offline stopped halted dead
open opened|closed shut
valid|expired invalid lapsed
working healthy operational intact sound|failing failed faulty broken defective dead damaged
present|missing absent gone lost
connected attached plugged|disconnected detached unplugged
available|unavailable
reachable|unreachable
succeeded successful passed|failed failing unsuccessful
correct right|wrong incorrect
complete|incomplete partial
allowed permitted granted|denied forbidden refused blocked
accepted|rejected refused
locked|unlocked
visible|hidden invisible
clean|dirty contaminated fouled
clear free unblocked|blocked clogged jammed obstructed stuck congested
current recent|stale outdated
early punctual|late delayed overdue
armed|disarmed
engaged|disengaged
mounted|dismounted unmounted
"""
# what is not the one need not be the other
_ENDS = """
full|empty drained
high higher elevated raised excessive increased|low lower reduced decreased
rising growing|falling shrinking dropping
hot overheated warm|cold cool chilled frozen
fast quick rapid|slow sluggish
long longer|short shorter brief
large big huge|small tiny
wide|narrow
wet damp moist flooded|dry
loose|tight tightened
strong|weak
new|worn old
charged|discharged flat
bright|dark dim
loud noisy|quiet silent
thick|thin
heavy|light
"""
_PARTICLES = word_set("on off up down")
"""Also prepositions: they say a state where nothing hangs on them."""
_AFTER_PARTICLE = word_set("and but since again now as , ; . ! :")
_LINKING = BE_FORMS | word_set(
    "has have had stays stayed stay remains remained remain looks looked seems seemed appears"
    " appeared reads shows showed turned switched set marked reported shown as to kept keeps found"
    " still now already again all both currently fully completely quite very rather too well always"
    " only just indeed : ="
)
_CONJUNCTIONS = word_set("and but because that which who when if while whereas although")
_UNTIL = word_set("until before previously earlier once formerly")
"""A state that was is not the one that is."""
_ADJECTIVES = ("able", "ible", "ate", "ete", "ect", "ent", "ant", "ive", "id", "al", "ual", "ure")
_NOT_AFTER_DIS = word_set("ordered covered played posed patched solved counted")
_MIN_STEM_CHARS = 4
_PREPOSITION_REACH_WORDS = 2


class _State(NamedTuple):
    """`is_either`: whether a thing that is not so is in the opposite state."""

    word: str
    is_either: bool


def tells_state(name: str, statement: str) -> bool | None:
    """Whether a statement says, by the opposite of a name's state, that the name holds.

    Of "log rotation disabled": "log rotation is enabled" says no, "is not enabled" says yes, and
    where the opposite is not said, or the state itself is, None.
    """
    tokens = tokens_of(statement)
    said = [stem(one.low) for one in tokens]
    named = [one.low for one in tokens_of(name)]
    for word in named:
        others = [one for one in named if one != word and one not in _LINKING]
        things = {term for one in others for term in content_terms(one)}
        if not things or not things <= set(said) or stem(word) in said:
            continue
        for place, token in enumerate(tokens):
            state = _opposite(word, token.low)
            if state is None or not _is_state(tokens, place):
                continue
            if (is_so := _said_of(tokens, said, place, things)) is None:
                continue
            if is_so:
                return False
            return True if state.is_either else None
    return None


def _opposite(word: str, other: str) -> _State | None:
    if (listed := _listed().get((word, other))) is not None:
        return _State(other, listed)
    return _State(other, True) if _is_prefixed(word, other) or _is_prefixed(other, word) else None


def _is_prefixed(longer: str, shorter: str) -> bool:
    """ "unstable" of "stable", "incomplete" of "complete"; "informed" is none of "formed"."""
    if len(shorter) < _MIN_STEM_CHARS:
        return False
    if longer == f"un{shorter}":
        return True
    if longer == f"dis{shorter}":
        return shorter.endswith("ed") and shorter not in _NOT_AFTER_DIS
    is_denied = longer in (f"in{shorter}", f"im{shorter}", f"ir{shorter}", f"il{shorter}")
    return is_denied and shorter.endswith(_ADJECTIVES)


@cache
def _listed() -> dict[tuple[str, str], bool]:
    found: dict[tuple[str, str], bool] = {}
    for rows, is_either in ((_ENDS, False), (_EITHER, True)):
        for row in rows.strip().splitlines():
            one, other = (side.split() for side in row.split("|"))
            for word in one:
                for opposed in other:
                    found[word, opposed] = found[opposed, word] = is_either
    return found


def _is_state(tokens: list[Token], place: int) -> bool:
    after = tokens[place + 1].low if place + 1 < len(tokens) else "."
    if any(one.low in _UNTIL for one in tokens) or tokens[-1].text == "?":
        return False
    return tokens[place].low not in _PARTICLES or after in _AFTER_PARTICLE


def _said_of(tokens: list[Token], said: list[str], place: int, things: set[str]) -> bool | None:
    """Whether a state is given to the things, or denied of them; None where to something else."""
    if place + 1 < len(tokens) and said[place + 1] in things:
        return None if any(is_negation(one.low) for one in tokens[:place]) else True
    start = place
    while start and _links(tokens[start - 1].low):
        start -= 1
    subject = _subject(tokens, said, start, things)
    if not subject:
        return None
    between = [one.low for one in tokens[start:place]]
    return not any(map(is_negation, between))


def _links(word: str) -> bool:
    return word in _LINKING or word.endswith("ly") or is_negation(word) or word in ("no", "longer")


def _subject(tokens: list[Token], said: list[str], end: int, things: set[str]) -> bool:
    """Whether what ends here is about the things: not "the alarm for log rotation"."""
    places = [at for at in range(end) if said[at] in things]
    if {said[at] for at in places} != things:
        return False
    first, last = places[0], places[-1]
    behind = [one.low for one in tokens[last + 1 : end]]
    if behind and not (is_preposition(behind[0]) and not any(map(_breaks, behind))):
        return False
    within = [one.low for one in tokens[first:last]]
    return not any(map(_breaks, within)) and not _hangs_on(tokens, first)


def _breaks(word: str) -> bool:
    """What opens another clause: a mark, a verb that is no plural, a conjunction."""
    return not word[0].isalnum() or is_auxiliary(word) or is_past(word) or word in _CONJUNCTIONS


def _hangs_on(tokens: list[Token], place: int) -> bool:
    """ "the size of the disk" is about the size."""
    before: Iterator[str] = (one.low for one in reversed(tokens[:place]))
    for _, word in zip(range(_PREPOSITION_REACH_WORDS), before, strict=False):
        if is_preposition(word):
            return True
        if word not in STOP_WORDS:
            return False
    return False
