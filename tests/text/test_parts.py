from hypothesis import given, strategies as st

from groundwire.text import parts_of


def test_a_claim_that_asserts_one_thing_is_its_own_part() -> None:
    assert parts_of("The bridge opened in 1931.") == ["The bridge opened in 1931."]


def test_sentences_and_the_clauses_of_long_ones_are_parts() -> None:
    claim = (
        "The bridge opened in 1931. Its deck was replaced after the flood of 1954 and the towers "
        "were painted red ten years later."
    )
    assert parts_of(claim) == [
        "The bridge opened in 1931.",
        "Its deck was replaced after the flood of 1954",
        "the towers were painted red ten years later.",
    ]


def test_scraps_are_no_parts() -> None:
    assert parts_of("Yes. The bridge opened in 1931.") == ["The bridge opened in 1931."]
    assert parts_of("Yes. No.") == ["Yes. No."]


@given(st.text(max_size=200))
def test_any_text_has_a_part(text: str) -> None:
    assert parts_of(text)
