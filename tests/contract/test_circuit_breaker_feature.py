"""The scenarios of S3 Gap D, with the real breaker around a real search."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest
from pytest_bdd import given, parsers, scenarios, then, when

from groundwire.answer import Answerer, Documents
from groundwire.config import Config
from groundwire.errors import EmbeddingFailed
from groundwire.evidence import Index, Indexer, Searcher, embed_pending
from groundwire.guard import CircuitBreaker
from groundwire.model import Answer, SearchResult
from groundwire.observe import Metrics, metrics
from groundwire.testing import HashingEmbedder
from tests.evidence.make import write_corpus

scenarios("features/circuit_breaker.feature")

GAUGE = {"closed": 0, "half_open": 1, "open": 2}
QUESTION = "How long is a backup of each database kept?"
FAILURE = EmbeddingFailed("down")


@dataclass
class Scene:
    index: Index
    now_s: float = 0.0
    counted: Metrics = field(default_factory=Metrics)
    embedder: HashingEmbedder = field(default_factory=HashingEmbedder)
    result: SearchResult | None = None
    answer: Answer | None = None
    fallbacks_before: float = 0.0
    calls_before: int = 0

    def __post_init__(self) -> None:
        config = Config()
        self.breaker = CircuitBreaker("embeddings", timer=lambda: self.now_s, counted=self.counted)
        self.searcher = Searcher(
            self.index,
            thresholds=config.evidence.thresholds,
            embedder=self.embedder,
            breaker=self.breaker,
        )
        documents = Documents(self.index, self.searcher, config)
        self.answerer = Answerer(documents, None, config.answer, counted=self.counted)

    def search(self) -> SearchResult:
        return self.searcher.search_sync(QUESTION, collections=["policy"])

    def fallbacks(self) -> float:
        return metrics().value("embedding_fallback_total", collection="policy")

    @property
    def asked(self) -> Answer:
        assert self.answer is not None
        return self.answer


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    config = Config()
    with Index(tmp_path / "index.sqlite") as index:
        Indexer(index, config.evidence, config.limits).run([write_corpus(tmp_path / "docs")])
        embed_pending(index, HashingEmbedder())
        yield Scene(index)


@given("5 consecutive embedding failures")
@given("circuit is open")
def failures(scene: Scene) -> None:
    scene.embedder.failures = [FAILURE] * 5
    for _ in range(5):
        scene.search()
    assert scene.embedder.calls == 5


@given("30 seconds have passed")
def time_passes(scene: Scene) -> None:
    scene.now_s += 30


@given("circuit is half-open")
def half_open(scene: Scene) -> None:
    failures(scene)
    scene.now_s += 30


@given("2 consecutive embedding successes")
def successes(scene: Scene) -> None:
    assert [scene.search().method for _ in range(2)] == ["hybrid", "hybrid"]


@when("the next query arrives")
def next_query(scene: Scene) -> None:
    scene.fallbacks_before, scene.calls_before = scene.fallbacks(), scene.embedder.calls
    scene.result = scene.search()


@when("a query returns results")
def query_returns(scene: Scene) -> None:
    scene.answer = anyio.run(scene.answerer.ask, QUESTION)
    assert scene.answer.sources


@then(parsers.parse('the circuit breaker state of "{service}" is "{state}"'))
def state_is(scene: Scene, service: str, state: str) -> None:
    assert scene.breaker.state == state
    assert scene.counted.value("circuit_breaker_state", service=service) == GAUGE[state]


@then("no embedding request is attempted")
def none_attempted(scene: Scene) -> None:
    assert scene.embedder.calls == scene.calls_before


@then("one embedding request is attempted")
def one_attempted(scene: Scene) -> None:
    assert scene.embedder.calls == scene.calls_before + 1


@then("the query uses BM25-only search")
def by_words(scene: Scene) -> None:
    assert scene.result is not None
    assert scene.result.method == "bm25"
    assert scene.result.hits


@then("embedding_fallback_total increments")
def fallback_counted(scene: Scene) -> None:
    assert scene.fallbacks() == scene.fallbacks_before + 1


@then("normal hybrid search resumes")
def hybrid_again(scene: Scene) -> None:
    result = scene.search()
    assert result.method == "hybrid"
    assert not result.fallbacks


@then("the response includes fallback_mode: true")
def says_fallback(scene: Scene) -> None:
    dumped = scene.asked.model_dump(mode="json")
    assert dumped["retrieval_quality"]["fallback_mode"] is True
    assert set(dumped["retrieval_quality"]["fallback_reasons"]) == {"circuit_open", "bm25_only"}


@then("confidence scores are reduced by 20%")
def reduced(scene: Scene) -> None:
    by_choice = Searcher(scene.index, thresholds=Config().evidence.thresholds)
    config = Config()
    unhurried = Answerer(Documents(scene.index, by_choice, config), None, config.answer)
    full = anyio.run(unhurried.ask, QUESTION).retrieval_quality
    assert not full.fallback_active
    reduced_score = scene.asked.retrieval_quality.confidence_score
    assert reduced_score == pytest.approx(full.confidence_score * 0.8, abs=0.001)
