"""The metrics: declared here once, counted in a Prometheus registry, summed over commands."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

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
    # gates
    "gate_enabled": _gauge("1 where a gate is switched on, else 0.", "gate"),
    "gate_decisions_total": _counter(
        "What gates decided: pass, degrade, queue, abstain, block.", "gate", "effect"
    ),
    "gate_errors_total": _counter(
        "Checks of gates that failed, so that their posture decided.", "gate", "code"
    ),
    "gate_skips_total": _counter("Times when a gate made no check, and why.", "gate", "reason"),
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


class Metrics:
    """Counts what happens. One per process is usual: see `metrics()`."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._counters: dict[str, Counter] = {}
        self._gauges: dict[str, Gauge] = {}
        self._histograms: dict[str, Histogram] = {}
        for name, metric in METRICS.items():
            arguments = (name, metric.help, metric.labels)
            if metric.kind == "counter":
                self._counters[name] = Counter(*arguments, registry=self.registry)
            elif metric.kind == "gauge":
                self._gauges[name] = Gauge(*arguments, registry=self.registry)
            else:
                self._histograms[name] = Histogram(
                    *arguments, registry=self.registry, buckets=metric.buckets
                )

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        counter = self._counters[name]
        (counter.labels(**labels) if labels else counter).inc(amount)

    def set(self, name: str, value: float, **labels: str) -> None:
        gauge = self._gauges[name]
        (gauge.labels(**labels) if labels else gauge).set(value)

    def observe(self, name: str, value: float, **labels: str) -> None:
        histogram = self._histograms[name]
        (histogram.labels(**labels) if labels else histogram).observe(value)

    def value(self, sample: str, **labels: str) -> float:
        """The present value of one sample, 0 when it was never touched."""
        return self.registry.get_sample_value(sample, labels) or 0.0

    def exposition(self) -> str:
        return generate_latest(self.registry).decode()

    def samples(self) -> Iterator[tuple[str, dict[str, str], float]]:
        for family in self.registry.collect():
            for sample in family.samples:
                if not sample.name.endswith("_created"):
                    yield sample.name, sample.labels, sample.value


@cache
def metrics() -> Metrics:
    """The registry of this process."""
    return Metrics()


class MetricsStore(Database, Collector):
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
        """One writer makes the text of what is counted and of what is stored."""
        registry = CollectorRegistry()
        registry.register(self)
        return generate_latest(registry).decode()

    def totals(self) -> list[tuple[str, dict[str, str], float]]:
        rows = self.read("SELECT name, labels, value FROM sample ORDER BY name, labels")
        return [(row["name"], json.loads(row["labels"]), row["value"]) for row in rows]

    def collect(self) -> Iterator[Metric]:
        totals = self.totals()
        families = {
            "counter": CounterMetricFamily,
            "gauge": GaugeMetricFamily,
            "histogram": HistogramMetricFamily,
        }
        for name, declared in METRICS.items():
            family = families[declared.kind](name.removesuffix("_total"), declared.help)
            own = {name, *(f"{name}_{part}" for part in ("bucket", "sum", "count"))}
            for sample, labels, value in totals:
                if sample in own:
                    family.add_sample(sample, labels, value)
            yield family
