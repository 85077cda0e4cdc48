from collections.abc import Collection

from hypothesis import given, strategies as st

from groundwire.encoder import judge_calibration
from groundwire.judge import (
    EVIDENCE_REMOVED,
    Evidence,
    scrub,
    scrubbed_context,
    supporting,
    with_and_without,
)
from groundwire.model import EvidenceBundle, Span

REPORT = (
    "The pump failed on Monday. The crew replaced the pump on Tuesday. "
    "On Monday the pump had failed. Coffee is free on the second floor."
)


def evidence(*texts: str) -> Evidence:
    return Evidence([EvidenceBundle.of(text, str(number)) for number, text in enumerate(texts)])


def test_a_span_becomes_a_marker_and_the_rest_stays() -> None:
    """[SPEC-08.10] The marker is the one of the document."""
    assert scrub("one two three", [Span(start=4, end=7)]) == f"one {EVIDENCE_REMOVED} three"


def test_spans_that_touch_or_overlap_become_one_marker() -> None:
    spans = [Span(start=0, end=3), Span(start=2, end=5), Span(start=5, end=7)]
    assert scrub("abcdefgh", spans) == f"{EVIDENCE_REMOVED}h"


@given(text=st.text(max_size=60), data=st.data())
def test_scrubbing_never_changes_text_outside_its_spans(text: str, data: st.DataObject) -> None:
    """[SPEC-08.11] What surrounds the evidence stays where and as it was."""
    places = st.integers(0, len(text))
    bounds = data.draw(st.lists(st.tuples(places, places).map(sorted), max_size=4))
    spans = [Span(start=low, end=high) for low, high in bounds if low < high]
    kept = "".join(
        char
        for place, char in enumerate(text)
        if not any(span.start <= place < span.end for span in spans)
    )
    assert scrub(text, spans).replace(EVIDENCE_REMOVED, "") == kept


def test_a_duplicate_of_the_supporting_sentence_is_removed_too() -> None:
    """RULINGS S4: a duplicate must not keep p0 high."""
    judged_by = evidence(REPORT)
    claim = "The pump failed on Monday."
    places = judged_by.narrow(claim, 100)
    removed = supporting(judged_by, claim, places)
    assert {judged_by.sentences[place].text for place in removed} >= {
        "The pump failed on Monday.",
        "On Monday the pump had failed.",
    }
    context = scrubbed_context(judged_by, places, removed)
    assert "failed" not in context
    assert "Coffee is free on the second floor." in context


def test_nothing_is_removed_where_nothing_speaks_of_the_claim() -> None:
    judged_by = evidence("Coffee is free.")
    places = judged_by.narrow("Zebras gallop.", 100)
    assert supporting(judged_by, "Zebras gallop.", places) == ()
    assert scrubbed_context(judged_by, places, ()) == "Coffee is free."


def test_spans_are_taken_in_the_order_of_the_text() -> None:
    """Given in any order, one inside another, one next to another."""
    text = "0123456789"
    spans = [Span(start=6, end=8), Span(start=0, end=4), Span(start=1, end=2), Span(start=0, end=2)]
    assert scrub(text, spans) == f"{EVIDENCE_REMOVED}45{EVIDENCE_REMOVED}89"


def test_no_spans_leave_the_text_as_it_is() -> None:
    assert scrub("as it is", []) == "as it is"


def test_a_span_at_the_start_and_one_at_the_end_leave_the_middle() -> None:
    spans = [Span(start=0, end=1), Span(start=2, end=3)]
    assert scrub("abc", spans) == f"{EVIDENCE_REMOVED}b{EVIDENCE_REMOVED}"


def test_the_marker_is_the_one_the_specification_names() -> None:
    """[SPEC-08.11]"""
    assert EVIDENCE_REMOVED == "[EVIDENCE REMOVED]"


class Weighed(Evidence):
    """Sentences whose weight for any claim is given."""

    def __init__(self, *weights: float) -> None:
        super().__init__([])
        self._weights = weights

    def matches(
        self, claim: str, within: Collection[int] | None = None
    ) -> dict[int, dict[str, float]]:
        return {
            place: {"one": weight / 2, "two": weight / 2}
            for place, weight in enumerate(self._weights)
            if within is None or place in within
        }


def test_a_sentence_with_its_share_of_the_best_ones_weight_may_say_the_same() -> None:
    """The calibrated share from both sides; only the sentences in question are looked at."""
    share = judge_calibration().narrowing.supporting_share
    weighed = Weighed(1.0, share, share - 0.01, share + 0.01, 2 / share)
    assert supporting(weighed, "any", [0, 1, 2, 3]) == (0, 1, 3)
    assert supporting(weighed, "any", [0, 1, 2, 3, 4]) == (4,)


def test_a_claim_is_judged_with_its_context_and_with_its_support_taken_out() -> None:
    """[SPEC-08.10] Everything else stays in its place."""
    judged_by = evidence("The pump failed on Monday. Coffee is free on the second floor.")
    assert with_and_without(judged_by, "The pump failed on Monday.", 100) == (
        "The pump failed on Monday. Coffee is free on the second floor.",
        f"{EVIDENCE_REMOVED} Coffee is free on the second floor.",
    )


def test_the_context_keeps_to_its_budget_of_words() -> None:
    judged_by = evidence("The pump failed on Monday. Coffee is free on the second floor.")
    with_it, without = with_and_without(judged_by, "The pump failed on Monday.", 5)
    assert (with_it, without) == ("The pump failed on Monday.", EVIDENCE_REMOVED)


def test_the_best_sentence_is_looked_for_only_in_the_context() -> None:
    """A better one that did not fit into the context must not keep what is there."""
    judged_by = evidence(
        "On that Monday in the old northern hall the red pump failed again for everyone.",
        "The pump hums.",
    )
    claim = "The red pump failed on Monday."
    assert with_and_without(judged_by, claim, 5) == ("The pump hums.", EVIDENCE_REMOVED)
