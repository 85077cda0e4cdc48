"""Which sentences answer a question: by its words, and by their meaning for the likeliest few."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from groundwire.answer._sentences import Sentence
from groundwire.encoder import embedder_calibration
from groundwire.gate import Curve, by_meaning, by_words

SHORTLIST = 8
"""Sentences that are embedded: each costs a few milliseconds."""

_ASKS_FOR_VALUE = re.compile(
    r"\b(?:how (?:many|much|long|often|large|big|fast|quickly|soon|accurate|old|far|high)"
    r"|when|at what|at which|what (?:price|cost|percentage)|highest|lowest|maximum|minimum)\b",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|twice|once|never"
    r"|every|daily|weekly|monthly|yearly)\b",
    re.IGNORECASE,
)
_DECIDES = re.compile(r"\b(?:decision|statement|rules?|besluit|stelling)\b", re.IGNORECASE)
_EXPLAINS = re.compile(
    r"\b(?:context|rationale|motivation|drivers?|reasons?|problem|consequences)\b", re.IGNORECASE
)
_ASKS_WHY = re.compile(r"\b(?:why|reasons?|rationale|waarom)\b", re.IGNORECASE)


class Measures(Protocol):
    """What a searcher knows of texts."""

    def coverage(
        self, words: Sequence[str], texts: Sequence[str], contexts: Sequence[str]
    ) -> list[tuple[float, float]]: ...

    def nearness(self, question: str, texts: Sequence[str]) -> list[float] | None: ...


@dataclass(frozen=True)
class Scored:
    sentence: Sentence
    score: float
    coverage: float
    cost: float


@dataclass(frozen=True)
class Chosen:
    """The best sentences, best first, and the confidence that the first of them answers."""

    best: tuple[Scored, ...]
    confidence: float


def choose(
    question: str,
    words: Sequence[str],
    candidates: Sequence[Sentence],
    measures: Measures,
    *,
    handicap: Callable[[Sentence], float] = lambda _: 0.0,
) -> Chosen:
    """Score every candidate. `handicap` is what a sentence loses for where it stands."""
    if not candidates or not words:
        return Chosen((), 0.0)
    costs = [_cost(question, one, handicap) for one in candidates]
    ranked = _by_words(words, candidates, costs, measures)
    shortlist = ranked[:SHORTLIST]
    near = measures.nearness(question, [one.sentence.text for one in shortlist])
    if near is None:
        return Chosen(tuple(ranked), _certainty(ranked, by_words(), handicap))
    scored = [
        replace(one, score=one.coverage + cosine + _similarity(one.sentence) - one.cost)
        for one, cosine in zip(shortlist, near, strict=True)
    ]
    best = sorted(scored, key=_order)
    return Chosen(tuple(best), _certainty(best, by_meaning(), handicap))


def top(chosen: Chosen, limit: int) -> list[Scored]:
    """The best sentence and those hardly worse."""
    within = embedder_calibration().answers.within
    least = chosen.best[0].score - within if chosen.best else 0.0
    return [one for one in chosen.best if one.score >= least][:limit]


def _by_words(
    words: Sequence[str], candidates: Sequence[Sentence], costs: Sequence[float], measures: Measures
) -> list[Scored]:
    covered = measures.coverage(
        words, [one.text for one in candidates], [one.context for one in candidates]
    )
    scored = [
        Scored(one, alone + together + _passage_score(one) - cost, together, cost)
        for one, (alone, together), cost in zip(candidates, covered, costs, strict=True)
    ]
    return sorted(scored, key=_order)


def _certainty(
    best: Sequence[Scored], curve: Curve, handicap: Callable[[Sentence], float]
) -> float:
    """A superseded record answers no less surely that it once was so."""
    return curve(best[0].score + handicap(best[0].sentence)) if best else 0.0


def _cost(question: str, sentence: Sentence, handicap: Callable[[Sentence], float]) -> float:
    lacks = _ASKS_FOR_VALUE.search(question) and not _VALUE.search(sentence.text)
    wanted = _EXPLAINS if _ASKS_WHY.search(question) else _DECIDES
    tuned = embedder_calibration().answers
    bonus = tuned.section_bonus if wanted.search(sentence.passage.section or "") else 0.0
    return handicap(sentence) + (tuned.no_value_cost if lacks else 0.0) - bonus


def _passage_score(sentence: Sentence) -> float:
    scores = sentence.passage.retrieval.scores if sentence.passage.retrieval else {}
    tuned = embedder_calibration().answers
    covered = tuned.passage_coverage * scores.get("coverage", 0.0)
    return covered + _similarity(sentence) - tuned.rank_cost * sentence.rank


def _similarity(sentence: Sentence) -> float:
    scores = sentence.passage.retrieval.scores if sentence.passage.retrieval else {}
    return scores.get("similarity", 0.0)


def _order(one: Scored) -> tuple[float, str, int]:
    return (-one.score, one.sentence.doc_id, one.sentence.start)
