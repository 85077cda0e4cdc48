"""What our client adds to a call, besides the server's time.

    python benchmarks/llm_overhead.py [--calls 400] [--json FILE]

Four ways to make the same request to the same server on this machine, taking turns: plain HTTP
(the server's time and the transport's), the official SDK, our client over that SDK, and our client
with a spending cap per day kept in SQLite. The overhead is the difference of the medians. The last
row is our client over a provider that answers at once: what it adds, and nothing else.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

from groundwire.config import load_config
from groundwire.llm import LLMClient, build_client, http_client
from groundwire.testing import OpenAIServer, ScriptedModel

sys.path.insert(0, str(Path(__file__).parent))
from _machine import describe_machine

Way = Callable[[], Awaitable[Any]]
WARM_UP = 30


def serve() -> None:
    with OpenAIServer("YES") as server:
        print(server.base_url, flush=True)
        sys.stdin.read()


@contextlib.contextmanager
def running_server() -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, __file__, "--serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None  # noqa: S101
    assert process.stdout is not None  # noqa: S101
    yield process.stdout.readline().strip()
    process.stdin.close()
    process.wait()
    process.stdout.close()


def client(address: str, home: str, **more: str) -> LLMClient:
    overrides = {"home": home, "llm.model": "a-model", "llm.base_url": address, **more}
    return build_client(load_config(environ={}, overrides=overrides).config)


async def measure(address: str, calls: int, home: str) -> dict[str, dict[str, float]]:
    from openai import AsyncOpenAI

    plain, below = http_client(address), http_client(address)
    sdk = AsyncOpenAI(api_key="none", base_url=address, max_retries=0, http_client=below)
    message = {"role": "user", "content": "Is it?"}
    body = {"model": "a-model", "messages": [message], "max_tokens": 1}
    ours = client(address, home)
    alone = LLMClient(ScriptedModel("YES"))
    capped = client(address, home, **{"llm.spending.tokens_per_day": "100000000"})
    ways: dict[str, Way] = {
        "plain HTTP": lambda: plain.post(f"{address}/chat/completions", json=body),
        "official SDK": lambda: sdk.chat.completions.create(
            model="a-model", messages=[message], max_tokens=1
        ),
        "our client": lambda: ours.generate("Is it?", max_tokens=1),
        "our client, daily cap": lambda: capped.generate("Is it?", max_tokens=1),
        "our client alone": lambda: alone.generate("Is it?", max_tokens=1),
    }
    wall_ms: dict[str, list[float]] = {name: [] for name in ways}
    cpu_ms: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(WARM_UP + calls):
        for name, way in ways.items():
            started, worked = time.perf_counter(), time.process_time()
            await way()
            if number >= WARM_UP:
                wall_ms[name].append((time.perf_counter() - started) * 1000)
                cpu_ms[name].append((time.process_time() - worked) * 1000)
    for each in (ours, capped):
        await each.aclose()
    await plain.aclose()
    await sdk.close()
    return {
        name: {
            "p50_ms": statistics.median(wall_ms[name]),
            "p90_ms": statistics.quantiles(wall_ms[name], n=10)[8],
            "cpu_p50_ms": statistics.median(cpu_ms[name]),
        }
        for name in ways
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=400)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve()
        return
    with tempfile.TemporaryDirectory() as home, running_server() as address:
        measured = asyncio.run(measure(address, given.calls, home))
    base, sdk = measured["plain HTTP"]["p50_ms"], measured["official SDK"]["p50_ms"]
    print(f"{'':24}{'p50 ms':>9}{'p90 ms':>9}{'cpu ms':>9}{'over HTTP':>11}{'over SDK':>10}")
    for name, row in measured.items():
        print(f"{name:24}{row['p50_ms']:9.3f}{row['p90_ms']:9.3f}{row['cpu_p50_ms']:9.3f}", end="")
        if name == "our client alone":
            print()
            continue
        row |= {"over_http_ms": row["p50_ms"] - base, "over_sdk_ms": row["p50_ms"] - sdk}
        print(f"{row['over_http_ms']:11.3f}{row['over_sdk_ms']:10.3f}")
    figures = {"machine": describe_machine(), "calls": given.calls, "ways": measured}
    print(figures["machine"])
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
