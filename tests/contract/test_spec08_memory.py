"""S4's memory gate by what a caller sees [SPEC-08.15 … 08.18, 08.38, 08.40 … 08.43]."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundwire.engine import Engine
from groundwire.errors import (
    BackendError,
    BackendMalformed,
    BackendRateLimited,
    BackendTimeout,
    BackendUnavailable,
    ErrFactNotGrounded,
)
from groundwire.judge import Backend, Estimate, Question
from groundwire.observe import AuditTrail, metrics
from tests.memory.make import Told, engine

FACT = "The pump drains the cellar"
SOURCE = "The pump drains the cellar. It was bought in May."


@pytest.fixture
def judge() -> Told:
    return Told()


@pytest.fixture
def memory(tmp_path: Path, judge: Told) -> Iterator[Engine]:
    with engine(tmp_path, judge) as made:
        yield made


def test_a_fact_is_verified_before_it_is_stored(memory: Engine, judge: Told) -> None:
    """[SPEC-08.15] The judge is asked first; what it supports is stored with its quote."""
    outcome = memory.remember_sync(FACT, SOURCE, confidence=0.9)
    assert judge.asked > 0
    assert (outcome.stored, outcome.status, outcome.tier) == (True, "verified", "longterm")
    (fact,) = memory.recall_sync("pump").facts
    assert [quote.quote for quote in fact.evidence] == ["The pump drains the cellar."]


def test_a_fact_that_is_not_grounded_is_refused_with_its_result(memory: Engine) -> None:
    """[SPEC-08.16, SPEC-08.18] The error carries the verdict; the fact is logged, not stored."""
    with pytest.raises(ErrFactNotGrounded) as refused:
        memory.remember_sync("The pump is never serviced", SOURCE)
    assert refused.value.result is not None
    assert refused.value.result.status == "unsupported"
    assert not refused.value.outcome.stored
    assert memory.recall_sync("pump serviced").facts == ()
    (logged,) = memory.memory.rejected_sync().facts
    assert (logged.status, logged.reason, logged.tier) == ("rejected", "unsupported", None)
    assert logged.result == refused.value.result


class Lukewarm(Backend):
    """A little surer with the evidence than without."""

    name, context_words, threshold = "lukewarm", 300, 0.3

    def __init__(self, p1: float) -> None:
        self.p1 = p1

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        return [Estimate(p=self.p1 if FACT in one.context else 0.1) for one in questions]


def test_a_budget_gap_over_the_threshold_is_refused(tmp_path: Path) -> None:
    """[SPEC-08.16, RULINGS S4] So are less confidence than `min_confidence`, each by its name."""
    with engine(tmp_path, Lukewarm(0.4)) as memory:
        with pytest.raises(ErrFactNotGrounded) as refused:
            memory.remember_sync(FACT, SOURCE, confidence=0.95)
        assert refused.value.outcome.reason == "budget_gap"
        assert refused.value.result is not None
        assert refused.value.result.budget_gap is not None
        assert refused.value.result.budget_gap > 2
    with engine(tmp_path, Lukewarm(0.4), hallucination__memory_gate__max_budget_gap_bits=9) as wide:
        with pytest.raises(ErrFactNotGrounded) as low:
            wide.remember_sync(FACT, SOURCE, confidence=0.95)
        assert low.value.outcome.reason == "low_confidence"


def test_confidence_is_what_the_evidence_justifies(tmp_path: Path) -> None:
    """[SPEC-08.17] The stated one, or the observed bits' share of the required ones."""
    with engine(tmp_path, Lukewarm(0.8)) as memory:
        outcome = memory.remember_sync(FACT, SOURCE, confidence=0.9)
        assert outcome.result is not None
        assert outcome.result.observed_bits is not None
        assert outcome.result.required_bits is not None
        share = outcome.result.observed_bits / outcome.result.required_bits
        assert outcome.confidence == pytest.approx(min(0.9, share), abs=1e-3)
        assert share < 0.9


@pytest.mark.parametrize("how", ["waits_s", "blocks_s"])
def test_no_caller_waits_longer_than_two_seconds(tmp_path: Path, judge: Told, how: str) -> None:
    """[SPEC-08.38] Not even for a judge that holds up the engine's loop; stored provisionally."""
    with engine(tmp_path, judge, patient=False) as memory:
        memory.remember_sync("The gate is green", "The gate is green.")
        setattr(judge, how, 5.0)
        started_s = time.monotonic()
        outcome = memory.remember_sync(FACT, SOURCE, confidence=0.8)
        waited_s = time.monotonic() - started_s
        judge.blocks_s = 0.0
    assert waited_s < 2.1 + _SLACK_S
    assert (outcome.stored, outcome.tier, outcome.status) == (True, "task", "unverified")
    assert (outcome.confidence, outcome.reason, outcome.queued) == (0.4, "backend_timeout", True)


_SLACK_S = 0.6
"""For machines that do much else at the same time."""


class Lying(Backend):
    name, context_words, threshold = "lying", 300, 0.5

    def __init__(self, answers: Callable[[int], Any]) -> None:
        self._answers = answers

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        answers: list[Estimate | BackendError] = self._answers(len(questions))
        return answers


def _raises(_: int) -> list[Estimate]:
    raise ZeroDivisionError


