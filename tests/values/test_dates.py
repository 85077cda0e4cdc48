import pytest

from groundwire.values import Period, are_disjoint, lies_within, same_value, values_in
from groundwire.values._period import Day


def periods(text: str) -> list[Period]:
    return [value for value in values_in(text) if isinstance(value, Period)]


def one(text: str) -> Period:
    (period,) = periods(text)
    return period


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024-03-05", (2024, 3, 5), (2024, 3, 5)),
        ("3 March 2024", (2024, 3, 3), (2024, 3, 3)),
        ("March 3, 2024", (2024, 3, 3), (2024, 3, 3)),
        ("3rd of March 2024", (2024, 3, 3), (2024, 3, 3)),
        ("Mar. 3, 2024", (2024, 3, 3), (2024, 3, 3)),
        ("3-5 March 2024", (2024, 3, 3), (2024, 3, 5)),
        ("3. März 2024", (2024, 3, 3), (2024, 3, 3)),
        ("12. August 2024", (2024, 8, 12), (2024, 8, 12)),
        ("1 januari 2024", (2024, 1, 1), (2024, 1, 1)),
        ("Dezember 2024", (2024, 12, 1), (2024, 12, 31)),
        ("March 3-5, 2024", (2024, 3, 3), (2024, 3, 5)),
        ("February 2024", (2024, 2, 1), (2024, 2, 29)),
        ("February 2023", (2023, 2, 1), (2023, 2, 28)),
        ("in 2024", (2024, 1, 1), (2024, 12, 31)),
        ("Q3 2024", (2024, 7, 1), (2024, 9, 30)),
        ("Q3'24", (2024, 7, 1), (2024, 9, 30)),
        ("3Q24", (2024, 7, 1), (2024, 9, 30)),
        ("the third quarter of 2024", (2024, 7, 1), (2024, 9, 30)),
        ("H1 2024", (2024, 1, 1), (2024, 6, 30)),
        ("the first half of 2024", (2024, 1, 1), (2024, 6, 30)),
        ("FY24", (2023, 4, 1), (2024, 12, 31)),
        ("fiscal year 2024", (2023, 4, 1), (2024, 12, 31)),
        ("the 1990s", (1990, 1, 1), (1999, 12, 31)),
        ("mid-1990s", (1990, 1, 1), (1999, 12, 31)),
        ("the '90s", (1990, 1, 1), (1999, 12, 31)),
        ("the 1800s", (1800, 1, 1), (1899, 12, 31)),
        ("the 19th century", (1801, 1, 1), (1900, 12, 31)),
        ("the twenty-first century", (2001, 1, 1), (2100, 12, 31)),
        ("1990-1995", (1990, 1, 1), (1995, 12, 31)),
        ("1990\u201395", (1990, 1, 1), (1995, 12, 31)),
        ("2019/20", (2019, 1, 1), (2020, 12, 31)),
        ("from 1990 to 1995", (1990, 1, 1), (1995, 12, 31)),
        ("between 1990 and 1995", (1990, 1, 1), (1995, 12, 31)),
        ("44 BC", (-44, 1, 1), (-44, 12, 31)),
        ("79 AD", (79, 1, 1), (79, 12, 31)),
    ],
)
def test_a_date_is_a_closed_interval_of_days(text: str, first: Day, last: Day) -> None:
    assert (one(text).first, one(text).last) == (first, last)


@pytest.mark.parametrize("text", ["It took 3. May I ask?", "We had 12. April was cold", "Mei Lin"])
def test_a_number_that_ends_a_sentence_is_no_day(text: str) -> None:
    """Only a month with its year makes "3." the third of it."""
    assert not [period for period in periods(text) if period.frame == "calendar"]
    assert not [period for period in periods(text) if period.first[2:] in ((3,), (12,))]


