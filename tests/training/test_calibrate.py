import numpy as np
import pytest
from training.calibrate import Inputs, fit, left_out, predict, report, weights


def _inputs(rows: int = 4_000) -> Inputs:
    rng = np.random.default_rng(3)
    support = rng.normal(0, 2, rows)
    p = predict(support[:, None], np.array([0.7, -0.2]))
    labels = (rng.uniform(size=rows) < p).astype(int)
    sets = np.array([f"family{number % 4}.{number % 2}" for number in range(rows)])
    return Inputs(support, labels, sets)


def test_known_coefficients_are_found_again() -> None:
    inputs = _inputs(20_000)
    found = fit(inputs.columns(), inputs.labels, np.ones(len(inputs.labels)))
    assert found == pytest.approx([0.7, -0.2], abs=0.08)


def test_labels_weigh_the_same_within_a_set_and_large_sets_no_more_than_others() -> None:
    labels = np.array([1] * 10 + [0] * 30 + [1] * 500 + [0] * 500)
    sets = np.array(["small"] * 40 + ["large"] * 1_000)
    weight = weights(labels, sets)
    assert weight[:10].sum() == pytest.approx(weight[10:40].sum())
    assert weight[:40].sum() == pytest.approx(40)
    assert weight[40:].sum() == pytest.approx(60)


def test_a_family_is_judged_by_the_others_alone() -> None:
    inputs = _inputs()
    turned = inputs.labels.copy()
    own = np.char.startswith(inputs.sets, "family0")
    turned[own] = 1 - turned[own]
    before, after = left_out(inputs), left_out(inputs._replace(labels=turned))
    assert after[own] == pytest.approx(before[own])
    assert after[~own] != pytest.approx(before[~own])


def test_a_report_is_over_sets() -> None:
    figures = report(_inputs(), left_out(_inputs()), 0.5)
    assert 0.7 < figures["auroc"] < 0.9
    assert figures["ece_of_a_set"] < 0.1
