"""Sentences that have a claim's values, but of another thing, oppose nothing."""

import pytest

from groundwire.claims import read_claim
from groundwire.judge import Evidence
from groundwire.model import EvidenceBundle
from groundwire.verify._case import Case


def is_of_another(claim: str, text: str) -> bool:
    evidence = Evidence([EvidenceBundle.of(text, "document")])
    case = Case(read_claim(claim), evidence, 400, scope=None)
    return case.is_of_another(tuple(range(len(evidence.sentences))))


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The water in pool B was at 26 °C.", "Pool A was at 26 °C. Pool B was calm."),
        ("The goose roasts for three hours.", "The duck roasts for three hours. The goose is fat."),
        ("Room 9 was let on 4 May.", "Room 8 was let on 4 May. Room 9 was painted."),
        ("Site B counted 7,150 cars.", "Site A counted 7,150 cars. Site B's tube was not read."),
        ("The ladder in Pyle reaches 30 m.", "The Nordham ladder is 30 m; Pyle has a ladder too."),
    ],
)
def test_the_same_value_elsewhere_is_no_opposition(claim: str, text: str) -> None:
    assert is_of_another(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Pool B was at 26 °C.", "Pool B was not at 26 °C."),
        ("Pool B was at 26 °C.", "Pool A was at 24 °C. Pool B was colder."),
        ("Pool B was warm.", "Pool A was warm. Pool B was cold."),
        ("Pool B was at 26 °C.", "Pool A, and no other, was at 26 °C all day."),
    ],
)
def test_a_denial_another_value_or_one_sentence_may_oppose(claim: str, text: str) -> None:
    assert not is_of_another(claim, text)


@pytest.mark.parametrize(
    ("claim", "compares"),
    [
        ("Ward 3 has room for no more than twelve patients.", False),
        ("The lift takes more than 400 kg.", False),
        ("Lift A takes more than lift B.", True),
        ("Lift A takes more than 400 kg, which is more than lift B.", True),
    ],
)
def test_a_limit_is_a_value_and_no_comparison(claim: str, *, compares: bool) -> None:
    evidence = Evidence([EvidenceBundle.of("Lift A takes 500 kg, lift B 300 kg.", "lifts")])
    case = Case(read_claim(claim), evidence, 400, scope=None)
    assert case.compares_numbers((0,)) is compares
