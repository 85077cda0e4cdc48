from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from groundwire.values import quantities_in, same_value
from groundwire.values._units import UNITS


def equal(one: str, other: str) -> bool:
    (first,), (second,) = quantities_in(one), quantities_in(other)
    return same_value(first, second)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("725 mV", "0.725 V"),
        ("725mV", "0.725 volts"),
        ("1 h", "60 min"),
        ("90 minutes", "1.5 hours"),
        ("2 h 30 min", "150 minutes"),
        ("2 hours and 30 minutes", "150 min"),
        ("12 months", "1 year"),
        ("5 ft", "1.524 m"),
        ("6 ft 2 in", "74 inches"),
        ("1 km", "1000 metres"),
        ("3 GB", "3000 MB"),
        ("1 GiB", "1024 MiB"),
        ("8 bits", "1 byte"),
        ("1 MW", "1000 kW"),
        ("1 kWh", "3.6 MJ"),
        ("60 km/h", "60 kilometres per hour"),
        ("36 km/h", "10 m/s"),
        ("5 mg/dL", "50 mg/L"),
        ("2 km2", "2 square kilometres"),
        ("1 ha", "10000 m\u00b2"),
        ("1 m3", "1000 litres"),
        ("12,000/mm3", "12,000 per cubic millimetre"),
        ("0 \u00b0C", "273.15 K"),
        ("100 degrees Celsius", "212 \u00b0F"),
        ("40 kN", "40000 N"),
        ("1 Gbps", "1000 Mbps"),
        ("50 basis points", "0.5 percentage points"),
        ("13-year", "13 years"),
    ],
)
def test_units_of_one_dimension_convert(one: str, other: str) -> None:
    assert equal(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("16 GB", "16 GiB"),
        ("5 km", "5 miles"),
        ("10 kg", "10 km"),
        ("20 \u00b0C", "20 \u00b0F"),
        ("5%", "5 percentage points"),
        ("$5", "\u00a35"),
        ("3 MB", "3 Mb"),
        ("42 days", "42 months"),
    ],
)
def test_the_same_digits_in_another_unit_are_another_value(one: str, other: str) -> None:
    assert not equal(one, other)


def test_a_preposition_is_no_inch() -> None:
    assert quantities_in("3 in the team")[0].dimension == "count"


LINEAR = sorted(name for name, unit in UNITS.items() if len(name) > 3 and not unit.offset)


@given(st.sampled_from(LINEAR), st.integers(min_value=1, max_value=10**6))
def test_a_value_survives_conversion_to_base_units_and_back(name: str, number: int) -> None:
    unit = UNITS[name]
    base = Decimal(number) * unit.factor
    assert abs(base / unit.factor - number) <= Decimal(number) * Decimal("1e-20")


@given(st.integers(min_value=1, max_value=10**8))
def test_milli_and_kilo_are_a_million_apart(number: int) -> None:
    assert equal(f"{number * 1_000_000} mV", f"{number} kV")
