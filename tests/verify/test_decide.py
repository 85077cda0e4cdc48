"""RULINGS S4: the status, decided in this order."""

import pytest
from hypothesis import given, strategies as st

from groundwire.judge import Estimate
from groundwire.model import Interval
from groundwire.verify import Rules, StatusDecision, decide

RULES = Rules(threshold=0.5)
probabilities = st.floats(0, 1)


def estimate(p: float, low: float | None = None, high: float | None = None) -> Estimate:
    interval = None if low is None or high is None else Interval(low=low, high=high)
    return Estimate(p=p, interval=interval)


@pytest.mark.parametrize(
    ("p0", "p1", "target", "decision"),
    [
        (0.5, 0.05, 0.9, StatusDecision("contradicted", "refuted")),
        (0.95, 0.05, 0.9, StatusDecision("contradicted", "refuted")),
        (0.5, 0.49, 0.9, StatusDecision("unsupported", "not_in_evidence")),
        (0.99, 0.99, 0.95, StatusDecision("grounded", "prior_known")),
        (0.1, 0.9, 0.75, StatusDecision("grounded", "supported")),
        (0.1, 0.15, 0.75, StatusDecision("unsupported", "not_in_evidence")),
        (0.05, 0.05, 0.75, StatusDecision("unsupported", "not_in_evidence")),
    ],
)
def test_the_rulings_cases_come_out_as_ruled(
    p0: float, p1: float, target: float, decision: StatusDecision
) -> None:
    assert decide(estimate(p0), estimate(p1), target, RULES) == decision


def test_an_engine_that_tells_opposed_from_silent_is_believed() -> None:
    silent, opposed = Estimate(p=0.05, refute=0.1), Estimate(p=0.05, refute=0.9)
    assert decide(estimate(0.3), silent, 0.75, RULES).status == "unsupported"
    assert decide(estimate(0.3), opposed, 0.75, RULES).status == "contradicted"


def test_the_ends_of_an_interval_have_to_agree() -> None:
    wide, narrow = estimate(0.6, 0.3, 0.9), estimate(0.8, 0.6, 0.95)
    assert decide(estimate(0.1), wide, 0.75, RULES) == StatusDecision("unverifiable", "uncertain")
    assert decide(estimate(0.1), narrow, 0.75, RULES).status == "grounded"
    middle = RULES._replace(on_interval="middle")
    assert decide(estimate(0.1), wide, 0.75, middle).status == "grounded"


@given(p0=probabilities, p1=probabilities, target=probabilities, threshold=st.floats(0.01, 0.99))
def test_nothing_below_the_threshold_is_grounded(
    p0: float, p1: float, target: float, threshold: float
) -> None:
    status = decide(estimate(p0), estimate(p1), target, Rules(threshold)).status
    if status == "grounded":
        assert max(0.01, min(0.99, p1)) >= threshold
