"""Generated requests, fitting and broken; `benchmarks/serve_fuzz.py` sends many more."""

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable

from tests.serve.running import Running

schemathesis = pytest.importorskip("schemathesis")
EACH = 4
SKIPPED = ("/events", "/v1/ground", "/v1/evaluate")
"""Streams that wait for a job, and jobs that would still run when the tests have ended."""


@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_no_generated_request_breaks_the_service(open_service: Running, mode: str) -> None:
    """No 5xx but "not there yet"; every refusal is a problem document."""
    schema = schemathesis.openapi.from_url(f"{open_service.address}/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    chosen = schemathesis.GenerationMode(mode)
    wrong: list[str] = []

    def send(case: Any) -> None:
        answered = case.call(base_url=open_service.address, timeout=110)
        told = f"{case.method} {case.path} {answered.status_code}: {case.body!r}"
        if answered.status_code >= 400:
            kind = answered.headers.get("content-type")
            if kind != ["application/problem+json"]:
                wrong.append(f"{kind} for {told}")
            elif answered.status_code >= 500:
                wrong.append(told)

    for operation in operations:
        if operation.path.endswith(SKIPPED):
            continue
        cases = given(case=operation.as_strategy(generation_mode=chosen))(send)
        limited = settings(
            max_examples=EACH,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )(cases)
        try:
            limited()
        except Unsatisfiable:  # nothing in it could be broken
            continue
    assert wrong == []
