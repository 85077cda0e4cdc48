"""Clauses that say what something did to something, with a verb that no list of causes holds.

`The low pressure tripped the boilers`: whether that tells of cause and effect the wording alone
does not show, so what is read here is only a candidate. The learned reader decides.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.ground._joints import DETERMINERS, boundaries, has_verb, is_month, looks_past
from groundwire.ground._phrases import (
    BY_HOW_MUCH,
    WHEN,
    clause_before,
    object_after,
    plain,
    subject_before,
)
from groundwire.text import (
    STOP_WORDS,
    VERBS,
    Token,
    is_auxiliary,
    is_base,
    is_finite,
    is_preposition,
    tokens_of,
    word_set,
)


class OpenClause(NamedTuple):
    """Who did it, to whom and what: `place` is where the verb stands.

    `thing` is what it was done to, `effect` the state that is in: `boilers`, `boilers tripped`.
    """

    cause: str
    effect: str
    verb: str
    place: int
    thing: str = ""


_SUBJECTS = word_set("it this that which")


_AFTER_OBJECT = word_set("down off out away back to up")
_PARTICLES = word_set("up down off out away back over")
# verbs that leave their object in a state which the words after it name: "took the readers offline"
_RESULTATIVE = word_set(
    """sent brought cost turned made make makes left leaves took takes kept keeps let lets got
    rendered"""
)
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
    executed created configured deployed upgraded installed notified alerts alerted informed
    publishes published creates determines determined fixes opens merges merged refactored specified
    specifies including included involves involving discusses discussed suggests proposes proposed
    investigated investigates checks asks mentions mentioned verified verifies identified identifies
    reviewed assigned announced approved entered visited attended paused scheduled joins escalated
    acknowledged contacted requested responded documented raised provides provided requires required
    represented regarding using following concerning"""
)
_SUBORDINATES = word_set(
    "that which who if when whether because unless although though why how where"
)
_PERSONAL = word_set("we i you he she they who everyone somebody someone nobody people")
_MAX_SUBJECT_WORDS = 14
_HAVE = word_set("had has have")
_BE = word_set("is are was were")
_POINTING = word_set("it this that")
_WHERE = word_set("there here then now thus soon later instead again still")
_ONE = word_set("a an each every this that it")


def open_clauses(sentence: str, taken: Sequence[int] = ()) -> Iterator[OpenClause]:
    """`taken` are the places of cues: a clause that holds one is read by its cue."""
    start, before, shared = 0, "", ""
    ends = ((one.start, one.end, one.shares) for one in boundaries(sentence))
    shares = False
    for stop, following, next_shares in (*ends, (len(sentence), len(sentence), False)):
        clause = sentence[start:stop]
        found = None
        if not any(start <= one < stop for one in taken):
            found = _predicate(clause, shared) if shares and shared else _read(clause, before)
        if found is not None:
            yield found._replace(place=start + found.place)
        if not shares:
            shared = found.cause if found is not None else _subject_in(clause)
        before = clause_before(clause) or before
        start, shares = following, next_shares


def _subject_in(clause: str) -> str:
    """What a clause without an open reading speaks of: the next predicate may share it."""
    tokens = [one for one in tokens_of(clause) if one.text[0].isalnum()]
    for place, token in enumerate(tokens[:_MAX_SUBJECT_WORDS]):
        if place and (is_auxiliary(token.low) or _is_past(tokens, place)):
            return _subject(clause[: token.start], "")
    return ""


def _predicate(clause: str, subject: str) -> OpenClause | None:
    """`tripped the line` after `touched the conductor and`."""
    tokens = [one for one in tokens_of(clause) if one.text[0].isalnum() or one.text in ",()"]
    for place, token in enumerate(tokens[:3]):
        if looks_past(token.low):
            found = _active(clause, tokens, place, "", subject=subject)
            return found if found is not None and subject else None
    return None


# such as "when a visitor", "until it overflowed", "as a consequence of", ", thereby bringing"
_CIRCUMSTANCE = lazy_pattern(
    r",?\s+(?:when|while|because|until|as\s+(?:a|the)|so\s+that|in\s+order|where|once|after)\b"
    r"|,\s+(?:thereby|thus|[a-z]{2,12}ing)\s",
    re.IGNORECASE,
)
# such as "until it overflowed": that is what came of it
_UNTIL = lazy_pattern(r"\buntil\s+(?:it|they)\s+(\w+ed)\b", re.IGNORECASE)
# such as "cost us two days"; "turned them grey" tells of them
_TO_WHOM = lazy_pattern(
    r"^(?:(?:us|me|him|her|you)\s+(?=\w)|them\s+(?=(?:the|an?|some|\d+|two|three|many|days|hours)\b))",
    re.IGNORECASE,
)
# such as "left us no choice but to write"
_NO_CHOICE = lazy_pattern(
    r"\s+(?:no\s+(?:other\s+)?choice|no\s+option)\s+but\s+to\s+", re.IGNORECASE
)


