import pytest

from groundwire.judge import check_values
from groundwire.judge.facts._derive import is_one_step_away, may_be_derived
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
        ("20", "the study had 50 patients, 40 % of them men"),
        ("30", "the study had 50 patients, 40 % of them men"),
        ("23", "a third of the 70 allotments lie fallow"),
        ("4.8 ha", "of the 8 hectares 60 % is spruce"),
        ("£2.10", "a loaf costs £4.20 and half of that after five"),
        ("315 euros", "210 euros for the first child, half for the second"),
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
        ("25", "the study had 50 patients, 40 % of them men"),
        ("6 ha", "of the 8 hectares 60 % is spruce"),
    ],
)
def test_what_cannot_be_worked_out_is_not(claimed: str, evidence: str) -> None:
    (value,) = values_in(claimed)
    assert not may_be_derived(value, [Sentence(evidence)])


@pytest.mark.parametrize(
    ("claimed", "evidence", "is_reached"),
    [
        ("800 cubic metres", "In 2022 they felled 320 cubic metres, in 2023 480.", True),
        ("15 francs", "Half board is 58 francs, 43 for members.", True),
        ("three seconds", "Loading shrank from 18 to 9 seconds there and from 8 to 5 here.", True),
        ("€4.80", "Adults €6, children €3, card of ten visits €48.", True),
        ("400 metres", "1.2 km of road is renewed in three sections.", True),
        ("700 cubic metres", "In 2022 they felled 320 cubic metres, in 2023 480.", False),
        ("21 francs", "Half board is 58 francs, 43 for members.", False),
    ],
)
def test_one_operation_on_the_numbers_of_a_sentence_reaches_it(
    claimed: str, evidence: str, *, is_reached: bool
) -> None:
    """Whatever their units: they are left out where they are understood."""
    (value,) = values_in(claimed)
    assert is_one_step_away(value, Sentence(evidence)) is is_reached


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("20 of the patients were men.", "The study had 50 patients, 40 % of them men."),
        ("Advertising fills 24 pages.", "The issue has 96 pages, a quarter of them advertising."),
        ("Members save 15 francs.", "Half board is 58 francs, 43 for members."),
        ("A short ticket costs 1.80.", "A day pass costs 7.20, four times a short ticket."),
    ],
)
def test_what_one_operation_gives_is_not_accused(claim: str, evidence: str) -> None:
    found = check_values(claim, [evidence])
    assert not [one for one in found if one.relation == "contradicted"]
