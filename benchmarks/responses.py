"""A streamed answer of 40 sentences at two a second: when its first and last verdicts come.

    python benchmarks/responses.py [--json]

The first verdict has to come before the tenth sentence, the last within 2 s of the end.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator

from groundwire.config import load_config
from groundwire.engine import Engine

SENTENCES = 40
PER_SECOND = 2
PLACES = ("Vik", "Delft", "Zeist", "Corran", "Aldham", "Bergen", "Lund", "Moss")


def conversation() -> list[dict[str, str]]:
    """Facts about forty stations, as a tool returned them."""
    facts = [
        f"Station {n} stands in {PLACES[n % len(PLACES)]} and has {n + 3} pumps."
        for n in range(SENTENCES)
    ]
    return [
        {"role": "user", "content": "What is known about the stations?"},
        {"role": "tool", "content": " ".join(facts)},
    ]


def sentences() -> list[str]:
    """Every fourth one gives another number than the tool did."""
    return [f"Station {n} has {n + 3 + (n % 4 == 3)} pumps. " for n in range(SENTENCES)]


async def paced(started_s: float, ended: list[float]) -> AsyncIterator[str]:
    for number, sentence in enumerate(sentences()):
        due_s = started_s + number / PER_SECOND
        await asyncio.sleep(max(0.0, due_s - time.perf_counter()))
        yield sentence
    ended.append(time.perf_counter())


async def measure(engine: Engine) -> dict[str, float | int | bool]:
    await engine.verify_claim("Station 1 has 4 pumps.", conversation()[1]["content"])  # loaded
    started_s = time.perf_counter()
    ended: list[float] = []
    came: list[float] = []
    found = wrong = 0
    async for report in engine.verify_stream(paced(started_s, ended), conversation()):
        came.append(time.perf_counter())
        planted = report.index % 4 == 3
        wrong += planted
        found += planted and any(claim.status == "contradicted" for claim in report.claims)
    first_s, after_end_s = came[0] - started_s, came[-1] - ended[0]
    return {
        "sentences": len(came),
        "first_verdict_s": round(first_s, 2),
        "first_before_sentence": int(first_s * PER_SECOND) + 2,
        "last_after_end_s": round(after_end_s, 2),
        "wrong_planted": wrong,
        "wrong_found": found,
        "in_time": int(first_s * PER_SECOND) + 2 <= 10 and after_end_s <= 2,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        settings = {"home": home, "hallucination.cache_disk_mb": 0}
        with Engine(load_config(environ={}, overrides=settings).config) as engine:
            measured = asyncio.run(measure(engine))
    if given.json:
        sys.stdout.write(json.dumps(measured) + "\n")
    else:
        for name, value in measured.items():
            sys.stdout.write(f"{name:24} {value}\n")
    sys.exit(0 if measured["in_time"] else 1)


if __name__ == "__main__":
    main()
