"""64 connections on two cores: no failure but shed load, p99 under the deadline, steady memory.

python benchmarks/serve_load.py [--minutes 10] [--connections 64]
"""

import argparse
import asyncio
import json
import random
import time
from collections import Counter
from statistics import quantiles
from typing import Any

import httpx2
from _service import Served, served

DEADLINE_S = 30
_FACTS = [
    "The mast is {n} m high.",
    "Pump {n} was replaced in 2019.",
    "The station feeds {n} villages.",
    "Upkeep cost {n},000 euros in 2023.",
]


def body(chance: random.Random) -> dict[str, Any]:
    """A short answer against two documents; mostly new ones, so that little is cached."""
    numbers = [chance.randrange(2, 90) for _ in _FACTS]
    told = [fact.format(n=n) for fact, n in zip(_FACTS, numbers, strict=True)]
    wrong = [n + chance.choice((0, 0, 1)) for n in numbers]
    said = [fact.format(n=n) for fact, n in zip(_FACTS, wrong, strict=True)]
    documents = [" ".join(told), "The harbour was closed for two days. Nobody was hurt."]
    return {"text": " ".join(said[: chance.randrange(1, 5)]), "evidence": documents}


async def caller(number: int, address: str, until_s: float, seen: list[tuple[int, float]]) -> None:
    """Sends one request after the other; one that was shed comes again when it was told to."""
    chance = random.Random(number)
    async with httpx2.AsyncClient(base_url=address, timeout=DEADLINE_S * 3) as client:
        while time.monotonic() < until_s:
            started_s = time.monotonic()
            try:
                answered = await client.post("/v1/check", json=body(chance))
                status, wait = answered.status_code, answered.headers.get("retry-after")
            except httpx2.HTTPError as error:
                waited_s = time.monotonic() - started_s
                print(f"failed after {waited_s:.1f} s: {error!r}", flush=True)
                status, wait = 0, "1"
            if status in (429, 503) and wait is None:
                status = -status  # shed without saying when to come again
            seen.append((status, time.monotonic() - started_s))
            if status in (429, 503):
                await asyncio.sleep(min(float(wait or 1), 5) * chance.random())


async def memory(running: Served, until_s: float, seen: list[tuple[float, float]]) -> None:
    started_s = time.monotonic()
    while time.monotonic() < until_s:
        seen.append((time.monotonic() - started_s, running.resident_mb))
        await asyncio.sleep(2)


async def load(running: Served, minutes: float, connections: int) -> dict[str, Any]:
    until_s = time.monotonic() + minutes * 60
    calls: list[tuple[int, float]] = []
    resident: list[tuple[float, float]] = []
    work = [caller(number, running.address, until_s, calls) for number in range(connections)]
    await asyncio.gather(memory(running, until_s, resident), *work)
    statuses = Counter(status for status, _ in calls)
    taken = sorted(taken_s for status, taken_s in calls if status == 200)
    early = [mb for at_s, mb in resident if 50 <= at_s <= 70] or [resident[0][1]]
    late = [mb for at_s, mb in resident if at_s >= minutes * 60 - 20]
    cuts = quantiles(taken, n=100) if len(taken) > 1 else [0.0] * 99
    async with httpx2.AsyncClient(base_url=running.address) as client:
        health = (await client.get("/v1/health")).json()
    return {
        "minutes": minutes,
        "connections": connections,
        "answered": statuses[200],
        "shed": {str(one): statuses[one] for one in (429, 503)},
        "failed": {str(one): n for one, n in statuses.items() if one not in (200, 429, 503)},
        "shed_counted": health["shed"],
        "per_second": round(statuses[200] / (minutes * 60), 2),
        "p50_s": round(cuts[49], 2),
        "p99_s": round(cuts[98], 2),
        "longest_s": round(max((taken_s for _, taken_s in calls), default=0), 2),
        "deadline_s": DEADLINE_S,
        "resident_mb_after_one_minute": round(max(early), 1),
        "resident_mb_at_the_end": round(max(late), 1),
        "resident_growth": round(max(late) / max(early) - 1, 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--connections", type=int, default=64)
    asked = parser.parse_args()
    with served("serve.rate_per_minute=1000000", f"serve.deadline={DEADLINE_S}s") as running:
        found = asyncio.run(load(running, asked.minutes, asked.connections))
        print(json.dumps(found, indent=1), flush=True)


if __name__ == "__main__":
    main()
