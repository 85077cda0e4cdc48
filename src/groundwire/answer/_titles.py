"""Which document a question means that gives no number: by its title, or by its subject."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from groundwire.answer._facts import FACT_WORDS
from groundwire.answer._kinds import fates_in
from groundwire.answer._library import bare_title
from groundwire.answer._route import Plan
from groundwire.encoder import reader_calibration
from groundwire.evidence import IndexedDocument
from groundwire.text import stem, topic_words, word_set, words_of

KIND_WORDS = word_set(
    "adr adrs pep peps rfc decision decisions record records principle principles policy policies"
    " standard standards pattern patterns document documents proposal proposals besluit principe"
)
LEAST_TITLE_WORDS = 2
"""A title of one telling word may be any word of a question."""
TITLES_KEPT = 16_384
"""Titles are read again for every question."""
# such as "the PEP that proposed X", "the decision to use X", "the standard on X"
_DESCRIBED = (
    r"\b(?:the|our|that) (?:[\w.'-]+ ){{0,3}}?(?:{kinds})"
    r" (?:(?:that|which) \w+|on|about|for|to|regarding|concerning) (?P<what>.+)"
)

Coverage = Callable[[Sequence[str], Sequence[str], Sequence[str]], list[tuple[float, float]]]


def by_title(plan: Plan, documents: Sequence[IndexedDocument]) -> list[IndexedDocument]:
    """Documents whose title is in the question, the longest; else those that have its words."""
    asked = {stem(word) for word in topic_words(plan.query.rest)}
    whole: list[tuple[int, IndexedDocument]] = []
    having: list[IndexedDocument] = []
    spoken = topic_words(plan.query.rest)
    topic = {stem(word) for word in spoken if word not in FACT_WORDS | KIND_WORDS}
    for one in documents:
        title = _telling(bare_title(one.title, one.identity.number))
        if len(title) >= LEAST_TITLE_WORDS and title <= asked:
            whole.append((len(title), one))
        if topic and topic <= title:
            having.append(one)
    longest = max((size for size, _ in whole), default=0)
    return [one for size, one in whole if size == longest] or having


def titled_in(question: str, documents: Sequence[IndexedDocument]) -> list[IndexedDocument]:
    """Every document whose title stands in a question word by word, in the order of the question;
    of titles within titles the longest."""
    said = f" {_stems(question)} "
    found: list[tuple[int, int, IndexedDocument]] = []
    for one in documents:
        title = bare_title(one.title, one.identity.number)
        at = said.find(f" {_stems(title)} ") if title else -1
        if at >= 0 and len(_telling(title)) >= LEAST_TITLE_WORDS:
            found.append((at, at + len(_stems(title)), one))
    return [
        one
        for start, end, one in sorted(found, key=lambda place: place[:2])
        if not any(
            first <= start and end <= last and (first, last) != (start, end)
            for first, last, _ in found
        )
    ]


def described_in(
    plan: Plan, documents: Sequence[IndexedDocument], coverage: Coverage
) -> IndexedDocument | None:
    """The one document whose title has nearly all that a question says of it, if no other has."""
    match = re.search(_DESCRIBED.format(kinds="|".join(KIND_WORDS)), plan.question, re.IGNORECASE)
    # what was rejected or withdrawn is a document, whatever it is called
    what = match["what"] if match else plan.question if fates_in(plan.question) else ""
    known = FACT_WORDS.union(*(status.split() for status in plan.query.statuses))
    words = [word for word in topic_words(what) if word not in known]
    if len(words) < LEAST_TITLE_WORDS or not documents:
        return None
    shares = coverage(words, [one.title for one in documents], [""] * len(documents))
    ranked = sorted(zip(shares, documents, strict=True), key=lambda pair: -pair[0][0])
    best, next_best = ranked[0][0][0], ranked[1][0][0] if len(ranked) > 1 else 0.0
    tuned = reader_calibration().answers
    is_meant = best >= tuned.described_share and best - next_best >= tuned.described_ahead
    return ranked[0][1] if is_meant else None


@lru_cache(maxsize=TITLES_KEPT)
def _stems(text: str) -> str:
    return " ".join(map(stem, words_of(text)))


@lru_cache(maxsize=TITLES_KEPT)
def _telling(title: str) -> frozenset[str]:
    return frozenset(map(stem, topic_words(title)))
