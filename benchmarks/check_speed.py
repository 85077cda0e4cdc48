"""How long checking takes: one claim, ten, a hundred; starting; memory.

    python benchmarks/check_speed.py [--rounds 30] [--json FILE]

Every claim is judged with its evidence and without it (p1 and p0), by the embedded judge, against
about 400 tokens of evidence that no other round has seen, so that no cache helps. The ceilings
are SPEC-08.36 and .37: 500 ms for one claim, 500 ms + 100 ms each for several.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("GROUNDWIRE_HOME", tempfile.mkdtemp())

from groundwire.engine import Engine

sys.path.insert(0, str(Path(__file__).parent))
from _machine import describe_machine

PLACES = "Vik Solberg Halden Moss Rygge Tune Varteig Skjeberg Hvaler Rakkestad".split()
THINGS = "feeder transformer breaker cable relay mast switch station meter line".split()
EVIDENCE_TOKENS = 400
TOKENS_A_SENTENCE = 24


def evidence(chance: random.Random) -> list[str]:
    """Sentences about things that were built, moved and measured, different every time."""
    return [
        f"The {chance.choice(THINGS)} at {chance.choice(PLACES)} was built in "
        f"{chance.randint(1950, 2020)} and carried {chance.randint(10, 900)} amperes when it was "
        f"measured in week {chance.randint(1, 52)}."
        for _ in range(EVIDENCE_TOKENS // TOKENS_A_SENTENCE)
    ]


def text_of(sentences: list[str], claims: int, chance: random.Random) -> str:
    """One claim a sentence, no two alike: some as the evidence has it, most with another year."""
    stated = [one.split(" and ")[0] for one in sentences]
    changed = {
        f"{chance.choice(stated).rsplit(' ', 1)[0]} {chance.randint(1900, 2025)}"
        for _ in range(claims * 3)
    }
    chosen = list(dict.fromkeys([chance.choice(stated), *sorted(changed)]))[:claims]
    chance.shuffle(chosen)
    return " ".join(f"{one}." for one in chosen)


def timed(engine: Engine, claims: int, rounds: int) -> dict[str, Any]:
    spent_ms = []
    judged = 0
    for round_ in range(rounds):
        chance = random.Random(claims * 1_000 + round_)
        sentences = evidence(chance)
        text = text_of(sentences, claims, chance)
        started = time.perf_counter()
        report = engine.verify_claims_sync(text, " ".join(sentences))
        spent_ms.append((time.perf_counter() - started) * 1000)
        judged += report.summary.claims
    spent_ms.sort()
    return {
        "claims": judged / rounds,
        "p50_ms": round(statistics.median(spent_ms), 1),
        "p95_ms": round(spent_ms[int(len(spent_ms) * 0.95)], 1),
        "ceiling_ms": 500 + (100 * claims if claims > 1 else 0),
    }


def starting() -> dict[str, float]:
    """CPU time of a process of its own, the best of five: what it costs, not what it waits."""
    programs = {
        "import_groundwire_ms": [sys.executable, "-c", "import groundwire"],
        "python_alone_ms": [sys.executable, "-c", "pass"],
        "gw_help_ms": [sys.executable, "-m", "groundwire", "--help"],
    }
    found = {name: min(_cpu_ms(program) for _ in range(5)) for name, program in programs.items()}
    alone = found.pop("python_alone_ms")
    found["import_groundwire_ms"] -= alone
    return {name: round(value, 1) for name, value in found.items()}


def _cpu_ms(program: list[str]) -> float:
    before = os.times()
    subprocess.run(program, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return 1000 * (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


def peak_memory_mb() -> float:
    status = Path("/proc/self/status").read_text()
    return round(int(status.split("VmHWM:")[1].split()[0]) / 1024, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    figures: dict[str, Any] = {"machine": describe_machine(), "starting": starting()}
    with Engine() as engine:
        engine.verify_claim_sync("It is warm.", "It was warm.")
        for claims in (1, 10, 100):
            rounds = max(5, arguments.rounds // (1 if claims < 100 else 5))
            figures[f"claims_{claims}"] = timed(engine, claims, rounds)
    figures["peak_memory_mb"] = peak_memory_mb()
    for name, value in figures.items():
        print(f"{name:<16} {value}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