def test_a_date_that_may_be_read_two_ways_has_both_readings() -> None:
    assert one("03/04/2024").readings == (
        ((2024, 4, 3), (2024, 4, 3)),
        ((2024, 3, 4), (2024, 3, 4)),
    )
    assert len(one("25/04/2024").readings) == 1


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        ("Q3 2024", "in 2024"),
        ("14 March 2019", "Q1 2019"),
        ("March 2024", "H1 2024"),
        ("in 1998", "the 1990s"),
        ("the 1990s", "the 20th century"),
        ("3 March 2024", "3 March"),
        ("March 3, 2024", "03/03/2024"),
        ("3 March", "in March"),
        ("10:30 pm", "22:30"),
        ("5 p.m.", "17:00"),
        ("noon", "12:00"),
        ("on Monday", "Mondays"),
    ],
)
def test_a_part_lies_within_the_whole(inner: str, outer: str) -> None:
    assert lies_within(one(inner), one(outer))
    assert not are_disjoint(one(inner), one(outer))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("in 1998", "in 1989"),
        ("Q3 2024", "Q4 2024"),
        ("14 March 2019", "14 May 2019"),
        ("9 June 2021", "9 July"),
        ("on Monday", "on Tuesday"),
        ("at 10:30 am", "at 10:45 am"),
        ("in 1998", "the 1980s"),
        ("before 1990", "in 1994"),
        ("after 2010", "in 2005"),
        ("by the end of Q3 2024", "by the end of Q4 2024"),
        ("since 1990", "since 1995"),
        ("until 2025", "until 2027"),
    ],
)
def test_dates_without_a_day_in_common_are_disjoint(text: str, other: str) -> None:
    assert are_disjoint(one(text), one(other))
    assert are_disjoint(one(other), one(text))


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("in 2024", "3 March"),
        ("before 2005", "in 2001"),
        ("after 2010", "in 2012"),
        ("by 2030", "in 2024"),
        ("since 1990", "in 1995"),
        ("around 1990", "in 1992"),
        ("03/04/2024", "3 April 2024"),
        ("03/04/2024", "4 March 2024"),
        ("on Monday", "in 2024"),
        ("10:30", "10:30 pm"),
    ],
)
def test_dates_that_may_agree_are_not_disjoint(text: str, other: str) -> None:
    assert not are_disjoint(one(text), one(other))


@pytest.mark.parametrize(
    "text",
    [
        "1998 people",
        "2000 patients",
        "they may 3 times",
        "Well 2 may be opened",
        "march on",
        "$2024",
        "1500 metres",
    ],
)
def test_counts_and_verbs_are_no_dates(text: str) -> None:
    assert periods(text) == []


@pytest.mark.parametrize(
    ("local", "universal"),
    [
        ("The call is at 9:00 (UTC+2).", "07:00 UTC"),
        ("The call is at 9:30 local time (UTC+2).", "07:30 UTC"),
        ("Boarding is at 18:15 local time in Lima (UTC-5).", "23:15 UTC"),
        ("Boarding is at 18:15 local time in Port Louis (UTC+4), gate 2.", "14:15 UTC"),
        ("The market opens at 10:00 (CEST).", "08:00 UTC"),
        ("Kick-off is at 3 pm (GMT+1).", "14:00 UTC"),
        ("Low tide comes at 6 am local time (UTC\u22123).", "09:00 UTC"),
        ("The valve shuts at 14:05 (UTC+5:30).", "08:35 UTC"),
        ("Prayers begin at noon local time (UTC+3).", "09:00 UTC"),
        ("The ward round starts at 07:45 local time in Cape Town (UTC+2).", "05:45 UTC"),
    ],
)
def test_a_zone_may_stand_in_brackets(local: str, universal: str) -> None:
    """Where a time is local, what follows in brackets says by how much."""
    (asked,) = values_in(universal)
    assert any(same_value(asked, value) for value in values_in(local))


@pytest.mark.parametrize("text", ["The shop opens at 9:00 (Mon-Fri).", "At 9:00 in Lima (UTC-5)."])
def test_other_brackets_are_no_zone(text: str) -> None:
    """A place with its zone is not the time's, where the time is not called local."""
    assert all(getattr(value, "zone_min", None) is None for value in values_in(text))


@pytest.mark.parametrize(
    ("text", "minute"),
    [
        ("a quarter of an hour past midnight", 15),
        ("half past midnight", 30),
        ("a quarter to midnight", 1425),
        ("ten minutes to noon", 710),
        ("ten past noon", 730),
        ("ten to seven in the evening", 1130),
        ("five to nine in the morning", 535),
        ("twenty to six p.m.", 1060),
    ],
)
def test_times_are_read_as_they_are_said(text: str, minute: int) -> None:
    (value,) = values_in(f"It left at {text}.")
    assert isinstance(value, Period)
    assert [first for first, _ in value.readings] == [(0, 0, minute)]


@pytest.mark.parametrize(
    "text", ["from ten to seven in the evening", "ten to twelve people", "between five to nine pm"]
)
def test_a_range_is_no_time(text: str) -> None:
    texts = [value.text for value in values_in(text) if isinstance(value, Period)]
    assert not any(" to " in one for one in texts)


@pytest.mark.parametrize(
    ("text", "year"), [("MDCCLXXXIV", 1784), ("MCMXLV", 1945), ("MMXXIV", 2024), ("MDCC", 1700)]
)
def test_years_may_be_roman(text: str, year: int) -> None:
    (value,) = values_in(f"raised in {text} by the guild")
    assert isinstance(value, Period)
    assert value.first[0] == value.last[0] == year


@pytest.mark.parametrize("text", ["MIX", "MMMM", "MCM", "Chapter XIV", "MMCCC", "CIVIL"])
def test_other_capitals_are_no_years(text: str) -> None:
    assert not any(isinstance(value, Period) for value in values_in(f"the {text} here"))
