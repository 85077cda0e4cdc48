"""The figures of a run are those that others compute from the same outcomes."""

import random

import ir_measures
import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_score, recall_score

from groundwire.evaluate import (
    CaseOutcome,
    difference_intervals,
    document_measures,
    latency_ms,
    measured,
    rates,
    wilson,
)

NOTHING = "nothing"


def outcome(
    id_: str = "q",
    *,
    wanted: bool = True,
    given: bool = True,
    right: bool = True,
    confidence: float | None = None,
    category: str = "semantic_search",
    ended: str | None = None,
    reason: str | None = None,
    collection: str = "any",
) -> CaseOutcome:
    right = right and given and wanted
    return CaseOutcome(
        id=id_,
        suite="questions",
        category=category,
        collection=collection,
        wanted=wanted,
        given=given,
        right=right,
        passed=right if wanted else not given,
        confidence=confidence,
        ended=ended or ("ANSWER" if given else "ABSTAIN"),
        wanted_end="ANSWER" if wanted else "ABSTAIN",
        abstained_for=reason,
    )


def drawn(seed: int, count: int) -> list[CaseOutcome]:
    lot = random.Random(seed)  # noqa: S311
    return [
        outcome(
            str(number),
            wanted=lot.random() < 0.7,
            given=lot.random() < 0.7,
            right=lot.random() < 0.8,
            confidence=round(lot.random(), 2),
        )
        for number in range(count)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_rates_are_scikit_learns(seed: int) -> None:
    """Every question is a class of its own, and a wrong answer is of none: the micro averages."""
    cases = drawn(seed, 60)
    true = [one.id if one.wanted else NOTHING for one in cases]
    said = [(one.id if one.right else "wrong") if one.given else NOTHING for one in cases]
    options = {
        "labels": [*(one.id for one in cases), "wrong"],
        "average": "micro",
        "zero_division": 0,
    }
    found = rates(cases)
    assert found.precision == pytest.approx(precision_score(true, said, **options), abs=5e-5)
    assert found.recall == pytest.approx(recall_score(true, said, **options), abs=5e-5)
    assert found.f1 == pytest.approx(f1_score(true, said, **options), abs=5e-5)


@pytest.mark.parametrize("seed", range(20))
def test_ranking_measures_are_those_of_ir_measures(seed: int) -> None:
    """P@1, R@3, RR, AP and nDCG@3, over questions with several relevant documents."""
    lot = random.Random(seed)  # noqa: S311
    rankings = []
    for _ in range(15):
        documents = [f"d{number}" for number in range(12)]
        lot.shuffle(documents)
        rankings.append((documents[: lot.randint(0, 6)], lot.sample(documents, lot.randint(1, 5))))
    qrels = [
        ir_measures.Qrel(str(at), one, 1)
        for at, (_, wanted) in enumerate(rankings)
        for one in wanted
    ]
    run = [
        ir_measures.ScoredDoc(str(at), one, float(-place))
        for at, (cited, _) in enumerate(rankings)
        for place, one in enumerate(cited)
    ]
    ours = document_measures(rankings)
    theirs = ir_measures.calc_aggregate(
        [ir_measures.parse_measure(name) for name in ours], qrels, run
    )
    for measure, value in theirs.items():
        assert ours[str(measure)] == pytest.approx(value, abs=5e-5)


def test_nothing_given_has_no_precision() -> None:
    """No figure is made of an absence."""
    found = rates([outcome(given=False), outcome("b", given=False)])
    assert (found.precision, found.recall) == (None, 0.0)
    assert "precision" not in found.intervals


def test_few_cases_have_wide_intervals() -> None:
    """Five of five do not show that nothing is ever wrong."""
    low, high = wilson(5, 5)
    assert low == pytest.approx(0.5655, abs=1e-4)
    assert high == 1.0
    found = rates([outcome(str(number)) for number in range(5)])
    assert found.f1 == 1.0
    assert found.intervals["f1"][0] < 0.8


def test_latencies_are_times_that_were_measured() -> None:
    """The nearest rank: of a hundred times the 95th, and never one between two."""
    times = [float(number) for number in range(1, 101)]
    random.Random(1).shuffle(times)  # noqa: S311
    assert latency_ms(times) == {"p50_ms": 50, "p95_ms": 95, "p99_ms": 99, "max_ms": 100}
    assert latency_ms([7.0]) == dict.fromkeys(("p50_ms", "p95_ms", "p99_ms", "max_ms"), 7.0)
    values = list(latency_ms(times).values())
    assert values == [
        float(np.quantile(times, q, method="inverted_cdf")) for q in (0.5, 0.95, 0.99, 1)
    ]


def test_abstentions_are_counted_by_reason_beside_what_was_expected() -> None:
    """The rates are of all questions, so that reasons add up to the total."""
    cases = [
        outcome("a", given=False, reason="low_confidence"),
        outcome("b", wanted=False, given=False, reason="no_results"),
        outcome("c"),
        outcome("d"),
    ]
    found = measured(cases).abstention
    assert (found.total_rate, found.expected_rate) == (0.5, 0.25)
    assert dict(found.by_reason) == {"low_confidence": 0.25, "no_results": 0.25}


def test_risk_falls_where_unsure_answers_are_wrong() -> None:
    """Each point: with answers below a confidence held back, how much is answered and is wrong."""
    cases = [
        outcome("a", confidence=0.9),
        outcome("b", confidence=0.8),
        outcome("c", confidence=0.4, right=False),
        outcome("d", given=False),
    ]
    assert measured(cases).risk_coverage == (
        (0.9, 0.25, 0.0),
        (0.8, 0.5, 0.0),
        (0.4, 0.75, 0.3333),
    )


def test_pairs_of_equal_runs_differ_by_nothing() -> None:
    """The bootstrap is paired: the same cases are drawn on both sides."""
    cases = drawn(3, 50)
    assert set(difference_intervals(cases, cases).values()) == {(0.0, 0.0)}
