"""Cause and effect of one text as places in it, read by learned spans and by wording.

Two readers that know nothing of each other: one was taught on annotated sentences, the other
follows constructions. What one drafts, the other checks.
"""

import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.encoder import SpanReader, Told, judge_calibration
from groundwire.errors import MissingExtra
from groundwire.ground._decode import Pair, decoded, words_apart
from groundwire.ground._joints import boundaries
from groundwire.ground._match import is_code
from groundwire.ground._read import CausalReading, read_causal
from groundwire.text import (
    first_finite,
    is_auxiliary,
    is_preposition,
    tokens_of,
    word_set,
    words_of,
)

if TYPE_CHECKING:
    import numpy as np

Range = tuple[int, int]

_MOST_BY_READER = 3
_MOST_BY_SUPPORT = 4
_MOST_IF_WORDED = 10
_RELATIVE = word_set("that which who whom whose where when while because since so if as after")


def head_of(text: str, place: Range) -> int:
    """Where the word stands that a phrase is about: the verb of a clause, else the last word
    before its first preposition: "growth" in "steady growth of the cache"."""
    tokens = [one for one in tokens_of(text[place[0] : place[1]]) if one.text[0].isalnum()]
    if not tokens:
        return place[0]
    verb = first_finite(tokens)
    if verb is not None:
        while verb + 1 < len(tokens) and is_auxiliary(tokens[verb].low):
            verb += 1
        return place[0] + tokens[verb].start
    ends = (
        at
        for at, one in enumerate(tokens)
        if at and (is_preposition(one.low) or one.low in _RELATIVE)
    )
    return place[0] + tokens[next(ends, len(tokens)) - 1].start


@cache
def span_reader() -> SpanReader | None:
    """The learned reader, where what it runs on is installed."""
    reader = SpanReader()
    try:
        reader.causal(["."])
    except MissingExtra:
        return None
    return reader


class SecondReader:
    """The learned reader as a check: whether a sentence tells of cause and effect, and which way.

    Measured on annotated sentences (benchmarks/spans.py): of texts that state nothing causal it
    lets few by, and it does not know what the rules read.
    """

    def __init__(self, reader: SpanReader) -> None:
        self._reader = reader
        self._known: dict[str, Told] = {}

    def prepare(self, readings: Iterable[tuple[CausalReading, str]]) -> None:
        """Many at once: the learned reader goes through all of them in one go."""
        plain = [(_plainly(reading, text).text, reading) for reading, text in readings]
        wanted = (one for text, reading in plain for one in (text, *_clause_of(text, reading)))
        new = [text for text in dict.fromkeys(wanted) if text not in self._known]
        if new:
            self._known.update(zip(new, self._reader.told(new), strict=True))

    def tells(self, reading: CausalReading, text: str, caused: float | None = None) -> bool:
        """A verb that no list holds needs more, unless the text goes on from what it tells: the
        wording alone does not make it a cause. There `caused` counts as well, what the support head
        gives `A causes B`; so it does for listed words that the reader never met (`was at the root
        of`)."""
        tuned = judge_calibration().spans
        likely = self.likely(reading, text)
        if not needs_more(reading):
            if likely >= tuned.least_if_worded or caused is None:
                return likely >= tuned.least_if_worded
            more = tuned.caused_weight * _odds(caused, _MOST_BY_SUPPORT)
            return _odds(likely, _MOST_IF_WORDED) + more >= _odds(
                tuned.least_if_worded, _MOST_IF_WORDED
            )
        ahead = _odds(likely, _MOST_BY_READER) - _odds(tuned.least_if_open, _MOST_BY_READER)
        by_support = 0.0 if caused is None else _odds(caused, _MOST_BY_SUPPORT)
        return ahead + tuned.caused_weight * by_support >= 0

    def likely(self, reading: CausalReading, text: str) -> float:
        """How likely the sentence of a reading tells of cause and effect, or its clause: what else
        a sentence tells hides it from the reader."""
        plain = _plainly(reading, text).text
        return max(self._told(one).causal for one in (plain, *_clause_of(plain, reading)))

    def leaves_open(self, reading: CausalReading, text: str) -> bool:
        """Whether the sentence plans, supposes or asks what was read in it, in whatever words: as
        it stands, and with what its pronouns mean. `Is due to` reads like what is scheduled."""
        if "due" in words_of(reading.cue):
            return False
        most = judge_calibration().spans.most_open
        texts = (_plainly(reading, text).text, " ".join(text.split()))
        return all(self._told(one).left_open > most for one in texts)

    def is_turned(self, reading: CausalReading, text: str) -> bool:
        """Whether it reads the opposite: the effect's words as cause, and the cause's as effect."""
        text, *phrases = _plainly(reading, text)
        spans = self._told(text).spans
        places = [(text.find(phrase), len(phrase)) for phrase in phrases]
        if any(start < 0 for start, _ in places):
            return False
        (cause, cause_chars), (effect, effect_chars) = places
        votes = 0
        for span in spans:
            for start, chars, kind in (
                (cause, cause_chars, "cause"),
                (effect, effect_chars, "effect"),
            ):
                if start <= span.start < start + chars:
                    votes += 1 if span.kind == kind else -1
        return votes < -1

    def _told(self, text: str) -> Told:
        if text not in self._known:
            (self._known[text],) = self._reader.told([text])
        return self._known[text]


