"""What documents state of themselves is read from the whole file, with its place."""

from datetime import date

import pytest

from groundwire.evidence._fields import fields_of, names_in, role_of, stated_status
from groundwire.evidence._identity import Identifier
from groundwire.evidence._states import normal_status, same_wording, state_of, statuses_in
from groundwire.model import Document, DocumentKey
from tests.evidence.make import SETTINGS, document

WORDS = "\n" + "The meters report every fifteen minutes and keep the values. " * 8


def roles(read: Document) -> dict[str, str]:
    return {one.role: one.value for one in fields_of(read) if one.role != "other"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\nstatus: accepted\nauthors: Ada L., Bo\n---\n# A", {"status": "accepted"}),
        ("# A\n\n* Status: draft\n* Deciders: the board\n", {"decider": "the board"}),
        ("# A\n\n## Status\n\nAccepted\n\n## Date\n\n2024-05-01\n", {"dated": "2024-05-01"}),
        ("# A\n\n| Owner | Data Office |\n|---|---|\n| Status | Final |\n", {"status": "Final"}),
        (
            "# A\n\n" + WORDS + "\n## Changelog\n\n- 2024-05-01: initial draft\n",
            {"created": "2024"},
        ),
    ],
)
def test_fields_are_found_in_every_common_form(text: str, expected: dict[str, str]) -> None:
    """Front matter, list, heading, table and change log state the same kinds of things."""
    found = roles(document(text + WORDS, "adr/0001-a.md"))
    for role, start in expected.items():
        assert found[role].startswith(start)


def test_a_field_knows_its_place() -> None:
    """What is stated can be quoted from where it stands."""
    text = "# A\n\nDate: 4 May 2024\n\n## Status\n\nAccepted, see 19\n" + WORDS
    read = document(text, "adr/0001-a.md")
    for one in fields_of(read):
        assert text[one.start : one.end] == one.value
    assert [one.date for one in fields_of(read) if one.role == "dated"] == [date(2024, 5, 4)]


def test_a_sentence_under_a_heading_is_no_status_and_no_author() -> None:
    """A heading may be about the word and not about the document."""
    text = "# A\n\n## Status\n\nAlso, altering this is not wise at all in any case.\n\n"
    text += "## Author\n\nA string containing at a minimum the name of whoever wrote it.\n"
    fields = fields_of(document(text + WORDS, "adr/0001-a.md"))
    assert stated_status(fields) is None
    assert not [one for one in fields if one.role == "author"]


@pytest.mark.parametrize(
    ("words", "state"),
    [
        ("✅ Accepted (see 19)", "accepted"),
        ("Final", "accepted"),
        ("Withdrawn", "abandoned"),
        ("Superseded by ADR.3", "superseded"),
        ("work in progress", "draft"),
        ("accepted with changes", "accepted"),
        ("Partly superseded", "unknown"),
        ("Superseded in part by ADR 4", "unknown"),
        ("2022-05-01: proposed", "proposed"),
        ("Accepted -> Deprecated", "deprecated"),
        ("Approved, then withdrawn", "abandoned"),
        ("Accepted, later superseded by ADR 4", "superseded"),
        ("Accepted, then shelved in May", "accepted"),
        ("Purple", "unknown"),
    ],
)
def test_a_wording_means_a_state_or_none(words: str, state: str) -> None:
    """What is not known to mean a state is not guessed."""
    assert state_of(normal_status(words)) == state


def test_wordings_of_one_line_are_one_and_those_of_one_state_are_not() -> None:
    """A list of the accepted has the approved, not the final."""
    assert same_wording("accepted", "approved")
    assert not same_wording("accepted", "final")
    assert statuses_in("Which PEPs by Ada are Final?") == ("final",)
    assert statuses_in("What has been decided about TLS?") == ()


def test_names_come_without_addresses() -> None:
    """Several people in one field are several names."""
    assert names_in("Ada Lovelace <ada@example.org>, Bo (she) and Cy") == (
        "Ada Lovelace",
        "Bo",
        "Cy",
    )
    assert names_in("The core team and community") == ("The core team and community",)
    assert role_of("Driver (Decision owner)") == "owner"


def test_successions_are_read_both_ways_and_from_prose() -> None:
    """A field, a status line and a plain sentence may name a successor."""
    text = "# 3. Net\n\nThis record supersedes ADR 2.\n\n## Status\n\nSuperseded by ADR-0009\n"
    found = Identifier(SETTINGS).identify(
        document(text + WORDS, "adr/0003-net.md"), "adr/0003-net.md"
    )
    assert found.state == "superseded"
    assert found.superseded_by == (DocumentKey(doc_type="adr", number=9),)
    assert found.supersedes == (DocumentKey(doc_type="adr", number=2),)


