"""Fits what tells sentences that state something from those that ask, plan, wish or suppose it.

A linear reading of the middle layer of the judge, of the sentence alone. It learns from public
sentences whose status is known, from sentences written for the purpose or made by rule, and from
sentences of evidence that bear out a claim: those must not be lost. Needs only the package, and
the weights as they ship:

    python -m training.asserted SHARED [--write]

Each set is left out in turn, and each half of the cues that sentences are made with, to see what is
learnt beyond them. The bias is set so that no more than `LOST` of the kept-back sentences that bear
out a claim are taken for less.
"""

import argparse
import json
import lzma
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from groundwire.encoder import AssertionReader, word_piece
from groundwire.judge import Evidence
from groundwire.model import EvidenceBundle
from groundwire.text import is_negation
from training import files, moods, own

WEIGHTS = Path(__file__).parents[1] / "src/groundwire/encoder/weights"
STATED = frozenset({"asserted", "negated", "not_counterfactual"})
OPEN = frozenset({"questioned", "directive", "modal", "counterfactual", "nonfactual"})
ROWS_OF_A_LABEL = {"uds_ih2": 1_200, "uw": 300, "gum": 450, "mrda": 250, "semeval20t5": 400}
"""Sets that may train what ships; hedges of research papers are left to the judge."""
MADE_OF, BORNE_OUT, KEPT_BACK = 1_500, 1_600, 1_200
LONGEST_WORDS = 40
WEIGHT = {"made": 3.0, "own": 3.0, "borne out": 3.0}
RIDGE = 1e-2
LOST = 0.015
CLAIM_SHARE = 0.5
SEED = 5


class Row(NamedTuple):
    group: str
    is_open: bool
    text: str
    token: int = -1
    """The word that is meant, or -1 for the whole."""
    half: int = 0
    claim: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("shared", type=Path, help="the folder that has data/status, data/claims")
    parser.add_argument("--write", action="store_true", help="into the weights that ship")
    arguments = parser.parse_args()
    data = arguments.shared / "data"
    rows, kept_back = [*statuses(data), *written(), *made(data)], list(borne_out(data))
    rows, kept_back = rows + kept_back[:BORNE_OUT], kept_back[BORNE_OUT:]
    x = features(rows)
    y = np.array([row.is_open for row in rows], dtype=np.float64)
    for name, left_out in _parts(rows):
        learnt = fitted(rows, x, y, ~left_out)
        print(f"{name} left out: {_auc(x[left_out] @ learnt[:-1], y[left_out]):.3f}", flush=True)
    learnt = fitted(rows, x, y, np.ones(len(rows), dtype=bool))
    weight, bias = learnt[:-1], learnt[-1]
    said = features(kept_back) @ weight + bias
    claimed = features([row._replace(text=row.claim) for row in kept_back]) @ weight + bias
    gaps = said - CLAIM_SHARE * claimed
    for lost in (0.005, 0.01, 0.015, 0.02):
        print(f"threshold where {lost:.1%} are lost: {np.quantile(gaps, 1 - lost):.2f}")
    shift = float(np.quantile(gaps, 1 - LOST)) / (1 - CLAIM_SHARE)
    print(f"shift {shift:.2f}: of {len(kept_back)} sentences that bear out a claim {LOST:.1%} lost")
    if arguments.write:
        numbers = {"weight": weight, "bias": bias - shift, "claim_share": CLAIM_SHARE}
        arrays = {name: np.asarray(number, np.float32) for name, number in numbers.items()}
        np.savez(WEIGHTS / "asserted.npz", allow_pickle=False, **arrays)
        files.note(WEIGHTS, "asserted.npz")


def statuses(data: Path) -> Iterator[Row]:
    """As many of each label of each set."""
    found: dict[tuple[str, bool], list[Row]] = {}
    for row in _lines(data / "status" / "train.jsonl.xz"):
        group = row["set"].split(".")[0]
        words = row["text"].split()
        is_known = row["status"] in STATED | OPEN
        if group not in ROWS_OF_A_LABEL or not is_known or len(words) > LONGEST_WORDS:
            continue
        token = row.get("token", -1) if group in {"uds_ih2", "uw"} else -1
        is_open = row["status"] in OPEN
        if is_open and token >= 0 and any(map(is_negation, words[max(0, token - 4) : token])):
            continue  # a denial says how things are
        found.setdefault((group, is_open), []).append(Row(group, is_open, row["text"], token))
    lot = random.Random(SEED)
    for (group, _), rows in sorted(found.items()):
        yield from lot.sample(rows, min(len(rows), ROWS_OF_A_LABEL[group]))


