"""The learned reader: what a report says of a place, by the words around it.

A linear model over hashed features, made by `python -m training.reports`. The file is one line of
JSON (thresholds; labels, scale and size of each table), and, deflated, the groups of kindred words,
one a line, the words of each sense, and the tables, a signed byte a weight.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, sqrt
from operator import add
from pathlib import Path
from typing import Any
from zlib import crc32, decompress

from groundwire.actions._anchors import Kin

FILE = "reader.bin"


@dataclass(frozen=True, slots=True)
class Reading:
    """The likeliest label, and how likely each is."""

    label: str
    shares: Mapping[str, float]

    @property
    def certainty(self) -> float:
        return self.shares[self.label]

    def any_of(self, labels: Iterable[str]) -> float:
        """How likely it is one of them, whichever: "set up" may say made or changed."""
        return sum(self.shares.get(label, 0.0) for label in labels)


@dataclass(frozen=True)
class _Table:
    labels: tuple[str, ...]
    scale: float
    buckets: int
    weights: "memoryview[int]"

    def read(self, features: Sequence[str]) -> Reading:
        width = len(self.labels)
        sums = [0] * width
        for feature in features:
            start = crc32(feature.encode()) % self.buckets * width
            sums = list(map(add, sums, self.weights[start : start + width]))
        best = max(sums)
        scale = self.scale / sqrt(len(features))
        parts = [exp((one - best) * scale) for one in sums]
        whole = sum(parts)
        shares = {label: part / whole for label, part in zip(self.labels, parts, strict=True)}
        return Reading(self.labels[sums.index(best)], shares)


@dataclass(frozen=True)
class Reader:
    tables: dict[str, _Table]
    sure: float
    """From here on what was read may refute; below, it is only listed."""
    sure_of_part: float
    """The same of a deed to a named part, which a word must tell, too."""
    likely: float
    """Below, nothing was read."""
    kin: Kin
    very_sure: float
    """What says that nothing was done must be read without doubt: any run refutes it."""
    possible: dict[str, float]
    """By kind of place: so likely it is said to be there, where it is nowhere."""
    unlikely: float
    """And so unlikely to be said not to be."""


@cache
def reader() -> Reader:
    head, _, rest = Path(__file__).with_name(FILE).read_bytes().partition(b"\n")
    told = json.loads(head)
    body = decompress(rest)
    size = told.pop("words")
    groups, _, senses = body[:size].decode().partition("\0")
    tables = _tables(told.pop("tables"), memoryview(body)[size:].cast("b"))
    return Reader(tables, kin=Kin(groups_of(groups), senses_of(senses)), **told)


def groups_of(text: str) -> dict[str, str]:
    return {
        word: str(number) for number, line in enumerate(text.split("\n")) for word in line.split()
    }


def senses_of(text: str) -> dict[str, str]:
    """The sense of each word, of lines such as "stay: keeps kept intact"."""
    lines = [line.split() for line in text.splitlines()]
    return {word: sense.rstrip(":") for sense, *words in lines for word in words}


def _tables(heads: dict[str, Any], weights: "memoryview[int]") -> dict[str, _Table]:
    tables: dict[str, _Table] = {}
    start = 0
    for kind, told in heads.items():
        size = told["buckets"] * len(told["labels"])
        labels = tuple(told["labels"])
        place = weights[start : start + size]
        tables[kind] = _Table(labels, told["scale"], told["buckets"], place)
        start += size
    return tables


def read_place(kind: str, features: Sequence[str]) -> Reading:
    return reader().tables[kind].read(features)
