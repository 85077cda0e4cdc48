"""What replaced what: whoever of the two documents says so, every answer knows it."""

import pytest

from groundwire.answer import Documents
from groundwire.answer._library import Finding
from tests.answer.conftest import Corpus

TEXT = "## Decision\n\nThe depots send their readings in one batch each night.\n"


def record(number: int, title: str, head: str) -> str:
    return f"# {number}. {title}\n\n{head}\n\n{TEXT}"


def asked(documents: Documents, question: str) -> Finding:
    return documents.answer(documents.plan(question))


def numbers(finding: Finding) -> list[int | None]:
    return [one.number for one in finding.sources]


@pytest.fixture
def depots(corpus: Corpus) -> Documents:
    """The old record knows nothing of the new one."""
    return corpus(
        {
            "adr/0001-batches.md": record(1, "Send batches", "Status: Accepted"),
            "adr/0002-streams.md": record(
                2, "Send streams", "Status: Accepted\nSupersedes: ADR-0001"
            ),
            "adr/0003-tariffs.md": record(3, "Keep tariffs", "Status: Accepted"),
            "adr/0004-pull.md": record(
                4, "Pull readings", "Status: Proposed\nSupersedes: ADR-0003"
            ),
        }
    )


@pytest.mark.parametrize(
    "question",
    [
        "Is ADR 1 still valid?",
        "What is the status of ADR 1?",
        "What does ADR 1 decide?",
        "Which ADRs are accepted?",
        "List all ADRs",
        "Which ADRs are superseded?",
    ],
)
def test_what_only_the_newer_document_says_is_noted_everywhere(
    depots: Documents, question: str
) -> None:
    """The note on a succession does not depend on which of the two records states it."""
    note = "ADR 1 is superseded by ADR 2 “Send streams”."
    assert note in asked(depots, question).observations


def test_lists_go_by_what_became_of_a_document(depots: Documents) -> None:
    """What a newer record replaced is superseded and not in force."""
    assert numbers(asked(depots, "Which ADRs are superseded?")) == [1]
    assert numbers(asked(depots, "Which ADRs are in force?")) == [2, 3]
    assert numbers(asked(depots, "Which ADRs are not superseded?")) == [2, 3, 4]


def test_a_proposal_replaces_nothing_yet(depots: Documents) -> None:
    """A record that is not decided does not end another, but is mentioned."""
    note = "ADR 3 would be superseded by ADR 4 “Pull readings”, which is not decided."
    assert asked(depots, "Is ADR 3 still valid?").observations == (note,)
    replaced = asked(depots, "What replaced ADR 3?")
    assert (replaced.mode, replaced.observations) == ("ABSTAIN", (note,))


def test_the_quote_is_of_the_field_that_states_the_answer(corpus: Corpus) -> None:
    """A record between two others quotes for each side the field on that side."""
    between = "Status: Superseded\nReplaces: 15\nSuperseded-By: 31"
    found = corpus({"peps/pep-0020.md": f"PEP: 20\nTitle: Night runs\n{between}\n\n{TEXT}"})
    before = asked(found, "What does PEP 20 replace?")
    after = asked(found, "What replaced PEP 20?")
    assert [one.quote for one in before.sources] == ["Replaces: 15"]
    assert [one.quote for one in after.sources] == ["Superseded-By: 31"]


def test_a_dash_states_nothing(corpus: Corpus) -> None:
    """ "Superseded by: -" is not quoted for what the record itself replaces, nor for what did."""
    none = "Status: Accepted\nSuperseded by: -"
    found = corpus(
        {
            "adr/0001-batches.md": record(1, "Send batches", none),
            "adr/0002-streams.md": record(2, "Send streams", f"{none}\nSupersedes: ADR-0001"),
        }
    )
    for question in ("What does ADR 2 supersede?", "What replaced ADR 1?"):
        finding = asked(found, question)
        assert [one.quote for one in finding.sources] == ["Supersedes: ADR-0001"], question
