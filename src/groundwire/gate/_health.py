"""How all gates fare: read from what was counted, in this process or over all commands."""

from collections import Counter
from collections.abc import Iterable, Mapping

from groundwire.config import Config
from groundwire.gate._confidence import confidence_gate
from groundwire.gate._coverage import coverage_gate, low_coverage_gate
from groundwire.gate._gate import Gate
from groundwire.gate._memory import memory_gate
from groundwire.gate._response import response_gate
from groundwire.model import GateHealth
from groundwire.observe import metrics

Sample = tuple[str, Mapping[str, str], float]
"""A name, labels and a value, as `Metrics.samples` and `MetricsStore.totals` give them."""


def all_gates(config: Config) -> tuple[Gate, ...]:
    """Every gate there is, as these settings make it. A new one is added here."""
    return (
        coverage_gate(config.diagnosis),
        low_coverage_gate(config.diagnosis),
        confidence_gate(),
        memory_gate(config.hallucination),
        response_gate(config),
    )


def publish_gates(config: Config) -> None:
    """Put into the metrics which gates are on: one that counts nothing is then seen to be idle."""
    for gate in all_gates(config):
        metrics().set("gate_enabled", float(gate.enabled), gate=gate.name)


def gate_health(config: Config, samples: Iterable[Sample]) -> tuple[GateHealth, ...]:
    counts: Counter[tuple[str, str, str]] = Counter()
    for name, labels, value in samples:
        if name in ("gate_decisions_total", "gate_errors_total", "gate_skips_total"):
            counts[labels["gate"], name, labels.get("effect", "")] += int(value)
    return tuple(_health(gate, counts) for gate in all_gates(config))


def _health(gate: Gate, counts: Counter[tuple[str, str, str]]) -> GateHealth:
    return GateHealth(
        gate=gate.name,
        enabled=gate.enabled,
        on_failure=gate.on_failure,
        passed=counts[gate.name, "gate_decisions_total", "pass"],
        degraded=counts[gate.name, "gate_decisions_total", "degrade"],
        queued=counts[gate.name, "gate_decisions_total", "queue"],
        abstained=counts[gate.name, "gate_decisions_total", "abstain"],
        blocked=counts[gate.name, "gate_decisions_total", "block"],
        errors=counts[gate.name, "gate_errors_total", ""],
        skips=counts[gate.name, "gate_skips_total", ""],
    )
