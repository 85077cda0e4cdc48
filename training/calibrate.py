"""Fits the two numbers that turn the judge's views into a probability, and writes them down.

Sets count the same and so do both labels within a set, so a probability of 0.5 is where a claim
is as likely supported as not when half of all claims are. What is printed was measured with each
family of sets left out in its turn; what is written was fitted on all of them.

p0 has no labels: nobody has said which claims a scrubbed text still supports. What the teacher
thinks of the same texts stands in for them: `--scrubbed` and `--teacher` are files that
`training.prepare` and `training.session label` left.

    python -m training.calibrate DEV.jsonl.xz [--scrubbed FILE --teacher FILE] [--write]
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from groundwire.encoder import PairScorer, Scores, SupportCalibration, card, judge_calibration
from groundwire.encoder._weights import FOLDER
from groundwire.evaluate import (
    LabelledClaim,
    auroc,
    balanced_accuracy,
    calibration_error,
    once,
    read_claims,
    reliability,
)
from groundwire.judge import Evidence, Question
from groundwire.judge._embedded import Pair, Views, estimate, joined
from groundwire.model import EvidenceBundle
from training.files import calibrate
from training.groups import examples

LARGEST_SET = 60
"""Sets with more rows weigh as if they had this many."""
SMALLEST_SET = 20
PRIOR_STRENGTH = 3.0
BATCH = 256


class Inputs(NamedTuple):
    support: np.ndarray
    """The joined logit."""
    labels: np.ndarray
    sets: np.ndarray

    def columns(self) -> np.ndarray:
        return self.support[:, None]


def read_inputs(rows: Sequence[LabelledClaim], shape: SupportCalibration) -> Inputs:
    """What the judge makes of every row before calibration."""
    seen: list[float] = []
    for views, scores in _judged([_question(row, shape.context_words) for row in rows], shape):
        seen += [joined(one, scores) for one in views]
        print(f"{len(seen)} of {len(rows)} rows", flush=True)
    labels, sets = [row.label for row in rows], [row.set for row in rows]
    return Inputs(np.array(seen), np.array(labels), np.array(sets))


def read_scrubbed(groups: Path, calibration: SupportCalibration) -> np.ndarray:
    """p0 of every scrubbed text, in the order of the file."""
    asked = [Question(claim=one.claim, context=one.context) for one in examples(groups)]
    found = [
        estimate(one, scores, calibration).p
        for views, scores in _judged(asked, calibration)
        for one in views
    ]
    return np.array(found)


def _question(row: LabelledClaim, context_words: int) -> Question:
    evidence = Evidence([EvidenceBundle.of(row.evidence, "e")])
    context = evidence.text(evidence.narrow(row.claim, context_words))
    return Question(claim=row.claim, context=context)


def _judged(
    questions: Sequence[Question], shape: SupportCalibration
) -> Iterator[tuple[list[Views], dict[Pair, Scores]]]:
    scorer = PairScorer()
    for start in range(0, len(questions), BATCH):
        batch = questions[start : start + BATCH]
        views = [Views.of(one, shape) for one in batch]
        pairs = list(dict.fromkeys(pair for one in views for pair in one.pairs))
        yield views, dict(zip(pairs, scorer.score(pairs), strict=True))


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
    weight, columns = weights(inputs.labels, inputs.sets), inputs.columns()
    found = np.zeros(len(families))
    for family in np.unique(families):
        own = families == family
        coefficients = fit(columns[~own], inputs.labels[~own], weight[~own])
        found[own] = predict(columns[own], coefficients)
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


def against_teacher(p0: np.ndarray, teacher: np.ndarray) -> dict[str, Any]:
    """The reliability curve of p0 and its error, the teacher's probability for the truth."""
    curve = [[round(value, 3) for value in step] for step in reliability(p0, teacher)]
    return {
        "reliability": curve,
        "calibration_error": round(once(calibration_error, p0, teacher), 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--scrubbed", type=Path, help="dev with the texts that p0 is judged by")
    parser.add_argument("--teacher", type=Path, help="what the teacher thinks of those")
    parser.add_argument("--write", action="store_true", help="write calibration and card")
    arguments = parser.parse_args()
    shape = judge_calibration().support
    inputs = read_inputs(read_claims(arguments.rows), shape)
    print("families left out:", report(inputs, left_out(inputs), shape.threshold))
    fitted = fit(inputs.columns(), inputs.labels, weights(inputs.labels, inputs.sets))
    slope, offset = (round(float(value), 3) for value in fitted)
    values = {"slope": slope, "offset": offset}
    print("fitted on all:", values)
    changed = card()
    if arguments.scrubbed and arguments.teacher:
        p0 = read_scrubbed(
            arguments.scrubbed,
            shape._replace(slope=slope, offset=offset),
        )
        changed = changed | {"p0": against_teacher(p0, np.load(arguments.teacher)[:, 0])}
        print("p0:", changed["p0"])
    if arguments.write:
        calibrate(FOLDER / "judge.calibration.json", "support", values)
        text = json.dumps(changed, indent=2, ensure_ascii=False)
        (FOLDER / "card.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
