"""What the whole comes to, on the examples, with the shipped models."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundwire.answer import Answerer, open_answerer
from groundwire.config import Config
from groundwire.engine import Engine
from groundwire.errors import InputError
from groundwire.evidence import Index, Indexer
from groundwire.model import Answer
from tests.vocabularies import HALDEN

pytestmark = pytest.mark.anyio

Logs = Callable[[], list[dict[str, Any]]]


def keys(answer: Answer) -> list[tuple[str, int | None]]:
    return [(source.doc_type, source.number) for source in answer.sources]


@pytest.mark.parametrize(
    ("question", "document", "says"),
    [
        ("Which TLS version is allowed?", ("adr", 27), "TLS 1.3 is the only version"),
        ("How long are access logs kept?", ("policy", 1), "Access logs | 13 months"),
        ("What time zone do our systems use to store timestamps?", ("adr", 10), "UTC"),
        ("What is the highest price for flexibility?", ("adr", 20), "180 euros per MWh"),
        ("What is the data retention policy?", ("policy", 1), "kept as long as law"),
        ("What is decided about TLS versions?", ("adr", 27), "TLS 1.3"),
    ],
)
async def test_the_sentence_that_answers_is_quoted(
    answerer: Answerer, question: str, document: tuple[str, int], says: str
) -> None:
    answer = await answerer.ask(question)
    assert answer.mode == "ANSWER"
    assert document in keys(answer)
    assert says in (answer.answer or "")
    assert answer.retrieval_quality.confidence_level != "low"
    assert answer.drafted_by is None


@pytest.mark.parametrize(
    "question",
    [
        "What is our policy on pets in the office?",
        "How do I bake sourdough bread?",
        "Which vaccines are needed for travel to Kenya?",
        "What is the capital of Australia?",
        "Do we use Kubernetes for containers?",
    ],
)
async def test_what_the_documents_do_not_say_is_not_answered(
    answerer: Answerer, question: str
) -> None:
    answer = await answerer.ask(question)
    assert (answer.mode, answer.answer, answer.sources) == ("ABSTAIN", None, ())
    assert answer.reason in ("not_answered", "no_results")
    assert answer.transparency.statement == (
        "Limited relevant information found. Consider rephrasing your question."
    )
    abstention = answer.abstention()
    assert abstention is not None
    assert abstention.action.next_step
    assert abstention.missing_knowledge


async def test_an_answer_is_made_of_slices_of_its_documents(
    answerer: Answerer, halden_index: Path
) -> None:
    answer = await answerer.ask("How do suppliers get into the control zone?")
    with Index(halden_index) as index:
        for source in answer.sources:
            document = index.document(source.doc_id)
            assert document is not None
            assert document.text[source.start : source.end] == source.quote
            assert source.quote in (answer.answer or "")


async def test_the_same_question_has_the_same_answer(answerer: Answerer) -> None:
    first = await answerer.ask("How are substations connected to SCADA?")
    second = await answerer.ask("How are substations connected to SCADA?")
    assert first.request_id != second.request_id
    assert first.model_dump(exclude={"request_id"}) == second.model_dump(exclude={"request_id"})


async def test_what_took_the_place_of_a_record_is_quoted_before_it(answerer: Answerer) -> None:
    answer = await answerer.ask("How are substations connected to SCADA?")
    places = keys(answer)
    assert places.index(("adr", 24)) < places.index(("adr", 4))
    assert "Note: ADR 4 is superseded by ADR 24" in (answer.answer or "")


async def test_several_collections_are_each_heard(answerer: Answerer) -> None:
    answer = await answerer.ask("Encryption decisions and principles")
    assert (answer.kind, answer.target_route) == ("cross", "tree")
    assert {doc_type for doc_type, _ in keys(answer)} == {"adr", "principle"}


async def test_a_collection_that_does_not_answer_is_not_the_end(answerer: Answerer) -> None:
    answer = await answerer.ask(
        "Which principle says when the pictures of the drone trial are deleted?"
    )
    assert answer.mode == "ANSWER"
    assert answer.observations[0].startswith("The answer was asked of: Principle.")


async def test_a_term_is_defined_by_the_vocabulary_alone(answerer: Answerer) -> None:
    answer = await answerer.ask("What is CIMXML?")
    assert (answer.mode, answer.kind, answer.target_route) == ("ANSWER", "term", "skosmos")
    (source,) = answer.sources
    assert (source.doc_type, source.name) == ("vocabulary", "local vocabulary")
    assert (answer.answer or "").startswith(source.quote)


async def test_an_ambiguous_term_is_a_choice_that_can_be_picked_by_its_id(
    answerer: Answerer,
) -> None:
    """[S3 Gap C] Nobody has to type the question again."""
    asked = await answerer.ask("What is CIM?")
    assert (asked.mode, asked.reason) == ("CLARIFY", "terminology_ambiguous")
    assert asked.abstention() is None
    picked = await answerer.ask("What is CIM?", choice=asked.suggestions[1].id)
    assert picked.mode == "ANSWER"
    assert (picked.answer or "").startswith("The minutes without power")


async def test_an_undefined_concept_says_so_and_shows_what_there_is(answerer: Answerer) -> None:
    answer = await answerer.ask("What is a ride-along inspection?")
    assert (answer.mode, answer.reason) == ("ABSTAIN", "terminology_no_definition")
    assert answer.sources == ()


async def test_a_term_only_documents_mention_is_offered_and_not_defined(
    answerer: Answerer,
) -> None:
    answer = await answerer.ask("What is a message broker?")
    assert (answer.mode, answer.reason) == ("ABSTAIN", "terminology_not_found")
    assert [one.kind for one in answer.suggestions] == ["document"] * 3
    picked = await answerer.ask("What is a message broker?", choice=answer.suggestions[0].id)
    assert keys(picked) == [("adr", 7)]


async def test_an_unknown_choice_is_refused(answerer: Answerer) -> None:
    with pytest.raises(InputError, match="no document or term"):
        await answerer.ask("What is CIM?", choice="nonsense")


async def test_a_question_in_dutch_reaches_the_vocabulary(answerer: Answerer) -> None:
    answer = await answerer.ask("Wat is een onderstation?")
    assert (answer.answer or "").startswith("Een omheinde of afgesloten plaats")


async def test_a_question_in_dutch_about_english_documents_says_why_nothing_is_found(
    answerer: Answerer,
) -> None:
    answer = await answerer.ask("Hoe lang worden de back-ups van het systeem bewaard?")
    assert answer.mode == "ABSTAIN"
    assert any("(nl)" in note for note in answer.observations)


async def test_a_question_of_5000_words_is_answered_or_not_but_never_fails(
    answerer: Answerer,
) -> None:
    answer = await answerer.ask("Which TLS version is allowed, given that " + "word salad " * 2500)
    assert answer.mode in ("ANSWER", "ABSTAIN")
    if answer.mode == "ABSTAIN":
        assert any("5007 words" in note for note in answer.observations)


@pytest.mark.parametrize("question", ["", "  \n ", "?" * 100_001])
async def test_no_question_and_an_endless_one_are_refused(
    answerer: Answerer, question: str
) -> None:
    with pytest.raises(InputError):
        await answerer.ask(question)


@pytest.mark.parametrize("question", ["?", "the of and", "🦊", "\x00", "' OR 1=1 --", "*"])
async def test_odd_questions_abstain(answerer: Answerer, question: str) -> None:
    assert (await answerer.ask(question)).mode == "ABSTAIN"


async def test_an_empty_corpus_says_so(tmp_path: Path, config: Config) -> None:
    path = tmp_path / "empty.sqlite"
    Index(path).close()
    evidence = config.evidence.model_copy(update={"index": path})
    opened = open_answerer(config.model_copy(update={"evidence": evidence}))
    answer = await opened.ask("Which TLS version is allowed?")
    opened.close()
    assert (answer.mode, answer.reason) == ("ABSTAIN", "no_results")
    assert "holds no documents" in answer.message
    assert answer.action is not None
    assert answer.action.next_step == "INDEX_DOCUMENTS"


async def test_without_an_index_terms_are_still_answered(tmp_path: Path, config: Config) -> None:
    path = tmp_path / "nowhere.sqlite"
    evidence = config.evidence.model_copy(update={"index": path})
    opened = open_answerer(config.model_copy(update={"evidence": evidence}))
    assert (await opened.ask("What is CIMXML?")).mode == "ANSWER"
    with pytest.raises(InputError, match="There is no index at"):
        await opened.ask("Which TLS version is allowed?")
    opened.close()
    assert not path.exists()


async def test_without_a_vocabulary_everything_is_asked_of_documents(config: Config) -> None:
    terms = config.terms.model_copy(update={"vocabulary": []})
    opened = open_answerer(config.model_copy(update={"terms": terms}))
    answer = await opened.ask("What is CIMXML?")
    opened.close()
    assert answer.kind == "semantic"


async def test_all_log_entries_of_a_question_share_its_id(
    answerer: Answerer, captured_logs: Logs
) -> None:
    await answerer.ask("What is CIMXML?")
    before = len(captured_logs())
    answer = await answerer.ask("What is decided about TLS versions?")
    entries = captured_logs()[before:]
    assert {entry["request_id"] for entry in entries} == {answer.request_id}
    assert [entry["event"] for entry in entries] == [
        "request_start",
        "search_complete",
        "request_complete",
    ]
    assert {entry["route"] for entry in entries} == {"direct"}
    assert entries[0]["component"] == "router"
    assert entries[-1]["total_ms"] > 0


async def test_many_questions_at_once_get_each_its_own_answer(answerer: Answerer) -> None:
    questions = [f"What does ADR {number} decide?" for number in (1, 2, 3, 5, 7, 9, 10, 11)]
    answers = await asyncio.gather(*(answerer.ask(question) for question in questions))
    assert [answer.sources[0].number for answer in answers] == [1, 2, 3, 5, 7, 9, 10, 11]
    assert len({answer.request_id for answer in answers}) == len(questions)


async def test_a_document_added_meanwhile_is_found(tmp_path: Path, config: Config) -> None:
    docs = tmp_path / "docs" / "adr"
    docs.mkdir(parents=True)
    (docs / "0001-first.md").write_text("# First\n\n## Decision\n\nThe first lamp is green.\n")
    path = tmp_path / "index.sqlite"
    with Index(path) as index:
        indexer = Indexer(index, config.evidence, config.limits)
        indexer.run([tmp_path / "docs"])
        evidence = config.evidence.model_copy(update={"index": path})
        opened = open_answerer(config.model_copy(update={"evidence": evidence}))
        assert (await opened.ask("ADR 2")).reason == "entity_not_found"
        (docs / "0002-second.md").write_text("# Second\n\n## Decision\n\nThe next is red.\n")
        indexer.run([tmp_path / "docs"])
        assert (await opened.ask("ADR 2")).sources[0].quote == "The next is red."
        opened.close()


async def test_before_anything_is_embedded_words_answer_and_say_so(
    tmp_path: Path, config: Config
) -> None:
    path = tmp_path / "index.sqlite"
    with Index(path) as index:
        Indexer(index, config.evidence, config.limits).run([HALDEN.parents[1] / "documents"])
    evidence = config.evidence.model_copy(update={"index": path})
    opened = open_answerer(config.model_copy(update={"evidence": evidence}))
    answer = await opened.ask("Are codes by text message accepted?")
    opened.close()
    assert answer.mode == "ANSWER"
    assert answer.retrieval_quality.fallback_reasons == ("bm25_only",)
    assert "Codes by text message are not accepted." in (answer.answer or "")


async def test_a_list_does_without_an_embedder_and_loses_nothing(
    tmp_path: Path, config: Config
) -> None:
    """A penalty is for what was really degraded."""
    path = tmp_path / "index.sqlite"
    with Index(path) as index:
        Indexer(index, config.evidence, config.limits).run([HALDEN.parents[1] / "documents"])
    evidence = config.evidence.model_copy(update={"index": path})
    opened = open_answerer(config.model_copy(update={"evidence": evidence}))
    listed = await opened.ask("Which ADRs mention encryption?")
    opened.close()
    assert listed.mode == "ANSWER"
    assert not listed.retrieval_quality.degraded


def test_the_engine_answers_from_any_thread_and_after_it_was_closed(config: Config) -> None:
    engine = Engine(config)
    first = engine.ask_sync("ADR 12")
    engine.close()
    second = asyncio.run(engine.ask("ADR 12"))
    engine.close()
    assert first.answer == second.answer
