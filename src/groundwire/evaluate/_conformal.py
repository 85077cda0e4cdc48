"""When to abstain so that errors stay below a chosen rate: conformal risk control.

For exchangeable questions and a loss that only falls as the threshold rises, the lowest threshold
whose mean loss over n calibration questions is at most `rate - (1 - rate) / n` keeps the expected
loss of the next question at or below `rate` (Angelopoulos and others, 2022). The loss here is 1 for
an answer that is given and wrong, so the rate is that of wrong answers among all questions.
"""

from collections.abc import Sequence
from typing import NamedTuple

from groundwire.model import Model


class Scored(NamedTuple):
    """An answer's confidence and whether it is right; `confidence` None: there was no answer."""

    confidence: float | None
    right: bool


class ConformalThreshold(Model):
    """`abstain_below` is None where no threshold keeps the rate: the surest answers are wrong too
    often, or there are too few questions to promise so little."""

    target_error: float
    abstain_below: float | None
    questions: int
    error: float
    """Of the calibration questions, the share answered wrongly at this threshold."""
    coverage: float
    """The share answered at this threshold, and without any."""
    coverage_before: float
    least_error: float
    """The lowest rate that so many questions can promise at all."""


def conformal_threshold(answers: Sequence[Scored], target_error: float) -> ConformalThreshold:
    count = len(answers)
    given = [one for one in answers if one.confidence is not None]
    levels = [0.0, *sorted({one.confidence or 0.0 for one in given})]
    chosen = next(
        (level for level in levels if _bound(answers, level) <= target_error), None
    )  # the bound only falls as the level rises
    kept = [one for one in given if chosen is not None and (one.confidence or 0.0) >= chosen]
    return ConformalThreshold(
        target_error=target_error,
        abstain_below=chosen,
        questions=count,
        error=round(sum(not one.right for one in kept) / count, 4) if count else 0.0,
        coverage=round(len(kept) / count, 4) if count else 0.0,
        coverage_before=round(len(given) / count, 4) if count else 0.0,
        least_error=round(1 / (count + 1), 4),
    )


def _bound(answers: Sequence[Scored], level: float) -> float:
    wrong = sum(
        one.confidence is not None and one.confidence >= level and not one.right for one in answers
    )
    return (wrong + 1) / (len(answers) + 1)
