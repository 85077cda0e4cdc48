from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from groundwire.text import read, segment_ranges, sentence_ranges


def pieces(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_ranges(text)]


def test_abbreviations_numbers_and_quotes_end_no_sentence() -> None:
    text = 'Dr. Smith paid $3.50 for 1.5 kilos. "Is it true?" she asked. See Fig. 3 of ADR.31.'
    assert pieces(text) == [
        "Dr. Smith paid $3.50 for 1.5 kilos.",
        '"Is it true?" she asked.',
        "See Fig. 3 of ADR.31.",
    ]


def test_a_letter_that_names_a_thing_is_no_initial() -> None:
    assert pieces("Leaves blocked the inflow to C. The meter fell.") == [
        "Leaves blocked the inflow to C.",
        "The meter fell.",
    ]
    assert pieces("It was found by J. Smith of the guard.") == [
        "It was found by J. Smith of the guard."
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The work is done by Team A.", "Invoices are due within 14 days."),
        ("Switch to plan B.", "Customers keep their price."),
        ("It stands in hall C.", "Pumps run there."),
        ("Payments go to Vendor B.", "Refunds take 3 days."),
        ("The alarm went off at 08:20.", "lb-03 is decommissioned."),
        ("It went off at 08:20.", "nginx restarted at 08:25."),
        ("It opened in 2019.", "eBay bought it in 2020."),
    ],
)
def test_a_letter_of_a_kind_and_a_number_before_a_lower_case_name_end_a_sentence(
    first: str, second: str
) -> None:
    """What is merged is judged as one claim, and half of it is lost."""
    assert pieces(f"{first} {second}") == [first, second]


@pytest.mark.parametrize(
    "sentence",
    [
        "John F. Kennedy was president.",
        "The race was won by driver A. Senna in 1990.",
        "Chapter by Marie A. Curie is long.",
        "The doors open at 8:20. and close at 9.",
        "See fig. 3 and vol. 2.",
    ],
)
def test_an_initial_and_a_number_that_goes_on_end_no_sentence(sentence: str) -> None:
    """Half a name is no sentence."""
    assert pieces(sentence) == [sentence]


def test_lines_of_a_list_are_sentences_and_wrapped_lines_are_not() -> None:
    assert pieces("- one\n- two\n") == ["one", "two"]
    wrapped = "The crew of forty painted the whole of the harbour bridge\nin the autumn of 1998."
    assert pieces(wrapped) == [wrapped]


def test_full_width_stops_end_sentences() -> None:
    assert pieces("橋は長い。塔は高い。") == ["橋は長い。", "塔は高い。"]


def test_long_sentences_are_cut_at_their_joints() -> None:
    text = "The list has " + ", ".join(f"item {number}" for number in range(60)) + "."
    ranges = segment_ranges(text, 30)
    assert len(ranges) > 1
    assert all(len(text[start:end].split()) <= 30 for start, end in ranges)


@given(st.text(max_size=200))
def test_ranges_are_ordered_and_trimmed_and_lose_no_letter_that_is_shown(text: str) -> None:
    """Marks of lists and quotations may stand outside; letters stand in exactly one range."""
    ranges = segment_ranges(text, 5)
    assert all(a[1] <= b[0] for a, b in pairwise(ranges))
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in ranges)
    hidden = [block for block in read(text).blocks if block.is_hidden]
    shown = [
        char
        for place, char in enumerate(text)
        if char.isalpha() and not any(block.start <= place < block.end for block in hidden)
    ]
    assert [char for s, e in ranges for char in text[s:e] if char.isalpha()] == shown
