"""Which sentences answer a question: by its words, and by their meaning for the likeliest few."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from groundwire.answer._sentences import Sentence
from groundwire.encoder import embedder_calibration
from groundwire.gate import Curve, by_meaning, by_words
from groundwire.text import has_phrase, word_list
from groundwire.values import Period, Quantity, values_in

SHORTLIST = 8
"""Sentences that are embedded: each costs a few milliseconds."""

_ASKS_FOR_VALUE = (
    "how many, how much, how long, how often, how large, how big, how fast, how quickly, how soon,"
    " how accurate, how old, how far, how high, when, at what, at which, what price, what cost,"
    " what percentage, highest, lowest, maximum, minimum"
).split(", ")
_HOW_OFTEN = word_list("once twice half never every daily weekly monthly yearly")
_DECIDES = word_list("decision statement rule rules besluit stelling")
_EXPLAINS = word_list(
    "context rationale motivation driver drivers reason reasons problem consequences"
)
_ASKS_WHY = word_list("why reason reasons rationale waarom")


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
    needs_value = has_phrase(question, _ASKS_FOR_VALUE)
    section = _EXPLAINS if has_phrase(question, _ASKS_WHY) else _DECIDES
    costs = [handicap(one) + _cost(one, section, needs_value=needs_value) for one in candidates]
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


def _cost(sentence: Sentence, section: Sequence[str], *, needs_value: bool) -> float:
    lacks = needs_value and not _has_value(sentence.text)
    tuned = embedder_calibration().answers
    bonus = tuned.section_bonus if has_phrase(sentence.passage.section or "", section) else 0.0
    return (tuned.no_value_cost if lacks else 0.0) - bonus


def _has_value(text: str) -> bool:
    """A number, a date, or how often: "within 4 hours", "every Monday"."""
    return has_phrase(text, _HOW_OFTEN) or any(
        isinstance(value, Quantity | Period) for value in values_in(text)
    )


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
