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


def verdicts(text: str) -> list[bool | None]:
    return [one.holds for one in computations_in(text)]


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("10 June 2024 minus 3 years is {}.", "10 June 2021", "10 June 2020"),
        ("31 January 2023 plus 18 months is {}.", "31 July 2024", "31 July 2025"),
        ("31 January 2024 plus 1 month is {}.", "29 February 2024", "25 February 2024"),
        ("29 February 2024 plus 1 year is {}.", "28 February 2025", "2 April 2025"),
        ("10 June minus 6 months is {}.", "10 December", "10 November"),
        ("18 months after 31 January 2023 is {}.", "31 July 2024", "31 August 2024"),
        ("2 years before 10 June 2024 is {}.", "10 June 2022", "10 June 2026"),
        ("30 April 2024 minus 30 days is {}.", "31 March 2024", "1 April 2024"),
        ("1 March 2024 minus 1 day is {}.", "29 February 2024", "28 February 2024"),
        ("27 December 2023 + 10 days = {}.", "6 January 2024", "6 January 2023"),
        ("May 5, 2024 plus 90 days is {}.", "August 3, 2024", "August 5, 2024"),
        ("2024-05-01 minus 2 months is {}.", "2024-03-01", "2024-04-01"),
        ("12/05/2024 + 3 days = {}.", "15/05/2024", "16/05/2024"),
        ("Adding 3 days to 12 May gives {}.", "15 May", "16 May"),
        ("Going back 30 days from 31 March gives {}.", "1 March", "30 April"),
        ("8:00 minus 30 minutes is {}.", "7:30", "7:00"),
        ("00:15 minus 30 minutes is {}.", "23:45", "23:15"),
        ("2 pm minus 3 hours is {}.", "11 am", "11 pm"),
        ("Noon minus 45 minutes is {}.", "11:15", "11:45"),
        ("Subtracting 30 minutes from 8:00 gives {}.", "7:30", "8:30"),
        ("9 am plus 12 hours is {}.", "9 pm", "9 am"),
        ("2024-03-10 - 2024-02-25 = {}.", "14 days", "16 days"),
        ("2024-02-25 - 2024-03-10 = {}.", "14 days", "20 days"),
        ("10:30 - 09:15 = {}.", "1 h 15 min", "1 h 25 min"),
        ("10:30 minus 9:15 is {}.", "75 minutes", "85 minutes"),
        ("22:00 - 06:00 = {}.", "8 hours", "9 hours"),
    ],
)
def test_dates_and_clocks_are_moved_both_ways(text: str, right: str, wrong: str) -> None:
    """Days, months and years are added and taken, and two moments are subtracted."""
    assert verdicts(text.format(right)) == [True]
    assert verdicts(text.format(wrong)) == [False]


@pytest.mark.parametrize(
    "text",
    [
        "June 2024 minus 3 months is March 2024.",
        "1 January 2024 plus 1 year is 31 December 2024.",
        "2024-03-10 - 2024-02-25 = 15 days.",
        "45 minutes + 8:00 + 30 minutes = 9:15",
        "8.30 minus 30 minutes is 8.00.",
        "1:30 + 0:45 = 2:15",
        "14h30 + 45 min = 15h15",
        "10:00 UTC + 2 hours = 14:00 CEST",
        "6:34 minus 6:31 is three seconds.",
        "5:58 to 6:03 is five seconds.",
        "6:31 plus 3 seconds is 6:34.",
        "25 + 10 = 4 May",
    ],
)
def test_the_numbers_of_a_date_or_clock_are_not_computed_with(text: str) -> None:
    """Where a date, a clock or a length of time may be counted otherwise, nothing is said."""
    assert not [one for one in verdicts(text) if one is not None]


