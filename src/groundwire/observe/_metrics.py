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
