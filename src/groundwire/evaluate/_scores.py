"""Measures of a judge with their intervals, and scores that understand nothing, to be beaten."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.text import content_terms

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]
    Measure = Callable[[Array, Array, Array], Array]
    "From scores, labels (1 supported, 0 not) and rows of weights to one figure a row."


def word_overlap(claim: str, evidence: str) -> float:
    """The share of the claim's content words that the evidence has too."""
    wanted = content_terms(claim)
    known = set(content_terms(evidence))
    return sum(term in known for term in wanted) / len(wanted) if wanted else 0.0


def shortness(claim: str) -> float:
    """Nearer to one the shorter the claim: invented claims often say more."""
    return 1 / (1 + len(claim.split()))


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


def auroc(scores: "Array", labels: "Array", weights: "Array") -> "Array":
    """How often a supported claim scores above another; ties count half."""
    import numpy as np

    order = np.argsort(scores, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(scores[order]) > 0])
    good = np.add.reduceat(weights[:, order] * (labels[order] == 1), starts, axis=1)
    bad = np.add.reduceat(weights[:, order] * (labels[order] == 0), starts, axis=1)
    below = np.cumsum(bad, axis=1) - bad / 2
    return _ratio((good * below).sum(1), good.sum(1) * bad.sum(1))


def balanced_accuracy(threshold: float) -> "Measure":
    """The mean of what is caught of the supported and of the others."""

    def measure(scores: "Array", labels: "Array", weights: "Array") -> "Array":
        good, bad = weights * (labels == 1), weights * (labels == 0)
        caught_good = _ratio((good * (scores >= threshold)).sum(1), good.sum(1))
        caught_bad = _ratio((bad * (scores < threshold)).sum(1), bad.sum(1))
        both: Array = (caught_good + caught_bad) / 2
        return both

    return measure


def f1(threshold: float) -> "Measure":
    """F1 of "not supported", which is what a detector is for."""

    def measure(scores: "Array", labels: "Array", weights: "Array") -> "Array":
        flagged, wrong = weights * (scores < threshold), weights * (labels == 0)
        both = weights * ((scores < threshold) & (labels == 0))
        return _ratio(2 * both.sum(1), flagged.sum(1) + wrong.sum(1))

    return measure


def share_of(label: int) -> "Measure":
    """How many of the claims with this label are marked (1, others 0)."""

    def measure(marks: "Array", labels: "Array", weights: "Array") -> "Array":
        own = weights * (labels == label)
        return _ratio((own * marks).sum(1), own.sum(1))

    return measure


def calibration_error(scores: "Array", labels: "Array", weights: "Array") -> "Array":
    """ECE: how far a probability is from the share it promises, on average over claims."""
    import numpy as np

    total = np.zeros(len(weights))
    for inside in _steps(scores):
        total += np.abs((weights[:, inside] * (scores - labels)[inside]).sum(1))
    return _ratio(total, weights.sum(1))


def reliability(scores: "Array", labels: "Array") -> list[Bin]:
    """Claims by the probability they were given, in equal steps; empty steps are left out."""
    return [
        Bin(float(scores[inside].mean()), float(labels[inside].mean()), int(inside.sum()))
        for inside in _steps(scores)
        if inside.any()
    ]


def once(measure: "Measure", scores: "Array", labels: "Array") -> float:
    """The figure for the rows as they are; not a number where it is not defined."""
    import numpy as np

    return float(measure(scores, labels, np.ones((1, len(scores))))[0])


def with_interval(
    measure: "Measure",
    groups: "Sequence[tuple[Array, Array]]",
    *,
    resamples: int = RESAMPLES,
    less: "Sequence[Array] | None" = None,
) -> Figure:
    """A mean over groups of (scores, labels), and where it lies when rows are drawn again.

    One group gives the interval of one set, several that of a macro average over these very sets:
    it says nothing about sets nobody has looked at. `less` are other scores of the same rows, whose
    figure is taken off draw by draw.
    """
    import numpy as np

    rng = np.random.default_rng(0)
    figures = []
    for place, (scores, labels) in enumerate(groups):
        count = len(scores)
        drawn = rng.multinomial(count, [1 / count] * count, size=resamples)
        weights = np.vstack([np.ones(count), drawn])
        figure = measure(scores, labels, weights)
        figures.append(figure if less is None else figure - measure(less[place], labels, weights))
    means = np.mean(figures, axis=0)
    usable = means[1:][~np.isnan(means[1:])]
    low, high = np.quantile(usable, [0.025, 0.975]) if len(usable) else (np.nan, np.nan)
    return Figure(float(means[0]), float(low), float(high))


def _steps(scores: "Array") -> "list[Array]":
    import numpy as np

    step = np.minimum((scores * BINS).astype(int), BINS - 1)
    return [step == number for number in range(BINS)]


def _ratio(above: "Array", below: "Array") -> "Array":
    import numpy as np

    found: Array = np.full(len(above), np.nan)
    np.divide(above, below, out=found, where=below > 0)
    return found