def test_a_year_and_the_day_of_a_result_are_numbers() -> None:
    """ "2024 - 1990" computes with years, and "6 + 7 = 13 April" with days."""
    assert verdicts("2024 - 1990 = 34") == verdicts("6 + 7 = 13 April.") == [True]
    assert verdicts("2024 - 1990 = 35") == [False]
    assert verdicts("2024 minus 3 years is 2021.") == [True]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("$200 + 8% = $216.", True),
        ("200 + 8% = 218", False),
        ("200 + 8% = 200.08", None),
        ("$200 + 8% tax + $5 = $221", True),
        ("100 - 15% = 85.", True),
        ("80 plus 25% is 100.", True),
        ("80 plus 25% is 105.", False),
        ("0.4 + 10% = 50%", None),
        ("100 + 10% × 2 = 120", None),
        ("100 + 20% × 50 = 110", True),
        ("100 + 20% × 50 = 115", False),
        ("5% + 3% = 8%", True),
        ("5% + 3% = 9%", False),
        ("20% + 5 = 25%", None),
        ("100 - 35 = 65%", True),
        ("100% - 35 = 65%", None),
        ("200 + 8% of 200 = 216", True),
        ("48/60 × 100 = 80%", True),
        ("48/60 × 100% = 80%", True),
        ("0.4 × 100% = 40", True),
        ("45/60 = 0.75%", False),
        ("3/100 = 0.03%", False),
        ("10% of 200 is 2000.", False),
        ("10% of 100 is 1000.", False),
        ("0.5% of 200 is 100", False),
        ("15% of 80 is 1.2", False),
        ("200 × 5% = 1000", None),
        ("100 × 5% = 500", None),
        ("100 g × 20% = 20 g", True),
    ],
)
def test_a_share_is_taken_once(text: str, *, holds: bool | None) -> None:
    """After plus and minus it is one of what stands before; where it is taken, nothing is left."""
    assert verdicts(text) == [holds]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("3 dozen - 5 = 31.", True),
        ("3 dozen - 5 = 32.", False),
        ("three dozen minus 5 is 31.", True),
        ("2 dozen eggs + 6 eggs = 30 eggs.", True),
        ("2 dozen + 6 = 2.5 dozen", True),
        ("3 dozen × 12 = 36", True),
        ("3 dozen × $2 = $6", True),
        ("3 dozen + 6 = 9", None),
        ("3 pairs + 1 = 7 socks.", True),
        ("5 pairs + 1 = 6 pairs", None),
        ("2 pairs + 3 pairs = 5 pairs", True),
        ("2 pairs + 3 pairs = 6 pairs", False),
        ("3 boxes + 1 = 13 pens", None),
        ("3 boxes + 1 = 5 boxes", False),
        ("3 apples + 4 pears = 8 fruits", False),
    ],
)
def test_a_dozen_is_twelve_or_one_dozen(text: str, *, holds: bool | None) -> None:
    """What holds things may be counted itself, or what it holds."""
    assert verdicts(text) == [holds]


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("1 kg + 500 g = 1.5 kg", True),
        ("1 kg + 500 g = 501 g.", False),
        ("1 kg + 500 g = 1500", True),
        ("1 kg + 500 g = 501", None),
        ("The sum of 1 kg and 500 g is 501 g.", False),
        ("2 h + 30 min = 150 min", True),
        ("2 h + 30 min = 32 min", False),
        ("5 m + 20 cm = 25 cm", False),
        ("3 weeks + 2 days = 24 days", False),
        ("2 years + 6 months = 30 months", True),
        ("1 month + 2 weeks = 6 weeks", None),
        ("60 km/h × 90 min = 90 km", True),
        ("60 km/h × 90 min = 5400 km.", False),
        ("120 km / 2 h = 60 km/h", True),
        ("100 km / 90 min = 66.7 km/h", True),
        ("12 V × 2 A = 24 W", True),
        ("2 kW × 3 h = 7 kWh", False),
        ("3 m × 4 m = 12 m²", True),
        ("40 hours × $15 = $600", True),
        ("8 hours × 5 days = 40 hours", True),
        ("12 × 5 min = 1 h", True),
        ("7.5 × 600 g = 4.5 kg", True),
        ("5 mg × 3 = 15 g.", None),
        ("3 kg × 4 = 12 g", None),
        ("2 days × 8 = 16 h", None),
        ("3 h × 60 = 180 min", True),
        ("90 min / 60 = 1.5 h", True),
        ("$1 / 4 = 25 cents.", True),
        ("$5 + 50 cents = $5.50", True),
        ("$5 + 50 cents = $55", False),
        ("3 × $4 = 12 euros", None),
        ("3 × €4 = 12 euros", True),
        ("$3 + 4 = 7$", True),
        ("1 GB = 1024 MB", None),
        ("10 years = 3650 days", None),
        ("1 gallon = 4.5 litres", None),
        ("2 tons = 2000 kg", None),
        ("600 s is 10 minutes.", True),
        ("1.5 h is 90 minutes.", True),
        ("3 h is 190 min.", False),
        ("2 h plus 30 min is 150 min.", True),
        ("36 km/h is 10 m/s", True),
    ],
)
def test_units_are_converted_before_they_are_compared(text: str, *, holds: bool | None) -> None:
    """Equal numbers of unequal units are not the same; where a unit is left out, it is open."""
    assert verdicts(text) == [holds]


@pytest.mark.parametrize(
    "text",
    ["17 / 5 = 3 remainder 2", "17 ÷ 5 = 3 R 2", "17 / 5 = 3, with a remainder of 2."],
)
def test_a_division_with_a_remainder_comes_to_no_number(text: str) -> None:
    """What is left over is part of the result."""
    assert computations_in(text) == []
