from datetime import date

import pytest

from groundwire.config import EvidenceSection
from groundwire.evidence._days import parse_date
from groundwire.evidence._identity import Identifier
from groundwire.evidence._labels import Labels
from groundwire.evidence._states import normal_status, same_state
from groundwire.model import DocumentIdentity, DocumentKey
from tests.evidence.make import SETTINGS, document

BODY = "\n" + "The meters report every fifteen minutes and keep the values. " * 8


def identify(
    place: str, text: str, settings: EvidenceSection = SETTINGS, collection: str | None = None
) -> DocumentIdentity:
    read = document(text + BODY, place)
    return Identifier(settings).identify(read, place, collection=collection)


def key(doc_type: str, number: int) -> DocumentKey:
    return DocumentKey(doc_type=doc_type, number=number)


@pytest.mark.parametrize(
    ("place", "text", "doc_type", "number"),
    [
        ("docs/adr/0012-use-x.md", "# Use X", "adr", 12),
        ("docs/principles/0012-openness.md", "# Openness", "principle", 12),
        ("docs/decisions/007-Use-Container-Registry.md", "# Use a registry", "adr", 7),
        ("docs/adr-network/3-vpn.md", "# 3. VPN", "adr", 3),
        ("docs/ADR-0021.md", "# Sampling", "adr", 21),
        ("docs/notes/x.md", "---\nnav_order: PCP.10\n---\n# X", "principle", 10),
        ("docs/notes/x.md", "# ADR 31: Domains", "adr", 31),
        ("docs/adr/x.md", "---\nnumber: 0012\n---\n# X", "adr", 12),
        ("docs/standards/api.md", "---\nid: STD-00015\nlayout: standard\n---\n# A", "standard", 15),
        ("docs/x.md", "---\ndoc_type: Run Book\n---\n# A", "run_book", None),
        ("docs/policies/backup.md", "# Backup", "policy", None),
        ("docs/field guides/crimping.md", "# Crimping", "field_guide", None),
        ("docs/readings.md", "# Readings", "document", None),
        ("docs/adr/0000-TEMPLATE.md", "# 99. Title", "template", None),
        ("docs/adr/README.md", "# All of them", "overview", None),
    ],
)
def test_type_and_number_come_from_the_strongest_place(
    place: str, text: str, doc_type: str, number: int | None
) -> None:
    found = identify(place, text)
    assert (found.doc_type, found.number) == (doc_type, number)


def test_adr_and_principle_of_one_number_are_two_documents() -> None:
    """[S3] identity is (doc_type, number)"""
    adr = identify("docs/adr/0010-a.md", "# A").key
    principle = identify("docs/principles/0010-a.md", "# A").key
    assert adr == key("adr", 10)
    assert principle == key("principle", 10)


def test_an_approval_record_is_not_the_decision_it_approves() -> None:
    table = "| Decision | Proposed |\n| Decision date | 2025-01-10 |\n\n## Later\n\n"
    table += "| Decision | Accepted |\n| Decision date | 2025-02-11 |\n"
    found = identify("docs/adr/0027D-use-tls.md", f"# Approval Record List\n\n{table}")
    assert found.key == key("adr_approval", 27)
    assert found.status == "accepted"


def test_settings_name_collections_and_the_command_line_wins() -> None:
    settings = EvidenceSection(collections={"aws_adr": ["aws/*"], "runbook": ["*/ops/*"]})
    place = "docs/aws/0003-net.md"
    assert identify(place, "# 3. Net", settings).key == key("aws_adr", 3)
    assert identify("docs/ops/a.md", "# A", settings).doc_type == "runbook"
    assert identify(place, "# 3. Net", settings, "mine").key == key("mine", 3)


def test_letters_before_numbers_can_be_the_users_own() -> None:
    settings = EvidenceSection(prefixes={"BSL": "decision_log"})
    assert identify("docs/BSL-004.md", "# X", settings).key == key("decision_log", 4)


@pytest.mark.parametrize(
    ("text", "status", "day"),
    [
        ("---\nstatus: Accepted\ndate: 2025-03-01\n---\n# A", "accepted", date(2025, 3, 1)),
        ("# A\n\nDate: 26/03/2018\n\n## Status\n\n✅ Accepted\n", "accepted", date(2018, 3, 26)),
        ("# A\n\n* Status: **In review**\n* Date: 4 May 2024\n", "in review", date(2024, 5, 4)),
        ("# A\n\n| Status | Rejected (see 19) |\n|---|---|\n", "rejected", None),
        ("# A\n\nDate: 03/04/2018\n\n## Status\n\nPartly superseded\n", "partly superseded", None),
        ("# A\n\n## Status\n\n## Context\n", None, None),
    ],
)
def test_status_and_date(text: str, status: str | None, day: date | None) -> None:
    found = identify("adr/0001-a.md", text)
    assert (found.status, found.date) == (status, day)


@pytest.mark.parametrize(
    "line",
    [
        "## Status\n\nSuperseded by [the new one](0033-ip-ranges.md)",
        "Status: superseded by ADR.33",
        "Status: Superseded by [ADR-0033](../adr/0033-ip-ranges.md)",
    ],
)
def test_a_superseded_document_names_its_successor(line: str) -> None:
    found = identify("adr/0003-net.md", f"# 3. Net\n\n{line}\n")
    assert found.status == "superseded"
    assert found.superseded_by == (key("adr", 33),)


def test_a_heading_with_another_number_is_noticed_and_the_file_name_holds() -> None:
    for heading in ("# 3. Networking", "# ADR-0003 Networking"):
        found = identify("adr/0033-ip.md", heading)
        assert (found.number, found.heading_number) == (33, 3)
    assert identify("adr/0033-ip.md", "# ADR.33 Networking").heading_number is None


