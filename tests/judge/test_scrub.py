from hypothesis import given, strategies as st

from groundwire.judge import (
    EVIDENCE_REMOVED,
    Evidence,
    scrub,
    scrubbed_context,
    supporting,
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
