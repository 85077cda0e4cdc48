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
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = _LATENCY_MS


METRICS: dict[str, Declared] = {
    # SPEC-08.40
    "claims_verified_total": Declared("counter", "Claims that were judged."),
    "hallucinations_detected_total": Declared(
        "counter", "Claims whose status is not grounded.", ("status",)
    ),
    "verification_latency_ms": Declared(
        "histogram", "Time to verify one call's claims.", ("backend",)
    ),
    "verification_cache_hit_total": Declared("counter", "Judgements taken from the cache."),
    "verification_cache_miss_total": Declared("counter", "Judgements that had to be made."),
    "verification_failure_total": Declared(
        "counter", "Judgements that could not be made.", ("reason",)
    ),
    "facts_rejected_total": Declared("counter", "Facts the memory gate refused.", ("reason",)),
    # S3 Gap F
    "embedding_request_total": Declared(
        "counter", "Vectors asked for, of a document or of a question.", ("collection",)
    ),
    "embedding_fail_total": Declared("counter", "Vectors that could not be had.", ("collection",)),
    "embedding_fallback_total": Declared(
        "counter", "Searches that used words alone for want of vectors.", ("collection",)
    ),
    "retrieval_request_total": Declared("counter", "Searches.", ("collection",)),
    "retrieval_latency_ms": Declared("histogram", "Time of one search.", ("collection",)),
    "rag_abstention_total": Declared("counter", "Questions not answered, by reason.", ("reason",)),
    "rag_clarification_total": Declared(
        "counter", "Questions answered by asking which of several is meant.", ("reason",)
    ),
    "skosmos_lookup_total": Declared(
        "counter", "Terms a vocabulary was asked for: hit + miss + timeout + error.", ("backend",)
    ),
    "skosmos_hit_total": Declared("counter", "Terms a vocabulary knew.", ("backend",)),
    "skosmos_miss_total": Declared("counter", "Terms a vocabulary did not know.", ("backend",)),
    "skosmos_timeout_total": Declared("counter", "Lookups that took too long.", ("backend",)),
    "skosmos_error_total": Declared("counter", "Lookups that failed.", ("backend",)),
    "skosmos_cache_hit_total": Declared("counter", "Terms taken from the cache.", ("backend",)),
    "circuit_breaker_state": Declared("gauge", "0 closed, 1 half-open, 2 open.", ("service",)),
    "circuit_breaker_trip_total": Declared("counter", "Times a circuit opened.", ("service",)),
    "verification_queued_total": Declared(
        "counter", "Verifications put off until later.", ("reason",)
    ),
    "verification_queue_depth": Declared("gauge", "Verifications waiting for their turn."),
    # language models
    "llm_calls_total": Declared(
        "counter", "Model calls by how they ended.", ("provider", "model", "outcome")
    ),
    "llm_retries_total": Declared("counter", "Attempts made again.", ("provider", "reason")),
    "llm_tokens_total": Declared(
        "counter", "Tokens read and written.", ("provider", "model", "direction")
    ),
    "llm_cost_total": Declared(
        "counter", "What calls cost, in the currency of `llm.prices`.", ("provider", "model")
    ),
    "llm_latency_ms": Declared("histogram", "Time of one call with its retries.", ("provider",)),
    "llm_in_flight": Declared("gauge", "Calls under way."),
    "judge_canaries_total": Declared(
        "counter", "Claims with known answers that were judged.", ("backend", "expected")
    ),
    "judge_canary_errors_total": Declared(
        "counter", "Claims with known answers that were judged wrongly.", ("backend", "expected")
    ),
    "judge_fallback_total": Declared(
        "counter", "Judgements made another way than first tried.", ("backend", "reason")
    ),
    # gates
    "gate_enabled": Declared("gauge", "1 where a gate is switched on, else 0.", ("gate",)),
    "gate_decisions_total": Declared(
        "counter", "What gates decided: pass, degrade, queue, abstain, block.", ("gate", "effect")
    ),
    "gate_errors_total": Declared(
        "counter", "Checks of gates that failed, so that their posture decided.", ("gate", "code")
    ),
    "gate_skips_total": Declared(
        "counter", "Times when a gate made no check, and why.", ("gate", "reason")
    ),
    # S0
    "diagnosis_made_total": Declared(
        "counter",
        "Reports that were diagnosed, by confidence.",
        ("confidence",),
    ),
    "diagnosis_abstained_total": Declared(
        "counter", "Reports that were not diagnosed, by reason.", ("reason",)
    ),
    "diagnosis_enforced_total": Declared(
        "counter", "Parts of drafts that were taken out or lowered.", ("type",)
    ),
    # S1
    "grounding_edges_total": Declared(
        "counter", "Causal edges that went through the loop.", ("status", "reason")
    ),
    "grounding_iterations_total": Declared("counter", "Turns of the grounding loop."),
    "grounding_queries_total": Declared("counter", "Searches for an edge.", ("side",)),
    "grounding_adversarial_rejections_total": Declared(
        "counter", "Strong edges that the devil's advocate brought down."
    ),
    "grounding_canaries_total": Declared(
        "counter", "Planted false edges that were judged.", ("kind",)
    ),
    "grounding_canaries_accepted_total": Declared(
        "counter", "Planted false edges that were accepted.", ("kind",)
    ),
    "grounding_acceptance_rate": Declared("gauge", "Share of the last run's edges grounded."),
    # S2
    "action_verifications_total": Declared(
        "counter", "Agent outputs that were verified.", ("specialist", "outcome")
    ),
    "action_pass_rate": Declared("gauge", "Share of agent outputs of this process that passed."),
    "action_checks_total": Declared(
        "counter",
        "Levels that were checked: structure, tool outputs, claims.",
        ("level", "outcome"),
    ),
    "action_check_duration_ms": Declared(
        "histogram", "Time one level took.", ("level",), (0.1, 0.2, 0.5, *_LATENCY_MS)
    ),
    "action_claims_total": Declared(
        "counter", "Claims of agents, by how they ended.", ("type", "status")
    ),
    "action_errors_total": Declared("counter", "What was wrong in agent outputs.", ("category",)),
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


class MetricsStore:
    """Sums over all commands that used one home directory."""

    def __init__(self, path: Path) -> None:
        self._database = Database(path, [_SAMPLES_TABLE])

    def close(self) -> None:
        self._database.close()

    def add(self, counted: Metrics) -> None:
        """Add what this process counted; gauges keep their last value. Call once, at the end."""
        rows = [
            (name, json.dumps(labels, sort_keys=True), value)
            for name, labels, value in counted.samples()
        ]
        gauges = {name for name, metric in METRICS.items() if metric.kind == "gauge"}
        with self._database.transaction() as connection:
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
        registry = CollectorRegistry()
        registry.register(_Stored(self.totals()))
        return generate_latest(registry).decode()

    def totals(self) -> list[tuple[str, dict[str, str], float]]:
        rows = self._database.read("SELECT name, labels, value FROM sample ORDER BY name, labels")
        return [(row["name"], json.loads(row["labels"]), row["value"]) for row in rows]


class _Stored(Collector):
    """Presents stored sums as a Prometheus collector, so that one writer makes the text."""

    def __init__(self, samples: list[tuple[str, dict[str, str], float]]) -> None:
        self._samples = samples

    def collect(self) -> Iterator[Metric]:
        families = {
            "counter": CounterMetricFamily,
            "gauge": GaugeMetricFamily,
            "histogram": HistogramMetricFamily,
        }
        for name, declared in METRICS.items():
            family = families[declared.kind](name.removesuffix("_total"), declared.help)
            own = {name, *(f"{name}_{part}" for part in ("bucket", "sum", "count"))}
            for sample, labels, value in self._samples:
                if sample in own:
                    family.add_sample(sample, labels, value)
            yield family
