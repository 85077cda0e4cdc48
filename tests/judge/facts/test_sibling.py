"""What is said of another thing of the same kind clears no value."""

import pytest

from groundwire.judge import check_values


@pytest.mark.parametrize(
    ("claim", "sentences"),
    [
        ("Station 7 has 11 pumps.", ["Station 7 has 10 pumps.", "Station 8 has 11 pumps."]),
        (
            "Line 3 runs every 12 minutes.",
            ["Line 3 runs every 10 minutes.", "Line 4 runs every 12 minutes."],
        ),
        ("Gate 4 opens at 08:30.", ["Gate 3 opens at 08:30.", "Gate 4 opens at 09:00."]),
        (
            "Pump B2 delivers 40 l/min.",
            ["Pump B1 delivers 40 l/min.", "Pump B2 delivers 35 l/min."],
        ),
        ("Flat 12 has 3 rooms.", ["Flat 11 has 3 rooms.", "Flat 12 has 4 rooms."]),
        ("Version 4.2 needs 8 GB.", ["Version 4.1 needs 8 GB.", "Version 4.2 needs 16 GB."]),
        (
            "Server web-02 has 32 GB of memory.",
            ["Server web-01 has 32 GB of memory.", "Server web-02 has 64 GB of memory."],
        ),
        (
            "In phase 2 the trial had 120 patients.",
            ["In phase 1 the trial had 120 patients.", "In phase 2 the trial had 300 patients."],
        ),
        (
            "The Moss plant has 11 pumps.",
            ["The Moss plant has 10 pumps.", "The Lund plant has 11 pumps."],
        ),
        (
            "Pump house Moss has 11 pumps.",
            ["Pump house Moss has 10 pumps.", "Pump house Lund has 11 pumps."],
        ),
    ],
)
def test_a_value_of_a_sibling_clears_nobody(claim: str, sentences: list[str]) -> None:
    assert [one.relation for one in check_values(claim, sentences)].count("contradicted") == 1


@pytest.mark.parametrize(
    ("claim", "sentences"),
    [
        ("Flat 12 has 3 rooms.", ["Flats 11 and 12 have 3 rooms.", "Flat 13 has 4 rooms."]),
        (
            "Flat 12 has 3 rooms.",
            ["Flat 11 has 3 rooms.", "Flat 12 is like it.", "Flat 13 has 4 rooms."],
        ),
        ("Station 7 has 11 pumps.", ["Station 7 has 10 pumps and, since May, one more."]),
        ("Station 7 has 11 pumps.", ["Station 8 has 10 pumps."]),
        (
            "Line 3 runs every 12 minutes.",
            ["Lines 3 and 4 run every 12 minutes.", "Line 3 runs every 10 minutes at night."],
        ),
    ],
)
def test_what_may_be_said_of_the_thing_itself_clears_it(claim: str, sentences: list[str]) -> None:
    assert "contradicted" not in [one.relation for one in check_values(claim, sentences)]
