"""Lists and facts of documents in several series, by whose they are, by kind and by where it is
stated. The documents are written for it: the records of a harbour."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.answer import Documents
from groundwire.answer._library import Finding
from groundwire.config import Config
from groundwire.evidence import Index, Indexer, Searcher

FILLER = "The quay is long and the crane drivers work in three shifts on most days of a week. " * 4


def record(title: str, status: str, day: str, said: str = "") -> str:
    return f"# {title}\n\nDate: {day}\n\n## Status\n\n{status}\n\n## Decision\n\n{said}\n\n{FILLER}"


def proposal(number: int, title: str, *header: str, text: str = "") -> str:
    head = "\n".join([f"HIP: {number}", f"Title: {title}", *header])
    return f"{head}\n\n\nAbstract\n========\n\n{FILLER}\n\n{text}\n"


def standard(title: str, day: str, tags: str, said: str = "") -> str:
    front = f"---\nlayout: standard\ntitle: {title}\ndate: {day}\ntags: [{tags}]\n---\n"
    return f"{front}\n# {title}\n\n{said} {FILLER}"


REGISTRY = """# Register

### Shore (ADR.5-9)

| ID | Title | Status | Date | Owner |
| --- | --- | --- | --- | --- |
| ADR.5 | [Rubber fenders](adr/0005-fenders.md) | proposed | 2025-01-02 | Shore Team |

### Sea (ADR.1-4)

| ID | Title | Status | Date | Owner |
| --- | --- | --- | --- | --- |
| ADR.3 | [Deep anchors](adr/0003-anchors.md) | proposed | 2025-01-02 | Anchor Guild |
| ADR.6 | [Red buoys](adr/0006-buoys.md) | accepted | 2025-01-03 | Shore Team |
"""
APPROVAL = """# Approval of ADR.{number}

| Name | Value |
| --- | --- |
| Decision | Accepted |
| Decision date | 2025-03-04 |
| Driver (Decision owner) | Port Programme - Design Group |
"""
CORPUS = {
    "adr-bay-cranes/0001-rails.md": record("Lay wider rails", "Pending", "2018-02-03"),
    "adr-bay-cranes/0002-cabins.md": record(
        "Heat the cabins", "Accepted", "2019-05-06", "Every cabin is heated with hot water."
    ),
    "adr-bay-gates/0001-locks.md": record(
        "Paint the locks", "Pending", "2018-07-08", "All locks are painted green once a year."
    ),
    "adr-bay-gates/0002-cabins.md": record("Close the gates", "Accepted", "2020-01-02"),
    "standards/lamps.md": standard(
        "Lamps on ships", "2024-05-01", '"Night work", Safety', "Ships of the Harbour Office."
    ),
    "standards/ropes.md": standard("Strong ropes", "2024-06-01", "Safety"),
    "standards/ladders.md": standard(
        "Safe ladders", "2023-02-01", "Safety", "The Harbour Office inspects each ladder."
    ),
    "records/adr/0005-fenders.md": "---\nnav_order: ADR.5\nstatus: proposed\n---\n\n# Rubber"
    f" fenders\n\n## Decision\n\nFenders are made of rubber.\n\n{FILLER}",
    "records/adr/0005D-fenders.md": "---\nnav_order: ADR.5D\n---\n\n" + APPROVAL.format(number=5),
    "records/adr/0006-buoys.md": "---\nnav_order: ADR.6\nstatus: accepted\n---\n\n# Red buoys"
    f"\n\n## Decision\n\nBuoys are red.\n\n{FILLER}",
    "records/register.md": REGISTRY,
    "hips/hip-0010.rst": proposal(
        10,
        "Tide tables on paper",
        "Author: Ada Quay <ada@example.org>",
        "Sponsor: Bo Pier",
        "Status: Superseded",
        "Type: Process",
        "Created: 03-Feb-2011",
        "Superseded-By: 40",
    ),
    "hips/hip-0011.rst": proposal(
        11,
        "Tide tables on slate",
        "Author: Cy Mole",
        "HIP-Delegate: Ada Quay",
        "Status: Superseded",
        "Type: Standards Track",
        "Topic: Safety, Tides",
        "Created: 04-Mar-2012",
        "Harbour-Version: 3.9",
        "Superseded-By: 40",
    ),
    "hips/hip-0012.rst": proposal(
        12,
        "Ring the fog bell twice",
        "Author: Cy Mole, Ada Quay",
        "Status: Withdrawn",
        "Type: Process",
        "Created: 05-Apr-2013",
        text="HIP Withdrawal\n==============\n\nThe bell wakes the village. Neighbours had"
        " complained for years, and a lamp does as well.\n\n\nRationale\n=========\n\nTwo strokes"
        " carry further than one.",
    ),
    "hips/hip-0013.rst": proposal(
        13,
        "Sell the old tug",
        "Author: Dee Wharf",
        "Status: Rejected",
        "Type: Process",
        "Created: 06-May-2014",
        text="Rejection\n=========\n\nThis HIP was rejected by the board.\n\n\nRationale\n"
        "=========\n\nA tug costs money.",
    ),
    "hips/hip-0014.rst": proposal(
        14,
        "East pier",
        "Author: Dee Wharf",
        "Status: Draft",
        "Type: Process",
        "Created: 07-Jun-2015",
        text="This HIP proposes to close the east pier in winter.",
    ),
}


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Documents]:
    folder = tmp_path_factory.mktemp("harbour")
    for name, text in CORPUS.items():
        path = folder / "harbour" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    config = Config()
    with Index(folder / "index.sqlite") as index:
        Indexer(index, config.evidence, config.limits).run([folder / "harbour"])
        searcher = Searcher(index, thresholds=config.evidence.thresholds)
        yield Documents(index, searcher, config)


def asked(documents: Documents, question: str) -> Finding:
    return documents.answer(documents.plan(question))


def listed(documents: Documents, question: str) -> set[str]:
    return {source.doc_id.removeprefix("harbour/") for source in asked(documents, question).sources}


CRANES = {"adr-bay-cranes/0001-rails.md", "adr-bay-cranes/0002-cabins.md"}
LAMPS, ROPES, LADDERS = "standards/lamps.md", "standards/ropes.md", "standards/ladders.md"
TEN, ELEVEN, TWELVE = (f"hips/hip-{number:04}.rst" for number in (10, 11, 12))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which BAY cranes decision records are there?", CRANES),
        ("How many decisions are in the folder adr-bay-cranes?", CRANES),
        ("Which Bay Cranes ADRs have the status Pending?", {"adr-bay-cranes/0001-rails.md"}),
        (
            "Which Bay decision records are dated 2018?",
            {"adr-bay-cranes/0001-rails.md", "adr-bay-gates/0001-locks.md"},
        ),
        ("Which Harbour Office standards are dated 2024?", {LAMPS, ROPES}),
        ("How many standards does the Harbour Office publish?", {LAMPS, ROPES, LADDERS}),
        ("What is the latest Harbour Office standard?", {ROPES}),
    ],
)
def test_a_series_is_named_by_its_path_or_by_whom_it_names(
    harbour: Documents, question: str, wanted: set[str]
) -> None:
    """A folder's documents are whose it is, whether or not each of them says so."""
    assert listed(harbour, question) == wanted


