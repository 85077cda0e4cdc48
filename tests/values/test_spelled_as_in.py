"""A text is given the source's way to write its values, and nothing else of it."""

import pytest

from groundwire.values import spelled_as_in


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        ("It holds 10 l of milk.", "It holds 10,000 ml.", "It holds 10,000 ml of milk."),
        ("The plank is 12 in wide.", "Planks are 1 ft wide.", "The plank is 1 ft wide."),
        ("It ran twice as long.", "It ran two times as long.", "It ran two times as long."),
        ("A couple of weeks passed.", "It took 14 days.", "14 days passed."),
        ("It took three weeks.", "It took 21 days.", "It took 21 days."),
        ("It was five below zero.", "It was -5 \u00b0C.", "It was -5 \u00b0C."),
        ("A quarter of it is sand.", "25 % is sand.", "25 % of it is sand."),
        ("The share of sand is 0.25.", "25 % is sand.", "The share of sand is 25 %."),
    ],
)
def test_equal_values_take_the_spelling_of_the_source(
    text: str, source: str, expected: str
) -> None:
    """Who reads both need not know that they are equal."""
    assert spelled_as_in(text, source) == expected


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("The level is 0.25.", "25 % is sand."),
        ("It was sold in 12 in Paris.", "It is 1 ft wide."),
        ("A couple arrived.", "2 people arrived."),
        ("It holds 10 l of milk.", "It holds 11 l of milk."),
    ],
)
def test_what_is_not_equal_stays(text: str, source: str) -> None:
    """A bare number is no share, "in" before a place no inch, a couple no number."""
    assert spelled_as_in(text, source) == text
