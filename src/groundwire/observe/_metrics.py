"""The metrics: declared here once, counted in the process, summed over commands, and
written as Prometheus reads them."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from math import inf
from pathlib import Path
from threading import Lock
from typing import Literal, NamedTuple

from groundwire.store import Database, Migration

_LATENCY_MS = (1.0, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000)


class Declared(NamedTuple):
    kind: Literal["counter", "gauge", "histogram"]
    help: str
    labels: tuple[str, ...]
    buckets: tuple[float, ...] = ()


def _counter(what: str, *labels: str) -> Declared:
    return Declared("counter", what, labels)


def _gauge(what: str, *labels: str) -> Declared:
    return Declared("gauge", what, labels)


def _histogram(what: str, *labels: str, buckets: tuple[float, ...] = _LATENCY_MS) -> Declared:
    return Declared("histogram", what, labels, buckets)


METRICS: dict[str, Declared] = {
    # SPEC-08.40
    "claims_verified_total": _counter("Claims that were judged."),
    "hallucinations_detected_total": _counter("Claims whose status is not grounded.", "status"),
    "verification_latency_ms": _histogram("Time to verify one call's claims.", "backend"),
    "verification_cache_hit_total": _counter("Judgements taken from the cache."),
    "verification_cache_miss_total": _counter("Judgements that had to be made."),
    "verification_failure_total": _counter("Judgements that could not be made.", "reason"),
    "facts_rejected_total": _counter("Facts the memory gate refused.", "reason"),
    "facts_stored_total": _counter("Facts that were stored.", "status"),
    "facts_promoted_total": _counter("Provisional facts that were verified later and kept."),
    "facts_evicted_total": _counter(
        "Provisional facts that were verified later and removed.", "reason"
    ),
    "facts_contested_total": _counter("Facts that contradict a stored one."),
    "memory_gate_latency_ms": _histogram("Time a fact spent at the memory gate."),
    # S3 Gap F
    "embedding_request_total": _counter(
        "Vectors asked for, of a document or of a question.", "collection"
    ),
    "embedding_fail_total": _counter("Vectors that could not be had.", "collection"),
    "embedding_fallback_total": _counter(
        "Searches that used words alone for want of vectors.", "collection"
    ),
    "retrieval_request_total": _counter("Searches.", "collection"),
    "retrieval_latency_ms": _histogram("Time of one search.", "collection"),
    "rag_abstention_total": _counter("Questions not answered, by reason.", "reason"),
    "rag_clarification_total": _counter(
        "Questions answered by asking which of several is meant.", "reason"
    ),
    "skosmos_lookup_total": _counter(
        "Terms a vocabulary was asked for: hit + miss + timeout + error.", "backend"
    ),
    "skosmos_hit_total": _counter("Terms a vocabulary knew.", "backend"),
    "skosmos_miss_total": _counter("Terms a vocabulary did not know.", "backend"),
    "skosmos_timeout_total": _counter("Lookups that took too long.", "backend"),
    "skosmos_error_total": _counter("Lookups that failed.", "backend"),
    "skosmos_cache_hit_total": _counter("Terms taken from the cache.", "backend"),
    "circuit_breaker_state": _gauge("0 closed, 1 half-open, 2 open.", "service"),
    "circuit_breaker_trip_total": _counter("Times a circuit opened.", "service"),
    "verification_queued_total": _counter("Verifications put off until later.", "reason"),
    "verification_queue_depth": _gauge("Verifications waiting for their turn."),
    # language models
    "llm_calls_total": _counter("Model calls by how they ended.", "provider", "model", "outcome"),
    "llm_retries_total": _counter("Attempts made again.", "provider", "reason"),
    "llm_tokens_total": _counter("Tokens read and written.", "provider", "model", "direction"),
    "llm_cost_total": _counter(
        "What calls cost, in the currency of `llm.prices`.", "provider", "model"
    ),
    "llm_latency_ms": _histogram("Time of one call with its retries.", "provider"),
    "llm_in_flight": _gauge("Calls under way."),
    "judge_canaries_total": _counter(
        "Claims with known answers that were judged.", "backend", "expected"
    ),
    "judge_canary_errors_total": _counter(
        "Claims with known answers that were judged wrongly.", "backend", "expected"
    ),
    "judge_fallback_total": _counter(
        "Judgements made another way than first tried.", "backend", "reason"
    ),
    "responses_skipped_total": _counter("Responses not checked under load, and why.", "reason"),
    "trace_steps_total": _counter("Steps of reasoning traces, by status.", "status"),
    "traces_audited_total": _counter("Reasoning traces, by what came of them.", "status"),
    # gates
    "gate_enabled": _gauge("1 where a gate is switched on, else 0.", "gate"),
    "gate_decisions_total": _counter(
        "What gates decided: pass, degrade, queue, abstain, block.", "gate", "effect"
    ),
    "gate_errors_total": _counter(
        "Checks of gates that failed, so that their posture decided.", "gate", "code"
    ),
    "gate_skips_total": _counter("Times when a gate made no check, and why.", "gate", "reason"),
    # the HTTP service
    "http_requests_total": _counter("Requests by how they ended.", "route", "method", "status"),
    "http_request_duration_ms": _histogram("Time of one request.", "route"),
    "proxy_answers_total": _counter(
        "Answers that passed the proxy, checked or why not.", "outcome"
    ),
    "http_shed_total": _counter("Requests that were told to come again, and why.", "reason"),
    "http_in_flight": _gauge("Requests that are worked on or wait."),
    "jobs_total": _counter("Jobs by how they ended.", "kind", "state"),
    "jobs_waiting": _gauge("Jobs that wait for their turn."),
    # S0
    "diagnosis_made_total": _counter("Reports that were diagnosed, by confidence.", "confidence"),
    "diagnosis_abstained_total": _counter("Reports that were not diagnosed, by reason.", "reason"),
    "diagnosis_enforced_total": _counter("Parts of drafts that were taken out or lowered.", "type"),
    # S1
    "grounding_edges_total": _counter(
        "Causal edges that went through the loop.", "status", "reason"
    ),
    "grounding_iterations_total": _counter("Turns of the grounding loop."),
    "grounding_queries_total": _counter("Searches for an edge.", "side"),
    "grounding_adversarial_rejections_total": _counter(
        "Strong edges that the devil's advocate brought down."
    ),
    "grounding_canaries_total": _counter("Planted false edges that were judged.", "kind"),
    "grounding_canaries_accepted_total": _counter(
        "Planted false edges that were accepted.", "kind"
    ),
    "grounding_acceptance_rate": _gauge("Share of the last run's edges grounded."),
    # S2
    "action_verifications_total": _counter(
        "Agent outputs that were verified.", "specialist", "outcome"
    ),
    "action_pass_rate": _gauge("Share of agent outputs of this process that passed."),
    "action_checks_total": _counter(
        "Levels that were checked: structure, tool outputs, claims.", "level", "outcome"
    ),
    "action_check_duration_ms": _histogram(
        "Time one level took.", "level", buckets=(0.1, 0.2, 0.5, *_LATENCY_MS)
    ),
    "action_claims_total": _counter("Claims of agents, by how they ended.", "type", "status"),
    "action_errors_total": _counter("What was wrong in agent outputs.", "category"),
}

_SAMPLES_TABLE: Migration = (
    """CREATE TABLE sample (
        name TEXT NOT NULL,
        labels TEXT NOT NULL,
        value REAL NOT NULL,
        PRIMARY KEY (name, labels)
    ) STRICT, WITHOUT ROWID""",
)


Sample = tuple[str, dict[str, str], float]
"""A name, its labels and its value, as Prometheus reads them."""


class Metrics:
    """Counts what happens. One per process is usual: see `metrics()`."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._values: dict[tuple[str, tuple[str, ...]], float] = {}
        self._observed: dict[tuple[str, tuple[str, ...]], list[float]] = {}

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        if amount < 0:
            raise ValueError(f"{name} only grows, and was to grow by {amount}.")
        key = _key("counter", name, labels)
        with self._lock:
            self._values[key] = self._values.get(key, 0.0) + amount

    def set(self, name: str, value: float, **labels: str) -> None:
        key = _key("gauge", name, labels)
        with self._lock:
            self._values[key] = value

    def observe(self, name: str, value: float, **labels: str) -> None:
        """Adds to each bucket that reaches so far, to the count and to the sum."""
        key = _key("histogram", name, labels)
        buckets = METRICS[name].buckets
        with self._lock:
            counts = self._observed.setdefault(key, [0.0] * (len(buckets) + 2))
            for number, bucket in enumerate((*buckets, inf)):
                counts[number] += value <= bucket
            counts[-1] += value

    def value(self, sample: str, **labels: str) -> float:
        """The present value of one sample, 0 when it was never touched."""
        return next((v for name, own, v in self.samples() if (name, own) == (sample, labels)), 0.0)

    def exposition(self) -> str:
        return _exposition(list(self.samples()))

    def samples(self) -> Iterator[Sample]:
        with self._lock:
            values = list(self._values.items())
            observed = [(key, tuple(counts)) for key, counts in self._observed.items()]
        for (name, given), value in values:
            yield name, _labels(name, given), value
        for (name, given), (*counts, total) in observed:
            labels = _labels(name, given)
            ends = (*(str(float(bucket)) for bucket in METRICS[name].buckets), "+Inf")
            for end, number in zip(ends, counts, strict=True):
                yield f"{name}_bucket", {**labels, "le": end}, number
            yield f"{name}_count", labels, counts[-1]
            yield f"{name}_sum", labels, total


