"""What other sentences give by one operation is not accused; what nothing gives is."""

import pytest

from groundwire.judge.facts import check_values

PRINTER = (
    "The order is for 5,000 brochures and 750 posters.",
    "The press runs at 10,000 sheets an hour.",
    "Delivery is promised for Saturday.",
    "The price is $2,300 for brochures and $450 for posters.",
)
STUDIO = (
    "Small package: 4 hours, 150 pictures, 900 euros.",
    "An extra hour costs 180 euros.",
    "Pictures are delivered within five weeks.",
    "The deposit is 30%.",
)
MILL = (
    "The call came in at 03:12.",
    "The first engine was there at 03:21, the second eleven minutes after the call.",
)
FILTER = ("The filter blocked 61,000 of 100,000 incoming messages last week.",)


def accused(claim: str, evidence: tuple[str, ...]) -> list[str]:
    found = check_values(claim, evidence)
    return [one.claimed for one in found if one.relation == "contradicted"]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("A brochure costs 46 cents.", PRINTER),
        ("A poster costs $0.60.", PRINTER),
        ("The deposit on the small package is €270.", STUDIO),
        ("The second engine was there at 03:23.", MILL),
        ("39 percent of last week's incoming messages got through the filter.", FILTER),
    ],
)
def test_a_value_that_is_one_operation_away_is_not_accused(
    claim: str, evidence: tuple[str, ...]
) -> None:
    """A price and a number, a share and a whole, a moment and a span give it."""
    assert accused(claim, evidence) == []


@pytest.mark.parametrize(
    ("claim", "evidence", "claimed"),
    [
        ("An extra hour costs 210 euros.", STUDIO, "210 euros"),
        ("The call came in at 03:19.", MILL, "03:19"),
        ("The filter blocked 16,000 of 100,000 incoming messages last week.", FILTER, "16,000"),
    ],
)
def test_what_no_operation_gives_is_still_accused(
    claim: str, evidence: tuple[str, ...], claimed: str
) -> None:
    """A wrong value in its place stays one."""
    assert claimed in accused(claim, evidence)


def test_a_rate_in_another_unit_is_not_accused() -> None:
    """What is counted is no unit, so that seconds and minutes cannot be compared."""
    evidence = ("The API allows 100 requests per second.",)
    assert accused("The API allows 6,000 requests per minute.", evidence) == []
    assert accused("The API allows 6,000 requests per second.", evidence) == ["6,000"]


def test_what_a_sentence_is_about_excludes_nothing() -> None:
    """That one year is a leap year says nothing of another."""
    assert accused("2020 is a leap year.", ("2024 is a leap year.",)) == []


def test_dollars_that_say_whose_they_are_can_differ() -> None:
    """Plain dollars may be anybody's."""
    assert accused("The price is A$500.", ("The price is US$500.",)) == ["A$500"]
    assert accused("The price is $500.", ("The price is US$500.",)) == []
