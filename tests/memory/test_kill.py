"""What was acknowledged survives whoever kills the process, whenever."""

import json
import subprocess
import sys
from pathlib import Path

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "memory.py"


def test_kills_lose_nothing_and_let_nothing_in() -> None:
    """A handful of what `benchmarks/memory.py kill` does two hundred times."""
    ran = subprocess.run(
        [sys.executable, str(BENCHMARK), "kill", "--kills", "6"],
        capture_output=True,
        text=True,
        check=True,
    )
    figures = json.loads(ran.stdout)["figures"]
    assert figures["faults"] == []
    assert figures["settled_at_the_end"]["waiting"] == 0
    assert figures["written"] > 0