def _read(clause: str, before: str) -> OpenClause | None:
    tokens = [one for one in tokens_of(clause) if one.text[0].isalnum() or one.text in ",()"]
    # "the blocked stands kept": a noun in -s looks like a verb, a past rarely like a noun
    for is_verb in (_is_past, _is_present):
        for place, token in enumerate(tokens[:_MAX_SUBJECT_WORDS]):
            if place and token.low in _SUBORDINATES:
                break
            if place and is_auxiliary(token.low) and not is_month(clause, token):
                return (
                    _perfect(clause, tokens, place, before)
                    or _progressive(clause, tokens, place, before)
                    or _passive(clause, tokens, place)
                )
            if place and is_verb(tokens, place):
                found = _active(clause, tokens, place, before)
                if found is not None:
                    return found
    return None


def _perfect(clause: str, tokens: list[Token], place: int, before: str) -> OpenClause | None:
    """`the scaling had cut the flow`."""
    at = place + 1
    while at < len(tokens) and tokens[at].low.endswith("ly"):
        at += 1
    if tokens[place].low not in _HAVE or at >= len(tokens) or not looks_past(tokens[at].low):
        return None
    subject = _subject(clause[: tokens[place].start], before)
    return _active(clause, tokens, at, before, subject=subject) if subject else None


def _is_gerund(word: str) -> bool:
    return word.endswith("ing") and not word.endswith("thing")


def _progressive(clause: str, tokens: list[Token], place: int, before: str) -> OpenClause | None:
    """`the matted screen is throttling the inflow`."""
    at = place + 1
    while at < len(tokens) and tokens[at].low.endswith("ly"):
        at += 1
    if tokens[place].low not in _BE or at >= len(tokens) or not _is_gerund(tokens[at].low):
        return None
    subject = _subject(clause[: tokens[place].start], before)
    # after "is" every such word is a verb, known or not
    done = participle_of(tokens[at].low) or f"{tokens[at].low.removesuffix('ing')}ed"
    found = _active(clause, tokens, at, before, subject=subject) if subject else None
    # "the node where it is running went down": no object follows
    is_verb_next = at + 1 < len(tokens) and is_finite(tokens[at + 1].low)
    if found is None or is_verb_next or {done, tokens[at].low} & _NO_CAUSE:
        return None
    return found._replace(effect=resulting(found.thing, done))


# such as ", leaving the vaccine warm", ", thereby flooding the cellar", ", dropping calls in town"
_PARTICIPLE = lazy_pattern(
    r",\s+(?:thus\s+|thereby\s+|in\s+turn\s+|eventually\s+)?(?P<verb>[a-z]{2,12}ing)\s+"
    r"(?P<particle>(?:up|down|off|out|away|back|over)\s+)?"
    r"(?=(?:the|an?|its|their|our|all|some|both|one|two|three|several|many|every|each|no|most|half|it"
    r"|them|us|[\d.,]+|\w+s)\s)"
)
_FORMS = {base: participle for base, _, participle in VERBS}
_PASTS = {base: past for base, past, _ in VERBS}


def participles(sentence: str, taken: Sequence[int] = ()) -> Iterator[OpenClause]:
    """`The cooler failed, leaving the vaccine warm`: the clause before is what did it."""
    for match in _PARTICIPLE.finditer(sentence):
        verb = participle_of(match["verb"])
        if not verb or any(match.start() <= one <= match.end() for one in taken):
            continue
        cause = clause_before(sentence[: match.start()])
        said = object_after(_CIRCUMSTANCE.split(sentence[match.end() :])[0])
        if cause and said and has_verb(cause):
            effect = resulting(said, verb, (match["particle"] or "").strip())
            yield OpenClause(cause, effect, match["verb"], match.start("verb"), said)


def participle_of(gerund: str) -> str:
    """ "leaving" is done when something is "left"; nothing of a word that is no verb."""
    stem = gerund.removesuffix("ing")
    doubled = stem[:-1] if stem[-2:-1] == stem[-1:] else stem
    for base in (stem, f"{stem}e", doubled):
        if base in _FORMS:
            return _FORMS[base]
        past = f"{base.removesuffix('e')}ed"
        if is_base(base) and not {base, past, gerund} & _NO_CAUSE:
            return past
    return ""


