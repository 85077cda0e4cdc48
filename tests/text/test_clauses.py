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