def test_a_list_of_links_with_explained_marks_is_a_registry() -> None:
    """A registry is known by its content, whatever its name."""
    text = (
        "# Decisions\n\n- ✅ [1. Use X](001-use-x.md)\n- ❌ [2. Use Y](002-use-y.md)\n"
        "- ✅ [3. Use Z](003-use-z.md)\n\n## Marks\n\n- Accepted: ✅\n- Rejected: ❌\n"
    )
    identifier = Identifier(SETTINGS)
    read = document(text, "docs/adr/README.md")
    assert identifier.identify(read, "docs/adr/README.md").doc_type == "registry"
    entries = identifier.entries(read, "docs/adr/README.md")
    assert [(str(one.key), one.status) for one in entries] == [
        ("adr 1", "accepted"),
        ("adr 2", "rejected"),
        ("adr 3", "accepted"),
    ]


def test_words_beside_a_link_are_a_status_only_where_they_are_known_as_one() -> None:
    """A title beside a link leaves the status to the heading it stands under."""
    text = (
        "# Decisions\n\n## Accepted\n\n- [ADR 3](0003-r.md) Crane rule\n"
        "- [ADR 4](0004-h.md) Open data for hooks\n- [ADR 7](0007-w.md) Winches (deprecated)\n"
        "\n## Rejected\n\n- [ADR 5](0005-s.md): Sheds\n- [ADR 6](0006-t.md) - draft\n"
        "- [ADR 8](0008-u.md) Ropes *(superseded in part)*\n"
    )
    entries = Identifier(SETTINGS).entries(document(text, "adr/list.md"), "adr/list.md")
    assert [(one.key.number, one.status) for one in entries] == [
        (3, "accepted"),
        (4, "accepted"),
        (7, "deprecated"),
        (5, "rejected"),
        (6, "draft"),
        (8, "rejected"),
    ]


def test_letters_before_a_number_name_the_series() -> None:
    """`pep-0387` with a header is PEP 387, whatever the header calls its type."""
    from groundwire.config import LimitsSection
    from groundwire.evidence._readers import to_document
    from groundwire.evidence._source import Loaded

    data = b"PEP: 387\nTitle: Compatibility\nAuthor: Ada Lovelace <a@b.c>,\n        Bo Li\n"
    data += b"Status: Active\nType: Process\nReplaces: 291\n\n\nAbstract\n========\n\nWords here.\n"
    read = to_document(Loaded("pep-0387.rst", ".rst", data), LimitsSection())
    found = Identifier(SETTINGS).identify(read, "peps/pep-0387.rst")
    assert str(found.key) == "pep 387"
    assert read.title == "Compatibility"
    assert [one.names for one in found.stated("author")] == [("Ada Lovelace", "Bo Li")]
    assert found.supersedes == (DocumentKey(doc_type="pep", number=291),)


@pytest.mark.parametrize(
    ("line", "people", "day"),
    [
        (":Author: Wen Li\n:Date: 2025-04-29", ["Wen Li"], date(2025, 4, 29)),
        (
            "Prepared by Hanna Koch and Li Wei, 7 June 2024.",
            ["Hanna Koch", "Li Wei"],
            date(2024, 6, 7),
        ),
        ("Incident date: 2024-09-12. Author: Mei Tan.", ["Mei Tan"], None),
        ("Severity: 2; Author: Mei Tan; Date: 4 May 2024", ["Mei Tan"], date(2024, 5, 4)),
        ("**Author:** Mei Tan | **Date:** 4 May 2024", ["Mei Tan"], date(2024, 5, 4)),
        ("By Wen Li, 15 January 2025", ["Wen Li"], date(2025, 1, 15)),
        ("This report was written by the storage team.", ["the storage team"], None),
        ("Prepared by: Jo de Vries.", ["Jo de Vries"], None),
        ("By Friday, 15 January 2025", [], None),
        ("Written by hand in a hurry.", [], None),
        ("The tool was written by Wen Li, 15 January 2025.", [], None),
    ],
)
def test_who_made_a_document_and_when_is_read_near_its_title(
    line: str, people: list[str], day: date | None
) -> None:
    """Field lists, sentences, bylines and several fields of one line name people and days."""
    read = document(f"# A\n\n{line}\n\n## Cause\n{WORDS}", "notes/a.md")
    fields = fields_of(read)
    assert [name for one in fields if one.role == "author" for name in one.names] == people
    assert next((one.date for one in fields if one.role == "dated"), None) == day
    assert all(read.text[one.start : one.end] == one.value for one in fields)
