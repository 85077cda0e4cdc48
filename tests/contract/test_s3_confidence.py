"""S3, Gap D: confidence, its reduction and what a person is told. Test ids CONF-01 to CONF-05."""

import pytest

from groundwire.config import load_config
from groundwire.gate import judge_confidence
from groundwire.model import RetrievalQuality, TransparencyStatement


@pytest.mark.parametrize(
    ("base_score", "flags", "expected"),
    [
        pytest.param(0.85, [], 0.85, id="CONF-01"),
        pytest.param(0.85, ["bm25_only"], 0.68, id="CONF-02"),
        pytest.param(0.90, ["circuit_open"], 0.72, id="CONF-03"),
        pytest.param(0.80, ["bm25_only", "circuit_open"], 0.64, id="CONF-04"),
        pytest.param(0.50, ["bm25_only"], 0.40, id="CONF-05"),
    ],
)
def test_a_fallback_costs_a_fifth_of_the_confidence_once(
    base_score: float, flags: list[str], expected: float
) -> None:
    quality = RetrievalQuality.from_retrieval(base_score, flags)
    assert quality.confidence_score == expected
    assert quality.fallback_active is quality.fallback_mode is quality.degraded is bool(flags)
    assert list(quality.fallback_reasons) == flags


@pytest.mark.parametrize("abstain_below", [0.41, 0.6, 0.9])
def test_conf_05_abstains_for_any_setting_above_it(abstain_below: float) -> None:
    """[CONF-05] 0.40 is below every setting above 0.40, the default included."""
    decision = judge_confidence(0.50, ["bm25_only"], abstain_below)
    assert (decision.effect, decision.reason) == ("abstain", "low_confidence")
    assert judge_confidence(0.50, ["bm25_only"], 0.40).lets_through
    assert load_config(environ={}).config.evidence.abstain_below == 0.6


@pytest.mark.parametrize(
    ("score", "level"),
    [(1.0, "high"), (0.85, "high"), (0.849, "medium"), (0.6, "medium"), (0.599, "low"), (0, "low")],
)
def test_levels(score: float, level: str) -> None:
    assert RetrievalQuality.from_retrieval(score, []).confidence_level == level


def test_the_response_example_of_the_specification() -> None:
    quality = RetrievalQuality.from_retrieval(0.85, ["bm25_only", "circuit_open"])
    assert quality.model_dump(mode="json") == {
        "confidence_score": 0.68,
        "confidence_level": "medium",
        "fallback_active": True,
        "fallback_reasons": ["bm25_only", "circuit_open"],
        "degraded": True,
        "fallback_mode": True,
    }
    assert TransparencyStatement.from_quality(quality).model_dump() == {
        "statement": "This response uses simplified search (bm25_only, circuit_open). "
        "Results may be less comprehensive.",
        "show_to_user": True,
    }


def test_little_found_is_said_and_enough_is_not() -> None:
    low = TransparencyStatement.from_quality(RetrievalQuality.from_retrieval(0.3, []))
    assert low.statement == (
        "Limited relevant information found. Consider rephrasing your question."
    )
    assert low.show_to_user
    fine = TransparencyStatement.from_quality(RetrievalQuality.from_retrieval(0.9, []))
    assert (fine.statement, fine.show_to_user) == (None, False)