@pytest.mark.parametrize(
    "answers",
    [
        lambda _: [],
        lambda count: ["YES"] * count,
        lambda count: [Estimate(p=0.99)] * (count + 1),
        lambda count: [{"p": 0.99}] * count,
        _raises,
    ],
    ids=["none", "text", "too many", "a mapping", "an error"],
)
def test_a_judge_that_lies_about_its_format_verifies_nothing(
    tmp_path: Path, answers: Callable[[int], Any]
) -> None:
    """[SPEC-08.42, SPEC-08.43] The fact is kept, provisionally, and no error reaches the caller."""
    with engine(tmp_path, Lying(answers)) as memory:
        outcome = memory.remember_sync(FACT, SOURCE)
        assert (outcome.status, outcome.tier, outcome.queued) == ("unverified", "task", True)


@pytest.mark.parametrize(
    "failure",
    [
        BackendUnavailable("down"),
        BackendTimeout("slow"),
        BackendRateLimited("busy"),
        BackendMalformed("what?"),
    ],
    ids=lambda error: error.code,
)
def test_a_failure_of_the_judge_is_made_up_for_later(
    memory: Engine, judge: Told, failure: BackendError
) -> None:
    """[SPEC-08.42] Stored with half its confidence, queued; verified when the judge is back."""
    judge.fails = failure
    outcome = memory.remember_sync(FACT, SOURCE, confidence=0.8)
    assert (outcome.confidence, outcome.status, outcome.reason) == (
        0.4,
        "unverified",
        failure.code,
    )
    (waiting,) = memory.memory.pending_sync().facts
    assert (waiting.id, waiting.queued) == (outcome.id, True)
    judge.fails = None
    report = memory.verify_queued_sync()
    assert (report.promoted, report.evicted, report.waiting) == (1, 0, 0)
    (fact,) = memory.recall_sync("pump").facts
    assert (fact.status, fact.tier, fact.confidence) == ("verified", "longterm", 0.8)


def test_what_does_not_hold_is_removed_by_the_later_look(memory: Engine, judge: Told) -> None:
    """[SPEC-08.42, SPEC-08.18] A provisional fact that its evidence does not bear goes, logged."""
    judge.fails = BackendUnavailable("down")
    memory.remember_sync("The pump is gold", SOURCE)
    judge.fails = None
    report = memory.verify_queued_sync()
    assert (report.promoted, report.evicted) == (0, 1)
    assert memory.recall_sync("pump gold").facts == ()
    (logged,) = memory.memory.rejected_sync().facts
    assert logged.content == "The pump is gold"


def test_what_the_gate_does_is_counted_and_written_down(memory: Engine) -> None:
    """[SPEC-08.40, SPEC-08.41] Facts rejected, by reason; claims verified; a row in the trail."""
    before = metrics().value("facts_rejected_total", reason="unsupported")
    claims = metrics().value("claims_verified_total")
    with pytest.raises(ErrFactNotGrounded):
        memory.remember_sync("The pump is gold", SOURCE)
    assert metrics().value("facts_rejected_total", reason="unsupported") == before + 1
    assert metrics().value("claims_verified_total") == claims + 1
    with AuditTrail.of(memory.config) as trail:
        (row,) = trail.query(operation="memory")
    assert (row.claim, row.status) == ("The pump is gold", "unsupported")


@pytest.mark.parametrize("on", [False, True])
def test_memory_written_inside_other_operations_is_gated_where_that_is_switched_on(
    tmp_path: Path, *, on: bool
) -> None:
    """[SPEC-08.34, SPEC-08.35] Off, such a fact stays unverified; an explicit call always gates."""
    gated: dict[str, Any] = {
        "hallucination__enabled": on,
        "hallucination__memory_gate__enabled": on,
    }
    with engine(tmp_path, **gated) as memory:
        outcome = memory.remember_sync(FACT, SOURCE, inside="chat")
        assert outcome.status == ("verified" if on else "unverified")
        assert outcome.tier == ("longterm" if on else "task")
        with pytest.raises(ErrFactNotGrounded):
            memory.remember_sync("The pump is gold", SOURCE)


@pytest.mark.parametrize(
    ("posture", "stored", "confidence", "queued"),
    [
        ("block", False, 0.8, False),
        ("queue", True, 0.4, True),
        ("degrade", True, 0.4, False),
        ("pass", True, 0.8, False),
    ],
)
def test_the_posture_decides_where_the_check_fails(
    tmp_path: Path, posture: str, confidence: float, *, stored: bool, queued: bool
) -> None:
    """[RULINGS] One list of postures for every gate; none of them stores a fact as verified."""
    judge = Told()
    judge.fails = BackendUnavailable("down")
    with engine(tmp_path, judge, hallucination__memory_gate__on_failure=posture) as memory:
        outcome = memory.remember_sync(FACT, SOURCE, confidence=0.8)
        assert (outcome.stored, outcome.confidence, outcome.queued) == (stored, confidence, queued)
        assert outcome.status == "unverified"
        assert len(memory.recall_sync("pump").facts) == int(stored)


def test_unsupported_facts_are_kept_apart_where_they_are_not_refused(tmp_path: Path) -> None:
    """[SPEC-08.34] `reject_unsupported: false` keeps them in the task tier, never as verified."""
    loose: dict[str, Any] = {
        "hallucination__memory_gate__reject_unsupported": False,
        "hallucination__memory_gate__max_budget_gap_bits": 99,
        "hallucination__memory_gate__min_confidence": 0,
    }
    with engine(tmp_path, **loose) as memory:
        outcome = memory.remember_sync("The pump is gold", SOURCE)
        assert (outcome.status, outcome.tier) == ("unsupported", "task")
