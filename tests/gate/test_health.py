"""How gates have fared, read from what was counted."""

from functools import partial
from pathlib import Path

import pytest

from groundwire.config import Config, DiagnosisSection
from groundwire.errors import BackendTimeout
from groundwire.gate import Gate, all_gates, gate_health, publish_gates
from groundwire.model import Decision, GateHealth, Posture
from groundwire.observe import Metrics, MetricsStore, metrics

CONFIG = Config()


def health_of(counted: Metrics, name: str = "coverage", config: Config = CONFIG) -> GateHealth:
    return next(one for one in gate_health(config, counted.samples()) if one.gate == name)


def abstaining() -> Decision:
    return Decision(gate="confidence", effect="abstain")


def failing() -> Decision:
    raise BackendTimeout("too slow")


def test_every_gate_is_in_the_report_once() -> None:
    """A gate that nobody lists would be one whose silence nobody sees."""
    names = [one.gate for one in gate_health(CONFIG, [])]
    assert names == [gate.name for gate in all_gates(CONFIG)]
    known = ["confidence", "coverage", "low_coverage_verifier", "memory", "response"]
    assert sorted(names) == known


def test_a_gate_that_is_enabled_and_never_ran_is_seen() -> None:
    """Nothing counted is neither a pass nor a share of nought."""
    health = health_of(Metrics())
    assert health.never_ran
    assert (health.runs, health.error_share, health.skip_share) == (0, None, None)


def test_a_gate_that_is_off_has_not_failed_to_run() -> None:
    """Only what is enabled is expected to run."""
    config = Config(diagnosis=DiagnosisSection(enable_abstain_gate=False))
    health = health_of(Metrics(), config=config)
    assert (health.enabled, health.never_ran) == (False, False)


def test_skips_alone_are_no_run() -> None:
    """A gate that was only ever skipped has never run."""
    counted = Metrics()
    Gate("coverage", on_failure="abstain", counted=counted).skip("not_needed")
    health = health_of(counted)
    assert (health.runs, health.skips, health.skip_share, health.never_ran) == (0, 1, 1.0, True)


def test_each_effect_is_counted_apart_and_errors_and_skips_are_shares() -> None:
    """Errors are a share of the runs, skips a share of all that came to the gate."""
    counted = Metrics()
    gate = Gate("coverage", on_failure="abstain", counted=counted)
    effects: tuple[Posture, ...] = ("pass", "pass", "pass", "degrade", "queue", "queue", "block")
    for effect in effects:
        gate.run(partial(Decision, gate="coverage", effect=effect))
    gate.run(failing)
    gate.skip("not_needed")
    gate.skip("disabled")
    health = health_of(counted)
    assert (health.passed, health.degraded, health.queued) == (3, 1, 2)
    assert (health.abstained, health.blocked, health.errors, health.skips) == (1, 1, 1, 2)
    assert (health.runs, health.error_share, health.skip_share) == (8, 0.125, 0.2)
    assert not health.never_ran
    assert health_of(counted, "confidence").never_ran


def test_health_is_summed_over_commands(tmp_path: Path) -> None:
    """Short-lived processes leave their counts in the home directory."""
    for _ in range(2):
        counted = Metrics()
        Gate("confidence", on_failure="abstain", counted=counted).run(abstaining)
        store = MetricsStore(tmp_path / "metrics.sqlite")
        store.add(counted)
        totals = store.totals()
        store.close()
    health = next(one for one in gate_health(CONFIG, totals) if one.gate == "confidence")
    assert (health.runs, health.abstained) == (2, 2)


def test_the_json_of_health_has_its_shares() -> None:
    """What is computed is written down too."""
    written = GateHealth(
        gate="coverage", enabled=True, on_failure="abstain", passed=2, errors=1, skips=1
    ).model_dump(mode="json")
    assert written["runs"] == 2
    assert written["error_share"] == 0.5
    assert written["skip_share"] == pytest.approx(0.3333)
    assert written["never_ran"] is False


@pytest.mark.parametrize("is_on", [True, False])
def test_the_metrics_say_which_gates_are_on(*, is_on: bool) -> None:
    """A dashboard can then tell an idle gate from one that is switched off."""
    publish_gates(Config(diagnosis=DiagnosisSection(enable_abstain_gate=is_on)))
    assert metrics().value("gate_enabled", gate="coverage") == float(is_on)
    assert metrics().value("gate_enabled", gate="confidence") == 1
