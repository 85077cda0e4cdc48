"""Rows written for this project: claims about passages, questions, causes, moods of sentences.

They stand in `training/own`. Each file of claims holds passages of some walks of life, each with
claims that it supports, refutes and leaves open; those named `pairs` come in twos that differ in
few words and in their label. A fifth of the passages is kept to choose by.
"""

import lzma
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from zlib import crc32

from groundwire.text import sentence_ranges
from training.prepare import read_rows

FOLDER = Path(__file__).parent / "own"
CLAIMS = sorted(path.name.split(".")[0] for path in (FOLDER / "claims").glob("*.xz"))
ANSWERS = sorted(path.name.split(".")[0] for path in (FOLDER / "answers").glob("*.xz"))
LEAST_WORDS = 60
Row = dict[str, Any]


def is_kept(text: str) -> bool:
    return crc32(text.encode()) % 5 == 0


def claims(*, kept: bool) -> Iterator[Row]:
    """As rows of labelled data; of the files that are there."""
    for name, number, passage in _claims(CLAIMS, kept=kept):
        for place, said in enumerate(passage["claims"]):
            yield {
                "id": f"own.{name}.{number}.{place}",
                "set": f"own.{name}",
                "evidence": passage["evidence"],
                "claim": said["claim"],
                "label": int(said["label"] == "supported"),
                "label3": said["label"],
            }


def beside_others() -> Iterator[Row]:
    """The same claims where the passage stands between others of its kind: the label stays."""
    for name in CLAIMS:
        rows = list(_claims([name], kept=False))
        for place, ((_, number, passage), (_, _, other)) in enumerate(pairwise(rows)):
            parts = (passage["evidence"], other["evidence"])
            evidence = "\n\n".join(parts if place % 2 else reversed(parts))
            for at, said in enumerate(passage["claims"]):
                yield {
                    "id": f"own.{name}.{number}.{at}.beside",
                    "set": f"own.{name}.beside",
                    "evidence": evidence,
                    "claim": said["claim"],
                    "label": int(said["label"] == "supported"),
                    "label3": said["label"],
                }


def copies() -> Iterator[Row]:
    """Statements of a passage, word for word: near copies are often false here, copies never."""
    for name, number, passage in _claims(CLAIMS, kept=False):
        evidence = passage["evidence"]
        said = [evidence[start:end].strip() for start, end in sentence_ranges(evidence)]
        whole = [one for one in said if one.endswith(".") and "|" not in one]
        for place, one in enumerate(whole[number % 2 :: 2]):
            yield {
                "id": f"own.copies.{name}.{number}.{place}",
                "set": "own.copies",
                "evidence": evidence,
                "claim": one,
                "label": 1,
                "label3": "supported",
            }


def answers(*, kept: bool) -> Iterator[Row]:
    """Questions of their passages, and of the next passage of their document, which is silent."""
    for name in ANSWERS:
        rows = list(_passages(f"answers/{name}", "passage", kept=kept))
        for number, (row, after) in enumerate(pairwise([*rows, {}])):
            same = row.get("document") and row["document"] == after.get("document")
            for place, asked in enumerate(row["questions"]):
                one = {
                    "id": f"own.{name}.{number}.{place}",
                    "set": "own.answers",
                    "passage": row["passage"],
                    "question": asked["question"],
                    "label": asked["label"],
                }
                yield one
                if same:
                    yield one | {"id": f"{one['id']}.next", "passage": after["passage"], "label": 0}


def passages() -> Iterator[str]:
    """What was written for the rows, but for what is kept: more is written about it."""
    for _, _, passage in _claims(CLAIMS, kept=False):
        if len(passage["evidence"].split()) >= LEAST_WORDS:
            yield passage["evidence"]
    for name in ANSWERS:
        yield from (row["passage"] for row in _passages(f"answers/{name}", "passage", kept=False))


def causes() -> Iterator[Row]:
    """Spans as the public sets give them: the first place where the words stand."""
    for row in read_rows(FOLDER / "causes.jsonl.xz"):
        text = row["text"]
        relations = [
            {"cause": _span(text, cause), "effect": _span(text, effect)}
            for cause, effect in row["relations"]
        ]
        label, zero = (1, None) if relations else (0, "text")
        yield {
            "set": "own.causes", "text": text, "label": label, "zero": zero, "relations": relations
        }  # fmt: skip


def moods() -> Iterator[tuple[bool, str]]:
    """Sentences, and whether each leaves open what it speaks of."""
    with lzma.open(FOLDER / "moods.tsv.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            label, sentence = line.rstrip("\n").split("\t")
            yield label == "open", sentence


def _span(text: str, words: str) -> list[int]:
    start = text.index(words)
    return [start, start + len(words)]


def _claims(names: list[str], *, kept: bool) -> Iterator[tuple[str, int, Row]]:
    for name in names:
        for number, row in enumerate(_passages(f"claims/{name}", "evidence", kept=kept)):
            yield name, number, row


def _passages(name: str, field: str, *, kept: bool) -> Iterator[Row]:
    for row in read_rows(FOLDER / f"{name}.jsonl.xz"):
        if is_kept(row[field]) == kept:
            yield row
