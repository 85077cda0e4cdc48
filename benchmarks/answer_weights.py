"""Which mixture of the two heads orders passages best, and which tells when there is no answer.

    python benchmarks/answer_weights.py DATA CORPORA [--each N]

N questions, half of them without an answer, are asked of each of three corpora: the examples
(`questions/halden.jsonl`), `CORPORA/uk-gov.tar.xz` (`questions/uk-gov.jsonl`), and the passages of
squad2 and wikiqa in `DATA/dev.jsonl.xz` and `DATA/train.jsonl.xz`, asked what dev asks. For each
choice of `rank_weight`, `rank_in_confidence` and a least score: how many of the unanswerable are
answered, how many of the answerable rightly and wrongly. The unseen questions have no part in it.
"""

import argparse
import hashlib
import json
import lzma
import random
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from groundwire.answer._answerable import shown_to_head, windows
from groundwire.config import load_config
from groundwire.encoder import Answering, QuestionReader
from groundwire.evidence import Index, Searcher, index_documents, make_embedder

HERE = Path(__file__).parent
SEED, DISTRACTING, MOST_READ, SHARE = 3, 400, 2, 0.5
CHOICES = ((0.0, 0.0), (0.3, 0.1), (0.5, 0.0), (0.5, 0.1), (0.5, 0.2), (0.5, 0.5), (1.0, 0.2))
LEAST = (0.0, 0.5, 0.7, 1.0, 1.5, 2.0)


@dataclass
class Passage:
    read: Answering
    parts: list[tuple[Answering, bool]]
    """Each with whether it is right."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--each", type=int, default=70)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, documents, rows in asked(options, Path(folder)):
            index = Path(folder) / f"{name}.sqlite"
            config = load_config(overrides={"evidence.index": str(index)}).config
            embedder = make_embedder(config.evidence)
            index_documents(config, [documents], embedder=embedder)
            searcher = Searcher(
                Index(index), thresholds=config.evidence.thresholds, embedder=embedder
            )
            read = [(row["answerable"], passages(row, searcher)) for row in rows]
            show(name, [one for one in read if one[1]])


def asked(options: argparse.Namespace, folder: Path) -> Iterator[tuple[str, Path, list[Any]]]:
    yield "examples", HERE.parent / "examples/documents", chosen("halden", options.each)
    with tarfile.open(options.corpora / "uk-gov.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    yield "uk-gov", folder / "uk-gov", chosen("uk-gov", options.each)
    yield "passages", folder / "passages", from_rows(options, folder / "passages")


def chosen(name: str, count: int) -> list[dict[str, Any]]:
    lines = (HERE / f"questions/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [
        {
            "question": row["question"],
            "answerable": bool(row["document"]),
            "documents": [one for one in (row["document"] or "").split(";") if "/" in one],
            "says": row.get("says") or "",
        }
        for row in map(json.loads, lines)
    ]
    return halved(rows, count)


def from_rows(options: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    folder.mkdir()
    held, others = (list(rows(options.data / f"{part}.jsonl.xz")) for part in ("dev", "train"))
    squad = [row for row in others if row["set"].startswith("squad2")]
    wiki = [row for row in others if row["set"].startswith("wikiqa")]
    random.Random(SEED).shuffle(wiki)
    for row in (*held, *squad, *wiki[:DISTRACTING]):
        (folder / name_of(row)).write_text(row["passage"], encoding="utf-8")
    found = [
        {
            "question": row["question"],
            "answerable": bool(row["label"]),
            "documents": [name_of(row)],
            "says": row["answer"] or "",
        }
        for row in held
    ]
    return halved(found, options.each)


def rows(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["set"].startswith(("squad2", "wikiqa")) and not row["set"].endswith("sentence"):
                yield row


def name_of(row: dict[str, Any]) -> str:
    return f"{hashlib.sha256(row['passage'].encode()).hexdigest()[:12]}.txt"


def halved(rows: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    random.Random(SEED).shuffle(rows)
    return [
        row
        for wanted in (True, False)
        for row in [one for one in rows if one["answerable"] is wanted][: count // 2]
    ]


def passages(row: dict[str, Any], searcher: Searcher) -> list[Passage]:
    reader, question = QuestionReader(), row["question"]
    hits = searcher.search_sync(question, limit=8, any_distance=True).hits
    found = []
    whole = reader.read([(question, shown_to_head(one)) for one in hits])
    for hit, read in zip(hits, whole, strict=True):
        above = shown_to_head(hit).removesuffix(hit.content)
        texts = [hit.content[start:end] for start, end in windows(hit.content)]
        parts = reader.read([(question, above + text) for text in texts])
        is_meant = not row["documents"] or any(map(hit.source.doc_id.endswith, row["documents"]))
        held = [is_meant and row["says"].lower() in text.lower() for text in texts]
        found.append(Passage(read, list(zip(parts, held, strict=True))))
    return found


def show(name: str, read: list[tuple[bool, list[Passage]]]) -> None:
    print(f"{name}: {len(read)} questions; unanswerable answered, right, wrong of the answerable")
    for order, sure in CHOICES:
        print(f"  rank_weight {order}, rank_in_confidence {sure}")
        best = [(answerable, *first(found, order, sure)) for answerable, found in read]
        for least in LEAST:
            given = [(answerable, right) for answerable, score, right in best if score > least]
            of = sum(answerable for answerable, _ in read)
            figures = (
                sum(not answerable for answerable, _ in given) / max(len(read) - of, 1),
                sum(answerable and right for answerable, right in given) / of,
                sum(answerable and not right for answerable, right in given) / of,
            )
            print(f"    from {least:3}: " + "  ".join(f"{one:.2f}" for one in figures))


def first(found: list[Passage], order: float, sure: float) -> tuple[float, bool]:
    """The surest part of the two passages that fit best, and whether it is right."""

    def mixed(one: Passage, part: Answering, weight: float) -> float:
        own, around = (read.answers + weight * read.rank for read in (part, one.read))
        return SHARE * own + (1 - SHARE) * around

    ordered = sorted(found, key=lambda one: -(one.read.answers + order * one.read.rank))
    parts = [(one, part, right) for one in ordered[:MOST_READ] for part, right in one.parts]
    one, part, right = max(parts, key=lambda each: mixed(each[0], each[1], order))
    return mixed(one, part, sure), right


if __name__ == "__main__":
    main()