def test_a_series_that_was_inferred_is_said_to_be(harbour: Documents) -> None:
    """Nobody is told that a document is the Harbour Office's without being told how that is
    known."""
    finding = asked(harbour, "Which Harbour Office standards are dated 2024?")
    assert any("Taken for those of “Harbour Office”" in one for one in finding.observations)


def test_what_some_documents_are_about_is_no_owner(harbour: Documents) -> None:
    """A word of titles, or a name that few documents have, chooses among documents as before."""
    assert listed(harbour, "Which standards are about ropes?") == {ROPES}
    assert harbour.plan("Which Green Painters standards are dated 2024?").series is None


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which HIPs in this collection have Ada Quay as an author?", {TEN, TWELVE}),
        ("Which HIPs here were sponsored by Bo Pier?", {TEN}),
        ("For which HIPs was Ada Quay the HIP-Delegate?", {ELEVEN}),
        ("Which of the HIPs list Cy Mole among their authors?", {ELEVEN, TWELVE}),
        ("How many HIPs of type Process did Ada Quay co-author?", {TEN, TWELVE}),
        ("Which HIPs with the topic Tides are there?", {ELEVEN}),
        ("Which HIPs targeted Harbour 3.9?", {ELEVEN}),
        ("Which standards have the tag Night work?", {LAMPS}),
        ("Which standards are tagged Safety?", {LAMPS, ROPES, LADDERS}),
        ("Count the superseded HIPs.", {TEN, ELEVEN}),
        ("Which HIPs were superseded by HIP 40?", {TEN, ELEVEN}),
        ("How many HIPs in this corpus were replaced by HIP 40?", {TEN, ELEVEN}),
        ("List every withdrawn HIP created after 2012.", {TWELVE}),
        ("I need an overview of all HIPs that Cy Mole wrote.", {ELEVEN, TWELVE}),
    ],
)
def test_lists_by_role_kind_and_succession(
    harbour: Documents, question: str, wanted: set[str]
) -> None:
    """HIP 40 is not there: what is says what it replaced."""
    assert listed(harbour, question) == wanted


