from random import Random

from hypothesis import given, strategies as st

from groundwire.ground import belief_of, strength_of
from groundwire.model import EdgeEvidence, Quote


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


def test_strength_comes_from_belief() -> None:
    assert [strength_of(belief) for belief in (0.97, 0.9, 0.65)] == ["strong", "moderate", "weak"]
