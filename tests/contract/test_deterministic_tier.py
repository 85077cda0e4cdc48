"""The values the issue and the rulings name: `725 mV` = `0.725 V`, `Q3 2024` in `2024`, `1.2k`."""

from groundwire.judge import check_values
from groundwire.values import (
    Period,
    are_disjoint,
    lies_within,
    quantities_in,
    same_value,
    values_in,
)


def test_s0_numbers_are_compared_by_value_and_unit() -> None:
    (one,), (other,) = quantities_in("725 mV"), quantities_in("0.725 V")
    assert same_value(one, other)
    assert (one.text, other.text) == ("725 mV", "0.725 V")


def test_s4_a_thousands_separator_and_a_magnitude_write_the_same_number() -> None:
    (one,), (other,) = quantities_in("1,200"), quantities_in("1.2k")
    assert same_value(one, other)


def test_s4_a_quarter_lies_within_its_year() -> None:
    (quarter,), (year,) = values_in("Q3 2024"), values_in("in 2024")
    assert isinstance(quarter, Period)
    assert isinstance(year, Period)
    assert lies_within(quarter, year)
    assert not lies_within(year, quarter)
    assert not are_disjoint(quarter, year)


def test_s4_a_number_the_evidence_contradicts_says_which() -> None:
    evidence = ["The pump in Delft delivers 40 litres a minute."]
    (finding,) = [
        finding
        for finding in check_values("The pump in Delft delivers 60 litres a minute.", evidence)
        if finding.kind == "number"
    ]
    assert finding.relation == "contradicted"
    assert (finding.claimed, finding.found) == ("60 litres a minute", "40 litres a minute")
    assert finding.span.of(evidence[finding.sentence]) == "40 litres a minute"
