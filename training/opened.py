"""The sets that were written unseen and have been opened since: material to fit on."""

import json
import lzma
import tarfile
from pathlib import Path
from typing import Any

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
TESTS = Path(__file__).parents[1] / "tests"
_PACKED = ("third", "fourth")
Row = dict[str, Any]


def contradictions() -> dict[str, list[Row]]:
    """Pairs of facts: `stored`, `new`, and whether they contradict, set by set."""
    fresh = (BENCHMARKS / "memory" / "contradictions_fresh.jsonl").read_text(encoding="utf-8")
    return {"fresh": _rows(fresh)} | {name: _packed(name, "contradictions") for name in _PACKED}


def traces() -> dict[str, list[Row]]:
    """Reasoning traces with known faults, set by set."""
    folder = TESTS / "verify"
    found = {"open": _rows((folder / "reasoning_open.jsonl").read_text(encoding="utf-8"))}
    for name in ("sealed", "fresh"):
        with lzma.open(folder / f"reasoning_{name}.jsonl.xz", "rt", encoding="utf-8") as file:
            found[name] = _rows(file.read())
    return found | {name: _packed(name, "reasoning") for name in _PACKED}


def _packed(name: str, kind: str) -> list[Row]:
    with tarfile.open(BENCHMARKS / f"unseen_{name}.tar.xz") as archive:
        file = archive.extractfile(f"{kind}_{name}.jsonl")
        return _rows(file.read().decode("utf-8")) if file else []


def _rows(text: str) -> list[Row]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]
