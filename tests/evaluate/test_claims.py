from functools import partial

import pytest

from groundwire.evaluate import Judgement, LabelledClaim, report_claims

report_quickly = partial(report_claims, judge="test", threshold=0.5, resamples=60)


def _rows(name: str, count: int = 40) -> list[LabelledClaim]:
    return [
        LabelledClaim(
            id=f"{name}{number}",
            set=name,
            evidence="The valve closes at ninety degrees.",
            claim="The valve closes." if number % 2 else "The pump was painted green in spring.",
            label=number % 2,
        )
        for number in range(count)
    ]


def _judged(rows: list[LabelledClaim], p0: float = 0.2) -> list[Judgement]:
    return [Judgement(p1=0.9 if row.label else 0.1, p0=p0) for row in rows]


def test_a_perfect_judge_gets_full_marks_in_every_set() -> None:
    rows = [*_rows("one"), *_rows("two")]
    report = report_quickly(rows, _judged(rows))
    assert [one.name for one in report.sets] == ["one", "two"]
    assert report.macro.auroc.value == report.macro.balanced_accuracy.value == 1
    assert report.macro.f1.value == 1
    assert report.macro.calibration_error.value == pytest.approx(0.1)


def test_what_words_and_length_alone_reach_stands_beside_it() -> None:
    rows = _rows("one")
    baselines = report_quickly(rows, _judged(rows)).macro.baselines
    assert baselines["word overlap"] == pytest.approx((1, 1))
    assert baselines["length"] == pytest.approx((1, 1))


def test_the_deterministic_tier_alone_stands_there_too() -> None:
    rows = _rows("one")
    silent = report_quickly(rows, _judged(rows)).macro.baselines["deterministic tier"]
    assert silent == pytest.approx((0.5, 0.5))
    judged = [Judgement(0.5, 0.5, values=float(row.label)) for row in rows]
    sure = report_quickly(rows, judged).macro.baselines["deterministic tier"]
    assert sure == pytest.approx((1, 1))


def test_sets_that_cannot_be_measured_are_named_and_left_out() -> None:
    rows = [*_rows("one"), *_rows("small", count=4)]
    report = report_quickly(rows, _judged(rows))
    assert report.left_out == ("small",)
    assert report.macro.rows == 40


def test_bits_that_rank_worse_than_p1_are_said_to() -> None:
    rows = _rows("one", count=200)
    judged = [Judgement(0.9, 0.95) if row.label else Judgement(0.1, 0.01) for row in rows]
    bits = report_quickly(rows, judged).bits
    assert bits.gains["observed bits"].high < 0
    assert bits.better == []


def test_bits_that_rank_better_than_p1_are_said_to() -> None:
    rows = _rows("one", count=200)
    judged = [Judgement(p1=0.6, p0=0.1 if row.label else 0.9) for row in rows]
    bits = report_quickly(rows, judged).bits
    assert set(bits.better) == {"observed bits", "p1 - p0"}


def test_true_claims_that_are_accused_are_counted_apart_from_others() -> None:
    rows = [*_rows("one"), *_rows("two")]
    judged = [Judgement(0.1, 0.2, contradicted=row.set == "one" or not row.label) for row in rows]
    called = report_quickly(rows, judged).contradicted
    assert called.supported.value == 0.5
    assert called.unsupported.value == 1