def written() -> Iterator[Row]:
    for is_open, sentence in own.moods():
        yield Row("own", is_open, sentence)


def made(data: Path) -> Iterator[Row]:
    """Of claims that hold, what states them and what leaves them open."""
    lot = random.Random(SEED)
    claims = sorted({row["claim"].strip() for row in _supported(data) if "<" not in row["claim"]})
    fit = [claim for claim in claims if moods.taken_apart(claim)]
    for claim in lot.sample(fit, min(len(fit), MADE_OF)):
        for one in moods.moods(claim, lot, 1):
            yield Row("made", not one.is_stated, one.text, half=one.half)


def borne_out(data: Path) -> Iterator[Row]:
    """Sentences of evidence that have most of a claim that holds, unless rules hold them back."""
    lot = random.Random(SEED)
    rows = [row for row in _supported(data) if len(row["evidence"]) < 4_000]
    for row in lot.sample(rows, min(len(rows), BORNE_OUT + KEPT_BACK)):
        evidence = Evidence([EvidenceBundle.of(row["evidence"], "evidence")])
        near = evidence.matches(row["claim"])
        best = max(near, key=lambda place: sum(near[place].values()), default=None)
        if best is not None and not evidence.sentences[best].read_as.held_back:
            yield Row("borne out", False, evidence.sentences[best].shown, claim=row["claim"])


def _supported(data: Path) -> Iterator[dict[str, Any]]:
    """A fifth of those that train."""
    for row in _lines(data / "claims" / "train.jsonl.xz"):
        if row["label"] == 1 and crc32(row["id"].encode()) % 5 == 0:
            yield row


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def features(rows: Sequence[Row]) -> np.ndarray:
    """The mean over the tokens of a sentence, or over those of the word that is meant."""
    reader = AssertionReader(threads=1)
    found = []
    for row in rows:
        [tokens] = reader.features([row.text])
        chosen = tokens[_pieces(row)] if row.token >= 0 else tokens
        found.append((chosen if len(chosen) else tokens).mean(0))
    return np.array(found, dtype=np.float64)


def _pieces(row: Row) -> slice:
    words = row.text.split()
    before = sum(len(word_piece().ids(word)) for word in words[: row.token])
    return slice(before, before + len(word_piece().ids(words[row.token])))


def _parts(rows: Sequence[Row]) -> Iterable[tuple[str, np.ndarray]]:
    for group in (*ROWS_OF_A_LABEL, "own"):
        yield group, np.array([row.group == group for row in rows])
    for half in (1, 2):
        yield f"cues, half {half}", np.array([row.half == half for row in rows])


def fitted(rows: Sequence[Row], x: np.ndarray, y: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """A logistic fit by Newton's steps; every set weighs by the root of its size."""
    sizes = {group: sum(row.group == group for row in rows) for group in {r.group for r in rows}}
    each = np.array([WEIGHT.get(row.group, 1.0) / np.sqrt(sizes[row.group]) for row in rows])
    share = each[chosen] / each[chosen].sum()
    middle, spread = x[chosen].mean(0), x[chosen].std(0) + 1e-6
    scaled = np.hstack([(x[chosen] - middle) / spread, np.ones((int(chosen.sum()), 1))])
    penalty = np.r_[np.full(x.shape[1], 2 * RIDGE), 1e-6]
    w = np.zeros(scaled.shape[1])
    for _ in range(12):
        p = 1 / (1 + np.exp(-np.clip(scaled @ w, -30, 30)))
        slope = scaled.T @ (share * (p - y[chosen])) + penalty * w
        bend = (scaled * (share * p * (1 - p))[:, None]).T @ scaled + np.diag(penalty)
        w -= np.linalg.solve(bend, slope)
    weight = w[:-1] / spread
    return np.r_[weight, w[-1] - weight @ middle]


def _auc(scores: np.ndarray, labels: np.ndarray) -> float:
    ranks = np.argsort(np.argsort(scores))
    positive = int(labels.sum())
    least = positive * (positive - 1) / 2
    return float((ranks[labels == 1].sum() - least) / (positive * (len(labels) - positive)))


if __name__ == "__main__":
    main()
