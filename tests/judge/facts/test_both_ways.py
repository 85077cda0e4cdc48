"""The tier speaks both ways: equal values in one place support, siblings are left alone."""

from itertools import permutations

import pytest

from groundwire.judge import Finding, check_values

# every line is one value in several forms
EQUAL = {
    "The supply rail of the sensor is {}.": ["725 mV", "0.725 V", "0.725 volts"],
    "The bakery keeps its oven at {}.": ["230 \u00b0C", "446 \u00b0F", "230 degrees Celsius"],
    "The roof repair cost {}.": [
        "\u20ac210k",
        "EUR 210,000",
        "210,000 euros",
        "\u20ac0.21 million",
    ],
    "The loan of the cooperative is {}.": ["$3.5m", "3.5 million dollars", "USD 3,500,000"],
    "The evening ferry leaves at {}.": [
        "3 pm",
        "15:00",
        "3:00 p.m.",
        "three o'clock in the afternoon",
    ],
    "The nightly export starts at {}.": ["14:00 UTC", "16:00 CEST", "2 pm GMT", "09:00 EST"],
    "The choir rehearsal lasts {}.": [
        "90 minutes",
        "1.5 hours",
        "an hour and a half",
        "1 h 30 min",
    ],
    "The guarantee of the boiler runs for {}.": ["24 months", "two years", "2 years"],
    "Each node has a cache of {}.": ["2 GiB", "2,048 MiB"],
    "The archive holds {} of scans.": ["1.5 TB", "1,500 GB"],
    "Mould was found on {} of the cheeses.": ["a quarter", "25%", "one in four", "25 per cent"],
    "The levy takes {} of the catch.": ["two fifths", "40 percent", "40%"],
    "Turnout rose by {}.": ["0.5 percentage points", "50 basis points"],
    "The kennel houses {} dogs.": ["24", "two dozen", "twenty-four"],
    "The abbey bought {} candles.": ["60", "three score", "sixty"],
    "The channel has {} subscribers.": ["1.2k", "1,200", "twelve hundred"],
    "The cold store is kept at {}.": ["-18 \u00b0C", "minus 18 \u00b0C", "18 \u00b0C below zero"],
    "The trench is {} deep.": ["between 10 and 20 cm", "10\u201320 cm", "10 to 20 cm"],
    "The vineyard came in {} at the fair.": ["third", "3rd"],
    "The lease began on {}.": ["3 May 2024", "2024-05-03", "May 3rd, 2024"],
    "The tank truck weighs {}.": ["12 tonnes", "12,000 kg", "twelve tonnes"],
    "The patrol covers {} a night.": ["5 miles", "8 km"],
}
PAIRS = [
    (template.format(one), template.format(other))
    for template, forms in EQUAL.items()
    for one, other in permutations(forms, 2)
]


def of_values(claim: str, *sentences: str) -> list[Finding]:
    return [f for f in check_values(claim, sentences) if f.kind in {"number", "date"}]


@pytest.mark.parametrize(("claim", "sentence"), PAIRS)
def test_the_same_value_in_another_form_carries_the_claim(claim: str, sentence: str) -> None:
    """However it is written, an equal value in the same place grounds the claim alone."""
    assert [(f.relation, f.is_whole) for f in of_values(claim, sentence)] == [("confirmed", True)]


UNEQUAL = {
    "The supply rail of the sensor is {}.": ["725 mV", "0.527 V"],
    "The bakery keeps its oven at {}.": ["230 \u00b0C", "400 \u00b0F"],
    "The roof repair cost {}.": ["\u20ac210k", "$210,000"],
    "The loan of the cooperative is {}.": ["$3.5m", "5.3 million dollars"],
    "The evening ferry leaves at {}.": ["3 pm", "13:00"],
    "The nightly export starts at {}.": ["14:00 UTC", "14:00 CEST"],
    "The choir rehearsal lasts {}.": ["90 minutes", "three hours"],
    "The archive holds {} of scans.": ["1.5 TB", "1.5 GB"],
    "The levy takes {} of the catch.": ["two fifths", "60%"],
    "The kennel houses {} dogs.": ["36", "two dozen"],
    "The cold store is kept at {}.": ["-18 \u00b0C", "18 \u00b0C"],
    "The lease began on {}.": ["3 May 2024", "2024-03-05"],
    "The kitchen serves {} guests.": ["fewer than 400", "500"],
    "The council paid {} for the land.": ["at least 600 euros", "500 euros"],
}


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (template.format(one), template.format(other))
        for template, forms in UNEQUAL.items()
        for one, other in permutations(forms, 2)
    ],
)
def test_another_value_of_the_same_thing_contradicts(claim: str, sentence: str) -> None:
    """A value, a unit or a currency that cannot be the same one is named."""
    assert [f.relation for f in of_values(claim, sentence)] == ["contradicted"]


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The kitchen serves more than 400 guests.", "The kitchen serves 500 guests."),
        ("The kitchen serves at least 500 guests.", "The kitchen serves 500 guests."),
        ("The kitchen serves up to 500 guests.", "The kitchen serves 500 guests."),
        ("The kitchen serves about 500 guests.", "The kitchen serves 490 guests."),
        ("The kitchen serves almost 500 guests.", "The kitchen serves 492 guests."),
        ("The kitchen serves 500 guests.", "On feast days the kitchen serves 500 guests."),
        ("The gate is priced at 40 euros.", "The gate costs EUR 40."),
        ("The pier has a length of 120 m.", "The pier is 0.12 km long."),
    ],
)
def test_what_holds_of_the_value_is_confirmed(claim: str, sentence: str) -> None:
    """A comparison that the stated value meets supports the claim."""
    assert [(f.relation, f.is_whole) for f in of_values(claim, sentence)] == [("confirmed", True)]


