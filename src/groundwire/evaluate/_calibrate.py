"""From a judge's scores to probabilities that keep their promise: isotonic, or by Platt.

Both maps only rise, so they never change which of two claims is the surer one.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from groundwire.errors import InputError
from groundwire.evaluate._results import Interval
from groundwire.evaluate._scores import RESAMPLES, calibration_error, once
from groundwire.model import Model

if TYPE_CHECKING:
    from groundwire.evaluate._scores import Array

Method = Literal["as it is", "platt", "isotonic"]
_EDGE = 0.01
"""The clamp of p1 [RULINGS, S4]: no map promises more than the judge may say."""
_LEAST_ROWS = 20
_STEPS = 100
_SETTLED = 1e-10


class HeldScores(Model):
    """On held rows; less is better."""

    log_loss: float
    brier: float
    calibration_error: float


class Calibration(Model):
    """A judge's map from scores to probabilities, by points between which it runs straight.

    `gain` is how much log loss the chosen map saves on held rows, with its 95 % interval; where
    that reaches zero the scores stay as they are.
    """

    backend: str
    method: Method
    points: tuple[tuple[float, float], ...]
    fitted_rows: int
    held_rows: int
    held: Mapping[str, HeldScores]
    gain: float
    gain_interval: Interval


def platt(scores: "Array", labels: "Array") -> "tuple[float, float]":
    """Slope and offset of a logistic curve over the scores' log odds, by Newton's method."""
    import numpy as np

    columns = np.column_stack([_log_odds(scores), np.ones(len(scores))])
    weights = np.zeros(2)
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-columns @ weights))
        slope = columns.T @ (p - labels)
        bend = (columns * (p * (1 - p))[:, None]).T @ columns
        step = np.linalg.lstsq(bend, slope, rcond=None)[0]
        weights -= step
        if np.abs(step).max() < _SETTLED:
            break
    return float(weights[0]), float(weights[1])


def isotonic(scores: "Array", labels: "Array") -> "tuple[Array, Array]":
    """The nearest rising steps, by pooling neighbours that fall: scores and their heights."""
    import numpy as np

    points, inverse = np.unique(scores, return_inverse=True)
    sums = np.bincount(inverse, labels)
    counts = np.bincount(inverse)
    pools: list[list[float]] = []  # sum, rows, points
    for total, rows in zip(sums, counts, strict=True):
        pools.append([float(total), float(rows), 1.0])
        while len(pools) > 1 and pools[-2][0] * pools[-1][1] >= pools[-1][0] * pools[-2][1]:
            last = pools.pop()
            pools[-1] = [a + b for a, b in zip(pools[-1], last, strict=True)]
    heights = np.concatenate([np.full(int(n), total / rows) for total, rows, n in pools])
    return points, heights


def calibrate(
    backend: str,
    scores: Sequence[float],
    labels: Sequence[int],
    held_scores: Sequence[float],
    held_labels: Sequence[int],
) -> Calibration:
    """Fit both maps, take the one with the lower log loss on held rows, if it is not by chance."""
    import numpy as np

    fit, true = np.asarray(scores, float), np.asarray(labels, float)
    held, held_true = np.asarray(held_scores, float), np.asarray(held_labels, float)
    if min(len(fit), len(held)) < _LEAST_ROWS or len(set(labels)) < 2:  # noqa: PLR2004 - both labels
        raise InputError(
            f"A calibration needs {_LEAST_ROWS} claims of both labels in each split.",
            hint="Mark rows with the split open or held.",
        )
    maps = _maps(fit, true)
    mapped = {name: np.interp(held, *points) for name, points in maps.items()}
    losses = {name: _losses(p, held_true) for name, p in mapped.items()}
    best = min(losses, key=lambda name: float(losses[name].mean()))
    saved = losses["as it is"] - losses[best]
    rng = np.random.default_rng(0)
    draws = rng.multinomial(len(saved), np.full(len(saved), 1 / len(saved)), size=RESAMPLES)
    low, high = np.quantile(draws @ saved / len(saved), [0.025, 0.975])
    method: Method = best if low > 0 else "as it is"  # type: ignore[assignment]
    return Calibration(
        backend=backend,
        method=method,
        points=tuple(
            (round(float(x), 6), round(float(y), 6)) for x, y in zip(*maps[method], strict=True)
        ),
        fitted_rows=len(fit),
        held_rows=len(held),
        held={name: _scores(p, held_true, losses[name]) for name, p in mapped.items()},
        gain=round(float(saved.mean()), 6),
        gain_interval=(round(float(low), 6), round(float(high), 6)),
    )


def _maps(scores: "Array", labels: "Array") -> "dict[str, tuple[Array, Array]]":
    import numpy as np

    even = np.linspace(_EDGE, 1 - _EDGE, _STEPS - 1)
    slope, offset = platt(scores, labels)
    steps, heights = isotonic(scores, labels)
    return {
        "as it is": (np.array([_EDGE, 1 - _EDGE]), np.array([_EDGE, 1 - _EDGE])),
        "platt": (even, _clamped(1 / (1 + np.exp(-slope * _log_odds(even) - offset)))),
        "isotonic": (steps, _clamped(heights)),
    }


def _scores(p: "Array", labels: "Array", losses: "Array") -> HeldScores:
    return HeldScores(
        log_loss=round(float(losses.mean()), 4),
        brier=round(float(((p - labels) ** 2).mean()), 4),
        calibration_error=round(once(calibration_error, p, labels), 4),
    )


def _losses(p: "Array", labels: "Array") -> "Array":
    import numpy as np

    sure = _clamped(p)
    losses: Array = -np.log(np.where(labels == 1, sure, 1 - sure))
    return losses


def _log_odds(scores: "Array") -> "Array":
    import numpy as np

    sure = _clamped(scores)
    odds: Array = np.log(sure / (1 - sure))
    return odds


def _clamped(p: "Array") -> "Array":
    import numpy as np

    inside: Array = np.clip(p, _EDGE, 1 - _EDGE)
    return inside