def _clause_of(sentence: str, reading: CausalReading) -> list[str]:
    """The clause with the verb of no list, where the sentence has others."""
    joints = boundaries(sentence) if reading.is_open and reading.cue else ()
    starts = [0, *(one.end for one in joints)]
    ends = [*(one.start for one in joints), len(sentence)]
    clauses = [sentence[a:b] for a, b in zip(starts, ends, strict=True)] if joints else []
    return [f"{one[0].upper()}{one[1:]}." for one in clauses if reading.cue in one][:1]


class _Plain(NamedTuple):
    """A sentence as the learned reader can read it, and what the ends are called there."""

    text: str
    cause: str
    effect: str


def _plainly(reading: CausalReading, text: str) -> _Plain:
    """The sentence with what its pronouns mean, and words for identifiers: "Stat2 determines Prob4"
    tells as much as "the fault determines the failure", and the reader was taught on words."""
    plain = " ".join((reading.sentence or text).split())
    ends = []
    for phrase, word in ((reading.cause, "the fault"), (reading.effect, "the failure")):
        is_replaced = is_code(phrase) and phrase in plain
        plain = plain.replace(phrase, word) if is_replaced else plain
        ends.append(word if is_replaced else phrase)
    return _Plain(plain, *ends)


def needs_more(reading: CausalReading) -> bool:
    """Whether neither a listed word nor what the text goes on with makes it a cause."""
    return reading.is_open and not reading.is_linked


def _odds(likely: float, most: float) -> float:
    """Log odds, none beyond `most`: what one part is sure of does not silence the other."""
    low = 1 / (1 + math.exp(most))
    kept = min(1 - low, max(low, likely))
    return math.log(kept / (1 - kept))


class CausalReader:
    """Both readers over single texts, for comparison [benchmarks/spans.py]."""

    def __init__(self) -> None:
        self._spans = span_reader()

    def by_rules(self, texts: Sequence[str]) -> list[list[Pair]]:
        return [[pair for _, pair in _by_wording(text)] for text in texts]

    def by_spans(self, texts: Sequence[str]) -> list[list[Pair]]:
        if self._spans is None:
            return [[] for _ in texts]
        return [decoded(text, logits) for text, logits in zip(texts, self.tags(texts), strict=True)]

    def tags(self, texts: Sequence[str]) -> "list[np.ndarray[Any, Any]]":
        """What the learned reader makes of each word, before it is decoded."""
        if self._spans is None:
            return []
        apart = [words_apart(text) for text in texts]
        words = [[text[a:b] for a, b in one] for text, one in zip(texts, apart, strict=True)]
        return self._spans.logits(words)

    def drafts(self, texts: Sequence[str]) -> list[list[Pair]]:
        """The learned reader's pairs; the rules' where it reads nothing."""
        learned, worded = self.by_spans(texts), self.by_rules(texts)
        return [one or other for one, other in zip(learned, worded, strict=True)]

    def accepted(self, texts: Sequence[str]) -> list[list[Pair]]:
        """What the rules draft and the learned reader confirms."""
        if self._spans is None:
            return [[] for _ in texts]
        check = SecondReader(self._spans)
        return [
            [pair for reading, pair in _by_wording(text) if check.tells(reading, text)]
            for text in texts
        ]


def _by_wording(text: str) -> list[tuple[CausalReading, Pair]]:
    found = []
    for reading in read_causal(text):
        places = [text.find(phrase) for phrase in (reading.cause, reading.effect)]
        if reading.is_asserted_cause and min(places) >= 0:
            cause, effect = (
                (start, start + len(phrase))
                for start, phrase in zip(places, (reading.cause, reading.effect), strict=True)
            )
            found.append((reading, Pair(cause, effect)))
    return found
