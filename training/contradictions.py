"""Fits when two facts of a memory are said to exclude each other, and writes it down.

    python -m training.contradictions DATA/claims/dev.jsonl.xz DATA/contrast/dev.jsonl.xz [--write]

Every statement of `benchmarks/memory` and every new fact of the opened sets is compared with those
that memory itself would compare it with. None of them says another in other words, so pairs of DATA
that do are fitted with them, and facts of `training/own` with what excludes them and what only
looks so; both are from held parts, as the judge knows the rest. What is printed was measured with
each set left out in its turn; what is written was fitted on all.
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
from groundwire.verify import Compared, compare
from training import opened, own
from training.calibrate import fit, predict
from training.files import calibrate

STATEMENTS = Path(__file__).parents[1] / "benchmarks" / "memory"
RATES = (0.005, 0.02, 0.05, 0.1)
ALLOWED = 5 / 1000
"""Of the consistent facts, so many may be said to contradict another."""
MEMORY, OWN, PUBLIC = "memory", "own.facts", "public"
WEIGHTS = {MEMORY: 0.5, OWN: 1.0, PUBLIC: 0.15}
"""What a pair counts, by its set; one of the opened sets counts most."""
OPENED_WEIGHT, NEIGHBOUR_SHARE = 1.5, 0.3
"""And what of that counts a pair that only stands side by side: there are ten of them for one."""
PUBLIC_SETS = ("nli_mnli", "cad_snli", "snli", "lingnli", "negation_nli", "conjnli")
LONGEST_CHARS = 300
BATCH = 256


class Statement(NamedTuple):
    text: str
    opposed: str | None
    """The fact that it contradicts."""


class Pair(NamedTuple):
    first: str
    second: str
    group: str
    label: str
    """`refuted`; `neutral`; `supported`, which no two facts of a memory are."""
    is_planted: bool = False
    """Whether the first contradicts some fact, this one or another."""
    is_neighbour: bool = False
    """Whether only memory put the two side by side."""

    @property
    def is_refuted(self) -> bool:
        return self.label == "refuted"

    @property
    def weight(self) -> float:
        share = NEIGHBOUR_SHARE if self.is_neighbour else 1.0
        return share * WEIGHTS.get(self.group, OPENED_WEIGHT)


def statements() -> list[Statement]:
    found: list[Statement] = []
    fact = ""
    for path in sorted(STATEMENTS.glob("facts-*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("!"):
                found.append(Statement(line[1:].strip(), fact))
            elif line and not line.startswith("#"):
                fact = line
                found.append(Statement(fact, None))
    return found


class Memory:
    """What a memory that holds some facts compares others with."""

    def __init__(self, store: MemoryStore, facts: Sequence[str], asked: Sequence[str]) -> None:
        embedder = EmbeddedEmbedder()
        texts = list(dict.fromkeys((*facts, *asked)))
        rows = embedder.embed(texts)
        self._known = {
            one: Embedded.of(embedder.name, row) for one, row in zip(texts, rows, strict=True)
        }
        with store.transaction():
            for one in dict.fromkeys(facts):
                placed = Placed("longterm", "verified", 1.0, "", embedded=self._known[one])
                store.put_in_transaction(NewFact("fact", one), placed)
        self._searcher = Searcher(store, Threshold())

    def near(self, text: str) -> list[str]:
        found = self._searcher.neighbours(text, self._known[text], NEIGHBOURS + 1)
        return [row["content"] for row in found if row["content"] != text][:NEIGHBOURS]


def neighbouring(told: Sequence[Statement], store: MemoryStore) -> Iterator[Pair]:
    """Each with the facts that memory would compare it with: a fact, with those told before it."""
    facts = [one.text for one in told if one.opposed is None]
    memory = Memory(store, facts, [one.text for one in told])
    before: set[str] = set()
    for one in told:
        is_planted = one.opposed is not None
        for other in memory.near(one.text):
            if is_planted or other in before:
                is_opposed = other == one.opposed
                label = "refuted" if is_opposed else "neutral"
                yield Pair(one.text, other, MEMORY, label, is_planted, not is_opposed)
        before.add(one.text)


def of_opened(name: str, rows: Sequence[dict[str, str]], store: MemoryStore) -> Iterator[Pair]:
    memory = Memory(store, [row["stored"] for row in rows], [row["new"] for row in rows])
    for row in rows:
        new, stored, is_planted = row["new"], row["stored"], row["label"] == "contradicts"
        yield Pair(new, stored, name, "refuted" if is_planted else "neutral", is_planted)
        for other in memory.near(new):
            if other != stored:
                yield Pair(new, other, name, "neutral", is_planted, is_neighbour=True)


def remembered() -> Iterator[Pair]:
    with tempfile.TemporaryDirectory() as folder:
        with MemoryStore(Path(folder) / f"{MEMORY}.sqlite", MemorySection()) as store:
            yield from neighbouring(statements(), store)
        for name, rows in opened.contradictions().items():
            with MemoryStore(Path(folder) / f"{name}.sqlite", MemorySection()) as store:
                yield from of_opened(name, rows, store)


def public(paths: Sequence[Path]) -> Iterator[Pair]:
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        for row in rows:
            is_short = len(row["evidence"]) < LONGEST_CHARS
            if row.get("label3") and row["set"].split(".")[0] in PUBLIC_SETS and is_short:
                label = row["label3"]
                yield Pair(row["claim"], row["evidence"], PUBLIC, label, label == "refuted")


def own_facts() -> Iterator[Pair]:
    for row in own.claims(kept=True):
        if row["set"].startswith(OWN):
            label = row["label3"]
            yield Pair(row["claim"], row["evidence"], OWN, label, label == "refuted")


def compared_each(pairs: Sequence[Pair]) -> list[tuple[Compared, Compared]]:
    """Either as evidence for the other."""
    judge = CachedJudge(EmbeddedBackend(), ttl_s=3_600)
    found: list[tuple[Compared, Compared]] = []
    for start in range(0, len(pairs), BATCH):
        some = [(one.first, one.second) for one in pairs[start : start + BATCH]]
        there = asyncio.run(compare(some, judge))
        back = asyncio.run(compare([(other, one) for one, other in some], judge))
        found += zip(there, back, strict=True)
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


def highest(pairs: Sequence[Pair], p: np.ndarray, group: str) -> list[float]:
    """Of each consistent fact, the most that it is said to contradict another; the worst first."""
    found: dict[str, float] = defaultdict(float)
    for pair, one in zip(pairs, p, strict=True):
        if not pair.is_planted and pair.group == group:
            found[pair.first] = max(found[pair.first], float(one))
    return sorted(found.values(), reverse=True)


def threshold_of(pairs: Sequence[Pair], p: np.ndarray) -> float:
    """The least that accuses no more consistent facts than are allowed."""
    ranked = highest(pairs, p, MEMORY)
    allowed = int(ALLOWED * len(ranked))
    return (ranked[allowed - 1] + ranked[allowed]) / 2


def report(pairs: Sequence[Pair], p: np.ndarray, threshold: float) -> None:
    said = p >= threshold
    for name in dict.fromkeys(one.group for one in pairs):
        for label in ("refuted", "neutral", "supported"):
            rows = np.array([(one.group, one.label) == (name, label) for one in pairs])
            if rows.any():
                print(f"{name:14} {label:10} {int(said[rows].sum()):5} of {int(rows.sum())} said")
        ranked = highest(pairs, p, name)
        mistaken = sum(one >= threshold for one in ranked)
        print(f"{name:14} {mistaken} of {len(ranked)} consistent facts said to contradict another")
        refuted = np.array([one.group == name and one.is_refuted for one in pairs])
        for share in RATES:
            found = int((p[refuted] > ranked[int(share * len(ranked))]).sum())
            print(f"{name:14} found where {share:.1%} are mistaken: {found} of {refuted.sum()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rows", type=Path, nargs="+", help="of DATA: dev.jsonl.xz")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    pairs = [*remembered(), *own_facts(), *public(given.rows)]
    said = compared_each(pairs)
    signs = [signs_of(one.first, one.second, both) for one, both in zip(pairs, said, strict=True)]
    columns = np.array(signs, dtype=float)
    labels = np.array([one.is_refuted for one in pairs], dtype=float)
    weight = np.array([one.weight for one in pairs])
    p = left_out(columns, labels, weight, np.array([one.group for one in pairs]))
    p[[is_supported(both) for both in said]] = 0
    threshold = threshold_of(pairs, p)
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
