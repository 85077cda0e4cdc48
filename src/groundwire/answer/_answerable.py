"""Does this passage answer this question? Every route ends here [S3]."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from groundwire.answer._choose import ASKS_FOR_VALUE, Sentence, has_value, with_paragraph
from groundwire.encoder import AnswerScorer, embedder_calibration
from groundwire.errors import GroundwireError
from groundwire.gate import Curve
from groundwire.model import EvidenceBundle
from groundwire.observe import Log
from groundwire.text import (
    STOP_WORDS,
    has_phrase,
    read,
    stem,
    topic_words,
    word_list,
    words_of,
)
from groundwire.values import Period, values_in

_log = Log("answerability")
_SMALLEST = 1e-6
WINDOW_WORDS = 90
MOST_SENTENCES = 2
_ASKS_WHY = word_list("why reason reasons rationale waarom")
_OTHER_IDEAS = ("rejected ideas", "rejected alternatives", "rejected proposals")
"""Sections on what else was thought of, not on what became of the document."""
_FATES = frozenset(map(stem, word_list("rejected reject withdrawn withdraw deferred abandoned")))
# such as "When was it released", "In which year did it end"
_ASKS_FOR_DAY = re.compile(
    r"when (?:was|were|did|is|does|will)\b|(?:on|in|at|since) (?:which|what) (?:date|day|year)\b",
    re.IGNORECASE,
)
# such as "How many ballots"
_COUNTED = re.compile(r"\bhow many (?P<noun>\w+)", re.IGNORECASE)
_UNITS = frozenset(map(stem, word_list("second minute hour day week month year percent")))


class Scorer(Protocol):
    """How likely each passage answers its question, from 0 to 1."""

    def score(self, pairs: Sequence[tuple[str, str]], /) -> list[float]: ...


@dataclass(frozen=True)
class Judged:
    """A passage, its log odds of answering, and what those are worth: `confidence`."""

    passage: EvidenceBundle
    log_odds: float
    confidence: float


@dataclass(frozen=True)
class Quoted:
    """Words of a passage with their place in the document, and how surely they answer alone."""

    text: str
    start: int
    passage: EvidenceBundle
    log_odds: float
    confidence: float


class Answerability:
    """Reads the question together with the best passages; each costs some 20 milliseconds."""

    def __init__(self, scorer: Scorer | None = None, *, most_passages: int) -> None:
        self._given = scorer
        self._most = most_passages

    def judge(
        self,
        question: str,
        passages: Sequence[EvidenceBundle],
        costs: Sequence[float] = (),
    ) -> list[Judged] | None:
        """The most promising first. None where no head can be had: then words must do.

        A cost is what a passage loses for where it stands, in log odds; its confidence does not.
        """
        scorer = self._given or _embedded()
        chosen = list(passages[: self._most])
        if scorer is None or not chosen:
            return None
        shares = scorer.score([(question, shown_to_head(one)) for one in chosen])
        judged = [
            Judged(one, odds, curve()(odds))
            for one, odds in zip(chosen, map(log_odds, shares), strict=True)
        ]
        lost = dict(zip(map(id, chosen), costs, strict=False))
        return sorted(judged, key=lambda one: -(one.log_odds - lost.get(id(one.passage), 0.0)))

    @property
    def is_available(self) -> bool:
        return (self._given or _embedded()) is not None

    def quotes(
        self, question: str, judged: Sequence[Judged], near: Sequence[Sentence] = ()
    ) -> list[Quoted]:
        """What to quote, surest first: parts of the best passage, and the sentences nearest to
        the question. Each is judged by itself, for a quote must answer without its passage."""
        found = [quote for one in judged[:1] for quote in self._parts(question, one)]
        found += self._sentences(question, near[:MOST_SENTENCES])
        return sorted(found, key=lambda one: -one.log_odds)

    def _sentences(self, question: str, near: Sequence[Sentence]) -> list[Quoted]:
        scorer = self._given or _embedded()
        if scorer is None or not near:
            return []
        whole = [with_paragraph(one) for one in near]
        shown = [
            shown_to_head(one.passage).removesuffix(one.passage.content) + one.shown for one in near
        ]
        odds = map(log_odds, scorer.score([(question, one) for one in shown]))
        return [
            Quoted(one.text, one.start, one.passage, odd, curve()(odd))
            for one, odd in zip(whole, odds, strict=True)
        ]

    def _parts(self, question: str, judged: Judged) -> list[Quoted]:
        passage = judged.passage
        parts = windows(passage.content)
        scorer = self._given or _embedded()
        odds = [judged.log_odds]
        if len(parts) > 1 and scorer is not None:
            above = shown_to_head(passage).removesuffix(passage.content)
            pairs = [(question, above + passage.content[slice(*part)]) for part in parts]
            odds = [log_odds(share) for share in scorer.score(pairs)]
        return [
            Quoted(
                passage.content[start:end],
                passage.location.start + start,
                passage,
                one,
                curve()(one),
            )
            for one, (start, end) in zip(odds, parts, strict=True)
        ]


def windows(text: str) -> list[tuple[int, int]]:
    """Runs of sentences of about so many words, each in its place; a heading goes with what
    stands beneath it."""
    said = [one for one in read(text).sentences if one.block.kind != "heading"]
    ranges = [(one.start, one.end) for one in said] or [(0, len(text))]
    if len(text.split()) <= WINDOW_WORDS:
        return [(ranges[0][0], ranges[-1][1])]
    found: list[tuple[int, int]] = []
    start, words = ranges[0][0], 0
    count = -(-len(text.split()) // WINDOW_WORDS)
    most = len(text.split()) / count
    for place, (first, last) in enumerate(ranges):
        words += len(text[first:last].split())
        is_last = place == len(ranges) - 1
        if words >= most or is_last:
            found.append((start, last))
            start, words = (first if is_last else ranges[place + 1][0]), 0
    return found


def answers_in_kind(question: str, text: str, passage: EvidenceBundle) -> bool:
    """Whoever asks for a number gets one, of the unit that is named; whoever names a version gets
    what is said of that version; whoever asks why something was rejected, of a rejection."""
    above = shown_to_head(passage).removesuffix(passage.content)
    said = f"{above}\n{text}"
    if not all(_has_token(said, word) for word in _numbered(question)):
        return False
    words = set(_pieces(text))
    is_why = bool(_fates(question)) and has_phrase(question, _ASKS_WHY)
    if is_why and (not _fates(question) <= words or has_phrase(above, _OTHER_IDEAS)):
        return False
    if _ASKS_FOR_DAY.match(question) and not _has_day(text):
        return False
    counted = _COUNTED.search(question)
    if counted and stem(counted["noun"].lower()) not in {*words, *_pieces(above)}:
        return False
    units = {stem(word) for word in words_of(question)} & _UNITS
    if not units and not has_phrase(question, ASKS_FOR_VALUE):
        return True
    asked = {stem(word) for word in topic_words(question)} - _UNITS
    is_of_unit = not units or bool(units & words)
    return has_value(text) and is_of_unit and (not asked or bool(asked & set(_pieces(said))))


def _has_day(text: str) -> bool:
    return any(isinstance(one, Period) and one.frame == "calendar" for one in values_in(text))


def _fates(question: str) -> set[str]:
    """What became of a thing, as the question has it: "rejected", "withdrawn"."""
    return {stem(word) for word in words_of(question)} & _FATES


def _has_token(text: str, token: str) -> bool:
    """ "3.13" is not in "3.13.0"."""
    return re.search(rf"(?<![\w.]){re.escape(token)}(?!\w|\.\d)", text, re.IGNORECASE) is not None


def shown_to_head(passage: EvidenceBundle) -> str:
    """What a reader of the passage alone would have to know stands before it."""
    source = passage.source
    label = f"{source.doc_type} {source.number}: " if source.number is not None else ""
    above = [f"{label}{source.title or ''}", (passage.section or "").replace(" > ", ", ")]
    return "\n".join([*filter(None, above), passage.content])


def curve() -> Curve:
    tuned = embedder_calibration().answers
    return Curve(slope=tuned.head_slope, middle=tuned.head_middle)


def log_odds(share: float) -> float:
    kept = min(max(share, _SMALLEST), 1 - _SMALLEST)
    return math.log(kept / (1 - kept))


@cache
def _embedded() -> Scorer | None:
    try:
        return AnswerScorer()
    except GroundwireError as error:
        _log.warn("answerability_unavailable", error=str(error), code=error.code)
        return None


def lacks_entity(question: str, passage: EvidenceBundle, around: str) -> str | None:
    """What a question names and neither a passage nor its document does: a number, a name.

    "Python 3.17" is not answered by what is said of Python 3.15.
    """
    shown = shown_to_head(passage)
    for word in _numbered(question):
        if not _has_token(shown, word):
            return word
    whole = {*_pieces(around), *_pieces(shown)}
    return next((word for word in _named(question) if not set(_pieces(word)) <= whole), None)


def _numbered(question: str) -> list[str]:
    return [word for word in _named(question) if any(map(str.isdigit, word))]


def _named(question: str) -> list[str]:
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
