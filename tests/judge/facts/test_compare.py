"""Which of two named things has more is known where a sentence has a number for each."""

import pytest

from groundwire.judge import check_values
from groundwire.text import sentence_ranges

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


COSTS = "Costs: artists 55,000, stage hire 28,000, security 17,000."
LOG = "Boil: 90 min. The tun was cleaned. Mash: 75 min at 66 °C."
MORE_KINDS = [
    ("Stage hire cost more than artists.", COSTS, False),
    ("The boil was longer than the mash.", LOG, True),
    ("The boil was shorter than the mash.", LOG, False),
    ("Sunday was the busier day.", "Saturday 186 arrivals, Sunday 154.", False),
    ("Saturday was the busier day.", "Saturday 186 arrivals, Sunday 154.", True),
    ("Solveig takes more cars than Astrid.", f"{FERRIES[:-1]}, the Ingrid 4.", True),
    ("The cake has more sugar than butter.", "Plum cake: 150 g butter, 120 g sugar.", False),
    ("There were more doctors than nurses.", "There were two doctors and five nurses.", False),
    (
        "Furnace East melts more than Furnace West.",
        "Furnace East melts 14 t and Furnace West 11.",
        True,
    ),
    ("Oak costs three times as much as pine.", "Oak costs $7.20, pine costs $2.40.", True),
    ("Ash has 12 more pupils than Elm.", "Ash has 140 pupils and Elm 108.", False),
    ("Ash has 32 more pupils than Elm.", "Ash has 140 pupils and Elm 108.", True),
    (
        "The flow is 15 degrees cooler in summer than in winter.",
        "The flow is 95 °C in winter and 70 °C in summer.",
        False,
    ),
    ("Dale opens later than Brook.", "Brook opens on 12 June, Dale opens on 26 June.", True),
]


@pytest.mark.parametrize(("claim", "text", "is_so"), MORE_KINDS)
def test_lists_lines_multiples_and_differences_decide_too(
    claim: str,
    text: str,
    is_so: bool,  # noqa: FBT001
) -> None:
    """Each thing has a value of its own, in one list or in a line each."""
    sentences = [text[start:end] for start, end in sentence_ranges(text)]
    found = [one for one in check_values(claim, sentences) if one.kind == "number"]
    assert found[-1].relation == ("confirmed" if is_so else "contradicted")


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The staging lift is heavier than the old lift.", "Test lift 630 kg, old lift 500 kg."),
        ("Wages were the largest cost.", "June: takings 21,600; goods 6,480; wages 8,640."),
        ("Most homes lost power.", "2,400 homes of 6,000 homes lost power."),
        ("The slowest walker took six hours.", "Ida took six hours, Bo took five hours."),
        (
            "Plus has more members than Basic.",
            "Fees of members: Basic 25, Plus 40, Max 60 dollars.",
        ),
        ("Gas cost more than power.", "Gas 2,800 kWh, power 690 kWh."),
        (
            "The zone is half as large again as planned.",
            "The zone covers 21 km², 14 km² as planned.",
        ),
        (
            "Ash sold more plants than the week before.",
            "In week 15 Ash sold 450 plants and 80 pots.",
        ),
        ("Ash got more total time than Elm.", "Ash: 20 shots of 90 s. Elm: 8 shots of 300 s."),
        ("The pass rate was higher in May than in June.", "In May 168 passed, in June 150."),
    ],
)
def test_what_is_said_of_something_else_compares_nothing(claim: str, text: str) -> None:
    """Other things, other nouns, other units: a number of each is not enough."""
    sentences = [text[start:end] for start, end in sentence_ranges(text)]
    found = [one for one in check_values(claim, sentences) if one.kind == "number"]
    assert not [one for one in found if one.relation == "contradicted"]
    assert not [one for one in found if one.is_whole]
