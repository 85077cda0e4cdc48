"""Which of two named things has more is known where a sentence has a number for each."""

import pytest

from groundwire.judge import check_values

MORE = "The Astrid takes more cars than the Solveig."
FERRIES = "The Astrid takes 12 cars; the Solveig takes 38."
TRUE_AND_FALSE = [
    ("The Solveig takes more cars than the Astrid.", FERRIES, True),
    ("The Astrid takes more cars than the Solveig.", FERRIES, False),
    ("The Astrid has room for fewer cars than the Solveig.", FERRIES, True),
    ("The Solveig has room for fewer cars than the Astrid.", FERRIES, False),
    ("Elmbrook has more pupils than Wick.", "Elmbrook has 640 pupils and Wick has 85.", True),
    ("Wick has more pupils than Elmbrook.", "Elmbrook has 640 pupils and Wick has 85.", False),
    ("Tarn sold more tickets than Vale.", "Tarn sold 1,200 tickets, Vale sold 1,450.", False),
    ("Vale sold more tickets than Tarn.", "Tarn sold 1,200 tickets, Vale sold 1,450.", True),
    ("Osgood employs fewer bakers than Prentice.", "Osgood employs 9 bakers, Prentice 4.", False),
    ("Prentice employs fewer bakers than Osgood.", "Osgood employs 9 bakers, Prentice 4.", True),
    (
        "Kite's delay was lower than Merl's.",
        "The delay of Kite was 84 ms, that of Merl 61 ms.",
        False,
    ),
    ("The north mast is higher than the south mast.", "North mast 42 m, south mast 38 m.", True),
]


@pytest.mark.parametrize(("claim", "sentence", "is_so"), TRUE_AND_FALSE)
def test_the_numbers_decide(claim: str, sentence: str, is_so: bool) -> None:  # noqa: FBT001
    [finding] = [one for one in check_values(claim, [sentence]) if one.kind == "number"]
    assert finding.relation == ("confirmed" if is_so else "contradicted")


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The Astrid burns more fuel per car than the Solveig.", FERRIES),
        ("The Astrid has more crew than the Solveig.", FERRIES),
        ("The Astrid is faster than the Solveig.", FERRIES),
        ("The Astrid does not take more cars than the Solveig.", FERRIES),
        ("The Astrid takes more cars than the Ingrid.", FERRIES),
        (MORE, "The Astrid and the Solveig take 12 cars."),
        (MORE, "The Astrid took 12 cars and 4 cars."),
        (MORE, "The Astrid takes about 30 cars, the Solveig 31."),
        (MORE, "Does the Astrid take 12 cars, the Solveig 38?"),
        ("The Astrid takes 5 more cars than the Solveig.", FERRIES),
    ],
)
def test_what_is_not_certain_is_left_alone(claim: str, sentence: str) -> None:
    found = check_values(claim, [sentence])
    assert not [one for one in found if one.relation == "contradicted" and one.claimed == "more"]
