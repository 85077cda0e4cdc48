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

ROUND = 50
ALLOWED = {501: "not_built", 503: "overloaded"}


def fuzz(address: str, requests: int) -> dict[str, Any]:
    """Half of the requests fit the schema and half break it in one place."""
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    counts: Counter[int] = Counter()
    failed: list[str] = []
    sources = [(one, mode) for one in operations for mode in schemathesis.GenerationMode]
    done = 0
    while done < requests and sources:
        each = max(1, -(-(requests - done) // len(sources)))
        # where a schema leaves little to vary, more examples are the same again
        sources = [
            one
            for one in sources
            if _run(*one, min(each, ROUND), address, counts, failed) >= min(each, ROUND) // 2
        ]
        done = sum(counts.values())
        print(f"{done} requests, {len(failed)} server errors", flush=True)
    return {
        "requests": done,
        "operations": len(operations),
        "by_status": {str(status): count for status, count in sorted(counts.items())},
        "server_errors": len(failed),
        "failed": failed[:10],
    }


def _run(
    operation: Any,
    mode: Any,
    each: int,
    address: str,
    counts: Counter[int],
    failed: list[str],
) -> int:
    """Send so many; how many there were."""
    before = sum(counts.values())
    if operation.path.endswith("/events"):
        return 0
    try:
        strategy = operation.as_strategy(generation_mode=mode)
    except Exception:  # an operation without anything that could be broken
        return 0

    @given(case=strategy)
    @settings(
        max_examples=each,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def send(case: Any) -> None:
        answered = case.call(base_url=address, timeout=120)
        counts[answered.status_code] += 1
        if answered.status_code >= 500:
            code = _code(answered)
            if ALLOWED.get(answered.status_code) != code:
                failed.append(
                    f"{case.method} {case.path} {answered.status_code} {code}: {case.body!r}"
                )

    try:
        send()
    except Exception as error:  # of the generator, where a schema leaves nothing to break
        print(f"{operation.method} {operation.path} {mode.value}: {type(error).__name__}")
    return sum(counts.values()) - before


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
        found = fuzz(running.address, asked.requests)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
