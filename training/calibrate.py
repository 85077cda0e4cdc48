"""Fits the three numbers that turn the judge's views into a probability, and writes the card.

Sets count the same and so do both labels within a set, so a probability of 0.5 is where a claim
is as likely supported as not when half of all claims are. What is printed was measured with each
family of sets left out in its turn; what is written was fitted on all of them.

    python -m training.calibrate DEV.jsonl.xz [--write]
"""

import argparse
import dataclasses
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from groundwire.encoder import PairScorer, card
from groundwire.encoder._weights import FOLDER
from groundwire.evaluate import (
    LabelledClaim,
    auroc,
    balanced_accuracy,
    calibration_error,
    once,
    read_claims,
)
from groundwire.judge import Evidence, Question
from groundwire.judge._views import Calibration, Views, joined
from groundwire.model import EvidenceBundle

LARGEST_SET = 60
"""Sets with more rows weigh as if they had this many."""
SMALLEST_SET = 20
PRIOR_STRENGTH = 3.0
BATCH = 256


class Inputs(NamedTuple):
    columns: np.ndarray
    labels: np.ndarray
    sets: np.ndarray


def read_inputs(rows: Sequence[LabelledClaim], context_words: int, shape: Calibration) -> Inputs:
    """The joined logit and the coverage of every row, as the judge sees it."""
    scorer = PairScorer()
    columns: list[tuple[float, float]] = []
    for start in range(0, len(rows), BATCH):
        views = [_views(row, context_words, shape) for row in rows[start : start + BATCH]]
        pairs = list(dict.fromkeys(pair for one in views for pair in one.pairs))
        scores = dict(zip(pairs, scorer.score(pairs), strict=True))
        columns += [(joined(one, scores, shape), one.coverage) for one in views]
        print(f"{len(columns)} of {len(rows)} rows", flush=True)
    labels, sets = [row.label for row in rows], [row.set for row in rows]
    return Inputs(np.array(columns), np.array(labels), np.array(sets))


def _views(row: LabelledClaim, context_words: int, shape: Calibration) -> Views:
    evidence = Evidence([EvidenceBundle.of(row.evidence, "e")])
    context = evidence.text(evidence.narrow(row.claim, context_words))
    return Views.of(Question(claim=row.claim, context=context), shape.part_context_words)


def weights(labels: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Sets alike up to a size, labels alike within a set; a set of one label says little."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(sets):
        places[name].append(place)
    found = np.zeros(len(labels))
    for rows in map(np.array, places.values()):
        total = min(len(rows), LARGEST_SET)
        both = 0 < labels[rows].mean() < 1
        for label in (0, 1):
            same = rows[labels[rows] == label]
            if len(same):
                found[same] = (total if both else min(len(same), 10)) / (2 * len(same))
    return found


def fit(columns: np.ndarray, labels: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Logistic regression by Newton's steps; the last coefficient is the offset."""
    spread, middle = columns.std(0), columns.mean(0)
    inputs = np.c_[(columns - middle) / spread, np.ones(len(columns))]
    prior = np.diag([PRIOR_STRENGTH] * columns.shape[1] + [0.0])
    found = np.zeros(inputs.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (weight * (p - labels)) + prior @ found
        curve = (inputs * (weight * p * (1 - p))[:, None]).T @ inputs + prior
        found -= np.linalg.solve(curve, slope)
    plain = found[:-1] / spread
    coefficients: np.ndarray = np.r_[plain, found[-1] - plain @ middle]
    return coefficients


def predict(columns: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    p: np.ndarray = 1 / (1 + np.exp(-(columns @ coefficients[:-1] + coefficients[-1])))
    return p


def left_out(inputs: Inputs) -> np.ndarray:
    """Each family of sets (`fever` of `fever.dev`) judged by what was fitted on the others."""
    families = np.array([name.split(".")[0] for name in inputs.sets])
    weight = weights(inputs.labels, inputs.sets)
    found = np.zeros(len(families))
    for family in np.unique(families):
        own = families == family
        coefficients = fit(inputs.columns[~own], inputs.labels[~own], weight[~own])
        found[own] = predict(inputs.columns[own], coefficients)
    return found


def report(inputs: Inputs, p: np.ndarray, threshold: float) -> dict[str, float]:
    areas, accuracies, errors = [], [], []
    for name in np.unique(inputs.sets):
        rows = inputs.sets == name
        labels = inputs.labels[rows]
        if rows.sum() >= SMALLEST_SET and 0 < labels.mean() < 1:
            areas.append(once(auroc, p[rows], labels))
            accuracies.append(once(balanced_accuracy(threshold), p[rows], labels))
            errors.append(once(calibration_error, p[rows], labels))
    figures = {"auroc": areas, "balanced_accuracy": accuracies, "ece_of_a_set": errors}
    return {name: round(float(np.mean(values)), 4) for name, values in figures.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--write", action="store_true", help="write the card")
    arguments = parser.parse_args()
    stored = card()["calibration"]
    shape = Calibration.of(stored)
    inputs = read_inputs(read_claims(arguments.rows), stored["context_words"], shape)
    print("families left out:", report(inputs, left_out(inputs), stored["threshold"]))
    fitted = fit(inputs.columns, inputs.labels, weights(inputs.labels, inputs.sets))
    slope, coverage, offset = (round(float(value), 3) for value in fitted)
    chosen = dataclasses.replace(shape, slope=slope, coverage=coverage, offset=offset)
    print("fitted on all:", {"slope": slope, "coverage": coverage, "offset": offset})
    if arguments.write:
        changed = card() | {"calibration": stored | dataclasses.asdict(chosen)}
        (FOLDER / "card.json").write_text(json.dumps(changed, indent=2) + "\n")


if __name__ == "__main__":
    main()
