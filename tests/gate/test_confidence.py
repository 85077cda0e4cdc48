"""The gate of answers: how sure is sure enough, and what a fallback costs [S3 Gap D]."""

import math

import pytest

from groundwire.config import Threshold, ThresholdsSection
from groundwire.evidence import Index, Indexer, Searcher
from groundwire.gate import (
    Curve,
    by_meaning,
    by_words,
    confidence_gate,
    judge_confidence,
    passage_confidence,
)
from groundwire.model import EvidenceBundle, RetrievalTrace
from tests.evidence.make import LIMITS, SETTINGS, write_corpus

THRESHOLDS = ThresholdsSection(
    collections={"exact": Threshold(distance_threshold=0.0)},
    default=Threshold(distance_threshold=0.45),
)


@pytest.mark.parametrize(
    ("base_score", "fallbacks", "effect", "confidence"),
    [
        (0.6, (), "pass", 0.6),
        (0.5999, (), "abstain", 0.5999),
        (1.0, (), "pass", 1.0),
        (0.75, ("bm25_only",), "degrade", 0.6),
        (0.749, ("bm25_only",), "abstain", 0.5992),
        (0.75, ("circuit_open", "bm25_only"), "degrade", 0.6),
        (0.75, ("circuit_open", "bm25_only", "bm25_only"), "degrade", 0.6),
        (0.5, ("bm25_only",), "abstain", 0.4),
        (0.0, (), "abstain", 0.0),
    ],
)
def test_at_the_threshold_an_answer_is_given_and_below_it_is_not(
    base_score: float, fallbacks: tuple[str, ...], effect: str, confidence: float
) -> None:
    """A fallback costs a fifth, once, and what is left decides."""
    decision = judge_confidence(base_score, fallbacks, 0.6)
    assert (decision.gate, decision.effect) == ("confidence", effect)
    assert decision.looked_at["confidence"] == pytest.approx(confidence, abs=1e-12)
    assert decision.looked_at["abstain_below"] == 0.6


def test_the_reasons_of_the_three_effects() -> None:
    """An abstention has its code and its sentence, a degraded answer its code, a pass neither."""
    low = judge_confidence(0.3, (), 0.6)
    assert (low.reason, low.message) == (
        "low_confidence",
        "The documents do not answer this question surely enough.",
    )
    degraded = judge_confidence(0.9, ("bm25_only",), 0.6)
    assert (degraded.reason, degraded.message) == ("fallback", None)
    assert degraded.lets_through
    assert judge_confidence(0.9, (), 0.6).reason is None


def test_what_else_was_measured_is_kept_and_decides_nothing() -> None:
    """The confidence of passages stands beside that of the answer."""
    decision = judge_confidence(0.9, (), 0.6, passage_confidence=0.1)
    assert decision.effect == "pass"
    assert decision.looked_at == {
        "confidence": 0.9,
        "abstain_below": 0.6,
        "passage_confidence": 0.1,
    }


def test_the_gate_is_always_on_and_abstains_when_it_cannot_tell() -> None:
    """Nothing is answered unchecked."""
    gate = confidence_gate()
    assert (gate.name, gate.enabled, gate.on_failure) == ("confidence", True, "abstain")


def test_a_curve_is_even_odds_at_its_middle_and_rises() -> None:
    """The two curves are the logistic ones that were fitted."""
    assert (Curve(8.5, 1.6), Curve(4.5, 1.4)) == (by_meaning(), by_words())
    assert by_meaning()(1.6) == by_words()(1.4) == 0.5
    assert Curve(2.0, 1.0)(2.0) == pytest.approx(1 / (1 + math.exp(-2)))
    assert Curve(2.0, 1.0)(0.0) == pytest.approx(1 / (1 + math.exp(2)))


def passage(doc_type: str | None = None, **scores: float) -> EvidenceBundle:
    bundle = EvidenceBundle.of("text", "d", retrieval=RetrievalTrace(method="bm25", scores=scores))
    source = bundle.source.model_copy(update={"doc_type": doc_type})
    return bundle.model_copy(update={"source": source})


@pytest.mark.parametrize(
    ("hits", "expected"),
    [
        ([], 0.0),
        ([passage()], 0.0),
        ([passage(coverage=0.4)], 0.4),
        ([passage(coverage=0.4), passage(coverage=0.1, distance=0.18)], 0.8),
        ([passage(coverage=0.1, distance=0.0)], 1.0),
        ([passage(coverage=0.1, distance=0.45)], 0.5),
        ([passage(coverage=0.1, distance=0.9)], 0.1),
        ([passage(coverage=0.0, distance=1.8)], 0.0),
        ([passage(coverage=0.3, distance=-0.1)], 1.0),
        ([passage("exact", coverage=0.3, distance=0.0)], 0.3),
        ([EvidenceBundle.of("text", "d")], 0.0),
    ],
)
def test_a_passage_is_near_by_its_words_or_by_its_meaning(
    hits: list[EvidenceBundle], expected: float
) -> None:
    """The better of both counts, of the best passage: 1 at distance 0, 0.5 at the threshold."""
    assert passage_confidence(hits, THRESHOLDS) == pytest.approx(expected)


def test_a_word_missing_from_the_corpus_lowers_the_confidence(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """What a search gives is enough to tell a question about nothing from one about something."""
    folder = tmp_path_factory.mktemp("gate")
    with Index(folder / "index.sqlite") as index:
        Indexer(index, SETTINGS, LIMITS).run([write_corpus(folder / "docs")])
        search = Searcher(index, thresholds=ThresholdsSection())
        found = {
            query: passage_confidence(search.search_sync(query).hits, search.thresholds)
            for query in ("database backup", "database backup xylophone", "zebra marmalade")
        }
    assert found["zebra marmalade"] == 0
    assert 0 < found["database backup xylophone"] < found["database backup"]
