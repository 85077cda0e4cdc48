"""Numbers with units are reckoned with as units are."""

from fractions import Fraction

import pytest

from groundwire.values import Quantity, amounts_of, is_amount, outcomes, values_in


def number(text: str) -> Quantity:
    [found] = [one for one in values_in(text) if isinstance(one, Quantity)]
    return found


@pytest.mark.parametrize(
    ("one", "other", "result"),
    [
        ("24 turbines", "2.5 MW", "60 MW"),
        ("1.8 km", "700 m", "2.5 km"),
        ("90 minutes", "2 hours", "30 minutes"),
        ("40 km/h", "10 km", "15 minutes"),
        ("84 metres", "3.5 metres", "294 m²"),
        ("5,000", "$2,300", "46 cents"),
        ("1,800 litres", "50 litres", "36"),
        ("2,400", "6,000", "40 %"),
    ],
)
def test_one_operation_gives_a_number_in_its_own_unit(one: str, other: str, result: str) -> None:
    """A power times a count is a power, a way by a speed is a time."""
    found = outcomes(amounts_of(number(one))[0], amounts_of(number(other))[0])
    assert any(is_amount(number(result), amount) for amount in found)


@pytest.mark.parametrize(
    ("one", "other", "result"),
    [
        ("24 turbines", "2.5 MW", "60 kW"),
        ("40 km/h", "10 km", "15 seconds"),
        ("7", "2", "4"),
        ("90 minutes", "2 hours", "30 metres"),
    ],
)
def test_what_has_another_unit_or_is_no_whole_number_is_not_given(
    one: str, other: str, result: str
) -> None:
    """Units have to come out right, and what is counted is not rounded."""
    found = outcomes(amounts_of(number(one))[0], amounts_of(number(other))[0])
    assert not any(is_amount(number(result), amount) for amount in found)


def test_degrees_and_ranges_are_no_amounts() -> None:
    """Twice 10 °C is not 20 °C, and nobody knows what half of "5 to 8" is."""
    assert not amounts_of(number("10 °C"))
    assert not amounts_of(number("5 to 8 kg"))


def test_a_number_per_something_is_compared_per_something() -> None:
    """4,000 euros per square metre are 336,000 euros by 84 square metres."""
    price, area = amounts_of(number("336,000 euros"))[0], amounts_of(number("84 m²"))[0]
    square_metre = amounts_of(number("1 m²"))[0]
    assert is_amount(number("4,000 euros"), price.times(area, -1), square_metre)
    assert price.times(area, -1).value == Fraction(4_000)
