import pytest
from hypothesis import given, strategies as st

from groundwire.encoder import Scores, judge_calibration
from groundwire.judge import EVIDENCE_REMOVED, Question
from groundwire.judge._embedded import MAX_PARTS, Views, estimate

CALIBRATION = judge_calibration().support._replace(
    part_context_words=20,
    slope=0.7,
    offset=-0.2,
)
TWO_PARTS = "The ferry sails daily. The crew sleeps ashore."
UNIT = st.floats(min_value=0, max_value=1)


def _views(claim: str, context: str) -> Views:
    return Views.of(Question(claim=claim, context=context), CALIBRATION)


def _scores(support: float, refute: float = 0.0) -> Scores:
    return Scores(support, refute, 1 - support - refute)


def _p(views: Views, whole: Scores, *parts: Scores) -> float:
    scores = {views.whole: whole} | dict(zip(views.parts, parts, strict=True))
    return estimate(views, scores, CALIBRATION).p


def test_each_part_is_shown_with_what_is_about_it() -> None:
    filler = " ".join(f"Shed {number} holds rope and paint for winter." for number in range(8))
    views = _views(TWO_PARTS, f"A ferry sails daily. {filler} The crew sleeps on board.")
    assert [part for part, _ in views.parts] == [
        "The ferry sails daily.",
        "The crew sleeps ashore.",
    ]
    assert "A ferry sails daily." in views.parts[0][1]
    assert "The crew sleeps on board." in views.parts[1][1]
    assert all(len(context.split()) <= 25 for _, context in views.parts)


def test_a_claim_that_asserts_one_thing_is_only_judged_whole() -> None:
    assert _views("The ferry sails daily.", "A ferry sails.").pairs == (
        ("The ferry sails daily.", "A ferry sails."),
    )


def test_the_marker_of_removed_evidence_is_not_shown_to_the_model() -> None:
    views = _views("The ferry sails.", f"A pier. {EVIDENCE_REMOVED} A shed.")
    assert all(EVIDENCE_REMOVED not in context for _, context in views.pairs)


def test_a_drone_is_shown_as_said_twice() -> None:
    assert _views("A claim.", "pump station " * 500).whole[1] == "pump station pump station"
    assert _views("A claim.", "yes " * 500 + "and no").whole[1] == "yes yes and no"


def test_equal_cells_of_a_table_stay() -> None:
    row = "| 0 | 0 | 0 | 0 | - | - | - | - |\n| 1 | 1 | 1 | 1 |"
    assert _views("A claim.", row).whole[1] == row


def test_one_unsupported_part_lowers_the_claim() -> None:
    views = _views(TWO_PARTS, "The ferry sails daily. The crew sleeps on board.")
    good, bad = _scores(0.95), _scores(0.02, 0.9)
    assert _p(views, good, good, bad) < _p(views, good, good, good)


@given(UNIT, UNIT, UNIT, UNIT)
def test_more_support_never_makes_a_claim_less_likely(
    low: float, high: float, other: float, part: float
) -> None:
    low, high = sorted((low, high))
    views = _views(TWO_PARTS, "The ferry sails daily.")
    assert _p(views, _scores(low), _scores(other), _scores(part)) <= _p(
        views, _scores(high), _scores(other), _scores(part)
    )
    assert _p(views, _scores(other), _scores(low), _scores(part)) <= _p(
        views, _scores(other), _scores(high), _scores(part)
    )


@given(UNIT, UNIT)
def test_support_and_opposition_never_exceed_one(support: float, refute: float) -> None:
    views = _views("The ferry sails.", "The ferry sails.")
    scores = Scores(support, refute * (1 - support), (1 - refute) * (1 - support))
    found = estimate(views, dict.fromkeys(views.pairs, scores), CALIBRATION)
    assert found.refute is not None
    assert 0 < found.p < 1
    assert found.p + found.refute <= 1


def test_a_very_long_claim_is_judged_by_its_weakest_parts() -> None:
    sentences = [f"The pier has {number} lamps." for number in range(100)]
    views = _views(" ".join([*sentences, "Goblins guard it."]), "The pier has many lamps.")
    assert len(views.parts) == MAX_PARTS
    assert "Goblins guard it." in [part for part, _ in views.parts]


def test_support_that_is_nearly_as_likely_holds_opposition_down() -> None:
    """A doubt is no denial: at the threshold opposition is likelier by the margin."""
    views = _views("The ferry sails daily.", "The ferry sails on Mondays.")
    wide = CALIBRATION._replace(refute_threshold=0.6, refute_margin=2.6)
    torn, sure = _scores(0.35, 0.64), _scores(0.01, 0.9)
    none = _scores(0.0, 0.0)
    opposed = [
        estimate(views, {views.whole: one}, wide).refute or 0.0 for one in (torn, sure, none)
    ]
    assert opposed[0] < 0.6 <= opposed[1]
    assert opposed[2] == pytest.approx(0, abs=1e-3)


def test_a_context_cut_for_a_deeper_judge_is_cut_again() -> None:
    filler = " ".join(f"Shed {number} holds rope and paint for winter." for number in range(60))
    views = _views("The ferry sails daily.", f"{filler} The ferry sails daily.")
    assert len(views.whole[1].split()) <= CALIBRATION.context_words * 4 // 3
    assert "The ferry sails daily." in views.whole[1]
