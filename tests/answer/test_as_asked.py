"""Questions as colleagues ask them, of documents in the forms that are common elsewhere."""

import pytest

from groundwire.answer import Documents
from groundwire.answer._follow_up import follow_up
from groundwire.answer._kinds import answers_in_kind
from groundwire.answer._library import Finding
from groundwire.evidence import Labels
from groundwire.model import EvidenceBundle
from tests.answer.conftest import Corpus
from tests.answer.test_query import answered, turn

LABELS = Labels({"ADR": "adr"})
PUMP = """# ADR 7: Pumps are run by weekday

Status: Accepted
Decider: Ada Lund

## Context

The basin overflowed twice.

## Considered options

* Weekdays
* Tides
* Levels

## Decision

Chosen option: weekdays, because

* the keeper knows them
* no sensor is needed

## Consequences

A flood on a Sunday is met late.
"""
LOCK = """# ADR 8: Locks are opened from the shore

Status: Proposed

## Considered options

### Option 1 - by radio

Radio reaches every lock.

### Option 2 - by cable

Cables have to be dug.

## Decision

The locks are opened by cable.
"""
REPORT = """# 9. Buoys are counted

## Status

Draft

## Context

Buoys were lost.

## Decision

They are counted in May.
"""
HEADED = """RFC: 0043
Title: Tides are told by the harbour
Author: Bo Ek
State: Accepted
Start Date: 2025-07-01

Summary
-------

The harbour tells the tides.
"""
RULES = """# Towing policy

**Owner:** Head of Towing
**Version:** 2.1

## Rules

A tow line is at most 40 m long.

## Change log

| Version | Date | Author | Change |
|---|---|---|---|
| 2.0 | 2024-01-15 | Ada Lund | Two tugs instead of one |
| 2.1 | 2025-01-01 | Bo Ek | Lines of 40 m instead of 50 m |
"""


@pytest.fixture
def harbour(corpus: Corpus) -> Documents:
    return corpus(
        {
            "adr/0007-pumps.md": PUMP,
            "adr/0008-locks.md": LOCK,
            "export/0009-buoys.md": REPORT,
            "rfcs/0043-tides.md": HEADED,
            "rfcs/0044-lamps.md": REPORT.replace("9. Buoys", "44. Lamps"),
            "policies/towing.md": RULES,
            "minutes/2025-04-01-board.md": "# Board of 1 April\n\nThe old tug is sold.\n",
        }
    )


def asked(documents: Documents, question: str) -> Finding:
    return documents.answer(documents.plan(question))


def quoted(documents: Documents, question: str) -> list[str]:
    return [one.quote for one in asked(documents, question).sources]


@pytest.mark.parametrize(
    ("question", "quotes"),
    [
        ("Which options were considered in ADR 7?", ["* Weekdays\n* Tides\n* Levels"]),
        ("What alternatives did ADR 7 consider?", ["* Weekdays\n* Tides\n* Levels"]),
        ("What options are there in ADR 8?", ["Option 1 - by radio", "Option 2 - by cable"]),
        (
            "Which alternatives were considered in ADR 8?",
            ["Option 1 - by radio", "Option 2 - by cable"],
        ),
        ("What options does ADR 9 consider?", []),
    ],
)
def test_options_are_what_stands_under_their_heading(
    harbour: Documents, question: str, quotes: list[str]
) -> None:
    """A list of names, or a heading for each; nothing else is quoted for them."""
    found = asked(harbour, question)
    assert [one.quote for one in found.sources] == quotes
    assert found.mode == ("ANSWER" if quotes else "ABSTAIN")


def test_options_of_two_records_are_given_side_by_side(harbour: Documents) -> None:
    """Each part of the answer is of one of them."""
    found = asked(harbour, "What options did ADR 7 and ADR 8 consider?")
    assert [one.number for one in found.sources] == [7, 8, 8]


def test_a_decision_record_is_known_by_its_sections(harbour: Documents) -> None:
    """In a folder that names no kind; one that names a kind decides itself."""
    kinds = {one.doc_id: one.identity.doc_type for one in harbour.library.documents}
    assert kinds["docs/export/0009-buoys.md"] == "adr"
    assert kinds["docs/rfcs/0044-lamps.md"] == "rfc"
    assert "draft" in (asked(harbour, "What is the status of ADR 9?").text or "")


