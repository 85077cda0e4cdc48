import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.observe import METRICS, Metrics, MetricsStore


def test_the_metrics_of_the_specification_are_declared() -> None:
    """[SPEC-08.40]"""
    assert {
        "claims_verified_total",
        "hallucinations_detected_total",
        "verification_latency_ms",
        "verification_cache_hit_total",
        "facts_rejected_total",
    } <= METRICS.keys()


def test_counts_come_out_as_prometheus_text() -> None:
    counted = Metrics()
    counted.count("hallucinations_detected_total", status="contradicted")
    counted.observe("verification_latency_ms", 12, backend="embedded")
    text = counted.exposition()
    assert 'hallucinations_detected_total{status="contradicted"} 1.0' in text
    assert 'verification_latency_ms_bucket{backend="embedded",le="25.0"} 1.0' in text
    assert counted.value("hallucinations_detected_total", status="contradicted") == 1


def test_an_undeclared_metric_is_an_error() -> None:
    with pytest.raises(KeyError):
        Metrics().count("invented_total")


def test_commands_add_up_in_one_home(tmp_path: Path) -> None:
    for _ in range(2):
        counted = Metrics()
        counted.count("claims_verified_total", 3)
        counted.observe("verification_latency_ms", 12, backend="embedded")
        store = MetricsStore(tmp_path / "metrics.sqlite")
        store.add(counted)
        store.close()
    store = MetricsStore(tmp_path / "metrics.sqlite")
    text = store.exposition()
    store.close()
    assert "claims_verified_total 6.0" in text
    assert 'verification_latency_ms_count{backend="embedded"} 2.0' in text
    assert "# TYPE verification_latency_ms histogram" in text


def test_the_module_dumps_the_metrics_of_the_home(own_home: Path) -> None:
    """[S3 Gap F] `python -m groundwire.observe --dump`."""
    counted = Metrics()
    counted.count("claims_verified_total", 5)
    store = MetricsStore(own_home / "metrics.sqlite")
    store.add(counted)
    store.close()
    dump = subprocess.run(
        [sys.executable, "-m", "groundwire.observe", "--dump"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "claims_verified_total 5.0" in dump.stdout
