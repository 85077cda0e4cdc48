"""Questions as queries over what documents state, and questions that go on from others."""

import pytest

from groundwire.answer._answerable import windows
from groundwire.answer._facts import ask_of
from groundwire.answer._follow_up import follow_up
from groundwire.answer._kinds import answers_in_kind
from groundwire.answer._query import query_of, without_places
from groundwire.evidence import Labels
from groundwire.model import (
    Answer,
    AnswerSource,
    EvidenceBundle,
    RetrievalQuality,
    TransparencyStatement,
    Turn,
)

LABELS = Labels({"ADR": "adr", "PEP": "pep"})


def test_states_people_and_days_are_told_from_the_topic() -> None:
    """What chooses among documents is taken out of the question."""
    query = query_of(
        "Which PEPs by Ada Lovelace created before 2020 were withdrawn", ["Ada Lovelace"]
    )
    assert query.statuses == ("withdrawn",)
    assert query.names == ("Ada Lovelace",)
    assert [one.edge for one in query.periods] == ["before"]
    assert "Ada" not in query.rest


@pytest.mark.parametrize(
    ("question", "wanted", "unwanted"),
    [
        ("Which ADRs are not accepted yet", (), ("accepted",)),
        ("Which ADRs have not been accepted", (), ("accepted",)),
        ("Which PEPs are neither final nor active", (), ("final", "active")),
        ("Which records are rejected or deprecated", ("rejected", "deprecated"), ()),
        ("Which policies are other than draft", (), ("draft",)),
        ("Which PEPs were proposed for Python 3.9 and rejected", ("rejected",), ()),
    ],
)
def test_what_is_ruled_out_is_told_from_what_is_asked_for(
    question: str, wanted: tuple[str, ...], unwanted: tuple[str, ...]
) -> None:
    query = query_of(question, [])
    assert (query.statuses, query.unwanted) == (wanted, unwanted)


def test_what_documents_lack_can_be_asked_for() -> None:
    assert query_of("Which ADRs have no status", []).lacking == "status"
    assert query_of("List the policies without an owner", []).lacking == "owner"
    assert query_of("Which ADRs have a status", []).lacking is None


def test_the_last_change_is_no_order() -> None:
    """ "Last updated in 2024" asks for a year, not for the latest."""
    assert query_of("Which standards were last updated in 2024", []).order is None
    assert query_of("Which is the last ADR", []).order == "newest"


def test_a_group_is_known_by_the_end_of_its_name() -> None:
    query = query_of("Which principles does the Data Office own", ["Halden Grid Data Office"])
    assert query.names == ("Data Office",)
    assert query.names_fit(["Halden Grid Data Office"])


def test_a_name_nobody_bears_is_known_to_be_a_name() -> None:
    """A list by an unknown person is empty, not a list of documents that mention the words."""
    assert query_of("Which PEPs were written by Grace Hopper", ["Ada Lovelace"]).unknown_name == (
        "Grace Hopper"
    )


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("Which PEP supersedes §", "successors"),
        ("What replaced §", "successors"),
        ("What is § superseded by", "successors"),
        ("Which PEPs were superseded by §", "predecessors"),
        ("Which PEP does § replace", "predecessors"),
        ("Which PEPs require §", "required_by"),
    ],
)
def test_a_succession_is_asked_forward_or_back(question: str, relation: str) -> None:
    """The place of the document beside the verb tells the direction."""
    ask = ask_of(question)
    assert ask is not None
    assert ask.relation == relation


@pytest.mark.parametrize(
    ("question", "place", "rest"),
    [
        ("Which ADRs in this collection are accepted", None, "Which ADRs are accepted"),
        ("Which ADRs here are final in their headers", "own", "Which ADRs are final"),
        ("What is decided according to the approval record", "approval", "What is decided"),
        ("Which ADRs are proposed in the registry", "registry", "Which ADRs are proposed"),
        ("Which status is given in the record itself", "own", "Which status is given"),
        ("Which HIPs had Bo as HIP delegate", None, "Which HIPs had Bo as delegate"),
    ],
)
def test_where_a_thing_is_stated_is_told_from_what_is_asked(
    question: str, place: str | None, rest: str
) -> None:
    """The words that say where to look are no topic."""
    assert without_places(question) == (rest, place)


def test_whoever_approved_is_not_who_wrote() -> None:
    """ "By" alone tells an author; another role's word tells that role."""
    assert query_of("Which ADRs are by Ada Quay", ["Ada Quay"]).people_roles == ("author",)
    assert query_of("Which ADRs were sponsored by Bo Pier", ["Bo Pier"]).people_roles == (
        "sponsor",
    )
    assert query_of("Which ADRs were approved by Bo Pier", ["Bo Pier"]).people_roles == ("decider",)


def test_a_deadline_is_no_day_of_a_document() -> None:
    """ "When must it close" asks for what the document says, not for its date."""
    assert ask_of("When was § created") is not None
    assert ask_of("When must § be closed") is None


