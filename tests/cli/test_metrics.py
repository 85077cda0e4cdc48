import json

from tests.cli.conftest import Run


def test_a_fresh_home_has_declared_metrics_and_no_counts(gw: Run) -> None:
    assert "# TYPE claims_verified_total counter" in gw("metrics", "--dump").stdout
    assert json.loads(gw("metrics", "--json").stdout) == []
