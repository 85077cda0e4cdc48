"""Sentences whose later parts borrow their verb are read as the statements they make."""

import pytest
from hypothesis import example, given, strategies as st

from groundwire import verify_claim
from groundwire.text import conjuncts


@pytest.mark.parametrize(
    ("sentence", "statements"),
    [
        (
            "Cycle 1 held them for 16 minutes, cycle 2 for 12 minutes, cycle 3 for 17.",
            ["Cycle 2 held them for 12 minutes.", "Cycle 3 held them for 17 minutes."],
        ),
        (
            "The first judge gave 8.1 points, the second 7.6 and the third 7.9.",
            ["The second judge gave 7.6 points.", "The third judge gave 7.9 points."],
        ),
        (
            "The readings were 22 at seven, 34 at eight and 27 at nine.",
            ["The readings were 34 at eight.", "The readings were 27 at nine."],
        ),
        (
            "Readings: 3.1 degrees at eight, 3.8 at noon.",
            ["Readings: 3.8 degrees at noon."],
        ),
        ("The EU cluster is in Frankfurt, the US one in Ohio.", ["The US cluster is in Ohio."]),
        ("Anna Berg scored 12, Tom 9.", ["Tom scored 9."]),
        ("Anna took the bus, Tom the train.", ["Tom took the train."]),
        ("Backups are kept for 90 days, logs for 30 days.", ["Logs are kept for 30 days."]),
        ("In 2019 sales were 5 million, in 2020 6 million.", ["In 2020 sales were 6 million."]),
        ("Adults pay 12 euros, children 6.", ["Children pay 6 euros."]),
        (
            "The clinic treats adults on Mondays and children on Fridays.",
            ["The clinic treats children on Fridays."],
        ),
        (
            "The last train leaves at 22:04, the last coach at 23:30.",
            ["The last coach leaves at 23:30."],
        ),
        (
            "The first batch came on 3 May, the second on 10 May, and the third is missing.",
            ["The second batch came on 10 May.", "The third is missing."],
        ),
        (
            "The crack in pier 1 is 2 mm wide, the crack in pier 2 is 5 mm wide.",
            ["The crack in pier 2 is 5 mm wide."],
        ),
    ],
)
def test_each_part_is_made_a_whole_statement(sentence: str, statements: list[str]) -> None:
    """What a part leaves out is taken from the first, like laid on like."""
    assert list(conjuncts(sentence)[1:]) == statements


def test_two_lists_that_belong_together_are_dealt_out_in_their_order() -> None:
    """ "Respectively" says that the first belongs to the first."""
    assert conjuncts("Cores 1, 2 and 3 reached depths of 40, 65 and 110 cm respectively.") == (
        "Cores 1 reached depths of 40 cm.",
        "Cores 2 reached depths of 65 cm.",
        "Cores 3 reached depths of 110 cm.",
    )


@pytest.mark.parametrize(
    "sentence",
    [
        "She bought apples, pears and bread.",
        "The report names Oslo, Norway, and Bergen.",
        "The meeting is on Tuesday, 4 March, at 10.",
        "Sales rose to 5 million, 3 percent more than in 2019.",
        "The pump failed on Monday, 3 May, in hall 2.",
        "The board approved the budget, the plan and the new rules.",
        "He lives in Berlin, Germany, and works in Potsdam.",
        "The record outlines the platform for both the Staging and Production environments.",
        "Lena counted the first two bins, Musa the third.",
        "Group 2 had not dried its sample, group 3 overnight.",
        "Alice and Bob scored 12, 9 and 7 points respectively.",
    ],
)
def test_lists_and_additions_are_left_as_they_are(sentence: str) -> None:
    """Where a part is no statement of its own, or it is not certain which, nothing is made up."""
    assert conjuncts(sentence) == ()


@given(st.text(max_size=300))
@example(", , , , , ,")
def test_any_text_is_read(text: str) -> None:
    """No text breaks the reader, and what it says is said in words of the text."""
    assert all(one.endswith(".") for one in conjuncts(text))


def test_a_value_belongs_to_the_thing_it_is_told_of() -> None:
    """The place of a neighbour grounds nothing; the quote is the sentence as it stands."""
    evidence = "The EU cluster is in Frankfurt, the US cluster in Ohio."
    right = verify_claim("The US cluster is in Ohio.", [evidence])
    wrong = verify_claim("The EU cluster is in Ohio.", [evidence])
    assert (right.status, right.evidence[0].quote) == ("grounded", evidence)
    assert wrong.status != "grounded"
