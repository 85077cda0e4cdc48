"""Arithmetic that a text writes out, worked out again."""

from fractions import Fraction

import pytest

from groundwire.values import (
    Given,
    Period,
    bindings_in,
    computations_in,
    out_of_reach,
    values_in,
)


@pytest.mark.parametrize(
    ("text", "holds", "expected"),
    [
        ("12 × 40 = 480", True, "480"),
        ("So 3 + 4 = 8.", False, "7"),
        ("The pumps cost 12 pumps × 40 EUR = 480 EUR.", True, "480"),
        (r"$\frac{3}{4} \times 80 = 60$", True, "60"),
        ("20% of 50 is 10", True, "10"),
        ("half of 50 is 26", False, "25"),
        ("Dividing 480 by 12 gives 40.", True, "40"),
        ("The sum of 3, 4 and 5 is 13.", False, "12"),
        ("Subtracting 5 from 12 leaves 8.", False, "7"),
        ("45/60 = 75%", True, "0.75"),
        ("54 of 360 is 1.5 %", False, "0.15"),
        ("2.5 hours is 150 minutes", True, "150"),
        ("2.5 hours = 160 minutes", False, "150"),
        ("10/3 = 3.33", True, "3.33333"),
        ("0.20 × 10/100 = 0.002 mol/l", False, "0.02"),
        ("(3 - -6 - 9 * 4) = -33", False, "-27"),
        ("1,360 / 30 = 45.3, so 46 full trays", False, "45"),
        ("33,000 g ÷ 450 g = 73.3, so 73 full jars", True, "73"),
        ("From 22:47 to 07:19 is 9 hours 32 minutes.", False, "8 h 32 min"),
        ("Break: 12:10 to 12:55, so 45 minutes.", True, "45 min"),
        ("From 09:15 to 11:45 is 1 hour 30 minutes.", False, "2 h 30 min"),
        ("From 11:00 to 1:30 is 2.5 hours.", True, "14 h 30 min"),
        ("20 minutes after 11:50 is 12:20.", False, "12:10"),
        ("It takes 0.22 × 450 = 96 kg of tin.", False, "99"),
        ("24 loads mean 24 × 60 = 1,440 minutes of driving.", True, "1440"),
        ("2 May + 21 days = 23 May", True, "23 May"),
        ("27 March 15:00 + 8 d 6 h = 3 April 21:00", False, "4 April 21:00"),
        ("28 days after 23 May is 21 June.", False, "20 June"),
        ("1 March 2024 to 31 May 2024, which is 92 days", True, "91 days"),
    ],
)
def test_what_is_worked_out_is_worked_out_again(
    text: str,
    holds: bool,  # noqa: FBT001
    expected: str,
) -> None:
    """Numbers, shares, units, dates and times, in signs or in words."""
    (found,) = computations_in(text)
    assert (found.holds, found.expected) == (holds, expected)
    assert text[found.start : found.end] == found.text


@pytest.mark.parametrize(
    "text",
    [
        "x + 3 = 5",
        "2x = 10",
        "f(3) = 5",
        "36x - 16 = 11",
        "5 pairs = 5 * 2",
        "2 + 8 = 4 (mod 6)",
        "3L^2 = 21",
        "the last digit of 3^3 is 7",
        "2004 - 2005 was a good year",
    ],
)
def test_what_may_be_meant_otherwise_is_not_called_wrong(text: str) -> None:
    """Variables, functions, remainders and counts are no arithmetic that could be wrong."""
    assert not [one for one in computations_in(text) if one.holds is False]


@pytest.mark.parametrize("text", ["48/60 = 0.8 × 100 = 80%", "5 + 3 = 8 - 2 = 6", "22/7 ≈ 3.1"])
def test_how_people_write_is_no_error(text: str) -> None:
    """Chains that go on from their result, and rounding."""
    assert not [one for one in computations_in(text) if one.holds is False]


def test_letters_stand_for_what_they_were_said_to_be() -> None:
    """What was bound before is used after; a letter that was not makes it unreadable."""
    known = bindings_in("Let A = (2 + 3) * 4 = 20 and B = 7.")
    assert known == {"A": Fraction(20), "B": Fraction(7)}
    (found,) = computations_in("A - B = 12", known)
    assert (found.holds, found.expected) == (False, "13")
    assert computations_in("A - C = 12", known) == []


