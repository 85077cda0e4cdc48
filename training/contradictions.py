"""Fits when two facts of a memory are said to exclude each other, and writes it down.

    python -m training.contradictions DATA/claims/dev.jsonl.xz DATA/contrast/dev.jsonl.xz [--write]

Every statement of `benchmarks/memory` is compared with those that memory itself would compare it
with. None of them says another in other words, so pairs of DATA that do are fitted with them, and
facts of `training/own` with what excludes them and what only looks so; both are from held parts, as
the judge knows the rest. What is printed was measured with each trade
and each set left out in its turn; what is written was fitted on all.
"""

import argparse
import asyncio
import json
import lzma
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from groundwire.config import MemorySection, Threshold
from groundwire.encoder import EmbeddedEmbedder
from groundwire.encoder._weights import FOLDER
from groundwire.judge import CachedJudge, EmbeddedBackend
from groundwire.memory import MemoryStore
from groundwire.memory._check import NEIGHBOURS
from groundwire.memory._exclusion import Signs, is_supported, signs_of
from groundwire.memory._recall import Embedded, Searcher
from groundwire.memory._store import NewFact, Placed
from groundwire.verify import compare
from training import own
from training.calibrate import fit, predict
from training.files import calibrate

STATEMENTS = Path(__file__).parents[1] / "benchmarks" / "memory"
ALLOWED = 5 / 1000
"""Of the consistent facts, so many may be said to contradict another."""
WEIGHT, PUBLIC_WEIGHT = 0.1, 0.3
"""What a pair counts against the prior of `fit`: 167 contradictions say little of nine numbers."""
OWN = "own.facts"
SETS = (OWN, "nli_mnli", "cad_snli", "snli", "lingnli", "negation_nli", "conjnli")
LONGEST_CHARS = 300
BATCH = 256


class Statement(NamedTuple):
    text: str
    trade: str
    opposed: str | None
    """The fact that it contradicts."""


class Pair(NamedTuple):
    first: str
    second: str
    group: str
    label: str
    """`refuted`; `neutral`; `supported`, which no two facts of a memory are."""
    is_planted: bool = False

    @property
    def is_refuted(self) -> bool:
        return self.label == "refuted"


def statements() -> list[Statement]:
    found: list[Statement] = []
    trade = fact = ""
    for path in sorted(STATEMENTS.glob("facts-*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                trade = f"{path.stem} {line}"
            elif line.startswith("!"):
                found.append(Statement(line[1:].strip(), trade, fact))
            elif line:
                fact = line
                found.append(Statement(fact, trade, None))
    return found


def neighbouring(told: Sequence[Statement], folder: Path) -> list[Pair]:
    """Each with the facts that memory would compare it with: a fact, with those told before it."""
    embedder = EmbeddedEmbedder()
    vectors = embedder.embed([one.text for one in told])
    known = {
        one.text: Embedded.of(embedder.name, row) for one, row in zip(told, vectors, strict=True)
    }
    pairs = []
    with MemoryStore(folder / "memory.sqlite", MemorySection()) as store:
        with store.transaction():
            for one in told:
                if one.opposed is None:
                    placed = Placed("longterm", "verified", 1.0, "", embedded=known[one.text])
                    store.put_in_transaction(NewFact("fact", one.text), placed)
        searcher = Searcher(store, Threshold())
        before: set[str] = set()
        for one in told:
            near = searcher.neighbours(one.text, known[one.text], NEIGHBOURS + 1)
            others = [row["content"] for row in near if row["content"] != one.text]
            pairs += [
                Pair(
                    one.text,
                    other,
                    one.trade,
                    "refuted" if other == one.opposed else "neutral",
                    is_planted=one.opposed is not None,
                )
                for other in others[:NEIGHBOURS]
                if one.opposed is not None or other in before
            ]
            before.add(one.text)
    return pairs


def public(paths: Sequence[Path]) -> Iterator[Pair]:
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        for row in rows:
            name = row["set"].split(".")[0]
            if row.get("label3") and name in SETS and len(row["evidence"]) < LONGEST_CHARS:
                yield Pair(row["claim"], row["evidence"], name, row["label3"])


def own_facts() -> Iterator[Pair]:
    for row in own.claims(kept=True):
        if row["set"].startswith(OWN):
            yield Pair(row["claim"], row["evidence"], OWN, row["label3"])


def signs_of_each(pairs: Sequence[Pair]) -> list[Signs]:
    judge = CachedJudge(EmbeddedBackend(), ttl_s=3_600)
    found: list[Signs] = []
    for start in range(0, len(pairs), BATCH):
        some = [(one.first, one.second) for one in pairs[start : start + BATCH]]
        there = asyncio.run(compare(some, judge))
        back = asyncio.run(compare([(other, one) for one, other in some], judge))
        found += [signs_of(*pair, both) for pair, *both in zip(some, there, back, strict=True)]
        print(f"{len(found)} of {len(pairs)} pairs", flush=True)
    return found


def left_out(
    columns: np.ndarray, labels: np.ndarray, weight: np.ndarray, groups: np.ndarray
) -> np.ndarray:
    found = np.zeros(len(labels))
    for group in np.unique(groups):
        own = groups == group
        found[own] = predict(columns[own], fit(columns[~own], labels[~own], weight[~own]))
    return found


def threshold_of(pairs: Sequence[Pair], p: np.ndarray) -> float:
    """The least that accuses no more consistent facts than are allowed."""
    highest: dict[str, float] = defaultdict(float)
    for pair, one in zip(pairs, p, strict=True):
        if not pair.is_planted and pair.group not in SETS:
            highest[pair.first] = max(highest[pair.first], float(one))
    ranked = sorted(highest.values(), reverse=True)
    allowed = int(ALLOWED * len(ranked))
    return (ranked[allowed - 1] + ranked[allowed]) / 2


def report(pairs: Sequence[Pair], p: np.ndarray, threshold: float) -> None:
    said = p >= threshold
    groups = {"memory": [one.group not in SETS for one in pairs]}
    groups |= {name: [one.group == name for one in pairs] for name in SETS}
    for name, members in groups.items():
        for label in ("refuted", "neutral", "supported"):
            rows = np.array(members) & np.array([one.label == label for one in pairs])
            if rows.any():
                print(f"{name:14} {label:10} {int(said[rows].sum()):5} of {int(rows.sum())} said")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rows", type=Path, nargs="+", help="of DATA: dev.jsonl.xz")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    told = statements()
    with tempfile.TemporaryDirectory() as folder:
        pairs = [*neighbouring(told, Path(folder)), *own_facts(), *public(given.rows)]
    signs = signs_of_each(pairs)
    columns = np.array(signs, dtype=float)
    labels = np.array([one.is_refuted for one in pairs], dtype=float)
    groups = np.array([one.group for one in pairs])
    weight = np.array([PUBLIC_WEIGHT if one.group in SETS else WEIGHT for one in pairs])
    p = left_out(columns, labels, weight, groups)
    p[[is_supported(one) for one in signs]] = 0
    threshold = threshold_of(pairs, p)
    print(f"planted {sum(one.opposed is not None for one in told)}; of those compared:")
    report(pairs, p, threshold)
    fitted = fit(columns, labels, weight)
    names = (*Signs._fields, "offset")
    values = {name: round(float(one), 3) for name, one in zip(names, fitted, strict=True)}
    values["threshold"] = round(threshold, 3)
    print(values)
    if given.write:
        calibrate(FOLDER / "memory.calibration.json", "exclusion", values)


if __name__ == "__main__":
    main()
