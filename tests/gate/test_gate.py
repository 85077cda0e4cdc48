"""The mechanism that all gates share: a check, a posture for when it fails, and counts."""

import logging
from collections.abc import Callable
from typing import Any

import pytest

from groundwire.errors import BackendTimeout, InputError
from groundwire.gate import Gate
from groundwire.model import Decision, Posture
from groundwire.observe import Metrics, metrics

POSTURES: tuple[Posture, ...] = ("pass", "degrade", "queue", "abstain", "block")


def gate(counted: Metrics, *, enabled: bool = True, on_failure: Posture = "abstain") -> Gate:
    return Gate(
        "confidence",
        enabled=enabled,
        on_failure=on_failure,
        failure_reason="it_failed",
        counted=counted,
    )


def failing() -> Decision:
    raise BackendTimeout("The judge took too long.", hint="Wait.")


async def afailing() -> Decision:
    return failing()


@pytest.mark.parametrize("effect", POSTURES)
def test_what_a_check_decides_stands_and_is_counted(effect: Posture) -> None:
    """A check that was made decides, whatever the posture for failures is."""
    counted = Metrics()
    made = Decision(gate="confidence", effect=effect, reason="why")
    assert gate(counted, on_failure="block").run(lambda: made) is made
    for one in POSTURES:
        count = counted.value("gate_decisions_total", gate="confidence", effect=one)
        assert count == (1 if one == effect else 0)
    assert counted.value("gate_errors_total", gate="confidence", code="backend_timeout") == 0


@pytest.mark.parametrize("posture", POSTURES)
def test_where_the_check_fails_the_posture_decides(posture: Posture) -> None:
    """A failed check is counted as an error and as the decision that the posture makes."""
    counted = Metrics()
    decision = gate(counted, on_failure=posture).run(failing)
    assert decision == Decision(
        gate="confidence",
        effect=posture,
        reason="it_failed",
        message="The judge took too long.",
        check="failed",
    )
    assert counted.value("gate_decisions_total", gate="confidence", effect=posture) == 1
    assert counted.value("gate_errors_total", gate="confidence", code=BackendTimeout.code) == 1


@pytest.mark.anyio
async def test_a_check_may_wait() -> None:
    """What is awaited is decided, failed, skipped and counted like what is not."""
    counted = Metrics()
    made = Decision(gate="confidence", effect="degrade")

    async def check() -> Decision:
        return made

    assert await gate(counted).arun(check) is made
    assert (await gate(counted, on_failure="block").arun(afailing)).effect == "block"
    assert (await gate(counted, enabled=False).arun(afailing)).check == "skipped"
    assert counted.value("gate_decisions_total", gate="confidence", effect="degrade") == 1
    assert counted.value("gate_decisions_total", gate="confidence", effect="block") == 1
    assert counted.value("gate_errors_total", gate="confidence", code=BackendTimeout.code) == 1
    assert counted.value("gate_skips_total", gate="confidence", reason="disabled") == 1


def test_a_gate_that_is_off_makes_no_check_and_holds_nothing_back() -> None:
    """A switched-off gate is counted as skipped, never as passed."""
    counted = Metrics()
    decision = gate(counted, enabled=False).run(failing)
    assert (decision.effect, decision.reason, decision.check) == ("pass", "disabled", "skipped")
    assert counted.value("gate_skips_total", gate="confidence", reason="disabled") == 1
    assert counted.value("gate_decisions_total", gate="confidence", effect="pass") == 0


def test_a_check_that_is_not_needed_is_a_skip() -> None:
    """Why no check was made is kept."""
    counted = Metrics()
    decision = gate(counted).skip("not_needed")
    assert (decision.gate, decision.reason, decision.check) == (
        "confidence",
        "not_needed",
        "skipped",
    )
    assert decision.lets_through
    assert counted.value("gate_skips_total", gate="confidence", reason="not_needed") == 1


def test_what_is_no_failure_of_a_backend_is_not_decided_by_a_posture() -> None:
    """Bad input is the caller's to hear of."""

    def refused() -> Decision:
        raise InputError("There is no question.")

    with pytest.raises(InputError):
        gate(Metrics(), on_failure="pass").run(refused)


def test_without_metrics_of_its_own_a_gate_counts_in_those_of_the_process() -> None:
    """Health is counted where everything else is."""
    before = metrics().value("gate_skips_total", gate="coverage", reason="not_needed")
    Gate("coverage", on_failure="abstain").skip("not_needed")
    assert metrics().value("gate_skips_total", gate="coverage", reason="not_needed") == before + 1


def test_a_failure_has_a_reason_even_where_the_gate_has_none_of_its_own() -> None:
    """No decision but a pass is without a code."""
    assert Gate("coverage", on_failure="block", counted=Metrics()).run(failing).reason == (
        "check_failed"
    )


def test_a_decision_is_in_the_log_with_the_figures_it_was_made_on(
    captured_logs: Callable[[], list[dict[str, Any]]],
) -> None:
    """Whoever looks for the cause of an abstention finds it there."""
    configured = logging.getLogger("groundwire")
    configured.setLevel(logging.DEBUG)
    looked_at = {"confidence": 0.4, "abstain_below": 0.6}
    made = Decision(gate="confidence", effect="abstain", reason="why", looked_at=looked_at)
    gate(Metrics()).run(lambda: made)
    entry = captured_logs()[0]
    assert (entry["component"], entry["event"]) == ("gate", "gate_decided")
    assert (entry["gate"], entry["effect"], entry["reason"]) == ("confidence", "abstain", "why")
    assert (entry["check"], entry["confidence"], entry["abstain_below"]) == ("made", 0.4, 0.6)


@pytest.mark.parametrize(
    ("effect", "lets_through"),
    [("pass", True), ("degrade", True), ("queue", True), ("abstain", False), ("block", False)],
)
def test_only_abstaining_and_blocking_hold_back(effect: Posture, *, lets_through: bool) -> None:
    """What is queued is let through too: it is kept as unverified until its turn."""
    assert Decision(gate="coverage", effect=effect).lets_through is lets_through