def _key(kind: str, name: str, labels: dict[str, str]) -> tuple[str, tuple[str, ...]]:
    declared = METRICS[name]
    if declared.kind != kind or labels.keys() != set(declared.labels):
        raise KeyError(f"{name} is a {declared.kind} with the labels {declared.labels}")
    return name, tuple(str(labels[label]) for label in declared.labels)


def _labels(name: str, given: tuple[str, ...]) -> dict[str, str]:
    return dict(zip(METRICS[name].labels, given, strict=True))


def _exposition(samples: Sequence[Sample]) -> str:
    """One writer makes the text of what is counted and of what is stored."""
    # 30 ms that only a reader of metrics should pay
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.metrics_core import Metric
    from prometheus_client.registry import Collector

    class Counted(Collector):
        def collect(self) -> Iterator[Metric]:
            for name, declared in METRICS.items():
                family = Metric(name.removesuffix("_total"), declared.help, declared.kind)
                own = {name, *(f"{name}_{part}" for part in ("bucket", "sum", "count"))}
                for sample, labels, value in samples:
                    if sample in own:
                        family.add_sample(sample, labels, value)
                yield family

    registry = CollectorRegistry()
    registry.register(Counted())
    return generate_latest(registry).decode()


@cache
def metrics() -> Metrics:
    """The registry of this process."""
    return Metrics()


class MetricsStore(Database):
    """Sums over all commands that used one home directory."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, [_SAMPLES_TABLE])

    def add(self, counted: Metrics) -> None:
        """Add what this process counted; gauges keep their last value. Call once, at the end."""
        rows = [
            (name, json.dumps(labels, sort_keys=True), value)
            for name, labels, value in counted.samples()
        ]
        gauges = {name for name, metric in METRICS.items() if metric.kind == "gauge"}
        with self.transaction() as connection:
            connection.executemany(
                """INSERT INTO sample VALUES (?, ?, ?)
                   ON CONFLICT DO UPDATE SET value = value + excluded.value""",
                [row for row in rows if row[0] not in gauges and row[2]],
            )
            connection.executemany(
                "INSERT OR REPLACE INTO sample VALUES (?, ?, ?)",
                [row for row in rows if row[0] in gauges],
            )

    def exposition(self) -> str:
        return _exposition(self.totals())

    def totals(self) -> list[Sample]:
        rows = self.read("SELECT name, labels, value FROM sample ORDER BY name, labels")
        return [(row["name"], json.loads(row["labels"]), row["value"]) for row in rows]
