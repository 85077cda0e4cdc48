"""What a judge's yes has to bring before an edge is grounded [RULINGS S1]."""

from collections.abc import Sequence

import pytest

from groundwire.ground import EdgeReader, Hypothesis, VariableNames, Vocabulary, normal_form
from groundwire.ground._belief import Acceptance
from groundwire.ground._types import LoopState, Passage, VerificationVerdict
from groundwire.model import CausalEdge, EvidenceBundle, edge_id

SAID = "The full disk caused write errors."


def edge(cause: str = "full disk", effect: str = "write errors") -> Hypothesis:
    names = Vocabulary([cause, effect])
    first, second = names.variable(cause), names.variable(effect)
    drawn = CausalEdge(id=edge_id(first.id, second.id), from_var=first.id, to_var=second.id)
    return Hypothesis(drawn, first, second)


def verdict(
    quote: str | None = SAID, confidence: float = 0.9, **more: object
) -> VerificationVerdict:
    return VerificationVerdict.model_validate(
        {
            "is_grounded": True,
            "support_type": "direct_causal",
            "supporting_quote": quote,
            "confidence": confidence,
            **more,
        }
    )


def found(*texts: str) -> LoopState:
    state = LoopState(max_iterations=3)
    bundles = [EvidenceBundle.of(text, f"doc-{number}") for number, text in enumerate(texts)]
    state.collect([Passage(bundle, "support") for bundle in bundles])
    return state


def checked(
    given: VerificationVerdict, texts: Sequence[str] = (SAID,), threshold: float = 0.6
) -> VerificationVerdict:
    hypothesis = edge()
    reader = EdgeReader(VariableNames([hypothesis.cause, hypothesis.effect]))
    return Acceptance(reader, threshold).checked(given, hypothesis, found(*texts))


def problem(
    given: VerificationVerdict, texts: Sequence[str] = (SAID,), threshold: float = 0.6
) -> str | None:
    result = checked(given, texts, threshold)
    assert result.is_grounded is (result.rejection_reason is None)
    return result.rejection_reason


def test_a_yes_with_all_it_needs_stands_as_it_is() -> None:
    given = verdict()
    assert checked(given) is given


def test_a_no_is_not_looked_at() -> None:
    given = verdict(None, is_grounded=False, support_type="irrelevant", rejection_reason="x")
    assert checked(given) is given


@pytest.mark.parametrize(
    ("given", "texts", "reason"),
    [
        (verdict(support_type="correlation_only"), [SAID], "correlation_only"),
        (verdict(support_type="irrelevant"), [SAID], "irrelevant"),
        (verdict(None), [SAID], "no_quote"),
        (verdict(""), [SAID], "no_quote"),
        (verdict("The full disk broke everything."), [SAID], "quote_not_found"),
        (verdict("Rain fell."), ["Rain fell."], "variables_not_in_quote"),
        (verdict("It caused write errors."), ["It caused write errors."], "variables_not_in_quote"),
    ],
)
def test_a_yes_that_lacks_something_is_a_no_that_says_what(
    given: VerificationVerdict, texts: list[str], reason: str
) -> None:
    assert problem(given, texts) == reason


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("The full disk did not cause the write errors.", "refuted"),
        ("The write errors caused the full disk.", "reversed"),
        ("The full disk was correlated with the write errors.", "correlation_only"),
        ("The full disk may have caused the write errors.", "hypothetical"),
    ],
)
def test_a_quote_that_reads_otherwise_grounds_nothing(sentence: str, reason: str) -> None:
    """Whatever the judge says of it, and however little of the sentence it quotes."""
    assert problem(verdict(sentence), [sentence]) == reason
    assert problem(verdict(sentence[4:-1]), [sentence]) == reason


def test_a_quote_of_two_sentences_is_read_as_what_they_say() -> None:
    """One that states the edge is enough; without one the other reading counts."""
    denied = "The full disk did not cause the write errors. It rained."
    assert problem(verdict(denied), [denied]) == "refuted"
    both = f"{SAID} The write errors caused the full disk."
    assert problem(verdict(both), [both]) is None


def test_another_sentence_of_the_passage_does_not_speak_for_the_quote() -> None:
    text = f"{SAID} The write errors caused the full disk."
    assert problem(verdict(SAID), [text]) is None
    neutral = "Full disk and write errors were seen."
    assert problem(verdict(neutral), [f"{neutral} The write errors caused the full disk."]) is None


def test_a_denial_is_named_before_a_guess() -> None:
    text = (
        "The full disk may have caused the write errors."
        " The full disk did not cause the write errors."
    )
    assert problem(verdict(text), [text]) == "refuted"


@pytest.mark.parametrize(("confidence", "reason"), [(0.59, "low_confidence"), (0.6, None)])
def test_the_judge_has_to_be_as_sure_as_the_threshold(
    confidence: float, reason: str | None
) -> None:
    assert problem(verdict(confidence=confidence)) == reason


def test_what_another_document_denies_weighs_against_it() -> None:
    """[RULINGS S1] A refutation hit weighs against; it is not ignored."""
    denial = "The full disk did not cause the write errors."
    assert problem(verdict(), [SAID, denial]) == "refuted"
    assert problem(verdict(), [SAID, denial], threshold=0.4) is None


def test_belief_at_the_threshold_is_enough() -> None:
    assert problem(verdict(confidence=0.9), threshold=0.9) is None


def test_a_rejection_keeps_the_query_the_judge_suggests_and_else_makes_one() -> None:
    suggested = verdict("Nowhere.", suggested_refinement_query="disk full errors")
    assert checked(suggested).suggested_refinement_query == "disk full errors"
    made = checked(verdict("Nowhere.")).suggested_refinement_query
    assert made == "write errors because of full disk"


def test_a_query_that_was_tried_is_not_made_again() -> None:
    hypothesis = edge()
    state = found(SAID)
    state.attempted_queries.add(normal_form("write errors because of full disk"))
    reader = EdgeReader(VariableNames([hypothesis.cause, hypothesis.effect]))
    result = Acceptance(reader, 0.6).checked(verdict("Nowhere."), hypothesis, state)
    assert result.suggested_refinement_query == "write errors due to full disk root cause"
