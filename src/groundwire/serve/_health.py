"""How the service fares: gates, circuits, abstentions, latency; from what was counted."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from pydantic import Field

from groundwire.engine import Engine
from groundwire.errors import StoreError
from groundwire.gate import gate_health
from groundwire.model import GateHealth, Model
from groundwire.observe import MetricsStore, metrics

Sample = tuple[str, dict[str, str], float]
_CIRCUITS = {0: "closed", 1: "half-open", 2: "open"}
_ABSTENTIONS = {
    "rag_abstention_total": "ask",
    "diagnosis_abstained_total": "diagnose",
    "verification_failure_total": "check",
}


class Latency(Model):
    """Upper bounds of the buckets that hold the middle and the last hundredth."""

    route: str
    requests: int
    p50_ms: float | None
    p99_ms: float | None


class Abstained(Model):
    by: str
    reason: str
    count: int


class Health(Model):
    judge: str
    gates: tuple[GateHealth, ...] = ()
    circuits: dict[str, str] = Field(default_factory=dict)
    abstentions: tuple[Abstained, ...] = ()
    latency: tuple[Latency, ...] = ()
    shed: dict[str, int] = Field(default_factory=dict)
    jobs_waiting: int = 0
    queue_depth: int = 0
    problems: tuple[str, ...] = ()


def health_of(engine: Engine) -> Health:
    """Counts go back to earlier commands of this home directory; latency is this process's."""
    own = list(metrics().samples())
    earlier, problems = _earlier(engine)
    gauges = {(name, *labels.values()): value for name, labels, value in own}
    return Health(
        judge=engine.config.hallucination.backend.type,
        gates=gate_health(engine.config, [*earlier, *own]),
        circuits={
            labels["service"]: _CIRCUITS.get(int(value), "unknown")
            for name, labels, value in own
            if name == "circuit_breaker_state"
        },
        abstentions=_abstentions([*earlier, *own]),
        latency=_latency(own),
        shed=_by_label(own, "http_shed_total", "reason"),
        jobs_waiting=int(gauges.get(("jobs_waiting",), 0)),
        queue_depth=int(gauges.get(("verification_queue_depth",), 0)),
        problems=problems,
    )


def _earlier(engine: Engine) -> tuple[list[Sample], tuple[str, ...]]:
    try:
        with MetricsStore(engine.config.home.expanduser() / "metrics.sqlite") as store:
            return store.totals(), ()
    except StoreError as error:
        return [], (str(error),)


def _abstentions(samples: Iterable[Sample]) -> tuple[Abstained, ...]:
    counts: Counter[tuple[str, str]] = Counter()
    for name, labels, value in samples:
        if name in _ABSTENTIONS:
            counts[_ABSTENTIONS[name], labels["reason"]] += int(value)
    return tuple(
        Abstained(by=by, reason=reason, count=count) for (by, reason), count in counts.most_common()
    )


def _by_label(samples: Iterable[Sample], wanted: str, label: str) -> dict[str, int]:
    return {labels[label]: int(value) for name, labels, value in samples if name == wanted}


def _latency(samples: Iterable[Sample]) -> tuple[Latency, ...]:
    buckets: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for name, labels, value in samples:
        if name == "http_request_duration_ms_bucket":
            buckets[labels["route"]].append((float(labels["le"]), value))
    return tuple(
        Latency(
            route=route,
            requests=int(found[-1][1]),
            p50_ms=_quantile(found, 0.5),
            p99_ms=_quantile(found, 0.99),
        )
        for route, found in sorted(buckets.items())
    )


def _quantile(buckets: list[tuple[float, Any]], share: float) -> float | None:
    wanted = buckets[-1][1] * share
    end = next(end for end, count in buckets if count >= wanted)
    return None if end == float("inf") else end
