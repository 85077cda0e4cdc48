"""Generated requests against the service: nothing may end with a 5xx but shed load.

python benchmarks/serve_fuzz.py [--requests 20000]
"""

import argparse
import json
from collections import Counter
from typing import Any

import schemathesis
from _service import served
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable

ROUND = 50
ALLOWED = {503: "overloaded"}


class Fuzz:
    """Half of the requests fit the schema and half break it in one place."""

    def __init__(self, address: str) -> None:
        self._address = address
        schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
        self._operations = [found.ok() for found in schema.get_all_operations()]
        self._counts: Counter[int] = Counter()
        self._failed: list[str] = []

    def run(self, requests: int) -> dict[str, Any]:
        modes = list(schemathesis.GenerationMode)
        sources = [(one, mode) for one in self._operations for mode in modes]
        while self._counts.total() < requests and sources:
            each = min(ROUND, -(-(requests - self._counts.total()) // len(sources)))
            # where a schema leaves little to vary, more examples are the same again
            sources = [one for one in sources if self._send_some(*one, each) > each // 2]
            print(f"{self._counts.total()} sent, {len(self._failed)} failed", flush=True)
        return {
            "requests": self._counts.total(),
            "operations": len(self._operations),
            "by_status": {str(status): count for status, count in sorted(self._counts.items())},
            "server_errors": len(self._failed),
            "failed": self._failed[:10],
        }

    def _send_some(self, operation: Any, mode: Any, each: int) -> int:
        """So many requests; how many there were."""
        before = self._counts.total()
        if operation.path.endswith("/events"):  # it would wait for a job that may never come
            return 0

        @settings(
            max_examples=each,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def send(case: Any) -> None:
            self._send(case)

        try:
            send()
        except Unsatisfiable:  # there is nothing in it that could be broken
            return 0
        return self._counts.total() - before

    def _send(self, case: Any) -> None:
        answered = case.call(base_url=self._address, timeout=120)
        status = answered.status_code
        self._counts[status] += 1
        if status >= 500 and ALLOWED.get(status) != (code := _code(answered)):
            self._failed.append(f"{case.method} {case.path} {status} {code}: {case.body!r}")


def _code(answered: Any) -> str:
    try:
        return str(answered.json().get("code"))
    except ValueError:
        return "no problem document"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000)
    asked = parser.parse_args()
    with served("serve.rate_per_minute=10000000", "serve.max_jobs=1000000") as running:
        found = Fuzz(running.address).run(asked.requests)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
