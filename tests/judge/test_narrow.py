from hypothesis import given, strategies as st

from groundwire.judge import Evidence
from groundwire.model import EvidenceBundle
from groundwire.text import content_terms

FILLER = "The cat sat on the mat and looked at the rain outside. "


def evidence(*texts: str) -> Evidence:
    return Evidence([EvidenceBundle.of(text, f"d{number}") for number, text in enumerate(texts)])


def test_the_sentence_a_claim_is_about_is_found_in_a_long_document() -> None:
    judged_by = evidence(FILLER * 400 + "The valve was made in Oslo. " + FILLER * 400)
    chosen = judged_by.narrow("The valve was made in Bergen.", 60)
    assert "The valve was made in Oslo." in judged_by.text(chosen)
    assert sum(judged_by.sentences[place].words for place in chosen) <= 60


def test_support_spread_over_two_places_is_seen_at_once() -> None:
    judged_by = evidence(
        "Ada Holm leads the yard. " + FILLER * 30 + "The yard built the ferry Skarv."
    )
    text = judged_by.text(judged_by.narrow("Ada Holm leads the yard that built Skarv.", 60))
    assert "Ada Holm leads the yard." in text
    assert "The yard built the ferry Skarv." in text


def test_a_claim_may_be_held_to_the_documents_it_cites() -> None:
    judged_by = evidence("The mast is 40 m high.", "The mast is 50 m high.")
    chosen = judged_by.narrow("The mast is 40 m high.", 60, judged_by.places_of({"d1"}))
    assert judged_by.text(chosen) == "The mast is 50 m high."


def test_quotes_reproduce_their_document_even_from_the_middle_of_it() -> None:
    document = "# Title\n\nFirst sentence here. Second sentence there."
    body = document[9:]
    judged_by = Evidence([EvidenceBundle.of(body, "doc", start=9)])
    for place in range(len(judged_by.sentences)):
        quote = judged_by.quote(place)
        assert document[quote.start : quote.end] == quote.quote


@given(texts=st.lists(st.text(max_size=300), max_size=4), budget=st.integers(0, 80))
def test_whatever_the_evidence_the_choice_is_ordered_and_within_its_budget(
    texts: list[str], budget: int
) -> None:
    judged_by = evidence(*texts)
    chosen = judged_by.narrow("the choice is ordered", budget)
    assert list(chosen) == sorted(set(chosen))
    assert sum(judged_by.sentences[place].words for place in chosen) <= budget


def test_weights_are_summed_in_the_order_of_the_claim_in_every_process() -> None:
    """In the order of a hash the last digits differ from process to process, and ties with them."""
    words = "anchor bridge canal dredger estuary ferry gangway harbour island jetty".split()
    judged_by = evidence(f"{' '.join(reversed(words))}.")
    assert list(judged_by.matches(" ".join(words))[0]) == [
        term for word in words for term in content_terms(word)
    ]


def test_what_is_spoken_of_as_known_is_shown_with_its_name() -> None:
    """A reader of the whole document knows which boat; a judge of two sentences does not."""
    text = "Hire of the narrow boat Patience.\n\nA deposit is held until the boat is looked over."
    evidence = Evidence([EvidenceBundle.of(text, "hire")])
    shown = evidence.glossed("A deposit is held until Patience is looked over.", [1]).text
    assert shown == "A deposit is held until the boat (narrow boat Patience) is looked over."
    assert "(" not in evidence.glossed("A deposit is held.", [1]).text
