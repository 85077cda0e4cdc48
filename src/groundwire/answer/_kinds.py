"""Of which kind an answer must be, and of which thing: what a learned reader is blind to."""

import re
from itertools import pairwise, zip_longest

from groundwire._patterns import lazy_pattern
from groundwire.answer._answerable import shown_to_head
from groundwire.answer._choose import (
    ASKS_FOR_VALUE,
    ASKS_WHY,
    REASONING,
    has_value,
    without_fields,
)
from groundwire.model import EvidenceBundle
from groundwire.text import (
    STOP_WORDS,
    has_phrase,
    leaves_open,
    read,
    stem,
    topic_words,
    word_list,
    word_set,
    words_of,
)
from groundwire.values import Period, values_in

_OTHER_IDEAS = ("rejected ideas", "rejected alternatives", "rejected proposals")
"""Sections on what else was thought of, not on what became of the document."""
_FATES = frozenset(map(stem, word_list("rejected reject withdrawn withdraw deferred abandoned")))
# such as "When was it released", "In which year did it end"; "When is it off" may ask for an hour
# or for a condition
_ASKS_FOR_DAY = lazy_pattern(
    r"when (?:was|were|did)\b"
    r"|(?:on|in|at|by|since|from) (?:which|what) (?:date|day|year)\b|by when\b",
    re.IGNORECASE,
)
# such as "How many ballots"
_COUNTED = lazy_pattern(r"\bhow many (?P<noun>\w+(?: \w+){0,2})", re.IGNORECASE)
# such as "What share of the files", "what percentage"; also of "proportion"
_ASKS_FOR_SHARE = lazy_pattern(
    r"\b(?:what|which|how large a) (?:share|percentage|proportion|fraction)\b"
)
# such as "12 %", "a third of", "3 out of 4", "most of the", "none of them"
_SHARE = lazy_pattern(
    r"%|\bper ?cent\b|\b(?:half|thirds?|quarters?|fifths?|tenths?|majority|minority)\b"
    r"|\b\d+ (?:out )?of (?:the )?\d+\b|\b(?:all|most|none|one) (?:out )?of\b",
    re.IGNORECASE,
)
# such as "Which version of it", "What edition"
_ASKS_FOR_VERSION = lazy_pattern(r"\b(?:which|what) (?:\w+ )?(?:version|edition)\b", re.IGNORECASE)
# such as "candidate 3", "phase 2"; "Python 3.8" and "May 2020" are names and days
_NUMBER_OF_SERIES = lazy_pattern(r"\b(?P<noun>[a-z]{4,}) \d{1,2}(?![\w.]|\s+\w*(?:%|percent))")
_PEOPLE = word_set("people persons person members member staff employees")
_UNITS = frozenset(map(stem, word_list("second minute hour day week month year percent")))
# such as "times of the week", "at what hour of the day": the last word is no unit of the answer
_OF_A_TIME = lazy_pattern(r"\bof (?:the|a|each|every) \w+", re.IGNORECASE)
LEFT_OPEN_SHARE = 0.5
"""Of the question's words, so many in a sentence that leaves them open leave the question open."""


def answers_in_kind(question: str, text: str, passage: EvidenceBundle) -> bool:
    """Whoever asks for a number gets one, of the unit that is named; whoever names a version gets
    what is said of that version; whoever asks why something was rejected, of a rejection; and
    nobody gets a sentence that leaves open what was asked."""
    above = shown_to_head(passage).removesuffix(passage.content)
    said = f"{above}\n{text}"
    return (
        all(_has_token(said, word) for word in (*_numbered(question), *_counted_off(question)))
        and _tells_fate(question, text, above)
        and (not _ASKS_FOR_DAY.match(question) or _has_day(without_fields(text)))
        and (not _ASKS_FOR_VERSION.search(question) or _has_version(text))
        and (not _ASKS_FOR_SHARE.search(question.lower()) or _SHARE.search(text) is not None)
        and _gives_number(question, text, above)
        and not _is_left_open(question, text)
    )


def asks_why(question: str) -> bool:
    return has_phrase(question, ASKS_WHY)


def _tells_fate(question: str, text: str, above: str) -> bool:
    """Why a thing was rejected is told with the rejection, or right after it; that it was, and no
    more, is no reason."""
    fates = fates_in(question)
    if not fates or not asks_why(question):
        return True
    said = read(text).sentences
    return not has_phrase(above, _OTHER_IDEAS) and any(
        fates <= set(_pieces(_without_other_ideas(one.text)))
        and (has_phrase(one.text, REASONING) or (after is not None and after.block == one.block))
        for one, after in zip_longest(said, said[1:])
    )


