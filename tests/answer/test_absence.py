"""What is said to be missing was looked for, and what is answered can be quoted."""

import pytest

from groundwire.answer import Documents
from groundwire.answer._answerable import windows
from groundwire.answer._library import Finding
from tests.answer.conftest import Corpus

LOOKED_AT = "(its header, fields, tables and change log were looked at)"
BODY = "The rollout reaches every region in three steps, beginning with the smallest of them. " * 4


def asked(documents: Documents, question: str) -> Finding:
    finding = documents.answer(documents.plan(question))
    for source in finding.sources:
        text = documents.library.index.document(source.doc_id)
        assert text is not None
        assert source.quote.strip()
        assert text.text[source.start : source.end] == source.quote
    return finding


def page(head: str, body: str) -> str:
    title = "Cache rollout"
    return (
        f"<html><head><title>{title}</title>{head}</head>"
        f"<body><h1>{title}</h1>{body}<p>{BODY}</p></body></html>"
    )


@pytest.mark.parametrize(
    ("question", "what"),
    [
        ("Who wrote the cache rollout?", "author"),
        ("What is the date of the cache rollout?", "date"),
        ("What is the status of the cache rollout?", "status"),
    ],
)
def test_what_was_not_found_is_not_said_to_be_missing(
    corpus: Corpus, question: str, what: str
) -> None:
    """No answer asserts an absence: it is said what was looked at."""
    finding = asked(corpus({"notes/a.md": f"# Cache rollout\n\n{BODY}"}), question)
    assert finding.mode == "ABSTAIN"
    assert finding.message.startswith(f"No {what} was found in “Cache rollout” {LOOKED_AT}")


def test_a_list_of_what_lacks_an_author_leaves_out_whoever_names_one(corpus: Corpus) -> None:
    """“No author” is no kind of author, and the list says what was looked at."""
    found = corpus(
        {
            "notes/a.md": f"# Cache rollout\n\nPrepared by Wen Li, 7 June 2024.\n\n{BODY}",
            "notes/b.md": f"# Backup rollout\n\n{BODY}",
        }
    )
    finding = asked(found, "Which documents have no author?")
    assert [one.doc_id for one in finding.sources] == ["docs/notes/b.md"]
    assert "in which no author was found (their header, fields" in finding.message


HEAD = '<meta name="author" content="Wen Li"><meta name="date" content="2025-01-15">'


@pytest.mark.parametrize(
    ("line", "question", "quote"),
    [
        ("<p>By Wen Li, 15 January 2025</p>", "Who wrote the cache rollout?", "By Wen Li"),
        (
            "<p>Version of 15 January 2025</p>",
            "What is the date of the cache rollout?",
            "Version of 15 January 2025",
        ),
    ],
)
def test_what_the_head_of_a_page_says_is_quoted_where_a_reader_sees_it(
    corpus: Corpus, line: str, question: str, quote: str
) -> None:
    """The quote is text of the page, never an empty one."""
    finding = asked(corpus({"notes/a.html": page(HEAD, line)}), question)
    assert finding.mode == "ANSWER"
    assert finding.sources[0].quote.startswith(quote)


@pytest.mark.parametrize(
    "question", ["Who wrote the cache rollout?", "What is the date of the cache rollout?"]
)
def test_what_no_reader_sees_is_no_answer(corpus: Corpus, question: str) -> None:
    """It is told, but it cannot be quoted."""
    finding = asked(corpus({"notes/a.html": page(HEAD, "")}), question)
    assert finding.mode == "ABSTAIN"
    assert "Its hidden page data say" in finding.message


REST = "# 2. Expose REST between services\n\nStatus: Superseded by ADR 4\n\n"
GRPC = "# 4. Use gRPC\n\nStatus: Accepted\nSupersedes: ADR 2\n\n"
DECISION = "## Decision\n\nServices talk to each other so.\n"


