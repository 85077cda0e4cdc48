import pytest

from groundwire.judge.facts._derive import may_be_derived
from groundwire.judge.facts._sentence import Sentence
from groundwire.values import values_in


@pytest.mark.parametrize(
    ("claimed", "evidence"),
    [
        ("15", "12 turbines and 3 transformers"),
        ("9", "12 turbines and 3 transformers"),
        ("275 mV", "the 1.0 V rail sagged to 725 mV"),
        ("75%", "36 of the 48 patients"),
        ("33%", "it rose from 36 to 48"),
        ("25 years", "founded in 1998, sold in 2023"),
        ("in 2001", "founded in 1998 and sold three years later"),
        ("4", "the codes are 8000, 8200, 8310 and 8380"),
    ],
)
def test_what_can_be_worked_out_is_derived(claimed: str, evidence: str) -> None:
    (value,) = values_in(claimed)
    assert may_be_derived(value, [Sentence(evidence)])


@pytest.mark.parametrize(
    ("claimed", "evidence"),
    [
        ("17", "12 turbines and 3 transformers"),
        ("60%", "36 of the 48 patients"),
        ("in 2005", "founded in 1998 and sold three years later"),
        ("5 km", "12 turbines and 3 transformers"),
    ],
)
def test_what_cannot_be_worked_out_is_not(claimed: str, evidence: str) -> None:
    (value,) = values_in(claimed)
    assert not may_be_derived(value, [Sentence(evidence)])
