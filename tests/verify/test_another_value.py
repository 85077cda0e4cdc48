"""A sentence of the context, said again with another value."""

import pytest

from groundwire.values import quantities_in
from groundwire.verify._another_value import another_value


def found(claim: str, context: str, *others: str) -> tuple[str, str] | None:
    given = [one for text in (context, *others) for one in quantities_in(text)]
    return another_value(claim, context, given)


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("Permits are for vehicles of up to 6 m.", "A permit is for vehicles of up to 5 m."),
        ("The loan can run for 12 to 60 months.", "The small loan runs for 12 to 84 months."),
        ("Last entry is two hours before closing.", "Last entry is one hour before closing."),
        (
            "Last entry is two hours before closing, so at 17:00.",
            "Last entry is one hour before closing.",
        ),
        (
            "Buffer B may be used for two weeks.",
            "Buffer B may be used for four weeks when cold and one week when warm.",
        ),
        ("The reading at seven was 42.", "The reading at seven was 22."),
        ("The deposit for a bicycle is 300 euros.", "For a bicycle a deposit of 250 euros is due."),
        ("The oven is set to 210 degrees.", "The oven is set to 180 degrees."),
        ("Each pallet carries 700 kg.", "Each pallet carries at most 650 kg."),
        ("The filter is changed every 90 hours.", "The filter is changed every 120 hours."),
    ],
)
def test_another_value_in_the_same_words_is_found(claim: str, context: str) -> None:
    """Nothing that is given makes it of the one that stands there."""
    assert found(claim, context) is not None


@pytest.mark.parametrize(
    ("claim", "context", "others"),
    [
        (
            "The entry fee is 12 euros.",
            "The entry fee is 10 euros for children.",
            ["Adults pay 12 euros."],
        ),
        (
            "The postage costs 84 euros.",
            "The postage costs 7 euros a box.",
            ["There are 12 boxes."],
        ),
        ("The rack draws 73 kW.", "The rack draws 61 kW.", ["A new one draws 12 kW."]),
        ("The jacket costs 72 euros.", "The jacket costs 80 euros.", ["Members get 10 % off."]),
        ("So the jacket costs 75 euros.", "The jacket costs 80 euros.", []),
        ("The jacket costs not 75 euros.", "The jacket costs 80 euros.", []),
        ("The jacket costs about 75 euros.", "The jacket costs 80 euros.", []),
        ("The jacket costs 0.08 thousand euros.", "The jacket costs 80 euros.", []),
        ("The north gate opens for 5 minutes.", "The south gate opens for 9 minutes.", []),
        ("600 → 1200 at 150 per hour: 4 h.", "From 600 in 1 h 150 per hour to 1,200.", []),
        ("The tank holds 40 litres.", "The tank is 9 m long.", []),
        ("The belt moves 3 m in 2 s.", "The belt moves 1.5 m in 1 s.", []),
        ("The third gate is open for 5 minutes.", "The gate is open for 9 minutes.", []),
    ],
)
def test_what_is_given_or_may_come_of_it_is_not(
    claim: str, context: str, others: list[str]
) -> None:
    """Nor what is said of another thing, or concluded."""
    assert found(claim, context, *others) is None
