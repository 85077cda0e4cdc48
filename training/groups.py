"""Reading prepared groups, and choosing what an epoch sees."""

import json
import lzma
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LABELS3 = {"supported": 0, "refuted": 1, "neutral": 2}
ALWAYS_KEPT = 1500
"""Sets up to this many rows are seen whole in every epoch; larger ones by size^-0.35."""


@dataclass
class Example:
    """One claim and its context. `hard` is 0 supported, 1 refuted, 2 neutral, 3 "1 or 2", -1 none.

    `soft` is a teacher's probability of support, or -1; `soft_refuted` likewise of refutation.
    For the task "answers" the context is a passage, the claim a question, and 0 says "answers it".
    """

    number: int
    context: str
    claim: str
    hard: int
    soft: float
    source: str
    kind: str
    weight: float = 1.0
    soft_refuted: float = -1.0
    task: str = "claim"


def read_groups(path: Path) -> Iterator[tuple[str, list[dict[str, object]]]]:
    for group in read_lines(path):
        yield group["context"], group["items"]


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def examples(path: Path, first_number: int = 0) -> list[Example]:
    found: list[Example] = []
    for group in read_lines(path):
        for item in group["items"]:
            soft, refuted = _taught(item["teacher"])
            found.append(
                Example(
                    number=first_number + len(found),
                    context=group["context"],
                    claim=str(item["claim"]),
                    hard=_hard(item),
                    soft=soft,
                    soft_refuted=refuted,
                    source=str(item["source"]),
                    kind=str(item["kind"]),
                    task=group.get("task", "claim"),
                )
            )
    _weigh(found)
    return found


def _taught(teacher: object) -> tuple[float, float]:
    """One number is the probability of support; three are those of all verdicts."""
    if isinstance(teacher, list):
        return float(teacher[0]), float(teacher[1])
    return (-1.0 if teacher is None else float(str(teacher))), -1.0


def _hard(item: dict[str, object]) -> int:
    label = item["label"]
    if label is None:
        return -1
    if label == 1:
        return 0
    return LABELS3.get(str(item["label3"]), 3)


UNSURE_KINDS = {
    "name": 0.7,
    "roles": 0.5,
    "scrubbed": 0.5,
    "own_removed": 0.5,
    "coincidence": 0.6,
    "certain": 0.7,
    "conjoined": 0.7,
    "turned": 0.7,
}
"""Rules whose label is only usually right."""


def _weigh(found: list[Example]) -> None:
    """Both classes of a set weigh the same, within reason."""
    totals = Counter(example.source for example in found if example.hard >= 0)
    supported = Counter(example.source for example in found if example.hard == 0)
    for example in found:
        if example.hard < 0:
            continue
        share = supported[example.source] / totals[example.source]
        share = share if example.hard == 0 else 1 - share
        balance = min(3.0, max(0.5, 0.5 / max(share, 0.01)))
        example.weight = balance * UNSURE_KINDS.get(example.kind, 1.0)


def sample_epoch(found: list[Example], rng: random.Random) -> list[Example]:
    sizes = Counter(example.source for example in found)
    return [
        example
        for example in found
        if rng.random() < (ALWAYS_KEPT / max(ALWAYS_KEPT, sizes[example.source])) ** 0.35
    ]
