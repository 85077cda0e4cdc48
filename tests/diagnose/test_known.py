import pytest
from hypothesis import given, strategies as st

from groundwire.diagnose import KnownNumbers

KNOWN = KnownNumbers(["VCORE is 0.725 V, usage 29.32 %, on 3 March 2025; 1,200 nodes; SW_REQ2."])


@pytest.mark.parametrize(
    "same",
    [
        "It is 725 mV.",
        "It is 0.725 V.",
        "Usage of 29.32%",
        "1200 nodes",
        "1.2 thousand nodes",
        "SW_REQ2 is set.",
        "one of the nodes",
        "No number at all.",
    ],
)
def test_the_same_value_is_known_however_it_is_written(same: str) -> None:
    """[RULINGS S0] Numbers are compared by value and unit (`0.725 V` = `725 mV`)."""
    assert KNOWN.strangers_in(same) == []


@pytest.mark.parametrize(
    "other",
    [
        "It is 725 V.",
        "It is 725 mA.",
        "It is 726 mV.",
        "Usage of 29 %",
        "12 nodes",
        "Since 4 March 2025.",
        "SW_REQ3 is set.",
        "seventy-three nodes",
        "Ⅷ nodes",
        "half of ½ V",
        "１３ nodes",
        "[7]",
    ],
)
def test_another_value_or_unit_is_a_stranger(other: str) -> None:
    assert KNOWN.strangers_in(other)


@given(st.integers(min_value=0), st.sampled_from(["", " V", " mV", "%", " °C", " W", "x", "th"]))
def test_no_new_whole_number_is_known(number: int, unit: str) -> None:
    is_known = f"{number}{unit}" in ("1200", "725 mV") or f"{number}{unit}" == "2"
    assert bool(KNOWN.strangers_in(f"The draw is {number}{unit} now")) != is_known


@given(st.text())
def test_a_text_knows_itself(text: str) -> None:
    assert KnownNumbers([text]).strangers_in(text) == []
