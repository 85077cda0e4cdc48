"""Documents as common templates have them: who is asked for, which are meant, what was not read."""

import pytest

from groundwire.answer import Documents
from groundwire.answer._library import Finding
from tests.answer.conftest import Corpus

BODY = "## Decision\n\nFerries leave when the tide allows it.\n"


def asked(documents: Documents, question: str) -> Finding:
    return documents.answer(documents.plan(question))


def said(documents: Documents, question: str) -> str:
    return asked(documents, question).text or ""


def numbers(finding: Finding) -> list[int | None]:
    return [one.number for one in finding.sources]


def record(head: str, title: str) -> str:
    return f"---\n{head}\n---\n\n# {title}\n\n{BODY}"


@pytest.fixture
def madr(corpus: Corpus) -> Documents:
    """Decision makers are named, authors are not."""
    heads = (
        'status: "accepted"\ndate: 2021-03-01\ndecision-makers: Ines Falk, Tom Brandt',
        'status: "rejected"\ndate: 2022-03-01\ndecision-makers: Ines Falk',
        'status: "accepted"\ndate: 12/04/2018\ndecision-makers: Tom Brandt',
        "date: May 2024\ndecision-makers: Tom Brandt",
    )
    return corpus(
        {f"adr/{n:04}-f.md": record(head, f"Ferry {n}") for n, head in enumerate(heads, start=1)}
    )


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which ADRs are by Ines Falk?", [1, 2]),
        ("Which ADRs by Ines Falk are still in force?", [1]),
        ("Which ADRs were approved by Tom Brandt?", [1, 3, 4]),
        ("Which ADRs were accepted by Ines Falk?", [1, 2]),
    ],
)
def test_by_means_whoever_is_named_and_approved_by_is_no_status(
    madr: Documents, question: str, wanted: list[int]
) -> None:
    """ "By" asks for authors first; who approved a rejected record approved of its record."""
    assert numbers(asked(madr, question)) == wanted


def test_what_could_not_be_told_is_named_with_what_it_lacks(madr: Documents) -> None:
    """A record with a status is not said to have none because it names no author."""
    found = asked(madr, "Which ADRs did Ines Falk write that are accepted?")
    assert found.observations == (
        "Not classified, for no author that is named was found in: ADR 1, ADR 3.",
        (
            "Not classified, for no status that is known and no author that is named"
            " was found in: ADR 4."
        ),
    )


def test_the_latest_may_bear_a_month_and_an_unclear_day_is_named(madr: Documents) -> None:
    """May 2024 is after 2022; 12/04/2018 is two days, so it is neither first nor last."""
    found = asked(madr, "What is the latest ADR?")
    assert numbers(found) == [4]
    assert "Not classified, for no day that can be told was found in: ADR 3." in found.observations


def test_a_list_by_an_order_says_where_no_day_was_found(corpus: Corpus) -> None:
    """It is not said that there were one without days."""
    found = asked(
        corpus({"adr/0001-a.md": record("status: draft", "A")}), "What is the latest ADR?"
    )
    assert found.mode == "ABSTAIN"
    assert found.message == "No day that can be told was found in 1 ADR."


def policy(title: str, *rows: str) -> str:
    log = "| Version | Date | Author | Change |\n|---|---|---|---|\n" + "\n".join(rows)
    scope = "## Scope\n\nAll staff keep to it, day and night."
    return f"# {title}\n\n{scope}\n\n## Revision history\n\n{log}\n"


def test_who_wrote_every_version_wrote_the_document(corpus: Corpus) -> None:
    """Of several who changed it none is called its author, and all are named."""
    documents = corpus(
        {
            "policies/fax.md": policy("Fax Policy", "| 1.0 | 2010-03-01 | Petra Vogel | Issue |"),
            "policies/access.md": policy(
                "Access Policy",
                "| 1.0 | 2019-05-01 | Dana Reuss | Issue |",
                "| 2.0 | 2022-06-10 | Milo Kern | Keys |",
            ),
        }
    )
    assert "Petra Vogel" in said(documents, "Who wrote the Fax Policy?")
    several = asked(documents, "Who wrote the Access Policy?")
    assert several.mode == "ABSTAIN"
    assert "Dana Reuss" in several.message
    assert "Milo Kern" in several.message
    listed = asked(documents, "Which policies did Petra Vogel write?")
    assert [one.title for one in listed.sources] == ["Fax Policy"]


def test_a_writer_whom_no_field_names_is_no_series(corpus: Corpus) -> None:
    """ "Did Petra Vogel write" does not ask for all documents in which her name stands."""
    texts = {
        f"policies/p{n}.md": f"# Policy {n}\n\nAsk Petra Vogel about it, any day.\n" for n in "abcd"
    }
    assert numbers(asked(corpus(texts), "Which policies did Petra Vogel write?")) == []


MERGED = (
    "# Architecture decisions\n\n## ADR-1: Use ports\n\nStatus: Accepted\n\nPorts are used.\n\n"
    "## ADR-2: Use Oracle\n\nStatus: Superseded by ADR-3\n\nIt is licensed.\n"
)


def test_records_that_share_a_file_are_named_and_say_nothing_of_it(corpus: Corpus) -> None:
    """Neither is the file superseded, nor is one record's table an answer for all."""
    documents = corpus({"arc/09_decisions.md": MERGED})
    (one,) = documents.library.documents
    assert one.identity.status is None
    assert one.identity.superseded_by == ()
    assert one.identity.records == ("ADR-1: Use ports", "ADR-2: Use Oracle")
    single = asked(documents, "What is the status of ADR 2?")
    assert single.mode == "ABSTAIN"
    assert "“ADR-2: Use Oracle” beside other records" in single.observations[0]
    many = asked(documents, "Which ADRs are accepted?")
    assert many.mode == "ABSTAIN"
    assert many.message == "No document here was read as ADR."
    assert "ADR-1: Use ports" in many.observations[0]


