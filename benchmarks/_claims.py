"""Labelled claims and their scores, as the benchmarks of the judge read them."""

import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundwire.judge import Evidence
from groundwire.model import EvidenceBundle

MAX_KEPT_EVIDENCE = 2_000


@dataclass(frozen=True)
class Row:
    """A claim, the context it is judged by, and whether that supports it."""

    id: str
    source: str
    claim: str
    context: str
    label: int


def read_rows(path: Path, context_words: int) -> list[Row]:
    """Rows of a data file (`evidence`, narrowed here) or of groups by `training.prepare`."""
    narrowed = _Narrowed(context_words)
    rows: list[Row] = []
    for line in lines(path):
        if "items" in line:
            rows += [
                Row(item["kind"], item["source"], item["claim"], line["context"], item["label"])
                for item in line["items"]
            ]
        else:
            context = narrowed.of(line["evidence"], line["claim"])
            rows.append(Row(line["id"], line["set"], line["claim"], context, line["label"]))
    return rows


def read_scores(path: Path, rows: list[Row]) -> list[float | None]:
    """Support by row: an array in the order of the rows, or lines with `id` and `p`."""
    if path.suffix == ".npy":
        import numpy as np

        table = np.load(path)
        if len(table) != len(rows):
            raise SystemExit(f"{path} has {len(table)} scores for {len(rows)} rows.")
        return [float(p) for p in table[:, 0]]
    known = {line["id"]: line["p"] for line in lines(path)}
    return [known.get(row.id) for row in rows]


def lines(path: Path) -> Iterator[dict[str, Any]]:
    opened = lzma.open if path.suffix == ".xz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


class _Narrowed:
    def __init__(self, words: int) -> None:
        self._words = words
        self._known: dict[str, Evidence] = {}

    def of(self, text: str, claim: str) -> str:
        if len(text.split()) <= self._words:
            return text
        if len(self._known) > MAX_KEPT_EVIDENCE:
            self._known.clear()
        if text not in self._known:
            self._known[text] = Evidence([EvidenceBundle.of(text, "d")])
        parts = self._known[text]
        return parts.text(parts.narrow(claim, self._words))
