"""Sums in the order of a hash come out differently in another process; ties then fall otherwise."""

import os
import subprocess
import sys

NARROW = """
import random
from groundwire.judge import Evidence
from groundwire.model import EvidenceBundle

rng = random.Random(4)
words = [f"w{number}" for number in range(40)]
sentences = [" ".join(rng.choices(words, k=9)).capitalize() + "." for _ in range(150)]
evidence = Evidence([EvidenceBundle.of(" ".join(sentences), "e")])
print([evidence.narrow(" ".join(rng.choices(words, k=14)), 60) for _ in range(60)])
"""


def _narrowed(seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", NARROW],
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_another_process_narrows_evidence_to_the_same_sentences() -> None:
    assert _narrowed("1") == _narrowed("2")
