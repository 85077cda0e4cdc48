from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.evaluate import (
    auroc,
    balanced_accuracy,
    calibration_error,
    f1,
    reliability,
    with_interval,
)

ROWS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0]), st.sampled_from([0, 1])),
    min_size=2,
    max_size=30,
).filter(lambda rows: len({label for _, label in rows}) == 2)


def _columns(rows: list[tuple[float, int]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([score for score, _ in rows]), np.array([label for _, label in rows])


@given(ROWS)
def test_auroc_counts_pairs_in_the_right_order(rows: list[tuple[float, int]]) -> None:
    good = [score for score, label in rows if label == 1]
    bad = [score for score, label in rows if label == 0]
    wins = [1.0 if one > other else 0.5 * (one == other) for one, other in product(good, bad)]
    assert auroc(*_columns(rows)) == pytest.approx(sum(wins) / len(wins))


@given(ROWS)
def test_balanced_accuracy_at_any_threshold_of_a_constant_is_a_half(
    rows: list[tuple[float, int]],
) -> None:
    _, labels = _columns(rows)
    assert balanced_accuracy(np.full(len(rows), 0.3), labels, 0.5) == 0.5
    assert balanced_accuracy(np.full(len(rows), 0.7), labels, 0.5) == 0.5


def test_one_label_alone_cannot_be_measured() -> None:
    scores, labels = np.array([0.1, 0.9]), np.array([1, 1])
    assert np.isnan(auroc(scores, labels))
    assert np.isnan(balanced_accuracy(scores, labels, 0.5))


def test_f1_is_of_what_should_be_flagged() -> None:
    scores, labels = np.array([0.1, 0.2, 0.8, 0.3]), np.array([0, 0, 0, 1])
    precision, recall = 2 / 3, 2 / 3
    assert f1(scores, labels, 0.5) == pytest.approx(2 * precision * recall / (precision + recall))


def test_honest_probabilities_have_no_calibration_error() -> None:
    scores = np.repeat([0.25, 0.75], 4)
    labels = np.array([1, 0, 0, 0, 1, 1, 1, 0])
    assert calibration_error(scores, labels) == pytest.approx(0)
    assert [one.claims for one in reliability(scores, labels)] == [4, 4]


def test_boasting_shows_as_calibration_error() -> None:
    scores, labels = np.full(10, 1.0), np.array([1, 0] * 5)
    assert calibration_error(scores, labels) == pytest.approx(0.5)


def test_an_interval_holds_its_value_and_comes_out_the_same_again() -> None:
    labels = np.array([0, 1] * 50)
    scores = labels * 0.2 + np.linspace(0, 1, 100)
    groups = [np.arange(50), np.arange(50, 100)]

    def area(places: np.ndarray) -> float:
        return auroc(scores[places], labels[places])

    figure = with_interval(area, groups, resamples=200)
    assert figure.low < figure.value < figure.high
    assert figure.value == pytest.approx((area(groups[0]) + area(groups[1])) / 2)
    assert figure == with_interval(area, groups, resamples=200)
