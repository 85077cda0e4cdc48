"""Conditions of lists: each chooses, or it is said that it does not."""

import pytest

from groundwire.answer import Documents
from groundwire.answer._library import Finding
from tests.answer.conftest import Corpus

HEADS = (
    "status: Accepted\nauthor: Ada Lund\ndate: 2021-01-01",
    "status: Accepted\ndeciders: Ada Lund\ndate: 2022-02-02",
    "status: Proposed\nauthor: Bo Ek",
    "status: Draft\nowner: Ada Lund\ndate: 2023-03-03",
    "status: Rejected\ndeciders: Bo Ek\ndate: 2020-01-01",
    "status: Superseded by ADR 2\nauthor: Ada Lund\ndeciders: Bo Ek",
    "status: Deprecated",
    "status: In review",
)
TEXT = "## Decision\n\nFerries leave when the tide allows it.\n"


@pytest.fixture
def ferries(corpus: Corpus) -> Documents:
    return corpus(
        {
            f"adr/{number:04}-ferry.md": f"---\n{head}\n---\n# {number}. Ferry {number}\n\n{TEXT}"
            for number, head in enumerate(HEADS, start=1)
        }
    )


def asked(documents: Documents, question: str) -> Finding:
    return documents.answer(documents.plan(question))


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("Which ADRs are not yet decided?", [3, 4, 8]),
        ("Which ADRs haven't been decided?", [3, 4, 8]),
        ("Which ADRs are decided?", [1, 2, 5, 6, 7]),
        ("Which ADRs are no longer valid?", [6, 7]),
        ("Which ADRs are not in force any more?", [6, 7]),
        ("Which ADRs were never accepted?", [3, 4, 5, 8]),
        ("Which ADRs have an author?", [1, 3, 6]),
        ("Which ADRs do not have an author?", [2, 4, 5, 7, 8]),
        ("List the ADRs with a date", [1, 2, 4, 5]),
        ("Which ADRs name an approver?", [2, 5, 6]),
        ("What are the two latest ADRs?", [4, 2]),
        ("What are the first 2 ADRs?", [5, 1]),
        ("What is the latest ADR?", [4]),
    ],
)
def test_a_condition_chooses(ferries: Documents, question: str, numbers: list[int]) -> None:
    """States that have no one wording, fields whatever they say, and how many of an order."""
    assert [one.number for one in asked(ferries, question).sources] == numbers


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("Which ADRs did Ada Lund decide?", [2]),
        ("Which ADRs did Ada Lund approve?", [2]),
        ("Which ADRs has Bo Ek decided?", [5, 6]),
        ("Which ADRs were decided by Ada Lund?", [2]),
        ("Which ADRs did Ada Lund write?", [1, 6]),
        ("Which ADRs does Ada Lund own?", [4]),
    ],
)
def test_what_a_person_did_tells_the_role(
    ferries: Documents, question: str, numbers: list[int]
) -> None:
    """Who decided a record need not have written it, in whichever order that is asked."""
    assert [one.number for one in asked(ferries, question).sources] == numbers


def test_a_condition_that_was_not_understood_is_named(ferries: Documents) -> None:
    """Everything is not listed as if it were what was asked for."""
    finding = asked(ferries, "Which ADRs have more than one author?")
    assert finding.base_score == 0.5
    assert finding.observations == ("Not used to choose, for it was not understood: “author”.",)


def test_nothing_is_listed_where_the_contrary_may_be_meant(ferries: Documents) -> None:
    """A "not" that was not understood would turn the list round."""
    finding = asked(ferries, "Which ADRs did Ada Lund not write?")
    assert (finding.mode, finding.sources) == ("ABSTAIN", ())
    assert "“not”" in finding.message