# such as "the flooding of the cellar by the burst main"
_NOMINAL_BY = lazy_pattern(
    r"\b(?P<effect>(?P<noun>[a-z]+(?:ing|tion|sion|ment|al|ure|age))\s+of\s+"
    r"(?P<what>(?:[\w'-]+\s+){1,6}?))by\s+(?P<cause>(?:the|an?|this|these|its|their|some)?\s*"
    r"[\w'-]+(?:\s+[\w'-]+){0,3}?)"
    r"(?=\s+(?:\w+ed|was|were|is|are|had|has|made|left|began|caused|led|brought|broke)\b|[.,;])",
    re.IGNORECASE,
)


def nominals(sentence: str) -> Iterator[OpenClause]:
    """`The flooding of the cellar by the burst main`: a clause in the form of a noun."""
    for match in _NOMINAL_BY.finditer(sentence):
        effect, cause = plain(match[0]), plain(match["cause"])
        yield OpenClause(cause, effect, f"{match['noun']} by", match.start(), effect)


def _opens_noun(word: str) -> bool:
    """ "the", "of": what follows is a noun; after "it" a verb may follow."""
    is_before = word in STOP_WORDS or word in DETERMINERS or is_preposition(word)
    return is_before and word not in _SUBJECTS


def _is_past(tokens: list[Token], place: int) -> bool:
    word, last = tokens[place].low, tokens[place - 1]
    if (_opens_noun(last.low) and last.text != "May") or last.text == ",":
        return False
    return looks_past(word)


def _is_present(tokens: list[Token], place: int) -> bool:
    word, last = tokens[place].low, tokens[place - 1].low
    return not _opens_noun(last) and last != "," and is_finite(word) and word.endswith("s")


def _active(
    clause: str, tokens: list[Token], place: int, before: str, *, subject: str = ""
) -> OpenClause | None:
    verb = tokens[place]
    following = tokens[place + 1 :]
    if is_auxiliary(verb.low) or not following:
        return None
    particle = following[0].low if following[0].low in _PARTICLES else ""
    # "used" brings nothing about, "used up" does
    if not particle and brings_nothing(verb.low):
        return None
    rest = following[1:] if particle else following
    if not rest or not _opens_object(rest[0]) or WHEN.match(clause, rest[0].start):
        return None
    # "Emergency calls skip the node": a noun in -s, and the verb after it; "a damper lets air in"
    is_one = tokens[0].low in _ONE
    if verb.low.endswith("s") and rest[0].low not in STOP_WORDS and not is_one:
        return None
    said = object_after(_CIRCUMSTANCE.split(_NO_CHOICE.sub(" ", clause[rest[0].start :]))[0])
    said = _TO_WHOM.sub("", said)
    cause = subject or _subject(clause[: verb.start], before)
    if not said or not cause:
        return None
    ended = _UNTIL.search(clause)
    if ended:
        effect = resulting(said, ended[1])
    else:
        effect = said if verb.low in _BRINGING else resulting(said, verb.low, particle)
    said_verb = clause[verb.start : rest[0].start].strip()
    return OpenClause(cause, effect, said_verb, verb.start, said)


def brings_nothing(verb: str) -> bool:
    """Whether nothing comes of what it says: `looks`, `received`."""
    return bool({verb, *_pasts(verb)} & _NO_CAUSE)


def _pasts(word: str) -> set[str]:
    """ "looked" of "looks": what brings nothing about does so in no tense."""
    if not word.endswith("s"):
        return set()
    bases = {word[:-1], word.removesuffix("es"), f"{word.removesuffix('ies')}y"}
    regular = {f"{base.removesuffix('e')}ed" for base in bases}
    return regular | {_PASTS[base] for base in bases if base in _PASTS}


def _subject(text: str, before: str) -> str:
    words = [one.low for one in tokens_of(text) if one.text[0].isalnum()]
    if words[:1] == ["which"]:
        return before
    # "it", "There it", "By then it"
    if words[-1:] and words[-1] in _POINTING and all(map(_is_setting, words[:-1])):
        return words[-1]
    if not words or words[-1] in _PERSONAL or words[0] in _PERSONAL:
        return ""
    return subject_before(text)


def _is_setting(word: str) -> bool:
    return word in STOP_WORDS or word in _WHERE or is_preposition(word)


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
    if by is None or tokens[at].low in _NO_CAUSE or BY_HOW_MUCH.match(clause, by.end):
        return None
    cause = object_after(clause[by.end :])
    subject = subject_before(clause[: tokens[place].start])
    if not cause or not subject:
        return None
    middle = clause[tokens[at].start : by.start].strip()
    return OpenClause(cause, plain(f"{subject} {middle}"), f"{middle} by", tokens[at].start)