RFC = (
    "- Feature Name: `{name}`\n- Start Date: {day}\n- Author(s): Lea Winter\n- Status: {status}\n"
    "{more}\n# Summary\n\nIt says in short what is wanted, and why it is wanted now.\n"
)


def test_a_folder_that_only_contains_names_no_type(corpus: Corpus) -> None:
    """Of "rfcs/text" the documents are RFCs, and their first section is not their title."""
    documents = corpus(
        {
            "rfcs/text/0101-drop.md": RFC.format(
                name="drop", day="2019-04-02", status="Final", more=""
            ),
            "rfcs/text/0123-linear.md": RFC.format(
                name="linear", day="2021-12-24", status="Active", more="- Supersedes: RFC 0101\n"
            ),
        }
    )
    assert numbers(asked(documents, "Which RFCs did Lea Winter write after 2020?")) == [123]
    assert "RFC 123" in said(documents, "Which RFC supersedes RFC 101?")
    assert {one.title for one in documents.library.documents} == {"0101-drop", "0123-linear"}


COLUMNS = (
    "Internet Grid Task Force                                 A. Lindqvist\n"
    "Request for Comments: 9901                             Nordlicht Labs\n"
    "Obsoletes: 9805                                             B. Sauer\n"
    "Category: Standards Track                                    May 2024\n\n\n"
    "                 The Meter Protocol, Version 2\n\nAbstract\n\n   Meters send hourly.\n"
)


def test_the_columns_of_a_request_for_comments_are_read_apart(corpus: Corpus) -> None:
    """What stands on the right is who wrote it and when; the title is centred below."""
    documents = corpus(
        {
            "ietf/rfc9901.txt": COLUMNS,
            "ietf/rfc9805.txt": COLUMNS.replace("9901", "9805")
            .replace("Obsoletes: 9805", "ISSN: 2070-1721")
            .replace("May 2024", "May 2019"),
        }
    )
    assert "A. Lindqvist, B. Sauer" in said(documents, "Who wrote RFC 9901?")
    assert "RFC 9901" in said(documents, "Which RFC obsoletes RFC 9805?")
    assert numbers(asked(documents, "What is the latest RFC?")) == [9901]
    assert documents.library.documents[-1].title == "The Meter Protocol, Version 2"


def test_german_records_are_read_as_english_ones_are(corpus: Corpus) -> None:
    """Statuses, fields and successions have German words, too."""
    head = "# {}\n\n* Status: {}\n* Datum: {}\n* Autor: Heike Sommer\n\n## Kontext\n\nZähler.\n"
    documents = corpus(
        {
            "entscheidungen/0001-a.md": head.format("1. A", "akzeptiert", "2021-04-03"),
            "entscheidungen/0002-b.md": head.format("2. B", "ersetzt durch ADR-0003", "2021-05-12"),
            "entscheidungen/0003-c.md": head.format("3. C", "vorgeschlagen", "1. März 2022"),
        }
    )
    assert numbers(asked(documents, "Which ADRs are accepted?")) == [1]
    assert numbers(asked(documents, "Which ADRs are superseded?")) == [2]
    assert numbers(asked(documents, "Which ADRs are proposed?")) == [3]
    replaced = asked(documents, "What replaced ADR 2?")
    assert "ADR 3" in (replaced.text or "")
    assert replaced.sources[0].quote == "Status: ersetzt durch ADR-0003"
    assert numbers(asked(documents, "Which ADRs did Heike Sommer write?")) == [1, 2, 3]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which ADRs are accepted?", [1, 2]),
        ("Welche ADRs sind angenommen?", [1, 2]),
        ("Welke ADRs zijn geaccepteerd?", [1, 2]),
        ("Which ADRs are proposed?", [3]),
        ("Welche Entscheidungen sind vorgeschlagen?", [3]),
        ("Wie viele ADRs sind abgelehnt?", [4]),
        ("Which ADRs are rejected?", [4]),
        ("Which decisions did Heike Sommer make?", [1, 3]),
        ("Which decisions has Heike Sommer taken?", [1, 3]),
        ("What is the latest ADR?", [2]),
    ],
)
def test_a_corpus_may_be_in_two_languages(corpus: Corpus, question: str, wanted: list[int]) -> None:
    """A status in one language is the same in the other, and a day is read in both."""
    records = (
        ("Accepted", "Heike Sommer", "4 March 2022"),
        ("Angenommen", "Bo Li", "3. Mai 2024"),
        ("vorgeschlagen", "Heike Sommer", "1. März 2024"),
        ("abgelehnt", "Bo Li", "12. Dezember 2023"),
    )
    documents = corpus(
        {
            f"adr/{n:04}-a.md": record(
                f"Status: {state}\nDecider: {who}\nDate: {day}", f"Meter {n}"
            )
            for n, (state, who, day) in enumerate(records, start=1)
        }
    )
    assert numbers(asked(documents, question)) == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which ADRs are still open?", [1, 2]),
        ("Which ADRs are implemented?", [3]),
    ],
)
def test_everyday_words_are_statuses_where_nothing_else_is_asked(
    corpus: Corpus, question: str, wanted: list[int]
) -> None:
    """ "Implemented" is no topic that every section on the implementation would have."""
    states = ("pending", "draft", "implemented", "rejected")
    documents = corpus(
        {
            f"adr/{n:04}-a.md": record(f"status: {state}", f"Open data, implemented {n}")
            for n, state in enumerate(states, start=1)
        }
    )
    assert numbers(asked(documents, question)) == wanted
