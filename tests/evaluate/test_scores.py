from itertools import product

import numpy as np
import pytest
from hypothesis import given, strategies as st

from groundwire.evaluate import (
    auroc,
    balanced_accuracy,
    calibration_error,
    f1,
    once,
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
    assert once(auroc, *_columns(rows)) == pytest.approx(sum(wins) / len(wins))


@given(ROWS)
def test_balanced_accuracy_at_any_threshold_of_a_constant_is_a_half(
    rows: list[tuple[float, int]],
) -> None:
    _, labels = _columns(rows)
    assert once(balanced_accuracy(0.5), np.full(len(rows), 0.3), labels) == 0.5
    assert once(balanced_accuracy(0.5), np.full(len(rows), 0.7), labels) == 0.5


def test_one_label_alone_cannot_be_measured() -> None:
    scores, labels = np.array([0.1, 0.9]), np.array([1, 1])
    assert np.isnan(once(auroc, scores, labels))
    assert np.isnan(once(balanced_accuracy(0.5), scores, labels))


def test_f1_is_of_what_should_be_flagged() -> None:
    scores, labels = np.array([0.1, 0.2, 0.8, 0.3]), np.array([0, 0, 0, 1])
    precision, recall = 2 / 3, 2 / 3
    assert once(f1(0.5), scores, labels) == pytest.approx(
        2 * precision * recall / (precision + recall)
    )


def test_honest_probabilities_have_no_calibration_error() -> None:
    scores = np.repeat([0.25, 0.75], 4)
    labels = np.array([1, 0, 0, 0, 1, 1, 1, 0])
    assert once(calibration_error, scores, labels) == pytest.approx(0)
    assert [one.claims for one in reliability(scores, labels)] == [4, 4]


def test_boasting_shows_as_calibration_error() -> None:
    scores, labels = np.full(10, 1.0), np.array([1, 0] * 5)
    assert once(calibration_error, scores, labels) == pytest.approx(0.5)


@given(ROWS, st.integers(min_value=0, max_value=9))
def test_a_row_of_twice_the_weight_counts_as_two_rows(
    rows: list[tuple[float, int]], place: int
) -> None:
    scores, labels = _columns(rows)
    weights = np.ones((1, len(rows)))
    weights[0, place % len(rows)] = 2
    doubled = _columns([*rows, rows[place % len(rows)]])
    for measure in (auroc, balanced_accuracy(0.5), f1(0.5), calibration_error):
        assert measure(scores, labels, weights)[0] == pytest.approx(once(measure, *doubled))


def _groups() -> list[tuple[np.ndarray, np.ndarray]]:
    labels = np.array([0, 1] * 50)
    scores = labels * 0.2 + np.linspace(0, 1, 100)
    return [(scores[:50], labels[:50]), (scores[50:], labels[50:])]


def test_an_interval_holds_its_value_and_comes_out_the_same_again() -> None:
    figure = with_interval(auroc, _groups(), resamples=200)
    assert figure.low < figure.value < figure.high
    assert figure.value == pytest.approx(np.mean([once(auroc, *group) for group in _groups()]))
    assert figure == with_interval(auroc, _groups(), resamples=200)


def test_scores_gain_nothing_over_themselves() -> None:
    same = [scores for scores, _ in _groups()]
    assert with_interval(auroc, _groups(), resamples=50, less=same) == (0, 0, 0)