def test_a_header_without_fences_is_read(harbour: Documents) -> None:
    """Its title and a field whose name has two words, as the lines between fences are."""
    found = {one.doc_id: one for one in harbour.library.documents}["docs/rfcs/0043-tides.md"]
    assert found.title == "Tides are told by the harbour"
    assert str(found.identity.date) == "2025-07-01"
    assert quoted(harbour, "Who wrote RFC 43?") == ["Author: Bo Ek"]


@pytest.mark.parametrize(
    "question",
    [
        "What changed in version 2.1 of the towing policy?",
        "Who made version 2.1 of the towing policy?",
        "Why is there a version 2 of the towing policy?",
    ],
)
def test_a_version_that_is_given_is_not_asked_for(harbour: Documents, question: str) -> None:
    assert quoted(harbour, question) != ["Version:** 2.1"]
    assert quoted(harbour, "Which version of the towing policy is there?") == ["Version:** 2.1"]


@pytest.mark.parametrize(
    ("question", "collections"),
    [
        ("How many litres per minute does a pump lift?", False),
        ("How long is a tow of 5 minutes?", False),
        ("How many minutes may a lock stay open?", False),
        ("Which minutes mention the tug?", True),
        ("List all minutes", True),
    ],
)
def test_a_unit_is_no_kind_of_document(
    harbour: Documents, question: str, *, collections: bool
) -> None:
    """A folder "minutes" is meant where documents are asked for, not where time is counted."""
    plan = harbour.plan(question)
    assert (plan.collections == ("minute",)) is collections


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What did the board decide on policies?", "decision"),
        ("What must policies say?", "semantic"),
        ("What do our policies require of a tug?", "semantic"),
        ("What policies are there?", "list"),
        ("What are our policies?", "list"),
    ],
)
def test_what_they_did_or_must_asks_for_no_list(
    harbour: Documents, question: str, kind: str
) -> None:
    assert harbour.plan(question).kind == kind


@pytest.fixture
def marked(corpus: Corpus) -> Documents:
    """Records with tags, whose text speaks of other things as well."""
    tags = ("Safety", "Tides, Safety at sea", "Tides", "Safety")
    states = ("accepted", "accepted", "proposed", "proposed")
    return corpus(
        {
            f"adr/{n:04}-a.md": f"---\nstatus: {state}\ntags: {tag}\n---\n\n# Lamp schedule {n}\n\n"
            "## Decision\n\nSafety and tides are weighed at sea.\n"
            for n, (tag, state) in enumerate(zip(tags, states, strict=True), start=1)
        }
    )


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which ADRs are tagged Safety?", [1, 4]),
        ("Which ADRs carry the tag Safety at sea?", [2]),
        ("Which architecture decisions have the tag Tides?", [2, 3]),
        ("How many ADRs with the tag Safety are accepted?", [1]),
        ("ADRs with the tag Tides that are proposed", [3]),
        ("Lamp schedules that are proposed", [3, 4]),
        ("Which ADRs ended up accepted?", [1, 2]),
        ("Which ADRs became accepted?", [1, 2]),
        ("All lamp schedules which are accepted", [1, 2]),
    ],
)
def test_a_list_by_a_mark_or_by_titles(marked: Documents, question: str, wanted: list[int]) -> None:
    """The mark is a field's value, whatever else the texts mention."""
    found = asked(marked, question)
    assert [one.number for one in found.sources] == wanted
    assert "mention" not in found.message


def test_a_condition_beside_a_mark_is_named(marked: Documents) -> None:
    """What the mark leaves out of the question is not dropped in silence."""
    found = asked(marked, "Which harbour ADRs carry the tag Safety?")
    assert [one.number for one in found.sources] == [1, 4]
    assert "“harbour”" in found.observations[0]
    assert found.base_score == 0.5


