"""What documents state of themselves is read from the whole file, with its place."""

from datetime import date

import pytest

from groundwire.evidence._fields import fields_of, role_of, stated_status
from groundwire.evidence._identity import Identifier
from groundwire.evidence._people import names_in
from groundwire.evidence._states import normal_status, same_wording, state_of, statuses_in
from groundwire.model import Document, DocumentIdentity, DocumentKey
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
    for one, abroad in (
        ("accepted", "angenommen"),
        ("approved", "goedgekeurd"),
        ("proposed", "vorgeschlagen"),
        ("draft", "entwurf"),
        ("rejected", "abgelehnt"),
        ("withdrawn", "ingetrokken"),
        ("deprecated", "veraltet"),
        ("superseded", "ersetzt"),
    ):
        assert same_wording(one, abroad)
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


def stated(text: str, name: str = "adr/0009-x.md") -> DocumentIdentity:
    return Identifier(SETTINGS).identify(document(text + WORDS, name), name)


@pytest.mark.parametrize(
    "section",
    [
        "2022-05-01 proposed\n\n2022-06-01 accepted",
        "2022-05-01 proposed\n2022-06-01 accepted",
        "- 1 June 2022: accepted\n- 1 May 2022: proposed",
        "Proposed (2022-05-01)\n\nAccepted on 2022-06-01",
    ],
)
def test_the_last_of_dated_states_holds(section: str) -> None:
    """A status section may tell its history, in either order."""
    found = stated(f"# 9. Ropes\n\n## Status\n\n{section}\n\n## Context\n")
    assert found.status == "accepted"
    assert [one.date for one in found.stated("decided")] == [date(2022, 6, 1)]


def test_a_history_may_end_in_a_successor() -> None:
    """The last state is superseded, and by whom."""
    section = "2022-05-01 proposed\n\n2022-06-01 accepted\n\n2023-07-01 superseded by [4](4-d.md)"
    found = stated(f"# 9. Ropes\n\n## Status\n\n{section}\n\n## Context\n")
    assert (found.state, found.superseded_by) == (
        "superseded",
        (DocumentKey(doc_type="adr", number=4),),
    )


def test_a_state_without_a_day_is_of_now() -> None:
    """What stands first and bears no day outranks an older day below it."""
    section = "Deprecated\n\nAccepted on 2020-01-01"
    assert stated(f"# 9. Ropes\n\n## Status\n\n{section}\n\n## Context\n").status == "deprecated"


@pytest.mark.parametrize(
    ("status", "day"),
    [
        ("Accepted on 2023-05-02", date(2023, 5, 2)),
        ("Accepted by the board on 2 May 2023", date(2023, 5, 2)),
        ("Rejected (2023-05-02)", date(2023, 5, 2)),
        ("Accepted, review on 2023-05-02", None),
        ("Accepted until 2023-05-02", None),
        ("Proposed on 2023-05-02", None),
    ],
)
def test_the_day_beside_a_decision_is_the_day_it_was_made(status: str, day: date | None) -> None:
    """A day that belongs to something else is not taken."""
    text = f"# 9. Ropes\n\nStatus: {status}\n\n## Context\n"
    found = stated(text).stated("decided")
    assert [one.date for one in found] == ([day] if day else [])
    assert all(text[one.start : one.end] == one.value for one in found)


VERSIONS = (
    "\n## Revision history\n\n| Version | Date | Author | Description |\n|---|---|---|---|\n"
    "| 2.1 | 2022-07-01 | Bo Li | First aid added |\n| 2.0 | 2020-03-04 | Bo Li | Scope |\n"
    "| 1.0 | 2017-01-09 | Ada Lund | Issue |\n"
)
CHANGES = (
    "\n## Change log\n\n| Date | Change |\n|---|---|\n| 2022-01-03 | Draft |\n"
    "| 2022-02-04 | Approved |\n| 2023-02-01 | Wording |\n"
)


