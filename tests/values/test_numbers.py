from decimal import Decimal

import pytest

from groundwire.values import Quantity, quantities_in


def one(text: str) -> Quantity:
    (quantity,) = quantities_in(text)
    return quantity


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1200", "1200"),
        ("1,200", "1200"),
        ("1,234,567.5", "1234567.5"),
        ("1.234.567,5", "1234567.5"),
        ("1 200 000", "1200000"),
        ("1\u2009200\u2009000", "1200000"),
        ("1\u202f200", "1200"),
        ("1'200", "1200"),
        ("12,34,567", "1234567"),
        ("3,5", "3.5"),
        ("1\u00b73", "1.3"),
        ("1.2k", "1200"),
        ("1.2 thousand", "1200"),
        ("4.5 million", "4500000"),
        ("3bn", "3000000000"),
        ("2 lakh", "200000"),
        ("1.5e3", "1500"),
        ("2.5e-3", "0.0025"),
        ("1.5 x 10^3", "1500"),
        ("-5", "-5"),
        ("\u22125", "-5"),
        ("\u0661\u0662\u0663", "123"),
        ("\uff11\uff12", "12"),
    ],
)
def test_digits_are_read_however_they_are_grouped(text: str, value: str) -> None:
    assert one(text).value == Decimal(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("seven", 7),
        ("twenty-five", 25),
        ("one hundred and twenty-three thousand", 123_000),
        ("two million three hundred", 2_000_300),
        ("a dozen", 12),
        ("three dozen", 36),
        ("half a million", 500_000),
        ("a hundred", 100),
        ("nineteen", 19),
        ("a gross of buttons", 144),
        ("two gross of screws", 288),
        ("two dozen and one tables", 25),
        ("a dozen and six", 18),
    ],
)
def test_words_are_numbers(text: str, value: int) -> None:
    assert one(text).value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("half", "0.5"),
        ("three quarters", "0.75"),
        ("3/4", "0.75"),
        ("two-fifths", "0.4"),
        ("one in four", "0.25"),
        ("4 out of 5", "0.8"),
        ("25%", "0.25"),
        ("25 per cent", "0.25"),
        ("12.5 percent", "0.125"),
        ("\u00bd", "0.5"),
    ],
)
def test_shares_are_one_dimension(text: str, value: str) -> None:
    assert one(text).dimension == "ratio"
    assert one(text).value == Decimal(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two and a half", "2.5"),
        ("two-and-a-half", "2.5"),
        ("2\u00bd", "2.5"),
        ("two and a quarter", "2.25"),
        ("seven and three quarters", "7.75"),
        ("12 and a fifth", "12.2"),
    ],
)
def test_a_part_is_added(text: str, value: str) -> None:
    assert one(text).value == Decimal(value)


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("half a litre", "volume", "0.0005"),
        ("three quarters of a gigabyte", "data", "6e9"),
        ("half a percentage point", "points", "0.5"),
        ("a quarter of a hectare", "area", "2500"),
        ("over an hour", "time", "3600"),
        ("less than a mile", "length", "1609.344"),
        ("one pupil in five", "ratio", "0.2"),
        ("one shop in four closed", "ratio", "0.25"),
        ("3 per mille", "ratio", "0.003"),
        ("two and a quarter hours", "time", "8100"),
    ],
)
def test_parts_of_units_and_of_wholes_are_read(text: str, dimension: str, value: str) -> None:
    assert (one(text).dimension, one(text).value) == (dimension, Decimal(value))