def test_a_status_that_another_document_states_is_shown_with_its_place(corpus: Corpus) -> None:
    """A line of a list does not contradict its heading."""
    rows = "\n".join(
        f"| ADR.{n} | [Lamp {n}](000{n}-lamp.md) | {state} |"
        for n, state in enumerate(("accepted", "proposed", "proposed"), start=1)
    )
    documents = corpus(
        {
            "adr/README.md": f"# Register\n\n| ID | Title | Status |\n|---|---|---|\n{rows}\n",
            "adr/0001-lamp.md": "# Lamp 1\n\nStatus: accepted\n\nThe lamp is lit at dusk.\n",
            "adr/0002-lamp.md": "# Lamp 2\n\nStatus: proposed\n\nThe lamp is lit at dawn.\n",
            "adr/0003-lamp.md": "# Lamp 3\n\nKept elsewhere, for it is secret.\n",
        }
    )
    text = asked(documents, "Which ADRs are proposed?").text or ""
    assert "Lamp 2” (proposed) [1]" in text
    assert "Lamp 3” (proposed in README.md) [2]" in text


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("and what are the consequences?", "what are the consequences in ADR 3?"),
        ("which options were considered?", "which options were considered in ADR 3?"),
        ("who approved?", "who approved in ADR 3?"),
        ("and the status?", "the status in ADR 3?"),
        ("what was decided?", "what was decided in ADR 3?"),
        ("And who owns it?", "who owns ADR 3?"),
        ("which ADRs are accepted?", None),
        ("which pump is used?", None),
        ("what are the consequences of a flood?", None),
    ],
)
def test_a_question_about_a_part_goes_on_from_the_document(
    question: str, whole: str | None
) -> None:
    """It names nothing of its own; what does stands by itself."""
    meant = follow_up(question, [turn("What does ADR 3 decide?")], LABELS)
    assert (meant.question if meant else None) == whole


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        ("Why is the lock narrow?", "and what are the consequences?", "lock narrow"),
        ("Why is the lock narrow?", "which options were considered?", "lock narrow"),
        ("How is the basin drained?", "what was decided?", "basin drained"),
        ("How is the basin drained?", "what does the keeper do?", None),
    ],
)
def test_a_part_is_never_that_of_any_document(
    before: str, question: str, whole: str | None
) -> None:
    """Where nothing was found before, the matter goes on, not the words for the part alone."""
    meant = follow_up(question, answered(before), LABELS)
    assert (meant.question if meant else None) == (
        f"{question.removeprefix('and ').rstrip('?')} of {whole}?" if whole else None
    )


@pytest.mark.parametrize(
    ("question", "text", "fits"),
    [
        ("What share of the pumps fails", "Pumps fail within 72 hours.", False),
        ("What share of the pumps fails", "Of the pumps 4 % fail.", True),
        ("What percentage of locks is open", "One third of the locks is open.", True),
        ("What proportion of locks is open", "3 of 12 locks are open.", True),
        ("Which share of locks is open", "Most of the locks are open.", True),
        (
            "Which types may the pump use",
            "We need to come up with a list of types the pump may use.",
            False,
        ),
        ("Which types may the pump use", "The pump may use types 3 and 4.", True),
    ],
)
def test_a_share_is_answered_by_a_share(question: str, text: str, *, fits: bool) -> None:
    assert answers_in_kind(question, text, EvidenceBundle.of(text, "d")) is fits


LOGGED = "# {title} policy\n\nThe tug is washed.\n\n## Revision history\n\n{log}\n"


@pytest.mark.parametrize(
    ("log", "day"),
    [
        ("- 4 (12 June 2024): red\n- 3 (3 February 2022): blue", None),
        ("- 2.1 (2024-06-12): red\n- 2.0 (2022-02-03): blue", None),
        ("| Version | Date |\n|---|---|\n| 3.0 | 2022-02-03 |\n| 3.1 | 2024-06-12 |", None),
        ("- 2 (12 June 2024): red\n- 1 (3 February 2022): blue", "2022-02-03"),
        ("- 3 February 2022: blue\n- 12 June 2024: red", "2022-02-03"),
        ("- 03.02.2022 blue\n- 30.06.2024 red", None),
        ("- v1.2 (2022-02-03): blue\n- v2.0 (2024-06-12): red", None),
        ("- 0.1 (2022-02-03): blue\n- 0.2 (2024-06-12): red", "2022-02-03"),
        ("- v1.0 (2022-02-03): blue\n- v2.0 (2024-06-12): red", "2022-02-03"),
        ("- 2022-02-03: blue\n- 2024-06-12: red", "2022-02-03"),
        ("- 2022-02-03: changed to blue\n- 2024-06-12: red", None),
        (
            "| Date | What |\n|---|---|\n| 2022-02-03 | Title corrected |\n| 2024-06-12 | Red |",
            None,
        ),
    ],
)
def test_a_log_that_begins_with_a_later_version_does_not_tell_when_it_was_made(
    corpus: Corpus, log: str, day: str | None
) -> None:
    """What is the earliest entry of a shortened log made nothing."""
    documents = corpus({"policies/wash.md": LOGGED.format(title="Washing", log=log)})
    found = asked(documents, "When was the washing policy created?")
    if day is None:
        assert found.mode == "ABSTAIN"
    else:
        assert f"was created on {day}" in (found.text or "")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who decided ADR 7 and when?", ["approver of ADR 7", "is dated 2024-05-06"]),
        ("When and by whom was ADR 7 decided?", ["approver of ADR 7", "is dated 2024-05-06"]),
        ("Who wrote ADR 8, and when?", ["author of ADR 8", "No day on which it was created"]),
        ("Wer hat ADR 8 geschrieben?", ["author of ADR 8"]),
        ("Wann wurde ADR 7 entschieden?", ["is dated 2024-05-06"]),
        ("Wie ist der Status von ADR 7?", ["is accepted"]),
    ],
)
def test_two_facts_are_both_told(corpus: Corpus, question: str, said: list[str]) -> None:
    """Or what was not found is named."""
    documents = corpus(
        {
            "adr/0007-a.md": "# Pumps\n\nStatus: Accepted\nDecider: Ada Lund\nDate: 2024-05-06\n",
            "adr/0008-b.md": "# Locks\n\nStatus: Draft\nAuthor: Bo Ek\nVersion: 2\n",
        }
    )
    found = asked(documents, question)
    told = f"{found.text} {' '.join(found.observations)}"
    assert all(one in told for one in said)


