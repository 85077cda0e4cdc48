"""Questions about one document, by type and number."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from groundwire.answer import Documents
from groundwire.answer._library import Finding
from groundwire.config import Config
from groundwire.encoder import Answering, QuestionReader
from groundwire.evidence import Index, Indexer, Searcher


def asked(documents: Documents, question: str) -> Finding:
    return documents.answer(documents.plan(question))


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("What does ADR-0012 decide?", "The Common Information Model of IEC 61970 and IEC 61968"),
        ("ADR.12", "The Common Information Model of IEC 61970 and IEC 61968"),
        ("What does principle 12 say?", "Every fact has one system in which it is true."),
        ("Why was ADR 24 made?", "ADR.4 connected the primary substations"),
        ("What are the consequences of ADR-17?", "Measurements reach the office 3 seconds later"),
        ("When was ADR 12 accepted?", "date: 2022-03-14"),
        ("Who approved ADR 12?", "approvers: Architecture Board"),
        ("Who is the owner of policy 1?", "Owner | Data Steward Customers"),
        ("What does ADR 11 decide?", "1. an international standard (IEC, ISO, IETF);"),
        ("Define the encryption requirements in ADR-0015", "Data at rest is encrypted"),
        ("What does POL.1 say about access logs?", "Access logs | 13 months"),
    ],
)
def test_the_part_that_is_asked_for_is_quoted(
    by_words: Documents, question: str, quote: str
) -> None:
    finding = asked(by_words, question)
    assert finding.mode == "ANSWER"
    assert any(quote in source.quote for source in finding.sources)
    for source in finding.sources:
        document = by_words.library.index.document(source.doc_id)
        assert document is not None
        assert document.text[source.start : source.end] == source.quote


def test_overlapping_numbers_are_told_apart_by_type(by_words: Documents) -> None:
    first = asked(by_words, "What does ADR 12 say?").sources[0]
    second = asked(by_words, "What does PCP.12 say?").sources[0]
    assert (first.doc_type, second.doc_type) == ("adr", "principle")
    assert first.number == second.number == 12


def test_a_superseded_record_names_its_successor(by_words: Documents) -> None:
    finding = asked(by_words, "What does ADR.4 decide?")
    assert finding.observations == (
        "ADR 4 is superseded by ADR 24 “Encrypt the link to substations”.",
    )


def test_two_statuses_are_both_given_with_where_they_stand(by_words: Documents) -> None:
    finding = asked(by_words, "What is the status of ADR-0027?")
    assert [source.doc_type for source in finding.sources] == ["adr", "registry"]
    assert finding.sources[0].quote == "status: accepted"
    assert "proposed" in finding.sources[1].quote
    assert "is accepted, or proposed." in (finding.text or "")


@pytest.mark.parametrize(
    ("question", "nearest"),
    [
        ("What does ADR-9999 decide?", ["ADR 31", "ADR 30", "ADR 29"]),
        ("ADR 6", ["Policy 6", "ADR 5", "ADR 7"]),
        ("What does policy 12 say?", ["ADR 12", "Principle 12", "Policy 8"]),
    ],
)
def test_an_entity_that_is_not_there_offers_the_nearest_three(
    by_words: Documents, question: str, nearest: list[str]
) -> None:
    finding = asked(by_words, question)
    assert (finding.mode, finding.reason) == ("ABSTAIN", "entity_not_found")
    assert [one.label.split(" “")[0] for one in finding.suggestions] == nearest
    picked = by_words.about(finding.suggestions[0].id, by_words.plan(question))
    assert picked is not None
    assert picked.mode == "ANSWER"


def test_a_link_that_leads_nowhere_is_said_to(by_words: Documents) -> None:
    finding = asked(by_words, "What does ADR 32 decide?")
    assert finding.reason == "entity_not_found"
    assert "lists ADR 32 “Compute at the edge" in finding.observations[0]


def test_a_stub_is_no_answer(by_words: Documents) -> None:
    finding = asked(by_words, "What does ADR-22 decide?")
    assert (finding.mode, finding.reason) == ("ABSTAIN", "not_in_evidence")
    assert "is a stub" in finding.message
    assert "kept by the Security Officer" in finding.observations[0]


def test_a_document_silent_on_the_matter_is_an_abstention(by_words: Documents) -> None:
    """What was read is said, and not that the document says nothing."""
    finding = asked(by_words, "What does ADR 12 say about salaries?")
    assert (finding.mode, finding.reason) == ("ABSTAIN", "not_answered")
    assert finding.message.startswith("No answer to this was found in ADR 12 ")
    assert finding.message.endswith(": all of it was read.")


class _Noting:
    """Reads as ever, and keeps what it was asked."""

    def __init__(self) -> None:
        self._reader = QuestionReader()
        self.asked: set[str] = set()

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Answering]:
        self.asked |= {question for question, _ in pairs}
        return self._reader.read(pairs)

    def second_opinion(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.asked |= {question for question, _ in pairs}
        return self._reader.second_opinion(pairs)


def test_the_head_sees_the_question_with_its_mark(halden_index: Path, config: Config) -> None:
    """As it was put: it was taught with the mark, where there is one."""
    reader = _Noting()
    with Index(halden_index) as index:
        searcher = Searcher(index, thresholds=config.evidence.thresholds)
        documents = Documents(index, searcher, config, reader=reader)
        asked(documents, "Who may approve a switching plan according to ADR 3?")
        asked(documents, "Which TLS version is allowed")
    assert reader.asked == {
        "Who may approve a switching plan according to ADR 3?",
        "Which TLS version is allowed",
    }


def test_several_documents_are_answered_side_by_side(by_words: Documents) -> None:
    finding = asked(by_words, "Compare ADR 15, ADR 27 and ADR 99")
    assert [source.number for source in finding.sources] == [15, 27]
    assert "[1]" in (finding.text or "")
    assert "[2]" in (finding.text or "")
    assert "No ADR 99 was found here." in finding.observations


def test_a_number_that_two_documents_share_is_a_choice(tmp_path: Path, config: Config) -> None:
    for folder in ("adr-one", "adr-two"):
        path = tmp_path / "docs" / folder / "0001-record.md"
        path.parent.mkdir(parents=True)
        path.write_text(f"# Record of {folder}\n\n## Decision\n\nWe chose {folder} for good.\n")
    with Index(tmp_path / "index.sqlite") as index:
        Indexer(index, config.evidence, config.limits, collection="adr").run([tmp_path / "docs"])
        searcher = Searcher(index, thresholds=config.evidence.thresholds)
        documents = Documents(index, searcher, config)
        finding = asked(documents, "What does ADR 1 decide?")
        assert (finding.mode, finding.reason) == ("CLARIFY", "entity_ambiguous")
        picked = documents.about(finding.suggestions[1].id, documents.plan("ADR 1"))
        assert picked is not None
        assert picked.sources[0].quote == "We chose adr-two for good."