@pytest.mark.parametrize(
    "text",
    ["80 an hour", "one shop in five cities", "one depot in three market towns", "a mile away"],
)
def test_a_place_is_no_whole_and_a_lone_unit_no_number(text: str) -> None:
    read = [quantity.dimension for quantity in quantities_in(text)]
    assert "ratio" not in read
    assert "length" not in read
    assert "time" not in read


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("$1.2m", "money:USD", "1200000"),
        ("US$ 3bn", "money:USD", "3000000000"),
        ("A$5", "money:AUD", "5"),
        ("\u00a35 million", "money:GBP", "5000000"),
        ("5 million euros", "money:EUR", "5000000"),
        ("EUR 412.5 million", "money:EUR", "412500000"),
        ("30 USD", "money:USD", "30"),
        ("5\u20ac", "money:EUR", "5"),
        ("Rs.500", "money:INR", "500"),
        ("40 Canadian dollars", "money:CAD", "40"),
        ("40 Danish kroner", "money:DKK", "40"),
        ("40 Philippine pesos", "money:PHP", "40"),
        ("99 cents", "money:USD", "0.99"),
        ("12 pence", "money:GBP", "0.12"),
    ],
)
def test_currencies_have_a_sign_a_code_or_a_word(text: str, dimension: str, value: str) -> None:
    assert (one(text).dimension, one(text).value) == (dimension, Decimal(value))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("10-20", "10", "20"),
        ("10\u201320", "10", "20"),
        ("between 10 and 20", "10", "20"),
        ("10 to 20 people", "10", "20"),
        ("$10-20 million", "10000000", "20000000"),
        ("$6 to $7 billion", "6000000000", "7000000000"),
        ("5 to 10 percent", "0.05", "0.10"),
        ("10 \u00b1 2", "8", "12"),
        ("more than 100", "100", "Infinity"),
        ("over 100", "100", "Infinity"),
        ("at least 100", "100", "Infinity"),
        ("no fewer than 100", "100", "Infinity"),
        ("100 or more", "100", "Infinity"),
        ("100+", "100", "Infinity"),
        ("under 100", "-Infinity", "100"),
        ("up to 100", "-Infinity", "100"),
        ("no more than 100", "-Infinity", "100"),
        ("100 or fewer", "-Infinity", "100"),
        ("\u2264 100", "-Infinity", "100"),
    ],
)
def test_ranges_and_bounds_are_intervals(text: str, low: str, high: str) -> None:
    measure = one(text).measures[0]
    assert (measure.low, measure.high) == (Decimal(low), Decimal(high))


@pytest.mark.parametrize("text", ["about 50", "~50", "50 or so", "close to 50"])
def test_rough_numbers_say_so(text: str) -> None:
    assert one(text).about


@pytest.mark.parametrize(("text", "value"), [("45th", 45), ("twenty-first", 21), ("third", 3)])
def test_ordinals_are_a_dimension_of_their_own(text: str, value: int) -> None:
    assert (one(text).dimension, one(text).value) == ("ordinal", Decimal(value))


def test_a_letter_may_be_a_unit_or_a_magnitude() -> None:
    assert [m.dimension for m in one("50m").measures] == ["length", "count"]
    assert one("$50m").value == 50_000_000


def test_pounds_may_be_money_or_mass() -> None:
    assert [m.dimension for m in one("5 pounds").measures] == ["money:GBP", "mass"]


def test_a_falling_pair_is_a_score() -> None:
    assert one("5-0").dimension == "score"


def test_a_change_from_one_number_to_another_is_two_numbers() -> None:
    assert [q.value for q in quantities_in("from 420 to 180")] == [420, 180]


def test_footnotes_are_no_numbers() -> None:
    assert quantities_in("as shown [3]") == []


def test_a_run_of_digits_too_long_to_compare_is_no_number() -> None:
    assert quantities_in("9" * 100_000) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nought point three", "0.3"),
        ("zero point five metres", "0.5"),
        ("two point four", "2.4"),
        ("twelve point seven five", "12.75"),
        ("one point five million", "1500000"),
        ("ninety-nine point nine per cent", "0.999"),
    ],
)
def test_decimals_may_be_spelled(text: str, value: str) -> None:
    assert one(text).value == Decimal(value)


def test_what_only_looks_like_a_spelled_number_is_none() -> None:
    """ "At that point five people left" has one number, and a gross weight is no count."""
    assert [v.value for v in quantities_in("At one point nobody stayed.")] == [1]
    assert [v.value for v in quantities_in("At that point five people left.")] == [5]
    assert [v.text for v in quantities_in("A gross weight of 12 kg.")] == ["12 kg"]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("It took an hour and twenty minutes.", 4800),
        ("An hour and three quarters", 6300),
        ("It came an hour and ten minutes later.", 4200),
        ("It lasted two hours and ten minutes.", 7800),
        ("after a year and three months", 39446190),
        ("for a day and six hours", 108000),
        ("two hours, five minutes", 7500),
    ],
)
def test_a_time_may_be_told_in_two_units(text: str, seconds: int) -> None:
    assert one(text).value == seconds


def test_a_rate_and_a_time_are_two_values() -> None:
    """ "Two meals a day and ten minutes of rest" has no day of rest."""
    found = quantities_in("Two meals a day and ten minutes of rest.")
    assert [value.text for value in found] == ["Two", "ten minutes"]


@pytest.mark.parametrize(
    ("text", "kelvin"),
    [
        ("six degrees above freezing", "279.15"),
        ("nine degrees below zero Celsius", "264.15"),
        ("two degrees above zero", "275.15"),
        ("-9 C for tonight", "264.15"),
        ("minus 4 C by dawn", "269.15"),
    ],
)
def test_temperatures_may_be_told_from_zero(text: str, kelvin: str) -> None:
    assert one(text).value == Decimal(kelvin)
