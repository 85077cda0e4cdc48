"""Area under the ROC curve and balanced accuracy, per set and over sets."""

from collections import Counter, defaultdict
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


def families(sets: Sequence[str], scores: np.ndarray, labels: np.ndarray) -> dict[str, float]:
    """The area of each family of sets: the part of a set's name before its first dot."""
    table = by_set([name.split(".")[0] for name in sets], scores, labels, 0.5)
    return {name: row[0] for name, row in table.items() if name != "macro"}


def chosen_without(tables: dict[float, dict[str, float]]) -> float:
    """The choice that the other families make most often, each family left out in its turn."""
    names = sorted(set.intersection(*(set(table) for table in tables.values())))
    votes = Counter(
        max(tables, key=lambda c: np.mean([tables[c][name] for name in names if name != left]))
        for left in names
    )
    return votes.most_common(1)[0][0] if votes else max(tables)


def threshold_without(
    sets: Sequence[str], scores: np.ndarray, labels: np.ndarray, least: int = 20
) -> dict[str, tuple[float, float]]:
    """For each family the threshold that is best for all others, and its own accuracy there."""
    groups = np.array([name.split(".")[0] for name in sets])
    steps = np.linspace(0.2, 0.8, 61)
    usable = [
        name
        for name in sorted(set(groups))
        if (groups == name).sum() >= least and 0 < labels[groups == name].mean() < 1
    ]
    accuracy = {
        name: np.array(
            [balanced_accuracy(scores[groups == name], labels[groups == name], s) for s in steps]
        )
        for name in usable
    }
    found: dict[str, tuple[float, float]] = {}
    for name in usable:
        others = np.mean([accuracy[one] for one in usable if one != name], axis=0)
        best = int(np.argmax(others))
        found[name] = (float(steps[best]), float(accuracy[name][best]))
    return found