GIVEN = Given(
    (
        "Bay A: 2,000 kg per level.",
        "Three pallets of 700 kg each came at 09:10 and 10:40.",
        "5 percent of the gross is kept; the gross is 3,600.",
        "Version 4.2 runs there.",
    )
)


@pytest.mark.parametrize(
    "text",
    [
        "Bay A holds 2,000 kg.",
        "Together they weigh 2,100 kg.",
        "That is 2 t on the level.",
        "90 minutes lay between them.",
        "The 5 percent come to 180.",
        "4.2 runs there.",
        "There are two bays.",
    ],
)
def test_a_number_that_is_given_or_one_step_away_is_within_reach(text: str) -> None:
    """Stated, converted, added, multiplied, a share, a span, a version, or a small count."""
    assert out_of_reach(text, GIVEN) == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Bay A takes 2,515 kg.", "2,515 kg"),
        ("The 5 percent come to 360.", "360"),
        ("The lift costs EUR 7,310.", "EUR 7,310"),
    ],
)
def test_a_number_from_nowhere_is_out_of_reach(text: str, number: str) -> None:
    """Neither stated nor the result of one operation."""
    assert [one.text for one in out_of_reach(text, GIVEN)] == [number]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("23,000 km is past 20,000, and what comes first counts.", True),
        ("Seven months is inside twelve.", True),
        ("50 is within 60.", True),
        ("1.59 is greater than 1.55.", True),
        ("240 isn't below 230, so the harvest is not open.", True),
        ("8 lies between 13 and 4, so half is owed.", True),
        ("14.2 V is between 13.8 and 14.6.", True),
        ("2.4 kg is not within 2 kg.", True),
        ("90 minutes is less than 1 hour.", False),
        ("150 is over 200.", False),
        ("35 °C exceeds the limit of 38 °C.", False),
        ("9 is between 13.8 and 14.6.", False),
        ("61 pupils is not under 66.", False),
        ("0.9 kg is more than 1,000 g.", False),
    ],
)
def test_what_is_compared_is_compared_again(text: str, *, holds: bool) -> None:
    (found,) = computations_in(text)
    assert (found.is_comparison, found.holds) == (True, holds)


@pytest.mark.parametrize(
    "text",
    [
        "If 7 is over 8, nothing is due.",
        "18 is more than 3 times 7.",
        "It is 5 minutes over 2 hours.",
        "About 50 is less than 40.",
        "5 kg is more than 3 m.",
        "The 3 pumps above 2 m are old.",
        "Layer 209 lies below 205.",
        "Take those that divide by 7 and are between 100 and 200.",
        "Seven times that is well over 300.",
    ],
)
def test_what_is_supposed_or_unlike_is_not_compared(text: str) -> None:
    assert not [one for one in computations_in(text) if one.is_comparison]


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("It lies six days before the full moon.", False),
        ("With both ends that is seven days.", False),
        ("That is 23 days ahead.", True),
    ],
)
def test_the_days_between_given_dates_are_within_reach(text: str, *, missing: bool) -> None:
    given = Given(("Full moon is on Thursday 7 November.", "Next evening: Friday 1 November."))
    assert bool(out_of_reach(text, given)) is missing


@pytest.mark.parametrize(
    ("text", "may_be"),
    [
        ("On 21 March it can be had.", True),
        ("On 28 March it runs out.", True),
        ("On 29 March a new one is due.", True),
        ("On 1 March 2024 it began.", True),
        ("At 15:00 on Friday.", True),
        ("On 10 March it can be had.", False),
        ("On 3 June it can be had.", False),
    ],
)
def test_a_date_is_given_or_a_given_span_away(text: str, *, may_be: bool) -> None:
    given = Given(("A supply is 28 days and began on 1 March.", "On 21 March seven days remain."))
    dates = [one for one in values_in(text) if isinstance(one, Period)]
    assert all(given.may_give_date(one) for one in dates) is may_be
