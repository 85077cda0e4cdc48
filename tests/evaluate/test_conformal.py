"""The promised error rate holds, on average over draws, for exchangeable questions."""

import numpy as np
import pytest

from groundwire.evaluate import Scored, conformal_threshold

DRAWS = 1_000


def population(rng: np.random.Generator, count: int, *, useless: bool) -> list[Scored]:
    """Answers whose confidence says something of their truth, or nothing at all."""
    confidence = rng.random(count)
    truth = rng.random(count) < (0.7 if useless else 0.3 + 0.7 * confidence)
    answered = rng.random(count) < 0.9
    return [
        Scored(float(c) if a else None, bool(t))
        for c, a, t in zip(confidence, answered, truth, strict=True)
    ]


@pytest.mark.parametrize("kind", ["telling", "useless"])
@pytest.mark.parametrize(("target", "count"), [(0.05, 60), (0.1, 40), (0.2, 200)])
def test_errors_stay_below_the_target(target: float, count: int, kind: str) -> None:
    """Over 1,000 draws of calibration questions and one more each, within three standard errors,
    and not far below it: coverage is not thrown away."""
    rng = np.random.default_rng(7)
    wrong = 0.0
    for _ in range(DRAWS):
        *known, new = population(rng, count + 1, useless=kind == "useless")
        chosen = conformal_threshold(known, target).abstain_below
        answered = chosen is not None and new.confidence is not None and new.confidence >= chosen
        wrong += answered and not new.right
    error = wrong / DRAWS
    spread = 3 * (target * (1 - target) / DRAWS) ** 0.5
    assert error <= target + spread
    assert error >= target - 2 / (count + 1) - spread


def test_what_so_few_questions_cannot_promise_is_not_promised() -> None:
    """With nine questions not even nine right answers promise less than one in ten."""
    perfect = [Scored(0.9, True)] * 9
    found = conformal_threshold(perfect, 0.05)
    assert (found.abstain_below, found.coverage, found.least_error) == (None, 0.0, 0.1)
    assert conformal_threshold(perfect, 0.1).abstain_below == 0.0


def test_wrong_answers_of_the_highest_confidence_cannot_be_held_back() -> None:
    """No threshold separates what has the same confidence."""
    found = conformal_threshold([Scored(1.0, right) for right in [True] * 20 + [False] * 20], 0.1)
    assert found.abstain_below is None


def test_the_price_is_told() -> None:
    """How much is answered at the threshold, and how much without one."""
    answers = [Scored(0.9, True)] * 50 + [Scored(0.3, False)] * 50
    found = conformal_threshold(answers, 0.05)
    assert (found.abstain_below, found.coverage, found.coverage_before, found.error) == (
        0.9,
        0.5,
        1.0,
        0.0,
    )
