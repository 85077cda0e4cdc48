from random import Random

import pytest
from hypothesis import given, strategies as st

from groundwire.encoder import judge_calibration
from groundwire.ground import belief_of, strength_of
from groundwire.model import EdgeEvidence, Quote

EDGES = judge_calibration().edges


def evidence(doc: str, words: str, confidence: float, side: str = "support") -> EdgeEvidence:
    return EdgeEvidence.model_validate(
        {
            "evidence_id": f"ev-{doc}",
            "quote": Quote(doc_id=doc, quote=words, start=0, end=len(words)),
            "side": side,
            "confidence": confidence,
        }
    )


def test_nothing_for_and_nothing_against_is_no_number() -> None:
    assert belief_of([], []) is None


def test_repeats_of_one_source_do_not_raise_belief() -> None:
    one = [evidence("a", "disk caused errors", 0.7)]
    same_document = [*one, evidence("a", "errors came from the disk", 0.7)]
    same_words = [*one, evidence("b", "Disk caused errors.", 0.7)]
    assert belief_of(one, []) == belief_of(same_document, []) == belief_of(same_words, []) == 0.7


def test_a_denial_takes_its_share() -> None:
    pro = [evidence("a", "disk caused errors", 0.9)]
    contra = [evidence("b", "disk did not cause errors", 0.9, "refute")]
    assert belief_of(pro, contra) == 0.45
    assert belief_of(pro, [evidence("b", "errors caused disk", 0.9, "reversed")]) == 0.9


_EVIDENCE = st.builds(
    evidence,
    st.sampled_from("abcdef"),
    st.text("abc ", max_size=6),
    st.floats(0, 1),
    st.sampled_from(["support", "refute"]),
)
_SOME = st.lists(_EVIDENCE, max_size=5)


@given(_SOME, _SOME, _EVIDENCE)
def test_more_support_never_lowers_belief_and_more_denial_never_raises_it(
    pro: list[EdgeEvidence], contra: list[EdgeEvidence], more: EdgeEvidence
) -> None:
    before = belief_of(pro, contra)
    assert before is None or 0 <= before <= 0.99
    new_source = more.model_copy(
        update={"quote": Quote(doc_id="new", quote="entirely other words", start=0, end=20)}
    )
    raised = belief_of([*pro, new_source], contra)
    assert raised is not None
    assert raised >= (before or 0) - 1e-9
    against = new_source.model_copy(update={"side": "refute"})
    lowered = belief_of(pro, [*contra, against])
    assert lowered is not None
    assert before is None or lowered <= before + 1e-9


@given(_SOME, _SOME, st.integers())
def test_the_order_of_evidence_does_not_matter(
    pro: list[EdgeEvidence], contra: list[EdgeEvidence], seed: int
) -> None:
    shuffled = Random(seed).sample(pro, len(pro))  # noqa: S311
    assert belief_of(shuffled, list(reversed(contra))) == belief_of(pro, contra)


@pytest.mark.parametrize(
    ("belief", "strength"),
    [
        (EDGES.strong_from, "strong"),
        (EDGES.strong_from - 0.001, "moderate"),
        (EDGES.moderate_from, "moderate"),
        (EDGES.moderate_from - 0.001, "weak"),
    ],
)
def test_strength_comes_from_belief(belief: float, strength: str) -> None:
    assert strength_of(belief) == strength


def test_independent_sources_leave_only_the_doubt_all_of_them_share() -> None:
    """[RULINGS S1] 1 - 0.3 x 0.4 x 0.9."""
    sources = [
        evidence("a", "disk caused errors", 0.7),
        evidence("b", "errors came from the disk", 0.6),
        evidence("c", "the disk is to blame for errors", 0.1),
    ]
    assert belief_of(sources, []) == 0.892


def test_no_number_of_sources_makes_certainty() -> None:
    sources = [evidence(letter, f"{letter} {letter}rest words", 0.9) for letter in "abcdef"]
    assert belief_of(sources, []) == EDGES.highest_belief < 1


def test_only_denial_is_no_belief_at_all() -> None:
    assert belief_of([], [evidence("a", "disk did not cause errors", 0.9, "refute")]) == 0
    assert belief_of([], [evidence("a", "errors caused disk", 0.9, "reversed")]) is None


def test_of_each_document_the_surest_evidence_counts() -> None:
    weak, sure = evidence("a", "disk and errors", 0.3), evidence("a", "disk caused errors", 0.8)
    assert belief_of([weak, sure], []) == belief_of([sure, weak], []) == 0.8
    copied = [evidence("a", "disk caused errors", 0.3), evidence("b", "disk caused errors", 0.8)]
    assert belief_of(copied, []) == 0.8


def test_a_source_passed_over_does_not_hide_the_ones_behind_it() -> None:
    sources = [
        evidence("a", "disk caused errors", 0.7),
        evidence("a", "the disk again", 0.6),
        evidence("b", "errors came from it", 0.5),
    ]
    assert belief_of(sources, []) == 0.85


def test_evidence_without_a_confidence_weighs_nothing() -> None:
    silent = evidence("a", "disk caused errors", 0.5).model_copy(update={"confidence": None})
    assert belief_of([silent], []) == 0
    assert belief_of([silent, evidence("b", "errors from disk", 0.6)], []) == 0.6
    assert belief_of([silent], [silent.model_copy(update={"side": "refute"})]) == 0
    assert belief_of([silent, evidence("a", "errors from disk", 0.05)], []) == 0.05


def test_belief_is_a_figure_of_four_decimals() -> None:
    sources = [evidence("a", "disk caused errors", 0.3333), evidence("b", "from disk", 0.2222)]
    assert belief_of(sources, []) == 0.4814
