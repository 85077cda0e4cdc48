"""A thousand calls against a server that fails 30 % of the time: what becomes of each of them.

    python benchmarks/llm_faults.py [--calls 1000] [--share 0.3] [--json FILE]

The server runs in a process of its own and fails with 429, 500, connection resets and answers that
come too late, in equal parts. The client has its default retry settings.
"""

import argparse
import asyncio
import contextlib
import json
import logging
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any

from groundwire.errors import BackendError
from groundwire.llm import Call, CallPolicy, Completion, LLMClient
from groundwire.llm._openai import OpenAIProvider
from groundwire.testing import Answer, Asked, Fault, OpenAIServer, Reply

sys.path.insert(0, str(Path(__file__).parent))
from _machine import describe_machine

POLICY = CallPolicy(timeout_s=2.0, deadline_s=60.0)
LATE_S = 3.0


def unreliable(share: float, seed: int) -> Any:
    chance, lock = random.Random(seed), Lock()

    def respond(_: Asked) -> Reply:
        with lock:
            fails, kind = chance.random() < share, chance.randrange(4)
            delay_s = chance.uniform(0.01, 0.05)
        if not fails:
            return Answer("YES", delay_s=delay_s)
        if kind == 0:
            return Fault("rate_limited", retry_after_s=1, delay_s=delay_s)
        if kind == 1:
            return Fault("server_error", delay_s=delay_s)
        return Fault("reset") if kind == 2 else Answer("YES", delay_s=LATE_S)

    return respond


def serve(share: float, seed: int) -> None:
    """Serve until standard input ends, then say what was seen."""
    with OpenAIServer(unreliable(share, seed)) as server:
        print(server.base_url, flush=True)
        sys.stdin.read()
        print(json.dumps({"requests": len(server.asked), "most": server.most_in_flight}))


@contextlib.contextmanager
def running_server(share: float, seed: int) -> Iterator[tuple[str, dict[str, int]]]:
    arguments = [sys.executable, __file__, "--serve", "--share", str(share), "--seed", str(seed)]
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None  # noqa: S101
    assert process.stdout is not None  # noqa: S101
    seen: dict[str, int] = {}
    yield process.stdout.readline().strip(), seen
    process.stdin.close()
    seen |= json.loads(process.stdout.readline())
    process.wait()


class Retries(logging.Handler):
    """Collects how long each retry waited."""

    def __init__(self) -> None:
        super().__init__()
        self.waits_s: list[float] = []
        self.reasons: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        if record.getMessage() == "llm_retry":
            fields = record.__dict__["groundwire"]["fields"]
            self.waits_s.append(fields["wait_ms"] / 1000)
            self.reasons[fields["reason"]] += 1


class Counting(OpenAIProvider):
    """Counts how many requests are under way."""

    in_flight = 0
    most = 0

    async def complete(self, call: Call) -> Completion:
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        try:
            return await super().complete(call)
        finally:
            self.in_flight -= 1


async def one_call(client: LLMClient) -> tuple[str, float]:
    started = time.perf_counter()
    try:
        await client.generate("Is it?", max_tokens=1)
        outcome = "answer"
    except BackendError as error:
        outcome = error.code
    return outcome, time.perf_counter() - started


async def all_calls(address: str, calls: int) -> tuple[list[tuple[str, float]], int]:
    provider = Counting("a-model", base_url=address, api_key="benchmark-key")
    async with LLMClient(provider, policy=POLICY) as client:
        ended = await asyncio.gather(*(one_call(client) for _ in range(calls)))
    return ended, provider.most


def histogram(waits_s: list[float]) -> dict[str, int]:
    bins = Counter(int(wait_s * 2) for wait_s in waits_s)
    return {f"{place / 2:.1f}-{(place + 1) / 2:.1f} s": bins[place] for place in sorted(bins)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--share", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(given.share, given.seed)
        return
    retries = Retries()
    logger = logging.getLogger("groundwire.llm")
    logger.addHandler(retries)
    logger.setLevel(logging.INFO)
    random.seed(given.seed)
    with running_server(given.share, given.seed) as (address, seen):
        ended, most = asyncio.run(all_calls(address, given.calls))
    report(given, ended, retries, {**seen, "most_sent": most})


def report(
    given: argparse.Namespace,
    ended: list[tuple[str, float]],
    retries: Retries,
    seen: dict[str, int],
) -> None:
    outcomes = Counter(outcome for outcome, _ in ended)
    cuts = statistics.quantiles([seconds for _, seconds in ended], n=100)
    waits = histogram(retries.waits_s)
    figures = {
        "machine": describe_machine(),
        "calls": given.calls,
        "failing_share": given.share,
        "outcomes": dict(outcomes),
        "neither_answer_nor_typed_error": given.calls - sum(outcomes.values()),
        "limit": POLICY.limit,
        "most_in_flight": seen["most_sent"],
        "requests_seen_by_server": seen["requests"],
        # a request we gave up counts there until the server's thread notices that we are gone
        "most_in_flight_seen_by_server": seen["most"],
        "call_s": {"p50": cuts[49], "p90": cuts[89], "p99": cuts[98]},
        "slowest_call_s": max(seconds for _, seconds in ended),
        "deadline_s": POLICY.deadline_s,
        "retries": len(retries.waits_s),
        "retries_by_reason": dict(retries.reasons),
        "retry_wait_histogram": waits,
        "largest_bin_share": max(waits.values()) / len(retries.waits_s),
    }
    for name, value in figures.items():
        if name != "retry_wait_histogram":
            print(f"{name:32} {value}")
    print("how long retries waited:")
    for label, count in waits.items():
        print(f"  {label:>12} {count:4} {'#' * round(60 * count / max(waits.values()))}")
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
