"""Texts for the teacher to write claims about: evidence of the training rows, and passages.

    python -m training.contexts --rows DIR --passages FILE --out FILE

Long evidence is narrowed for one of its own sentences, so that texts look as the judge sees them.
A text comes with copies that lack a sentence: what was written about the whole may not hold there.
"""

import argparse
import json
import lzma
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from groundwire.judge import Evidence
from groundwire.model import EvidenceBundle
from groundwire.text import segment_ranges
from training.prepare import FULL_WORDS, read_rows

LEAST_WORDS = 30
MAX_SENTENCE_WORDS = 60
COPIES = 2
REMOVED = "..."


def of_evidence(evidence: str, rng: random.Random) -> Iterator[str]:
    """The whole where it is short; of a long one several selections, as many as it has room for."""
    words = len(evidence.split())
    if words <= FULL_WORDS:
        yield evidence
        return
    parts = Evidence([EvidenceBundle.of(evidence, "d")])
    for _ in range(min(3, 1 + words // (2 * FULL_WORDS))):
        sentence = rng.choice(parts.sentences).text
        yield parts.text(parts.narrow(sentence, rng.randint(90, FULL_WORDS)))


def without_a_sentence(text: str, rng: random.Random) -> list[str]:
    ranges = segment_ranges(text, MAX_SENTENCE_WORDS)
    if len(ranges) < 2:
        return []
    chosen = rng.sample(ranges, min(COPIES, len(ranges)))
    return [f"{text[:start]}{REMOVED}{text[end:]}" for start, end in chosen]


def build(
    rows_dir: Path, passages: Iterable[tuple[str, str]], rng: random.Random
) -> list[dict[str, object]]:
    found: dict[str, str] = {}
    evidences = {row["evidence"]: row["set"] for row in read_rows(rows_dir / "train.jsonl.xz")}
    for evidence, source in evidences.items():
        if len(evidence.split()) >= LEAST_WORDS and not source.startswith("causal"):
            found |= dict.fromkeys(of_evidence(evidence, rng), source)
    for source, passage in passages:
        found |= dict.fromkeys(of_evidence(passage, rng), source)
    texts: list[dict[str, object]] = [
        {"context": text, "source": source, "without": without_a_sentence(text, rng)}
        for text, source in found.items()
    ]
    rng.shuffle(texts)
    return texts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--passages", type=Path, required=True, help="JSON: [[source, text], ...]")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    passages = json.loads(arguments.passages.read_text(encoding="utf-8"))
    with lzma.open(arguments.out, "wt", encoding="utf-8") as out:
        for text in build(arguments.rows, passages, random.Random(7)):
            out.write(json.dumps(text, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
