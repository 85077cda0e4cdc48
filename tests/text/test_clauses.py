from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from groundwire.text._clauses import split_clauses


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        ("A founded B in 1990 and sold it in 2001", ["A founded B in 1990", "A sold B in 2001"]),
        (
            "The bridge was designed in 1928 and opened in 1932",
            ["The bridge was designed in 1928", "The bridge was opened in 1932"],
        ),
        (
            "The firm was founded in 1990 and won three prizes",
            ["The firm was founded in 1990", "The firm won three prizes"],
        ),
        ("She was born in 1990 and died in 2001", ["She was born in 1990", "She died in 2001"]),
        (
            "Free users can send a request and cannot delete buoys",
            ["Free users can send a request", "Free users cannot delete buoys"],
        ),
        (
            "Night drivers have a key and can park inside",
            ["Night drivers have a key", "Night drivers can park inside"],
        ),
        (
            "The gate must verify facts and store results",
            ["The gate must verify facts", "The gate must store results"],
        ),
        (
            "Revenue rose 5% in 2023, but profit fell to 3 million",
            ["Revenue rose 5% in 2023", "profit fell to 3 million"],
        ),
        (
            "In 1990, Acme opened a plant and closed its Berlin office",
            ["In 1990, Acme opened a plant", "Acme closed its Berlin office"],
        ),
        (
            "The rule covers staff; it does not cover guests",
            ["The rule covers staff", "it does not cover guests"],
        ),
    ],
)
def test_clauses_with_a_certain_subject_are_cut(sentence: str, clauses: list[str]) -> None:
    assert [clause.content(sentence) for clause in split_clauses(sentence)] == clauses


@pytest.mark.parametrize(
    "sentence",
    [
        "The cat and the dog are friends",
        "He designed and built the bridge",
        "It contains salt and pepper",
        "The tower (built in 1889 and painted in 1990) is tall",
        "The chair said that profits rose and costs fell",
        "If the pump stops and the valve closes, the alarm sounds",
        'The sign says "stop and wait for the guard"',
        "The rule that applies to staff and covers guests is old",
    ],
)
def test_whatever_is_not_certain_stays_whole(sentence: str) -> None:
    assert [clause.content(sentence) for clause in split_clauses(sentence)] == [sentence]


@given(st.text(alphabet='ab AND and sold was it ,;()"', min_size=1, max_size=80))
def test_clauses_are_pieces_of_the_sentence_in_order(sentence: str) -> None:
    if not sentence.strip():
        return
    clauses = split_clauses(sentence)
    assert all(a.end <= b.start for a, b in pairwise(clauses))
    assert all(0 <= clause.start < clause.end <= len(sentence) for clause in clauses)


@pytest.mark.parametrize(
    "sentence",
    [
        "The ferry built in 1990 and the ferry built in 2001 sank.",
        "The pump (rated 5 kW) and the fan (rated 3 kW) are on.",
        "The mayor (elected in 2019) and the clerk (hired in 2020) resigned.",
        "The house sold in May and the barn sold in June burned down.",
        "The pump rated 5 kW and the fan rated 3 kW failed.",
        "The gate opened in May and the gate opened in June closed again.",
        "The plan approved by the board and the plan approved by the mayor were dropped.",
        "Acme bought the house sold in May and the ferry built in 2001.",
        "The law adopted in 1990 and the treaty signed in 2001 were repealed.",
        "The pipe made in Oslo and the valve made in Bergen leak.",
        "The trucks hired for the fair and the vans hired for the race were late.",
        "A book published in 1990 and a film based on it won prizes.",
    ],
)
def test_a_joint_subject_is_not_cut_at_a_participle(sentence: str) -> None:
    """A participle that only says which thing is meant is no verb of its own."""
    assert [clause.content(sentence) for clause in split_clauses(sentence)] == [sentence]


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        (
            "The bridge opened in 1932 and the tunnel closed in 2001",
            ["The bridge opened in 1932", "the tunnel closed in 2001"],
        ),
        (
            "Acme agreed to sell and the bank decided to buy",
            ["Acme agreed to sell", "the bank decided to buy"],
        ),
        (
            "Questions come in batches; a judge reads them together",
            ["Questions come in batches", "a judge reads them together"],
        ),
        (
            "The council voted on it and the mayor resigned",
            ["The council voted on it", "the mayor resigned"],
        ),
        (
            "The pump used 5 kW and the fan used 3 kW",
            ["The pump used 5 kW", "the fan used 3 kW"],
        ),
        (
            "The mayor elected in 2019 resigned and the clerk hired in 2020 stayed",
            ["The mayor elected in 2019 resigned", "the clerk hired in 2020 stayed"],
        ),
        (
            "The ferry built in 1990 left Oslo and reached Bergen",
            ["The ferry built in 1990 left Oslo", "The ferry built in 1990 reached Bergen"],
        ),
        (
            "The pump (rated 5 kW) is on and the fan (rated 3 kW) is off",
            ["The pump (rated 5 kW) is on", "the fan (rated 3 kW) is off"],
        ),
    ],
)
def test_a_past_that_is_the_verb_is_still_cut_at(sentence: str, clauses: list[str]) -> None:
    """A past form that needs no object, has one, or follows a participle is the clause's verb."""
    assert [clause.content(sentence) for clause in split_clauses(sentence)] == clauses