def test_more_than_a_number_is_not_that_number() -> None:
    """ "More than 500" says nothing true or false of 500 that a rule should decide."""
    claim, sentence = "The kitchen serves more than 500 guests.", "The kitchen serves 500 guests."
    assert of_values(claim, sentence) == []


SIBLINGS = [
    ("staging", "production"),
    ("north", "south"),
    ("adult", "child"),
    ("old", "new"),
    ("red", "blue"),
    ("first", "second"),
    ("Delft", "Zeist"),
    ("inner", "outer"),
]
OF_A_KIND = [
    ("The {} cluster has {} nodes.", "3", "12"),
    ("The {} gate is {} wide.", "3 m", "4.5 m"),
    ("The {} ticket costs {}.", "20 euros", "35 euros"),
    ("The {} shift starts at {}.", "6 am", "14:00"),
    ("The {} line carried {} passengers.", "9,000", "12,000"),
    ("The pump of the {} basin delivers {} a minute.", "40 litres", "60 litres"),
]


@pytest.mark.parametrize("kinds", SIBLINGS, ids=str)
@pytest.mark.parametrize(("template", "one", "other"), OF_A_KIND)
def test_a_sibling_is_never_decided(
    template: str, one: str, other: str, kinds: tuple[str, str]
) -> None:
    """What is told of one of two like things says nothing about the other, equal or not."""
    for mine, theirs in permutations(kinds):
        for value in (one, other):
            assert of_values(template.format(mine, one), template.format(theirs, value)) == []


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The mast weighs 12 tonnes.", "The guy wires of the mast are 12 mm thick."),
        ("Repairing the line cost 86,000 euros.", "Upkeep cost 310,000 euros in 2023."),
        ("Backups are kept for 30 days.", "Backups are kept for 90 days, logs for 30 days."),
        ("Acme employs 40 people.", "The rival of Acme trained 40 people."),
        ("In 2022 upkeep cost 310,000 euros.", "In 2023 upkeep cost 310,000 euros."),
    ],
)
def test_the_value_in_another_place_supports_nothing(claim: str, sentence: str) -> None:
    """The number alone, somewhere in the evidence, is no confirmation."""
    assert not [f for f in of_values(claim, sentence) if f.relation == "confirmed"]


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("The press runs at 40 bar.", "The press may run at 40 bar."),
        ("The press stops at 40 bar.", "The press stops at 40 bar if the guard is open."),
        ("Acme employs 40 people.", "The supplier of Acme employs 40 people."),
        ("The annex is 5 m longer than the hall.", "The hall is 5 m longer than the annex."),
        ("The crew of the tug is 12 sailors from Genoa.", "The crew of the tug is 12 sailors."),
    ],
)
def test_a_claim_that_says_more_or_something_else_is_not_carried_whole(
    claim: str, sentence: str
) -> None:
    """A confirmed value in a claim that drops a condition or turns roles round grounds nothing."""
    assert not [f for f in check_values(claim, [sentence]) if f.is_whole]


# the first value of each line differs from every other in amount, unit or currency alone
REWORDED = [
    (
        "The terminal charge is {} for each container.",
        "The shipper pays the terminal charge of {} per container.",
        ["EUR 310", "USD 310", "EUR 450"],
    ),
    (
        "The annual rent of the stall is {}.",
        "Holders pay an annual rent of {} for the stall.",
        ["EUR 900", "EUR 1,400", "$900"],
    ),
    (
        "The pier has a length of {}.",
        "Reaching into the bay, the pier is {} long.",
        ["120 m", "90 m", "120 ft"],
    ),
    (
        "The guarantee on the boiler is {}.",
        "For the boiler a guarantee of {} is given.",
        ["24 months", "5 years", "24 days"],
    ),
    (
        "The kiln was bought in {}.",
        "The pottery bought the kiln in {} from a dealer.",
        ["2014", "2017", "1998"],
    ),
]


@pytest.mark.parametrize(
    ("claim", "sentence", "is_same"),
    [
        (claim.format(one), sentence.format(other), one == other)
        for claim, sentence, (first, *others) in REWORDED
        for one, other in [
            (first, first),
            *((first, o) for o in others),
            *((o, first) for o in others),
        ]
    ],
)
def test_a_reworded_claim_is_answered_by_its_value(
    claim: str, sentence: str, *, is_same: bool
) -> None:
    """Where subject and predicate agree, another amount, unit or currency contradicts."""
    expected = ["confirmed"] if is_same else ["contradicted"]
    assert [f.relation for f in of_values(claim, sentence)] == expected


def test_another_amount_in_another_currency_is_left_alone() -> None:
    """It may be the same price, converted."""
    claim, sentence = "The berth costs EUR 450.", "The berth costs USD 490."
    assert of_values(claim, sentence) == []


def test_what_names_the_measure_does_not_make_anothers_value_ones_own() -> None:
    """The p95 is told of both; the 61 ms are Merl's."""
    told = ["The p95 delay of Kite was 84 ms, compared with 61 ms for Merl."]
    assert not any(one.is_whole for one in check_values("Kite's p95 delay was 61 ms.", told))
    assert any(one.is_whole for one in check_values("Kite's p95 delay was 84 ms.", told))
