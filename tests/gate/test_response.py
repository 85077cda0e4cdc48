"""When responses are checked, and what a verdict on one may do."""

import pytest

from groundwire.config import Config, load_config
from groundwire.gate import LoadShedder, all_gates, judge_response, response_gate
from groundwire.model import CheckReport, CheckSummary


def report(**counts: int) -> CheckReport:
    nothing = dict.fromkeys(CheckSummary.model_fields, 0)
    return CheckReport(
        mode="ANSWER", message="", summary=CheckSummary(**{**nothing, **counts}), request_id="r"
    )


@pytest.mark.parametrize(("claims", "reason"), [({"contradicted": 1}, "not_grounded"), ({}, None)])
def test_a_response_always_passes(claims: dict[str, int], reason: str | None) -> None:
    """It is marked, never held back [SPEC-08.22]."""
    decision = judge_response(report(**claims), 0.5)
    assert (decision.effect, decision.reason) == ("pass", reason)
    assert decision.lets_through


def test_the_gate_is_on_where_both_switches_are() -> None:
    """Off by default; a call that asks for it is always checked [SPEC-08.35]."""
    both = {"hallucination.enabled": True, "hallucination.output_verification.enabled": True}
    on = load_config(environ={}, overrides=both).config
    assert not response_gate(Config()).enabled
    assert response_gate(on).enabled
    assert response_gate(Config(), is_asked_for=True).enabled
    assert "response" in [gate.name for gate in all_gates(on)]


def test_checks_that_take_too_long_are_shed() -> None:
    """By how many are under way, and by how long they take."""
    now = 0.0
    settings = {
        "hallucination.output_verification.max_waiting": 3,
        "hallucination.output_verification.max_wait": "5s",
    }
    load = LoadShedder(load_config(environ={}, overrides=settings).config, lambda: now)
    assert load.refusal() is None
    with load.checking():
        now = 4.0
    with load.checking():
        assert load.refusal() is None  # four seconds to wait
        with load.checking():
            assert load.refusal() == "latency"
            with load.checking():
                assert load.refusal() == "queue_depth"
    assert load.refusal() is None
