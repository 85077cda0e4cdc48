"""Clauses that say what something did to something, with a verb that no list of causes holds.

`The low pressure tripped the boilers`: whether that tells of cause and effect the wording alone
does not show, so what is read here is only a candidate. The learned reader decides.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.ground._phrases import clause_before, object_after, plain, subject_before
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


class OpenClause(NamedTuple):
    """Who did it, to whom and what: `place` is where the verb stands."""

    cause: str
    effect: str
    verb: str
    place: int


_SUBJECTS = word_set("it this that which")


_AFTER_OBJECT = word_set("down off out away back to up")
_PARTICLES = word_set("up down off out away back")
# verbs that leave their object in a state which the words after it name: "took the readers offline"
_RESULTATIVE = word_set("made make makes left leaves took takes kept keeps let lets got rendered")
# their object is what comes of it: "introduced a lock"
_BRINGING = word_set(
    """allowed allows introduced introduces created creates brought opened permitted enabled started
    let lets stopped stops ended ends cleared clears cured fixed removed resolved halted
    contained"""
)
# what people and things do without anything coming of it
_NO_CAUSE = word_set(
    """got gets saw sees seen found finds
    showed shows shown used uses needed needs knew knows said says told asked wrote reported noted
    confirmed checked tested measured received receives contained contains included includes held
    feeds fed takes follows followed mirrors mirrored matched meets met gave wanted planned intended
    looked seemed appeared remained stayed lay stood considered expected believed suspected thought
    called named described lost began started went came ran tried helped rained grew fell rose
    shipped watched learned learnt recorded read replayed agreed decided promised skip skips joined
    owns owned supports supported represents indicates suggested suggests means reached passed
    became becomes supplies serves covers lists monitors handles
    attempted attempts noticed detected discovered implemented consumes uses evaluated applied
    executed created configured deployed upgraded installed"""
)
_SUBORDINATES = word_set("that which who if when whether because unless although though")
_PERSONAL = word_set("we i you he she they who everyone somebody someone nobody people")
# such as ", and the", "; it", " and that": a clause of its own begins
_NOT_ED = word_set("need speed feed seed shed embed indeed hundred unprecedented")
_MAX_SUBJECT_WORDS = 14


def open_clauses(sentence: str, taken: Sequence[int] = ()) -> Iterator[OpenClause]:
    """`taken` are the places of cues: a clause that holds one is read by its cue."""
    start, before = 0, ""
    for stop, following in (*_boundaries(sentence), (len(sentence), len(sentence))):
        clause = sentence[start:stop]
        found = None if any(start < one < stop for one in taken) else _read(clause, before)
        if found is not None:
            yield found._replace(place=start + found.place)
        before = clause_before(clause) or before
        start = following


def _boundaries(sentence: str) -> Iterator[tuple[int, int]]:
    """Where a clause ends and the next begins: `, and the`, `; `, `, which`."""
    for joint in coordinations(sentence):
        rest = sentence[joint.end :]
        if joint.mark or joint.word in ("and", "but", "so"):
            opens = _OPENS.match(rest)
            if opens or joint.mark in (";", ":", "."):
                yield joint.start, joint.end


# such as "when a visitor", "until it overflowed", "as a consequence of"
_CIRCUMSTANCE = re.compile(
    r",?\s+(?:when|while|because|until|as\s+(?:a|the)|so\s+that|in\s+order|where|once|after)\b",
    re.IGNORECASE,
)
# such as "until it overflowed": that is what came of it
_UNTIL = re.compile(r"\buntil\s+(?:it|they)\s+(\w+ed)\b", re.IGNORECASE)
# such as "left us no choice but to write"
_NO_CHOICE = re.compile(r"\s+(?:no\s+(?:other\s+)?choice|no\s+option)\s+but\s+to\s+", re.IGNORECASE)
# such as "the pump", "which", "this", "it"
_OPENS = re.compile(
    r"(?:the|a|an|this|that|these|those|it|its|they|their|which|our|he|she|we)\b", re.IGNORECASE
)


def _read(clause: str, before: str) -> OpenClause | None:
    tokens = [one for one in tokens_of(clause) if one.text[0].isalnum() or one.text in ",()"]
    # "the blocked stands kept": a noun in -s looks like a verb, a past rarely like a noun
    for is_verb in (_is_past, _is_present):
        for place, token in enumerate(tokens[:_MAX_SUBJECT_WORDS]):
            if place and token.low in _SUBORDINATES:
                break
            if place and is_auxiliary(token.low):
                return _passive(clause, tokens, place)
            if place and is_verb(tokens, place):
                found = _active(clause, tokens, place, before)
                if found is not None:
                    return found
    return None


def _opens_noun(word: str) -> bool:
    """ "the", "of": what follows is a noun; after "it" a verb may follow."""
    return (word in STOP_WORDS or is_preposition(word)) and word not in _SUBJECTS


def _is_past(tokens: list[Token], place: int) -> bool:
    word, last = tokens[place].low, tokens[place - 1].low
    if _opens_noun(last) or last == ",":
        return False
    regular = word.endswith("ed") and len(word) > len("need") and word not in _NOT_ED
    return regular or (is_finite(word) and not word.endswith("s"))


def _is_present(tokens: list[Token], place: int) -> bool:
    word, last = tokens[place].low, tokens[place - 1].low
    return not _opens_noun(last) and last != "," and is_finite(word) and word.endswith("s")


def _active(clause: str, tokens: list[Token], place: int, before: str) -> OpenClause | None:
    verb = tokens[place]
    following = tokens[place + 1 :]
    if verb.low in _NO_CAUSE or is_auxiliary(verb.low) or not following:
        return None
    particle = following[0].low if following[0].low in _PARTICLES else ""
    rest = following[1:] if particle else following
    if not rest or not _opens_object(rest[0]):
        return None
    # "Emergency calls skip the node": a noun in -s, and the verb after it
    if verb.low.endswith("s") and rest[0].low not in STOP_WORDS:
        return None
    said = object_after(_CIRCUMSTANCE.split(_NO_CHOICE.sub(" ", clause[rest[0].start :]))[0])
    cause = _subject(clause[: verb.start], before)
    if not said or not cause:
        return None
    ended = _UNTIL.search(clause)
    if ended:
        effect = resulting(said, ended[1])
    else:
        effect = said if verb.low in _BRINGING else resulting(said, verb.low, particle)
    return OpenClause(cause, effect, clause[verb.start : rest[0].start].strip(), verb.start)


def _subject(text: str, before: str) -> str:
    words = [one.low for one in tokens_of(text) if one.text[0].isalnum()]
    if words[:1] == ["which"]:
        return before
    if len(words) == 1 and words[0] in ("it", "this", "that"):
        return words[0]
    if not words or words[-1] in _PERSONAL or words[0] in _PERSONAL:
        return ""
    return subject_before(text)


def _opens_object(token: Token) -> bool:
    word = token.low
    return token.text[0].isalnum() and not (
        is_preposition(word)
        or is_auxiliary(word)
        or word in ("and", "or", "but", "that", "which")
        or word.endswith("ly")
        or word
        in (
            "when",
            "while",
            "because",
            "if",
            "too",
            "again",
            "together",
            "altogether",
            "late",
            "early",
            "twice",
        )
    )


def resulting(said: str, verb: str, particle: str = "") -> str:
    """`tripped the boilers in ninety homes`: the boilers tripped in ninety homes."""
    if verb in _RESULTATIVE:
        return said
    words = said.split()
    cut = next(
        (
            at
            for at, word in enumerate(words)
            if at and (is_preposition(word.lower()) or word.lower() in _AFTER_OBJECT)
        ),
        len(words),
    )
    # "the departure of the trucks" stays together
    while cut < len(words) and words[cut].lower() == "of":
        cut = next(
            (at for at in range(cut + 1, len(words)) if is_preposition(words[at].lower())),
            len(words),
        )
    return " ".join([*words[:cut], verb, *([particle] if particle else []), *words[cut:]])


def _passive(clause: str, tokens: list[Token], place: int) -> OpenClause | None:
    """`the cabinet had been unplugged by the polishers`."""
    at = place
    while at < len(tokens) and (is_auxiliary(tokens[at].low) or tokens[at].low.endswith("ly")):
        if tokens[at].low in ("not", "never"):
            return None
        at += 1
    if at + 2 >= len(tokens) or (
        not is_finite(tokens[at].low) and not tokens[at].low.endswith("ed")
    ):
        return None
    by = next((one for one in tokens[at + 1 : at + 3] if one.low == "by"), None)
    if by is None or tokens[at].low in _NO_CAUSE:
        return None
    cause = object_after(clause[by.end :])
    subject = subject_before(clause[: tokens[place].start])
    if not cause or not subject:
        return None
    middle = clause[tokens[at].start : by.start].strip()
    return OpenClause(cause, plain(f"{subject} {middle}"), f"{middle} by", tokens[at].start)