def test_a_signpost_is_a_stub() -> None:
    stub = document("# 28 Scanning\n\nDate: 2021-11-05\n\nKept elsewhere.\n", "adr/028-a.md")
    assert Identifier(SETTINGS).identify(stub, "adr/028-a.md").is_stub
    assert not identify("adr/0001-a.md", "# A").is_stub


def test_labels_are_found_in_questions() -> None:
    labels = Labels(SETTINGS.prefixes)
    found = [str(label.key) for label in labels.find("Compare ADR-0012, pcp.10 and policy 3D; B2")]
    assert found == ["adr 12", "principle 10", "policy_approval 3"]


def test_a_registry_is_read_row_by_row() -> None:
    text = (
        "# Registry\n\n| ID | Title | Status | Date |\n|---|---|---|---|\n"
        "| ADR.12 | [Use CIM](./adr/0012-use-cim.md) | Accepted | 2024-11-13 |\n"
        "| none | Not a document | - | - |\n"
        "| PCP.12 | Openness | proposed | |\n"
        "| PCP.13 | Thrift | accepted | |\n"
    )
    registry = document(text, "docs/registry.md")
    assert Identifier(SETTINGS).identify(registry, "docs/registry.md").doc_type == "registry"
    first, second, _ = Identifier(SETTINGS).entries(registry, "docs/registry.md")
    assert first.key == key("adr", 12)
    assert (first.title, first.target) == ("Use CIM", "./adr/0012-use-cim.md")
    assert (first.status, first.date) == ("accepted", date(2024, 11, 13))
    assert text[first.start : first.end].startswith("| ADR.12")
    assert (second.key, second.status, second.date) == (key("principle", 12), "proposed", None)


@pytest.mark.parametrize(
    "text", ["31/02/2018", "2018-13-01", "tomorrow", "3 Foo 2018", "0000-01-01"]
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert parse_date(text) is None


def test_a_sentence_is_no_status() -> None:
    assert normal_status("This was agreed at the meeting of the board") is None


def test_a_state_is_shared_only_with_a_wording_that_names_it() -> None:
    """Whoever asks for what is provisional is not shown what is deferred."""
    assert same_state("accepted", "final")
    assert same_state("pending", "proposed")
    assert same_state("in force", "active")
    assert not same_state("provisional", "deferred")
    assert not same_state("accepted", "rejected")
    assert not same_state("frobnicated", "frobnicated twice")


@pytest.mark.parametrize(
    "text",
    [
        "# 1. Use REST\n\nStatus: Accepted\n\n## Decision\n\nServices expose REST.\n",
        "# Outage\n\n## Cause\n\nThe disk was full.\n\n## Remedy\n\nThe logs were deleted.\n",
        "# Regions\n\n| Region | Count |\n|---|---|\n| north | 4 |\n",
    ],
)
def test_a_short_record_that_says_something_is_no_stub(text: str) -> None:
    """What decides, fills two sections or holds a table is complete, however short."""
    assert not Identifier(SETTINGS).identify(document(text, "adr/1-a.md"), "adr/1-a.md").is_stub
    empty = "# 1. A\n\n## Decision\n\nTo be decided.\n\n## Context\n\nTBD\n"
    assert Identifier(SETTINGS).identify(document(empty, "adr/1-a.md"), "adr/1-a.md").is_stub


@pytest.mark.parametrize(
    ("place", "text", "doc_type", "number"),
    [
        ("keps/0044-drain/README.md", "---\nkep-number: 44\n---\n# KEP-44: Drain", "kep", 44),
        ("keps/drain/README.md", "---\nkep-number: 44\n---\n# KEP-44: Drain", "kep", 44),
        ("keps/0044-drain/README.md", "---\nkep-number: 44\n---\n# Drain", "kep", 44),
        ("keps/0044-drain/index.md", "# KEP-44: Drain", "kep", 44),
        ("adr/ropes/README.md", "# ADR 12: Ropes", "adr", 12),
        ("adr/README.md", "# ADR 12 and its neighbours", "overview", None),
        ("guides/iso/README.md", "# ISO 27001: a guide", "overview", None),
        ("shop/README.md", "---\npart-number: 7\n---\n# Parts", "overview", None),
    ],
)
def test_a_record_in_a_folder_of_its_own_bears_its_label(
    place: str, text: str, doc_type: str, number: int | None
) -> None:
    """A label in front matter or heading outranks the file name readme; a mention does not."""
    found = identify(place, text)
    assert (found.doc_type, found.number) == (doc_type, number)


@pytest.mark.parametrize("text", ["22-02-03", "03/04/2018"])
def test_a_day_that_can_be_read_in_two_ways_is_kept_as_written(text: str) -> None:
    """Nobody can tell 3 February 2022 from 22 February 2003."""
    found = identify("adr/0001-a.md", f"# A\n\nDate: {text}\n")
    assert [(one.value, one.date) for one in found.stated("dated")] == [(text, None)]
    assert found.date is None


@pytest.mark.parametrize("text", ["2020-02-30", "31/02/2020", "30 February 2020"])
def test_what_is_no_day_is_not_stated_as_one(text: str) -> None:
    """A date that no calendar has is no date of the document."""
    for head in (f"# A\n\nDate: {text}\n", f"---\ndate: {text}\n---\n# A\n"):
        found = identify("adr/0001-a.md", head)
        assert (found.date, found.stated("dated")) == (None, [])
