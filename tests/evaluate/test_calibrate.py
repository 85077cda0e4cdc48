import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from groundwire.errors import InputError
from groundwire.evaluate import calibrate, isotonic, platt


def rows(seed: int, count: int, bend: float) -> tuple[list[float], list[int]]:
    """Scores whose truth follows their log odds, bent: 1 is calibrated."""
    rng = np.random.default_rng(seed)
    scores = rng.uniform(0.02, 0.98, count)
    true = 1 / (1 + np.exp(-bend * np.log(scores / (1 - scores))))
    labels = rng.random(count) < true
    return [float(one) for one in scores], [int(one) for one in labels]


@pytest.mark.parametrize("seed", range(5))
def test_both_maps_are_scikit_learns(seed: int) -> None:
    """Isotonic steps and Platt's curve, ties among the scores included."""
    listed, truth = rows(seed, 300, 0.4)
    scores, labels = np.round(listed, 2), np.array(truth, dtype=float)
    points, heights = isotonic(scores, labels)
    theirs = IsotonicRegression().fit(scores, labels)
    np.testing.assert_allclose(heights, theirs.predict(points), atol=1e-9)
    slope, offset = platt(scores, labels)
    odds = np.log(np.clip(scores, 0.01, 0.99) / (1 - np.clip(scores, 0.01, 0.99)))
    fitted = LogisticRegression(C=np.inf, tol=1e-10).fit(odds[:, None], labels)
    assert slope == pytest.approx(fitted.coef_[0][0], abs=1e-4)
    assert offset == pytest.approx(fitted.intercept_[0], abs=1e-4)


def test_a_judge_that_is_too_sure_is_calibrated_by_what_wins_on_held_claims() -> None:
    """The gain is measured on claims that the map never saw."""
    found = calibrate("embedded", *rows(1, 400, 0.3), *rows(2, 400, 0.3))
    assert found.method in ("platt", "isotonic")
    assert found.gain_interval[0] > 0
    best = found.held[found.method]
    assert best.log_loss < found.held["as it is"].log_loss
    assert best.calibration_error < found.held["as it is"].calibration_error
    heights = [y for _, y in found.points]
    assert heights == sorted(heights)


def test_a_calibrated_judge_stays_as_it_is() -> None:
    """What is better by chance only is refused."""
    found = calibrate("embedded", *rows(3, 400, 1.0), *rows(4, 400, 1.0))
    assert found.method == "as it is"
    assert found.points == ((0.01, 0.01), (0.99, 0.99))


def test_too_few_claims_are_refused() -> None:
    """Nothing is fitted to a handful."""
    with pytest.raises(InputError, match="of both labels in each split"):
        calibrate("embedded", *rows(5, 10, 1.0), *rows(6, 400, 1.0))