def turn(question: str, *, title: str = "Use X") -> Turn:
    quality = RetrievalQuality.from_retrieval(1.0, [])
    source = AnswerSource(
        doc_type="adr", doc_id="adr/0003.md", title=title, quote="x", start=0, end=1, number=3
    )
    answer = Answer(
        mode="ANSWER",
        message="",
        answer="x",
        sources=(source,),
        retrieval_quality=quality,
        transparency=TransparencyStatement.from_quality(quality),
        kind="semantic",
        target_route="adr",
        request_id="r",
    )
    return Turn(question=question, answer=answer)


def test_and_another_document_asks_the_same_of_it() -> None:
    """ "and ADR 12?" repeats the question before."""
    meant = follow_up("and ADR 12?", [turn("What is the status of ADR 3?")], LABELS)
    assert meant is not None
    assert meant.question == "What is the status of ADR 12?"


def test_why_goes_on_from_the_document_before() -> None:
    """ "why?" asks for the reasons of what was answered."""
    meant = follow_up("Why?", [turn("What does ADR 3 decide?")], LABELS)
    assert meant is not None
    assert meant.question == "What is the reason for ADR 3?"
    other = follow_up("who approved it?", [turn("Which broker is used?")], LABELS)
    assert other is not None
    assert other.choice == "adr/0003.md"


def answered(*questions: str) -> list[Turn]:
    """Turns of which the last found nothing."""
    turns = [turn(question) for question in questions]
    silent = {"mode": "ABSTAIN", "answer": None, "sources": ()}
    turns[-1] = turns[-1].model_copy(update={"answer": turns[-1].answer.model_copy(update=silent)})
    return turns


def test_an_abstention_does_not_end_the_talk_about_a_document() -> None:
    """What was asked before is known as it was understood, not by its words alone."""
    turns = answered("What does ADR 2 decide?", "why?", "and ADR 12?", "who decided it?")
    for question, whole in (
        ("when?", "What is the date of ADR 12?"),
        ("what replaced it?", "what replaced ADR 12?"),
        ("and ADR 14?", "who decided ADR 14?"),
    ):
        meant = follow_up(question, turns, LABELS)
        assert meant is not None
        assert meant.question == whole


def test_and_a_title_asks_the_same_of_it() -> None:
    """ "and the travel policy?" repeats the question, where there is such a document."""
    before = [turn("What is the status of ADR 3?")]
    assert follow_up("and the travel policy?", before, LABELS) is None
    asked = [*before, *answered("and the travel policy?")]
    for question, turns, whole in (
        ("and the travel policy?", before, "What is the status of the travel policy?"),
        ("and ADR 5?", asked, "What is the status of ADR 5?"),
        ("when?", asked, "What is the date of the travel policy?"),
    ):
        meant = follow_up(question, turns, LABELS, lambda text: text == "the travel policy")
        assert meant is not None
        assert meant.question == whole


def test_a_whole_question_stands_by_itself() -> None:
    """What says everything it means is not changed."""
    assert (
        follow_up("Which TLS version is allowed?", [turn("What does ADR 3 decide?")], LABELS)
        is None
    )
    assert follow_up("why?", [], LABELS) is None


@pytest.mark.parametrize(
    ("question", "text", "fits"),
    [
        ("How long are tokens valid", "Tokens are short-lived.", False),
        ("How long are tokens valid", "Tokens are valid for 90 days.", True),
        ("What lifetime in minutes do tokens have", "Tokens live for 2 hours.", False),
        ("When was Python 3.13 released", "Python 3.12 came on 2 October 2023.", False),
        ("When was Python 3.13 released", "Python 3.13 came on 7 October 2024.", True),
        ("Why was it rejected", "The design has one parameter.", False),
        ("How many ballots were cast", "It was accepted on 17 December 2018.", False),
        ("How many harbour projects hold a grant", "There are two kinds of grants.", False),
        ("How many projects hold a grant", "A grant is held by 7 projects.", True),
        ("How many members sign", "Three people sign each form.", True),
        ("When is it taken out of service", "With a score of 10 it is taken out.", True),
        ("When does access end", "On the last working day.", True),
        ("Is closing the lid enough when I leave", "Devices are always shut down.", True),
        ("By which date must the tool be closed", "Date: 2026-01-02\n\nIt is in use.", False),
        ("By which date must the tool be closed", "It closes on 3 May 2026.", True),
    ],
)
def test_an_answer_is_of_the_kind_that_is_asked_for(
    question: str, text: str, *, fits: bool
) -> None:
    """A passage on the topic without the number, the version or the fate does not answer."""
    assert answers_in_kind(question, text, EvidenceBundle.of(text, "d")) is fits


def test_windows_are_whole_sentences_that_cover_the_passage() -> None:
    """A long passage is read in parts; each begins and ends with a sentence."""
    text = " ".join(
        f"Sentence number {n} says something of its own about meters." for n in range(30)
    )
    found = windows(text)
    assert len(found) > 1
    assert all(
        text[start:end].startswith("Sentence") and text[end - 1] == "." for start, end in found
    )
