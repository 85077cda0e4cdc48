"""How good scores are at telling supported claims from others, with intervals. Pure."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

BINS = 10
RESAMPLES = 1_000


class Figure(NamedTuple):
    """A measurement and its 95 % bootstrap interval."""

    value: float
    low: float
    high: float


class Bin(NamedTuple):
    """Claims given about the same probability, and how many of them are supported."""

    said: float
    true: float
    claims: int


def auroc(scores: "Array", labels: "Array") -> float:
    """How often a supported claim scores above another; ties count half."""
    import numpy as np

    positives, negatives = int((labels == 1).sum()), int((labels == 0).sum())
    if not positives or not negatives:
        return float("nan")
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks = (last - (counts - 1) / 2)[place]
    above = ranks[labels == 1].sum() - positives * (positives + 1) / 2
    return float(above / (positives * negatives))


def balanced_accuracy(scores: "Array", labels: "Array", threshold: float) -> float:
    """The mean of what is caught of the supported and of the others."""
    if not (labels == 1).any() or not (labels == 0).any():
        return float("nan")
    said = scores >= threshold
    return float((said[labels == 1].mean() + (~said[labels == 0]).mean()) / 2)


def f1(scores: "Array", labels: "Array", threshold: float) -> float:
    """F1 of "not supported", which is what a detector is for."""
    flagged, wrong = scores < threshold, labels == 0
    both = int((flagged & wrong).sum())
    total = int(flagged.sum()) + int(wrong.sum())
    return 2 * both / total if total else float("nan")


def reliability(scores: "Array", labels: "Array", bins: int = BINS) -> list[Bin]:
    """Claims by the probability they were given, in equal steps; empty steps are left out."""
    import numpy as np

    step = np.minimum((scores * bins).astype(int), bins - 1)
    return [
        Bin(float(scores[inside].mean()), float(labels[inside].mean()), int(inside.sum()))
        for inside in (step == number for number in range(bins))
        if inside.any()
    ]


def calibration_error(scores: "Array", labels: "Array", bins: int = BINS) -> float:
    """ECE: how far a probability is from the share it promises, on average over claims."""
    found = reliability(scores, labels, bins)
    return sum(abs(one.said - one.true) * one.claims for one in found) / max(1, len(scores))


def with_interval(
    measure: Callable[["Array"], float],
    groups: "list[Array]",
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Figure:
    """A mean over groups of rows, and where it lies when rows are drawn again within each.

    `measure` gets row numbers. One group gives the interval of one set, several that of a macro
    average over these very sets: it says nothing about sets nobody has looked at.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    drawn = [
        _mean([measure(rng.choice(rows, len(rows))) for rows in groups]) for _ in range(resamples)
    ]
    usable = [value for value in drawn if value == value]  # noqa: PLR0124 - not a number
    low, high = np.quantile(usable, [0.025, 0.975]) if usable else (float("nan"),) * 2
    return Figure(_mean([measure(rows) for rows in groups]), float(low), float(high))


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else float("nan")
