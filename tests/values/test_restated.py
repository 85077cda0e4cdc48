"""What a text says twice is read twice."""

import pytest

from groundwire.values import Given, computations_in, out_of_reach


def told(text: str) -> list[bool | None]:
    return [one.holds for one in computations_in(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Flour: 1,125 g, i.e. 1.125 kg.",
        "The salt weighs 288 g (0.288 kg).",
        "13,671 cents, i.e. 136.71 euros, are due.",
        "The trail is 18 km (11 miles) long.",
        "The sum is 10.3 h, i.e. 10 h 18 min.",
        "The walk is 3.5 km, that is 3,500 m.",
        "1,500 ml, which is 1.5 litres, fit in.",
        "So 14 and 9 chairs make 23 chairs.",
        "12 kg, 4 kg and 5 kg make 21 kg.",
        "The ready nodes are n1, n2 and n4, which makes three.",
        "That makes four charges: February, March, April and May.",
        "April has 30 days.",
        "February 2028 has 29 days.",
        "2100 is not a leap year.",
        "It is due on Thursday, 3 October 2030.",
        "3 October 2030 is a Thursday.",
        "The film ends 108 minutes after 18:15, at 20:03.",
        "The shift begins 8 days after 3 October, on Friday 11 October.",
    ],
)
def test_what_is_said_twice_alike_holds(text: str) -> None:
    """In two units, as a sum, as a list and its length, as a date and its day."""
    assert set(told(text)) == {True}


@pytest.mark.parametrize(
    "text",
    [
        "Flour: 1,125 g, i.e. 11.25 kg.",
        "The salt weighs 288 g (2.88 kg).",
        "13,671 cents, i.e. 1,367.10 euros, are due.",
        "The parcel weighs 5 kg (50 lb).",
        "The walk is 3.5 km, that is 350 m.",
        "1.5 h (i.e. 100 min) are left.",
        "So 14 and 9 chairs make 25 chairs.",
        "12 kg, 4 kg and 5 kg make 20 kg.",
        "The ready nodes are n1, n2, n4, n6, n8 and n9, which makes seven.",
        "Two colours: red, white and blue.",
        "April has 31 days.",
        "February 2028 has 28 days.",
        "2100 is a leap year.",
        "It is due on Wednesday, 3 October 2030.",
        "3 October 2030 is a Friday.",
        "The film ends 108 minutes after 18:15, at 20:30.",
        "The shift begins 8 days after 3 October, on Saturday 12 October.",
    ],
)
def test_what_is_said_twice_otherwise_cannot_be(text: str) -> None:
    """One of the two is wrong, and what is so is told."""
    (found,) = [one for one in computations_in(text) if one.holds is False]
    assert found.expected


@pytest.mark.parametrize(
    "text",
    [
        "40 hours, i.e. 5 days, are worked.",  # of eight hours
        "5 days, i.e. one week, are worked.",
        "It took 60 min, which is 1.5 h less.",
        "A box of 240 euros (60 euros off) is cheap.",
        "Rooms 3 and 4 make 40 boxes.",
        "2 cups and 3 spoons make 4 cakes.",
        "Anna, Ben and Carla make seven pairs.",
        "Two guests: Anna, who came late.",
        "Add 8 × 4 g, i.e. 0.032 kg.",
        "About 18 km (12 miles) remain.",
        "February has 29 days in a leap year and the shop is shut.",
        "Friday and 3 October 2030 suit us.",
        "All four readings lie between 0 and 2 degrees.",
        "The 14 pupils are under 12.",
        "Monday has 3 days of rain behind it.",
        "08:30 has 2 days to go.",
        "2027 has 365 days, Q3 2027 has 92 days.",
        "14 March has 2 days on either side.",
    ],
)
def test_what_may_be_meant_otherwise_is_not_accused(text: str) -> None:
    """Days of work, labels, things that are made of others."""
    assert False not in told(text)


@pytest.mark.parametrize(
    "text", ["December has 31 days.", "February 2028 has 29 days, and it is cold."]
)
def test_the_calendar_needs_no_source(text: str) -> None:
    """How long a month is, nobody has to have said."""
    assert out_of_reach(text, Given(("The lease was signed.",))) == []


def test_a_length_of_time_needs_one() -> None:
    """That a month has so many days gives no lease its length."""
    given = Given(("The lease was signed.",))
    assert [one.text for one in out_of_reach("The lease has 47 days.", given)] == ["47 days"]
    assert out_of_reach("April has 31 days.", given) != []
