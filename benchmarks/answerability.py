"""How surely a passage answers: what the reading gives on held rows.

    python benchmarks/answerability.py DATA [--rows N] [--json FILE]

DATA is a folder with `dev.jsonl.xz` (fields `question, passage, label, answer`), CondaQA apart. N
rows are read, answered and unanswered alike, each question with its passage: of the answerable, how
many are answered where 10 % and 5 % of the unanswerable are, and in how many of those the given
answer stands in the quote. The weights are chosen elsewhere: `answer_weights.py`.
"""

import argparse
import json
import lzma
import random
import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1])]
from _machine import describe_machine

from groundwire.answer._answerable import Answerability
from groundwire.model import EvidenceBundle

SEED = 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    rows = sampled(options.data / "dev.jsonl.xz", options.rows)
    found: dict[str, Any] = {"machine": describe_machine(), "rows": len(rows), **measured(rows)}
    print(json.dumps(found, indent=2))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def sampled(path: Path, count: int) -> list[dict[str, Any]]:
    """As many answered as unanswered."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rows = [row for row in rows if not row["set"].startswith("condaqa")]
    random.Random(SEED).shuffle(rows)
    kinds = [[row for row in rows if row["label"] == label][: count // 2] for label in (0, 1)]
    return [row for kind in kinds for row in kind]


def answered_from(odds: list[float], labels: list[int], share: float = 0.10) -> float:
    """What so many of the unanswerable reach."""
    unanswerable = sorted(
        (one for one, label in zip(odds, labels, strict=True) if not label), reverse=True
    )
    return unanswerable[int(len(unanswerable) * share)]


def measured(rows: list[dict[str, Any]]) -> dict[str, Any]:
    reader = Answerability(most_passages=1)
    quoted: list[tuple[float, bool, bool]] = []
    for row in rows:
        passage = EvidenceBundle.of(row["passage"], row["id"])
        best = (reader.quotes(row["question"], reader.judge(row["question"], [passage]) or ()))[0]
        answer = (row["answer"] or "").lower()
        quoted.append((best.score.answers, bool(row["label"]), answer in best.text.lower()))
    odds, labels = [one[0] for one in quoted], [int(one[1]) for one in quoted]
    found = {}
    for share in (0.10, 0.05):
        least = answered_from(odds, labels, share)
        answerable = [one for one in quoted if one[1]]
        given = [one for one in answerable if one[0] > least]
        found[f"at {share:.0%} of the unanswerable answered"] = {
            "answerable answered": round(len(given) / len(answerable), 3),
            "given answer in the quote": round(sum(one[2] for one in given) / len(given), 3),
        }
    return found


if __name__ == "__main__":
    main()
