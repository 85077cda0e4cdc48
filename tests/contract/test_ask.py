"""S3 from end to end: the traps of the examples, the counters of Gap F, correlation, fallbacks."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from groundwire.answer import Answerer, Documents, open_answerer
from groundwire.config import Config, load_config
from groundwire.errors import EmbeddingFailed
from groundwire.evidence import Index, Indexer, Searcher, embed_pending
from groundwire.guard import CircuitBreaker
from groundwire.model import Answer
from groundwire.observe import Metrics, metrics
from groundwire.terms import SKOSMOSClient, Terminology
from groundwire.testing import HashingEmbedder, SkosmosStandIn
from tests.evidence.make import write_corpus
from tests.vocabularies import HALDEN

pytestmark = pytest.mark.anyio

Logs = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def config(halden_index: Path) -> Config:
    overrides = {"evidence.index": str(halden_index), "terms.vocabulary": [str(HALDEN)]}
    return load_config(overrides=overrides).config


@pytest.fixture
def answerer(config: Config) -> Iterator[Answerer]:
    opened = open_answerer(config)
    yield opened
    opened.close()


@pytest.fixture
def small(tmp_path: Path, config: Config) -> Iterator[Index]:
    with Index(tmp_path / "small.sqlite") as index:
        Indexer(index, config.evidence, config.limits).run([write_corpus(tmp_path / "docs")])
        embed_pending(index, HashingEmbedder())
        yield index


def over(
    index: Index,
    config: Config,
    embedder: HashingEmbedder,
    breaker: CircuitBreaker | None = None,
    terminology: Terminology | None = None,
) -> Answerer:
    """An answerer over a small corpus whose embedder does as it is told."""
    searcher = Searcher(
        index, thresholds=config.evidence.thresholds, embedder=embedder, breaker=breaker
    )
    return Answerer(Documents(index, searcher, config), terminology, config.answer)


FAILED = EmbeddingFailed("down")


async def test_trap_overlapping_numbers(answerer: Answerer) -> None:
    decision = await answerer.ask("What does ADR 12 decide?")
    principle = await answerer.ask("What does principle 12 say?")
    assert "Common Information Model" in (decision.answer or "")
    assert "one system in which it is true" in (principle.answer or "")


async def test_trap_ambiguous_term(answerer: Answerer) -> None:
    """[S3 Gap C] A term with two meanings is asked back, with both to choose from."""
    answer = await answerer.ask("What is a terminal?")
    assert (answer.mode, answer.reason) == ("CLARIFY", "terminology_ambiguous")
    assert len(answer.suggestions) == 2


@pytest.mark.parametrize(
    ("question", "nearest"),
    [("What is CIMXLM?", "CIMXML"), ("What does ADR-0032 decide?", "ADR 31")],
)
async def test_gap_e_an_abstention_offers_what_is_near_and_can_be_picked(
    answerer: Answerer, question: str, nearest: str
) -> None:
    """[S3 Gap E] At most three alternatives, each of which answers when its id is chosen."""
    abstained = await answerer.ask(question)
    assert abstained.mode == "ABSTAIN"
    assert 1 <= len(abstained.suggestions) <= 3
    assert nearest in abstained.suggestions[0].label
    chosen = await answerer.ask(question, choice=abstained.suggestions[0].id)
    assert chosen.mode == "ANSWER"


async def test_trap_missing_definition(answerer: Answerer) -> None:
    answer = await answerer.ask("Define ride-along inspection")
    assert (answer.mode, answer.reason) == ("ABSTAIN", "terminology_no_definition")
    assert (answer.answer, answer.sources) == (None, ())


async def test_trap_superseded_record(answerer: Answerer) -> None:
    answer = await answerer.ask("ADR-0004")
    assert "superseded by ADR 24" in (answer.answer or "")


async def test_trap_registry_against_record(answerer: Answerer) -> None:
    answer = await answerer.ask("What is the status of ADR-0027?")
    assert {source.doc_type for source in answer.sources} == {"adr", "registry"}
    assert "stated differently" in (answer.answer or "")


async def test_trap_stub(answerer: Answerer) -> None:
    assert (await answerer.ask("What does ADR-0022 decide?")).mode == "ABSTAIN"


async def test_trap_dangling_link(answerer: Answerer) -> None:
    answer = await answerer.ask("What does ADR-0032 decide?")
    assert answer.reason == "entity_not_found"
    assert "the document is not there" in answer.observations[0]


@pytest.mark.parametrize(
    ("question", "route", "mode"),
    [
        ("What is CIMXML?", "skosmos", "ANSWER"),
        ("What is FooBarBaz?", "skosmos", "ABSTAIN"),
        ("What is CIM?", "skosmos", "CLARIFY"),
        ("Define the TLS requirements in ADRs", "adr", "ANSWER"),
        ("Define the encryption requirements in ADR-0015", "adr", "ANSWER"),
        ("What is decided about TLS versions?", "adr", "ANSWER"),
        ("List all ADRs about authentication", "adr", "ANSWER"),
        ("List all principles about security", "principle", "ANSWER"),
        ("What does ADR-0012 decide?", "adr", "ANSWER"),
        ("What are the interoperability principles?", "principle", "ANSWER"),
        ("What is the data retention policy?", "policy", "ANSWER"),
        ("What does ADR-9999 decide?", "adr", "ABSTAIN"),
        ("Security decisions and principles", "tree", "ANSWER"),
        ("At what wind speed does work on overhead lines stop?", "tree", "ANSWER"),
    ],
)
async def test_the_categories_of_the_golden_set_take_their_routes(
    answerer: Answerer, question: str, route: str, mode: str
) -> None:
    answer = await answerer.ask(question)
    assert (answer.target_route, answer.mode) == (route, mode)


async def test_gap_a_a_timeout_of_the_server_abstains_and_is_flagged_obs_02(
    small: Index, config: Config, captured_logs: Logs
) -> None:
    """[S3 Gap A, OBS-02] Nobody invents a definition while the vocabulary is silent."""
    counted = Metrics()
    with SkosmosStandIn([HALDEN], vocabulary="halden", delay_ms=200) as server:
        client = SKOSMOSClient(server.url, 50, vocabulary="halden", counted=counted)
        terminology = Terminology(client, counted=counted)
        made = over(small, config, HashingEmbedder(), terminology=terminology)
        answer = await made.ask("What is CIMXML?")
        terminology.close()
    assert (answer.mode, answer.reason) == ("ABSTAIN", "terminology_timeout")
    assert answer.answer is None
    assert "Unable to verify" in answer.message
    assert answer.retrieval_quality.fallback_reasons == ("skosmos_timeout",)
    complete = captured_logs()[-1]
    assert complete["event"] == "request_complete"
    assert complete["fallback_flags"] == ["skosmos_timeout"]
    assert counted.value("rag_abstention_total", reason="terminology_timeout") == 1


async def test_obs_01_a_normal_request_has_no_flags(
    answerer: Answerer, captured_logs: Logs
) -> None:
    """[OBS-01] From the question to the last log entry."""
    answer = await answerer.ask("Which TLS version is allowed?")
    assert not answer.retrieval_quality.fallback_active
    assert all(entry["fallback_flags"] == [] for entry in captured_logs())


async def test_obs_04_an_embedding_failure_answers_by_words_with_the_penalty(
    small: Index, config: Config, captured_logs: Logs
) -> None:
    """[OBS-04] `bm25_only` is in the answer, in its note and in the logs."""
    question = "How long is a backup of each database kept?"
    made = over(small, config, HashingEmbedder(failures=[FAILED] * 9))
    answer = await made.ask(question)
    quality = answer.retrieval_quality
    assert quality.fallback_reasons == ("bm25_only",)
    assert quality.fallback_mode
    assert answer.mode == "ANSWER"
    assert quality.confidence_score <= 0.8
    assert answer.transparency.statement == (
        "This response uses simplified search (bm25_only). Results may be less comprehensive."
    )
    assert captured_logs()[-1]["fallback_flags"] == ["bm25_only"]


async def test_obs_03_obs_05_an_open_circuit_and_its_consequence_are_both_flagged(
    small: Index, config: Config
) -> None:
    """[OBS-03, OBS-05] Two fallbacks, two flags, and the embedder was asked once."""
    breaker = CircuitBreaker("embeddings", failure_threshold=1)
    embedder = HashingEmbedder(failures=[FAILED])
    made = over(small, config, embedder, breaker)
    await made.ask("How long is a backup kept?")
    answer = await made.ask("How long is a backup kept?")
    assert set(answer.retrieval_quality.fallback_reasons) == {"bm25_only", "circuit_open"}
    assert embedder.calls == 1


async def test_conf_05_too_little_by_words_alone_abstains(small: Index, config: Config) -> None:
    """[CONF-05] What does not answer is an abstention that says so."""
    made = over(small, config, HashingEmbedder(failures=[FAILED] * 9))
    answer = await made.ask("How long is a backup of each xylophone in Antarctica kept?")
    assert (answer.mode, answer.reason) == ("ABSTAIN", "not_answered")


async def test_without_a_quote_there_is_no_answer_however_low_the_threshold(
    config: Config,
) -> None:
    """Nothing fits these questions: that is an abstention at any threshold, and no crash."""
    evidence = config.evidence.model_copy(update={"abstain_below": 0.0})
    opened = open_answerer(config.model_copy(update={"evidence": evidence}))
    for question in (
        "How many vehicles does Halden Grid own?",
        "In which year did Oslo join the broker?",
    ):
        answer = await opened.ask(question)
        assert (answer.mode, answer.reason) == ("ABSTAIN", "not_answered")
    opened.close()


def total(name: str, **labels: str) -> float:
    return metrics().value(name, **labels)


async def test_obs_06_every_counter_of_gap_f_is_counted_on_the_way_of_a_question(
    small: Index, config: Config
) -> None:
    """[OBS-06, S3 Gap F] Real questions move every counter of the list."""
    metrics.cache_clear()
    breaker = CircuitBreaker("embeddings", failure_threshold=1)
    with SkosmosStandIn([HALDEN], vocabulary="halden") as server:
        client = SKOSMOSClient(server.url, 5000, vocabulary="halden")
        terminology = Terminology(client)
        embedder = HashingEmbedder()
        made = over(small, config, embedder, breaker, terminology)
        for question in (
            "What is CIMXML?",
            "What is CIMXML?",
            "What is FooBarBaz?",
            "How long is a backup kept?",
            "ADR 99",
            "List ADRs about blockchain",
            "How long is a backup of each xylophone in Antarctica kept?",
        ):
            await made.ask(question)
        embedder.failures = [FAILED]
        await made.ask("What is the policy on how long a backup is kept for good?")
        server.misbehave = "fail"
        await made.ask("What is voltage regulation?")
        terminology.close()
    for name in ("lookup", "hit", "miss", "error"):
        assert total(f"skosmos_{name}_total", backend="skosmos") >= 1, name
    assert total("skosmos_cache_hit_total", backend="cache") == 1
    for reason in (
        "no_results",
        "not_answered",
        "entity_not_found",
        "terminology_not_found",
        "terminology_error",
    ):
        assert total("rag_abstention_total", reason=reason) >= 1, reason
    for name in ("embedding_request", "embedding_fail", "embedding_fallback", "retrieval_request"):
        assert total(f"{name}_total", collection="policy") >= 1, name
    assert total("retrieval_latency_ms_count", collection="policy") >= 1
    assert total("circuit_breaker_trip_total", service="embeddings") == 1
    assert total("circuit_breaker_state", service="embeddings") == 2


def test_gap_f_all_names_are_there_to_be_read() -> None:
    exposed = Metrics().exposition()
    for name in ("rag_abstention_total", "skosmos_timeout_total", "retrieval_latency_ms"):
        assert name.removesuffix("_total") in exposed


async def test_definitions_come_from_the_vocabulary_and_from_nowhere_else(
    answerer: Answerer,
) -> None:
    turtle = HALDEN.read_text(encoding="utf-8")
    asked = ("SAIDI", "feeder", "CGMES", "frobnicator", "message broker", "SCADA", "CIM")
    answers: list[Answer] = [await answerer.ask(f"What is {term}?") for term in asked]
    for answer in answers:
        assert answer.kind == "term"
        if answer.mode == "ANSWER":
            assert f'"{answer.sources[0].quote}"@' in turtle
        else:
            assert answer.answer is None
