"""S3, Gap B, D and F as far as they concern retrieval, and the migration invariants."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from groundwire.config import Threshold, ThresholdsSection, load_thresholds
from groundwire.errors import ConfigError, EmbeddingFailed, GroundwireError
from groundwire.evidence import Index, Indexer, Searcher, embed_pending, verify_identity
from groundwire.model import DocumentKey
from groundwire.observe import METRICS, metrics, request
from groundwire.testing import HashingEmbedder
from tests.evidence.make import LIMITS, SETTINGS, write_corpus


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[Index]:
    with Index(tmp_path / "index.sqlite") as index:
        Indexer(index, SETTINGS, LIMITS).run([write_corpus(tmp_path / "docs")])
        embed_pending(index, HashingEmbedder())
        yield index


class _Open(GroundwireError):
    code = "circuit_open"


class _Breaker:
    """Open or closed, as told."""

    def __init__(self, *, is_open: bool) -> None:
        self.is_open = is_open

    @contextmanager
    def attempt(self) -> Iterator[None]:
        if self.is_open:
            raise _Open("left alone")
        yield


def test_obs_03_obs_05_while_the_circuit_is_open_nothing_is_embedded(embedded: Index) -> None:
    """[OBS-03, OBS-05, S3 Gap D] An open circuit and its consequence are both flagged."""
    embedder = HashingEmbedder()
    breaker = _Breaker(is_open=True)
    search = Searcher(embedded, thresholds=ThresholdsSection(), embedder=embedder, breaker=breaker)
    with request() as context:
        result = search.search_sync("backup of the database", collections=["policy"])
    assert embedder.calls == 0
    assert result.method == "bm25"
    assert context.fallback_flags == ["circuit_open", "bm25_only"]
    assert result.fallbacks == ("circuit_open", "bm25_only")
    breaker.is_open = False
    assert search.search_sync("backup of the database").method == "hybrid"


def test_obs_04_obs_06_a_failed_embedding_falls_back_and_counts_once(embedded: Index) -> None:
    """[OBS-04, OBS-06] Words alone answer, flagged `bm25_only`, and every counter moves by one."""
    names = ("embedding_request", "embedding_fail", "embedding_fallback", "retrieval_request")
    before = {name: metrics().value(f"{name}_total", collection="policy") for name in names}
    embedder = HashingEmbedder(failures=[EmbeddingFailed("down")])
    search = Searcher(embedded, thresholds=ThresholdsSection(), embedder=embedder)
    with request() as context:
        result = search.search_sync("backup", collections=["policy"])
    assert result.hits
    assert context.fallback_flags == ["bm25_only"]
    after = {name: metrics().value(f"{name}_total", collection="policy") for name in names}
    assert {name: after[name] - before[name] for name in names} == dict.fromkeys(names, 1)
    assert metrics().value("retrieval_latency_ms_count", collection="policy") >= 1


def test_obs_01_a_normal_search_has_no_fallback_flags(embedded: Index) -> None:
    """[OBS-01] Nothing fell back, so nothing is flagged and nothing is taken off."""
    search = Searcher(embedded, thresholds=ThresholdsSection(), embedder=HashingEmbedder())
    with request() as context:
        result = search.search_sync("backup of the database")
    assert context.fallback_flags == []
    assert result.fallbacks == ()


def test_gap_f_the_metrics_of_embeddings_and_retrieval_are_labelled_by_collection() -> None:
    """[S3 Gap F] As the list of counters writes them."""
    names = [
        "embedding_request_total",
        "embedding_fail_total",
        "embedding_fallback_total",
        "retrieval_request_total",
        "retrieval_latency_ms",
    ]
    assert {METRICS[name].labels for name in names} == {("collection",)}
    assert METRICS["retrieval_latency_ms"].kind == "histogram"


THRESHOLDS_YAML = """
collections:
  ADR_Ollama:
    distance_threshold: 0.45
    min_query_coverage: 0.20
  Vocabulary_Ollama:
    distance_threshold: 0.35
    min_query_coverage: 0.30
default:
  distance_threshold: 0.50
  min_query_coverage: 0.20
"""


def test_gap_b_thresholds_are_read_per_collection_with_a_default(tmp_path: Path) -> None:
    """[S3 Gap B] The document's own file is read."""
    path = tmp_path / "thresholds.yaml"
    path.write_text(THRESHOLDS_YAML)
    thresholds = load_thresholds(path)
    assert thresholds.of("ADR_Ollama") == Threshold(
        distance_threshold=0.45, min_query_coverage=0.20
    )
    assert thresholds.of("Vocabulary_Ollama").min_query_coverage == 0.30
    assert thresholds.of("unheard of") == Threshold(
        distance_threshold=0.50, min_query_coverage=0.20
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("collections: {adr: {distance: 1}}", "collections.adr.distance"),
        ("default: {min_query_coverage: 2}", "less than or equal"),
        ("collection: {}", "collection"),
        ("- a", "must hold sections"),
    ],
)
def test_gap_b_a_wrong_file_is_refused_by_name(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "thresholds.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_thresholds(path)
    assert problem in str(caught.value)
    assert "thresholds.yaml" in str(caught.value)


def test_gap_b_each_collection_has_its_own_threshold(embedded: Index) -> None:
    strict = Threshold(distance_threshold=0, min_query_coverage=1)
    thresholds = ThresholdsSection(collections={"adr": strict}, default=Threshold())
    search = Searcher(embedded, thresholds=thresholds, embedder=HashingEmbedder())
    found = {hit.source.doc_type for hit in search.search_sync("meters xylophone").hits}
    assert found == {"policy", "principle"}


def test_migration_invariant_doc_type_and_number_are_set_or_listed(embedded: Index) -> None:
    """[S3 verify_doc_identity] Every document has a type, and a number or a place on the list."""
    report = verify_identity(embedded)
    assert report.holds
    assert report.unnumbered == ("docs/policies/backup.md",)
    numbers = [one.identity.key for one in embedded.documents() if one.identity.key]
    assert numbers == [
        DocumentKey(doc_type=doc_type, number=number)
        for doc_type in ("adr", "principle")
        for number in (1, 2)
    ]
