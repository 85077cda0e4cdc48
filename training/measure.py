"""Area under the ROC curve and balanced accuracy, per set and over sets."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np


def auroc(scores: np.ndarray, labels: np.ndarray) -> float:
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    sorted_scores = scores[order]
    starts = np.flatnonzero(np.r_[True, np.diff(sorted_scores) > 0])
    ends = np.r_[starts[1:], len(scores)]
    for start, end in zip(starts, ends, strict=True):
        ranks[order[start:end]] = (start + end + 1) / 2
    positives = labels == 1
    count, others = positives.sum(), (~positives).sum()
    if not count or not others:
        return float("nan")
    return float((ranks[positives].sum() - count * (count + 1) / 2) / (count * others))


def balanced_accuracy(scores: np.ndarray, labels: np.ndarray, threshold: float) -> float:
    said = scores >= threshold
    return float(((said[labels == 1]).mean() + (~said[labels == 0]).mean()) / 2)


def by_set(
    sets: Sequence[str], scores: np.ndarray, labels: np.ndarray, threshold: float, least: int = 20
) -> dict[str, tuple[float, float, int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for index, name in enumerate(sets):
        places[name].append(index)
    table = {}
    for name, rows in sorted(places.items()):
        chosen = np.array(rows)
        if len(chosen) >= least and 0 < labels[chosen].mean() < 1:
            table[name] = (
                auroc(scores[chosen], labels[chosen]),
                balanced_accuracy(scores[chosen], labels[chosen], threshold),
                len(chosen),
            )
    values = np.array([row[:2] for row in table.values()]).reshape(-1, 2)
    table["macro"] = (float(values[:, 0].mean()), float(values[:, 1].mean()), len(labels))
    return table
