"""How surely a passage answers: the curve of the confidence, and what it gives on held rows.

    python benchmarks/answerability.py DATA [--rows N] [--write] [--dev] [--json FILE]

DATA is a folder with `train.jsonl.xz` and `dev.jsonl.xz` (fields `question, passage, label,
answer`). Without `--dev` the slope and middle of the curve are fitted to N rows of train, CondaQA
apart, answered and unanswered alike: the slope by logistic regression, the middle where
an answer would be given (`evidence.abstain_below`) to 10 % of the unanswered. `--write` puts them
into `embedder.calibration.json`. With `--dev` N rows of dev are scored and nothing is fitted: of
the answerable, how many are answered where 10 % and 5 % of the unanswerable are, and in how many
of those the given answer stands in the quote.
"""

import argparse
import json
import lzma
import math
import random
import sys
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1])]
from _machine import describe_machine
from training.files import calibrate

from groundwire.answer._answerable import Answerability, log_odds
from groundwire.config import load_config
from groundwire.encoder import AnswerScorer
from groundwire.encoder._weights import FOLDER
from groundwire.model import EvidenceBundle

SEED = 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--dev", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    part = "dev" if options.dev else "train"
    rows = sampled(options.data / f"{part}.jsonl.xz", options.rows)
    found: dict[str, Any] = {"machine": describe_machine(), "part": part, "rows": len(rows)}
    if options.dev:
        found |= measured(rows)
    else:
        odds = [log_odds(one) for one in scored(rows)]
        labels = [row["label"] for row in rows]
        slope, even = fitted(odds, labels)
        middle = round(answered_from(odds, labels) - threshold_odds() / slope, 3)
        found["even"] = even
        found |= {"head_slope": slope, "head_middle": middle}
        if options.write:
            values = {"head_slope": slope, "head_middle": middle}
            calibrate(FOLDER / "embedder.calibration.json", "answers", values)
    print(json.dumps(found, indent=2))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def sampled(path: Path, count: int) -> list[dict[str, Any]]:
    """As many answered as unanswered, so that the curve says one half where they are even."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    rows = [row for row in rows if not row["set"].startswith("condaqa")]
    random.Random(SEED).shuffle(rows)
    kinds = [[row for row in rows if row["label"] == label][: count // 2] for label in (0, 1)]
    return [row for kind in kinds for row in kind]


def scored(rows: list[dict[str, Any]]) -> list[float]:
    return AnswerScorer().score([(row["question"], row["passage"]) for row in rows])


def fitted(odds: list[float], labels: list[int]) -> tuple[float, float]:
    """Logistic regression on one number, by Newton's method."""
    slope, shift = 1.0, 0.0
    for _ in range(50):
        shares = [1 / (1 + math.exp(-(slope * x + shift))) for x in odds]
        errors = [y - p for y, p in zip(labels, shares, strict=True)]
        weights = [p * (1 - p) + 1e-9 for p in shares]
        a = sum(w * x * x for w, x in zip(weights, odds, strict=True))
        b = sum(w * x for w, x in zip(weights, odds, strict=True))
        c = sum(weights)
        first = sum(e * x for e, x in zip(errors, odds, strict=True))
        second = sum(errors)
        determinant = a * c - b * b
        slope += (c * first - b * second) / determinant
        shift += (a * second - b * first) / determinant
    return round(slope, 3), round(-shift / slope, 3)


def answered_from(odds: list[float], labels: list[int], share: float = 0.10) -> float:
    """The log odds that so many of the unanswerable reach."""
    unanswerable = sorted(
        (one for one, label in zip(odds, labels, strict=True) if not label), reverse=True
    )
    return unanswerable[int(len(unanswerable) * share)]


def threshold_odds() -> float:
    return log_odds(load_config().config.evidence.abstain_below)


def measured(rows: list[dict[str, Any]]) -> dict[str, Any]:
    reader = Answerability(most_passages=1)
    quoted: list[tuple[float, bool, bool]] = []
    for row in rows:
        passage = EvidenceBundle.of(row["passage"], row["id"])
        best = (reader.quotes(row["question"], reader.judge(row["question"], [passage]) or ()))[0]
        answer = (row["answer"] or "").lower()
        quoted.append((best.log_odds, bool(row["label"]), answer in best.text.lower()))
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