@pytest.mark.parametrize(
    ("question", "wanted", "unused"),
    [
        ("Which minutes did Ada Lund attend?", [1, 3], ("attend",)),
        ("Which minutes has Bo Ek signed?", [], ()),
        ("Which minutes mention Bo Ek?", [1, 2], ()),
        ("Which minutes did Bo Ek miss?", [1, 2], ("miss",)),
        ("Which minutes did Cy Dahl write?", [1, 2, 3], ()),
    ],
)
def test_a_deed_that_tells_no_role_is_named_and_no_topic(
    corpus: Corpus, question: str, wanted: list[int], unused: tuple[str, ...]
) -> None:
    """Whoever attended is in the text, which no field says."""
    there = ("Ada Lund, Bo Ek", "Bo Ek", "Ada Lund")
    documents = corpus(
        {
            **{
                f"minutes/{n:04}-board.md": f"# Board {n}\n\nAuthor: Cy Dahl\n\nThere were {who}.\n"
                for n, who in enumerate(there, start=1)
            },
            "adr/0001-a.md": "# A\n\nDeciders: Ada Lund, Bo Ek\n",
        }
    )
    plan = documents.plan(question)
    assert plan.query.unused == unused
    assert [one.number for one in documents.answer(plan).sources] == wanted


def test_nobody_is_said_not_to_be_named_who_is(corpus: Corpus) -> None:
    """A decider is no author; that is said of authors alone."""
    documents = corpus({"adr/0001-a.md": "# A\n\nAuthor: Bo Ek\nDeciders: Ada Lund\n"})
    found = asked(documents, "Which ADRs did Ada Lund write?")
    assert found.message == "None of 1 ADR naming Ada Lund as author."


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Which harbour-aws decisions are pending?", [1]),
        ("How many harbour-aws ADRs are there?", [1, 2]),
        ("List the harbour-core ADRs", [3]),
        ("Which harbour-core decisions are pending?", [3]),
        ("Which drafts are there from 2024?", [4]),
        ("How many drafts did Ada Lund write?", [4]),
    ],
)
def test_a_folder_by_its_name_and_a_status_for_documents(
    corpus: Corpus, question: str, wanted: list[int]
) -> None:
    """ "harbour-aws" is the folder "adr-harbour-aws", "drafts" are documents in draft."""
    head = "# {}\n\nStatus: {}\nAuthor: Ada Lund\nDate: {}\n"
    documents = corpus(
        {
            "adr-harbour-aws/0001-a.md": head.format("A", "Pending", "2023-01-01"),
            "adr-harbour-aws/0002-b.md": head.format("B", "Accepted", "2024-01-01"),
            "adr-harbour-core/0003-c.md": head.format("C", "Pending", "2024-01-01"),
            "adr/0004-d.md": head.format("D", "Draft", "2024-01-01"),
        }
    )
    assert [one.number for one in asked(documents, question).sources] == wanted


def test_what_a_record_proposes_is_its_gist(harbour: Documents) -> None:
    """Of one or of two; nothing of the matter is asked."""
    for question in ("What does ADR 8 propose?", "What does ADR 8 recommend?"):
        assert quoted(harbour, question) == ["The locks are opened by cable."]
    both = asked(harbour, "What do ADR 8 and ADR 9 propose?")
    assert [one.number for one in both.sources] == [8, 9]