@pytest.mark.parametrize(
    ("head", "log", "day", "days"),
    [
        ("", VERSIONS, "2017-01-09", {"created": "2017-01-09", "changed": "2022-07-01"}),
        ("Effective date: 1 July 2022\n", VERSIONS, "2022-07-01", {"created": "2017-01-09"}),
        ("Date: 2017-01-02\n", VERSIONS, "2017-01-02", {"changed": "2022-07-01"}),
        ("", CHANGES, "2022-01-03", {"decided": "2022-02-04", "changed": "2023-02-01"}),
        ("", "\n## History\n\n- 2023-03-15: accepted\n", "2023-03-15", {"decided": "2023-03-15"}),
    ],
)
def test_a_change_log_says_when_a_document_was_made_decided_and_changed(
    head: str, log: str, day: str, days: dict[str, str]
) -> None:
    """Tables and lists are read alike; a stated date or effective date is the document's own."""
    found = stated(f"# Sheds\n\n{head}\n## Scope\n{WORDS}\n{log}", "policies/sheds.md")
    assert str(found.date) == day
    for role, said in days.items():
        assert max(str(one.date) for one in found.fields if one.role == role) == said
    assert not found.stated("author")


@pytest.mark.parametrize("gap", ["   ", " "])
def test_bold_names_part_the_fields_of_a_line(gap: str) -> None:
    """No mark need stand between them, and the day beside an approver is that of the approval."""
    fields = [
        "**Status:** Retired",
        "**Owner:** Liam Fox",
        "**Approved by:** Mona Grant on 3 May 2016",
    ]
    found = stated(f"# 9. Ropes\n\n{gap.join(fields)}\n\n## Context\n")
    assert found.status == "retired"
    assert [one.names for one in found.stated("owner", "decider")] == [
        ("Liam Fox",),
        ("Mona Grant",),
    ]
    assert [one.date for one in found.stated("decided")] == [date(2016, 5, 3)]


@pytest.mark.parametrize(
    "nobody", ["TBD", "unknown", "not yet named", "none", "n/a", "-", "To be decided."]
)
def test_a_placeholder_is_nobody(nobody: str) -> None:
    """A field that waits for a name states none, in a registry as in a document."""
    assert not stated(f"# 9. Ropes\n\nOwner: {nobody}\n").stated("owner")
    assert names_in(f"Ada Lund, {nobody}") == ("Ada Lund",)


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Owner: Karin Holm, Head of Security", ("Karin Holm",)),
        ("Owner: Karin Holm, Head of Research and Development", ("Karin Holm",)),
        ("Owner: Karin Holm, Head of Security and Bo Li", ("Karin Holm", "Bo Li")),
        ("Owner: Karin Holm, CTO, Bo Li, Data Architect", ("Karin Holm", "Bo Li")),
        ("Owner: Platform team, Head of Security", ("Platform team", "Head of Security")),
        ("Owner: Security, Finance", ("Security", "Finance")),
        ("Author: Lund, Ada", ("Ada Lund",)),
        ("Authors: Lund, Ada; Holm, Karin", ("Ada Lund", "Karin Holm")),
        ("Authors: Ada, Cleo", ("Ada", "Cleo")),
        ("Author: Ada Lund, Na Li", ("Ada Lund", "Na Li")),
    ],
)
def test_a_post_is_no_second_person_and_a_last_name_may_come_first(
    line: str, names: tuple[str, ...]
) -> None:
    """A comma parts people, but also a person from a post and a last name from a first."""
    (found,) = stated(f"# 9. Ropes\n\n{line}\n").stated("owner", "author")
    assert found.names == names


def test_the_items_of_a_list_are_people_of_their_own() -> None:
    """Two first names in a list of the front matter are no last and first name."""
    for people in ("[Ada, Bo]", "\n  - Ada\n  - Bo"):
        (found,) = stated(f"---\nauthor: {people}\n---\n# 9. Ropes\n").stated("author")
        assert found.names == ("Ada", "Bo")