def _without_other_ideas(text: str) -> str:
    """ "See Rejected Ideas" says nothing of what became of the document."""
    return re.sub("|".join(_OTHER_IDEAS), " ", text, flags=re.IGNORECASE)


def _gives_number(question: str, text: str, above: str) -> bool:
    words, around = set(_pieces(text)), set(_pieces(above))
    counted = _COUNTED.search(question)
    if counted and not _counts(counted["noun"], text, around):
        return False
    units = {stem(word) for word in words_of(_OF_A_TIME.sub(" ", question))} & _UNITS
    if not units and not has_phrase(question, ASKS_FOR_VALUE):
        return True
    asked = {stem(word) for word in topic_words(question)} - _UNITS
    is_of_unit = not units or bool(units & words)
    return has_value(text) and is_of_unit and (not asked or bool(asked & (words | around)))


def _has_version(text: str) -> bool:
    """ "1.8", "version 3"."""
    words = text.lower().split()
    dotted = any("." in one.strip(".,;:") and one.strip("v(")[:1].isdigit() for one in words)
    return dotted or any(
        before in ("version", "edition", "release") and after[:1].isdigit()
        for before, after in pairwise(words)
    )


def _counted_off(question: str) -> list[str]:
    """ "candidate 3" is neither candidate 2 nor beta 3."""
    return [
        one[0]
        for one in _NUMBER_OF_SERIES.finditer(question)
        if one["noun"].lower() not in STOP_WORDS
    ]


def _counts(counted: str, text: str, around: set[str]) -> bool:
    """Whether a sentence with a number names what is counted: "How many projects" is not answered
    by "two kinds of grants". What a table counts may stand in its headings."""
    words = [word for word in counted.split() if word.lower() not in STOP_WORDS]
    nouns = [word.lower() for word in words if word.islower()] or [one.lower() for one in words[:1]]
    named = {stem(one) for noun in nouns for one in (_PEOPLE if noun in _PEOPLE else {noun})}
    return any(
        has_value(one.text)
        and (not named.isdisjoint(_pieces(one.text)) or (one.block.cells and named & around))
        for one in read(text).sentences
    )


def _is_left_open(question: str, text: str) -> bool:
    """ "We need to find out how many nodes it takes" has all the words and no answer."""
    asked = {stem(word) for word in topic_words(question)}
    if not asked:
        return False
    return any(
        len(asked & set(_pieces(one.text))) >= LEFT_OPEN_SHARE * len(asked)
        for one in read(text).sentences
        if leaves_open(one.text)
    )


def _has_day(text: str) -> bool:
    return any(isinstance(one, Period) and one.frame == "calendar" for one in values_in(text))


def fates_in(question: str) -> set[str]:
    """What became of a thing, as the question has it: "rejected", "withdrawn"."""
    return {stem(word) for word in words_of(question)} & _FATES


def _has_token(text: str, token: str) -> bool:
    """ "3.13" is not in "3.13.0"."""
    return re.search(rf"(?<![\w.]){re.escape(token)}(?!\w|\.\d)", text, re.IGNORECASE) is not None


def lacks_entity(question: str, passage: EvidenceBundle, around: str) -> str | None:
    """What a question names and neither a passage nor its document does: a number, a name.

    "Python 3.17" is not answered by what is said of Python 3.15.
    """
    shown = shown_to_head(passage)
    for word in _numbered(question):
        if not _has_token(shown, word):
            return word
    whole = {*_pieces(around), *_pieces(shown)}
    return next((word for word in names_in(question) if not set(_pieces(word)) <= whole), None)


def _numbered(question: str) -> list[str]:
    return [word for word in names_in(question) if any(map(str.isdigit, word))]


def names_in(question: str) -> list[str]:
    """Tokens with digits, and words that are capitals in the middle of a sentence."""
    found = []
    for place, token in enumerate(question.split()):
        word = token.strip("?!.,;:()[]“”\"'’").removesuffix("'s").removesuffix("’s")
        is_name = place > 0 and word[:1].isupper() and word.lower() not in STOP_WORDS
        if any(map(str.isdigit, word)) or is_name:
            found.append(word)
    return found


def _pieces(text: str) -> list[str]:
    return [stem(word) for word in words_of(text)]