def test_a_document_that_is_not_there_is_said_not_to_be(harbour: Documents) -> None:
    """A list of what it replaced does not hide that it cannot be read."""
    finding = asked(harbour, "Which HIPs were superseded by HIP 40?")
    assert "No HIP 40 was found here." in finding.observations
    assert asked(harbour, "Which HIPs were superseded by HIP 41?").mode == "ABSTAIN"


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which ADRs are accepted in the header of the ADR itself?", "records/adr/0006-buoys.md"),
        ("Which ADRs are proposed in their own front matter?", "records/adr/0005-fenders.md"),
        (
            "Which ADRs were accepted according to their approval records?",
            "records/adr/0005-fenders.md",
        ),
        (
            "Which ADRs have the Port Programme - Design Group as owner in their approval records?",
            "records/adr/0005-fenders.md",
        ),
    ],
)
def test_where_a_thing_is_stated_can_be_asked(
    harbour: Documents, question: str, wanted: str
) -> None:
    """A header, an approval record and a registry may say different things of one document."""
    found = {one for one in listed(harbour, question) if one.startswith("records")}
    assert found == {wanted}


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Which status does ADR.5 carry in its own header?", "is proposed."),
        ("What is the status of ADR.5 according to its approval record?", "is accepted."),
        ("Who is the sponsor of HIP 10?", "is Bo Pier."),
        ("Who wrote the HIP that proposed tide tables on slate?", "is Cy Mole."),
        ("What is the status of the Bay Gates decision on painting the locks?", "is pending."),
        ("When was the proposal about selling the old tug created?", "2014-05-06"),
    ],
)
def test_facts_of_documents_that_are_named_by_place_title_or_subject(
    harbour: Documents, question: str, says: str
) -> None:
    finding = asked(harbour, question)
    assert finding.mode == "ANSWER"
    assert says in (finding.text or "").splitlines()[0]


def test_why_a_document_failed_is_told_where_it_says_that_it_did(harbour: Documents) -> None:
    """Not where it argued for itself; and that it was rejected is no reason why."""
    for question in (
        "Why was HIP 12 withdrawn?",
        "Why was the proposal to ring the fog bell twice withdrawn?",
    ):
        finding = asked(harbour, question)
        assert "wakes the village" in finding.sources[0].quote
    assert asked(harbour, "Why was HIP 13 rejected?").mode == "ABSTAIN"


def test_documents_compared_by_their_titles_each_say_what_they_decide(harbour: Documents) -> None:
    finding = asked(
        harbour,
        "How do the Bay Cranes decision to heat the cabins and the Bay Gates decision to paint the"
        " locks differ?",
    )
    quotes = [source.quote for source in finding.sources]
    assert any("heated with hot water" in quote for quote in quotes)
    assert any("painted green" in quote for quote in quotes)


def test_an_option_that_was_not_chosen_is_told_by_what_weighs_it(
    tmp_path: Path, config: Config
) -> None:
    """The section on the option is the reason; whoever else is said to have refused it is not."""
    path = tmp_path / "docs" / "adr" / "0001-bells.md"
    path.parent.mkdir(parents=True)
    path.write_text(
        "# Use bells for fog\n\n## Considered options\n\n* bells\n* flares\n\n## Decision\n\n"
        f"Fog is announced by bells. {FILLER}\n\n## Pros and cons of the options\n\n### Flares\n\n"
        "Flares burn out within a minute and set two barges on fire.\n\n### Horns\n\n#### Pros\n\n"
        "- Horns are heard from afar\n\n#### Cons\n\n- Horn players must be paid each night\n",
        encoding="utf-8",
    )
    with Index(tmp_path / "index.sqlite") as index:
        Indexer(index, config.evidence, config.limits).run([tmp_path / "docs"])
        searcher = Searcher(index, thresholds=config.evidence.thresholds)
        documents = Documents(index, searcher, config)
        chosen = asked(documents, "Why did ADR 1 not choose flares?")
        assert chosen.sources[0].quote.startswith("Flares burn out")
        paid = asked(documents, "Why were horns not chosen in ADR 1?")
        assert "must be paid" in paid.sources[0].quote
        named = asked(documents, "Why did the mayor of Rotterdam reject flares in ADR 1?")
        assert not any(source.quote.startswith("Flares burn") for source in named.sources)


def test_what_only_a_registry_lists_is_listed_as_such(harbour: Documents) -> None:
    """ADR 3 is owned by the guild, as the register says; the record itself is not there."""
    finding = asked(harbour, "Which ADRs are owned by the Anchor Guild?")
    assert "ADR 3 “Deep anchors”" in (finding.text or "")
    assert "none of which is here" in finding.message
    assert listed(harbour, "Which ADRs are listed in the registry under Shore?") == {
        "records/adr/0005-fenders.md"
    }


def test_a_deed_named_like_a_document_has_not_its_day(harbour: Documents) -> None:
    """The decision to sell a tug has a date; when the tug is sold is not said."""
    assert asked(harbour, "By which date must we sell the old tug?").mode == "ABSTAIN"
    assert asked(harbour, "When did the harbour sell the old tug?").mode == "ABSTAIN"


def test_a_proposal_says_what_it_proposes_where_no_heading_tells(harbour: Documents) -> None:
    finding = asked(harbour, "What does HIP 14 decide?")
    assert "proposes to close the east pier" in finding.sources[0].quote


def test_a_status_keeps_its_wording_whatever_else_is_asked(harbour: Documents) -> None:
    """ "Pending" is a wording of its own here: what is merely proposed does not stand in for it."""
    assert asked(harbour, "Which pending ADRs mention rubber?").mode == "ABSTAIN"