def test_a_folder_is_of_the_type_its_documents_call_each_other(corpus: Corpus) -> None:
    """ "Superseded by ADR 4" beside the file 0004 makes both ADRs, and the rest of the series."""
    found = corpus(
        {
            "architecture/0002-rest.md": REST + DECISION,
            "architecture/0004-grpc.md": GRPC + DECISION,
            "architecture/0005-tokens.md": "# 5. Session tokens\n\n" + DECISION,
        }
    )
    assert found.library.collections() == {"adr": 3}
    finding = asked(found, "What replaced ADR 2?")
    assert "is superseded by ADR 4 “Use gRPC”" in (finding.text or "")
    assert not any("No ADR 2" in note for note in finding.observations)


def test_a_registry_that_gives_another_day_is_mentioned(corpus: Corpus) -> None:
    """Whoever asks for a day learns that it is stated differently; where it is not, nothing."""
    days = {7: "2022-03-01", 8: "2022-04-01", 9: "2022-05-02"}
    head = "Status: Accepted\nDate: "
    files = {f"adr/000{n}-x.md": f"# {n}. Crane {n}\n\n{head}{days[n]}\n\n" for n in days}
    listed = {**days, 8: "2022-04-11"}
    rows = "".join(
        f"| [ADR-000{n}](000{n}-x.md) | Crane {n} | accepted | {day} |\n"
        for n, day in listed.items()
    )
    table = f"# ADRs\n\n| ADR | Title | Status | Date |\n|--|--|--|--|\n{rows}"
    found = corpus(
        {name: text + DECISION for name, text in files.items()} | {"adr/index.md": table}
    )
    finding = asked(found, "When was ADR 8 decided?")
    assert "2022-04-01" in (finding.text or "")
    assert len(finding.observations) == 1
    assert "The date of ADR 8 is stated differently: “2022-04-01”" in finding.observations[0]
    assert "“2022-04-11” in " in finding.observations[0]
    assert asked(found, "When was ADR 9 decided?").observations == ()


def test_documents_that_name_a_record_elsewhere_keep_their_type(corpus: Corpus) -> None:
    """A runbook that an ADR of another folder replaces is no ADR."""
    found = corpus(
        {
            "runbooks/0002-rest.md": REST + DECISION,
            "runbooks/0004-keys.md": "# 4. Rotate keys\n\n" + DECISION,
            "adr/0004-grpc.md": "# 4. Use gRPC\n\n" + DECISION,
        }
    )
    assert found.library.collections() == {"adr": 1, "runbook": 2}


def test_a_number_of_another_type_is_named(corpus: Corpus) -> None:
    """That none is here is not claimed while a document has the number."""
    found = corpus({"designs/0002-rest.md": "# 2. Expose REST\n\n" + DECISION})
    finding = asked(found, "What does ADR 2 decide?")
    assert finding.mode == "ABSTAIN"
    assert "The number 2 is that of Design 2 “Expose REST”." in finding.message
    assert "holds 0" not in finding.message


def test_no_window_reaches_over_a_heading() -> None:
    """Of a short document the section that answers is quoted, without marks and header fields."""
    text = (
        "# 5. Session tokens\n\nStatus: Accepted\n\n## Context\n\nSessions survive a restart.\n\n"
        "## Decision\n\nRefresh tokens live for 30 days. Access tokens live for an hour.\n"
    )
    cut = [text[start:end] for start, end in windows(text)]
    assert cut[-1] == "Refresh tokens live for 30 days. Access tokens live for an hour."
    assert not any("#" in one for one in cut)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.rst", "Cache rollout\n=============\n\n:Author: Wen Li\n\n"),
        ("a.adoc", "= Cache rollout\n:author: Wen Li\n:toc:\n\n"),
        ("a.org", "#+title: Cache rollout\n#+author: Wen Li\n\n* Steps\n\n"),
    ],
)
def test_the_fields_of_every_markup_are_read(corpus: Corpus, name: str, text: str) -> None:
    """Each has its own way to name an author, which its reader is shown."""
    finding = asked(corpus({f"notes/{name}": text + BODY}), "Who wrote the cache rollout?")
    assert (finding.text or "").startswith("The author of “Cache rollout” is Wen Li.")
