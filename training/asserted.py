"""What tells sentences that state something from those that ask, plan, wish or suppose it.

The head `open` of the judge reads the sentence alone. It learns from public sentences whose status
is known, from sentences written for the purpose or made by rule, and from sentences of evidence
that bear out a claim: those must not be lost (`training.gather` writes them down for training).
This command sets how much the head must say before a sentence is withheld, with the weights as
they ship: no more than `LOST` of the kept-back sentences that bear out a claim are.

    python -m training.asserted SHARED [--write]
"""

import argparse
import json
import lzma
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from groundwire.encoder import AssertionReader, judge_calibration
from groundwire.encoder._weights import FOLDER
from groundwire.judge import Evidence
from groundwire.model import EvidenceBundle
from training import moods, own
from training.files import calibrate

STATED = frozenset({"asserted", "negated", "not_counterfactual"})
OPEN = frozenset({"questioned", "directive", "modal", "counterfactual", "nonfactual"})
ROWS_OF_A_LABEL = {"gum": 450, "mrda": 250, "semeval20t5": 400}
"""Sets that say it of whole sentences; hedges of research papers are left to the judge."""
MADE_OF, BORNE_OUT, KEPT_BACK = 1_500, 6_000, 1_200
LONGEST_WORDS = 40
LOST = 0.01
SEED = 5


class Row(NamedTuple):
    group: str
    is_open: bool
    text: str
    claim: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("shared", type=Path, help="the folder that has data/status, data/claims")
    parser.add_argument("--write", action="store_true", help="into the calibration that ships")
    arguments = parser.parse_args()
    data = arguments.shared / "data"
    own_rows, found = list(written(kept=True)), list(kept_back(data))
    area = _auc(scores([row.text for row in own_rows]), np.array([row.is_open for row in own_rows]))
    print(f"{len(own_rows)} own sentences, kept fifth: {area:.3f} under the curve", flush=True)
    share = judge_calibration().asserting.claim_share
    gaps = scores([row.text for row in found]) - share * scores([row.claim for row in found])
    print(f"{len(found)} sentences that bear out a claim")
    for lost in (0.005, 0.01, 0.015, 0.02, 0.03):
        print(f"shift where {lost:.1%} are lost: {np.quantile(gaps, 1 - lost) / (1 - share):.2f}")
    shift = float(np.quantile(gaps, 1 - LOST)) / (1 - share)
    if arguments.write:
        calibrate(FOLDER / "judge.calibration.json", "asserting", {"shift": round(shift, 3)})


def learnt_from(data: Path) -> Iterator[Row]:
    yield from statuses(data)
    yield from written(kept=False)
    yield from made(data)
    yield from borne_out(data)


def statuses(data: Path) -> Iterator[Row]:
    """As many of each label of each set."""
    found: dict[tuple[str, bool], list[Row]] = {}
    for row in _lines(data / "status" / "train.jsonl.xz"):
        group = row["set"].split(".")[0]
        is_known = row["status"] in STATED | OPEN
        if group in ROWS_OF_A_LABEL and is_known and len(row["text"].split()) <= LONGEST_WORDS:
            is_open = row["status"] in OPEN
            found.setdefault((group, is_open), []).append(Row(group, is_open, row["text"]))
    lot = random.Random(SEED)
    for (group, _), rows in sorted(found.items()):
        yield from lot.sample(rows, min(len(rows), ROWS_OF_A_LABEL[group]))


def written(*, kept: bool) -> Iterator[Row]:
    for is_open, sentence in own.moods():
        if own.is_kept(sentence) == kept:
            yield Row("own", is_open, sentence)


def made(data: Path) -> Iterator[Row]:
    """Of claims that hold, what states them and what leaves them open."""
    lot = random.Random(SEED)
    claims = sorted({row["claim"].strip() for row in _supported(data) if "<" not in row["claim"]})
    fit = [claim for claim in claims if moods.taken_apart(claim)]
    for claim in lot.sample(fit, min(len(fit), MADE_OF)):
        for one in moods.moods(claim, lot, 1):
            yield Row("made", not one.is_stated, one.text)


def borne_out(data: Path) -> Iterator[Row]:
    """Sentences of evidence that have most of a claim that holds, unless rules hold them back."""
    yield from _bearing_out(data, BORNE_OUT, part=0)


def kept_back(data: Path) -> Iterator[Row]:
    yield from _bearing_out(data, KEPT_BACK, part=1)


def _bearing_out(data: Path, wanted: int, *, part: int) -> Iterator[Row]:
    rows = [row for row in _supported(data, part) if len(row["evidence"]) < 4_000]
    for row in random.Random(SEED).sample(rows, min(len(rows), wanted)):
        evidence = Evidence([EvidenceBundle.of(row["evidence"], "evidence")])
        near = evidence.matches(row["claim"])
        best = max(near, key=lambda place: sum(near[place].values()), default=None)
        if best is not None and not evidence.sentences[best].read_as.held_back:
            yield Row("borne out", False, evidence.sentences[best].shown, row["claim"])


def _supported(data: Path, part: int = 0) -> Iterator[dict[str, Any]]:
    """A fifth of those that train; another fifth is kept back."""
    for row in _lines(data / "claims" / "train.jsonl.xz"):
        if row["label"] == 1 and crc32(row["id"].encode()) % 5 == part:
            yield row


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def scores(texts: Sequence[str]) -> np.ndarray:
    """As the head gives them, before anything is taken off."""
    return np.array(AssertionReader(threads=1).openness(texts))


def _auc(scores: np.ndarray, labels: np.ndarray) -> float:
    ranks = np.argsort(np.argsort(scores))
    positive = int(labels.sum())
    least = positive * (positive - 1) / 2
    return float((ranks[labels].sum() - least) / (positive * (len(labels) - positive)))


if __name__ == "__main__":
    main()
