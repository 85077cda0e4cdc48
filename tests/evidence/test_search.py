import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from groundwire.config import Config, Threshold, ThresholdsSection
from groundwire.errors import EmbeddingFailed
from groundwire.evidence import (
    Embedder,
    Index,
    Indexer,
    Searcher,
    UnavailableEmbedder,
    embed_pending,
)
from groundwire.evidence._candidates import Vectors
from groundwire.evidence._search import Candidate, fuse, in_order, reaches, spread
from groundwire.evidence._tables import any_of
from groundwire.observe import request
from groundwire.testing import HashingEmbedder

THRESHOLDS = ThresholdsSection()


def searcher(index: Index, embedder: Embedder | None = None) -> Searcher:
    return Searcher(index, thresholds=THRESHOLDS, embedder=embedder)


@pytest.fixture
def embedded(filled: Index) -> Index:
    embed_pending(filled, HashingEmbedder())
    return filled


def test_a_hit_is_evidence_with_its_place_and_its_trace(embedded: Index) -> None:
    result = searcher(embedded, HashingEmbedder()).search_sync("How is data in transit encrypted?")
    best = result.hits[0]
    assert (best.source.doc_type, best.source.number) == ("adr", 2)
    assert best.source.status == "proposed"
    document = embedded.document(best.source.doc_id)
    assert document is not None
    assert best.location.of(document.text) == best.content
    assert best.retrieval is not None
    assert best.retrieval.method == result.method == "hybrid"
    assert {"fused", "coverage", "bm25", "similarity", "distance"} == best.retrieval.scores.keys()


def test_words_alone_find_before_there_are_vectors(filled: Index) -> None:
    with request() as context:
        result = searcher(filled, HashingEmbedder()).search_sync("backup of the database")
    assert result.hits[0].source.doc_id == "docs/policies/backup.md"
    assert result.method == "bm25"
    assert context.fallback_flags == ["bm25_only"]
    assert result.fallbacks


def test_words_alone_by_choice_is_no_fallback(filled: Index) -> None:
    result = searcher(filled, None).search_sync("backup of the database")
    assert result.method == "bm25"
    assert not result.fallbacks


def test_an_embedder_that_is_not_there_is_a_fallback(filled: Index) -> None:
    missing = UnavailableEmbedder("not installed")
    assert searcher(filled, missing).search_sync("backup").fallbacks == ("bm25_only",)


def test_vectors_of_another_size_are_a_fallback(embedded: Index) -> None:
    """A service may have changed its model under the same name."""
    changed = HashingEmbedder(32)
    changed.name = HashingEmbedder().name
    result = searcher(embedded, changed).search_sync("backup of the database")
    assert result.fallbacks == ("bm25_only",)
    assert result.method == "bm25"
    assert result.hits[0].source.doc_id == "docs/policies/backup.md"


def test_a_half_embedded_corpus_says_so(embedded: Index) -> None:
    """Until every document has its vectors, some can be found by their words alone."""
    search = searcher(embedded, HashingEmbedder())
    assert search.search_sync("backup").fallbacks == ()
    with embedded.writing() as connection:
        connection.execute(
            "DELETE FROM vectors WHERE document_id = (SELECT min(document_id) FROM vectors)"
        )
    result = search.search_sync("backup")
    assert (result.method, result.fallbacks) == ("hybrid", ("partly_embedded",))


def test_what_else_is_down_is_no_fallback_of_a_search(embedded: Index) -> None:
    with request() as context:
        context.add_fallback("skosmos_timeout")
        context.add_fallback("circuit_open")
        result = searcher(embedded, HashingEmbedder()).search_sync("backup")
    assert result.fallbacks == ()


def test_a_question_about_nothing_in_the_corpus_finds_nothing(embedded: Index) -> None:
    result = searcher(embedded, None).search_sync("zebra xylophone marmalade")
    assert result.hits == ()


def test_collections_limit_the_search(embedded: Index) -> None:
    found = searcher(embedded, HashingEmbedder()).search_sync(
        "data is open", collections=["principle"]
    )
    assert {hit.source.doc_type for hit in found.hits} == {"principle"}
    none = searcher(embedded, HashingEmbedder()).search_sync("data", collections=["nothing"])
    assert (none.hits, none.collections) == ((), ())


def test_not_all_hits_come_from_one_document(filled: Index) -> None:
    result = searcher(filled).search_sync("meters report every fifteen minutes", per_document=1)
    ids = [hit.source.doc_id for hit in result.hits]
    assert len(ids) == len(set(ids)) == 5


def test_the_order_is_the_same_every_time_and_after_building_anew(embedded: Index) -> None:
    search = searcher(embedded, HashingEmbedder())
    runs = {
        tuple((hit.source.doc_id, hit.location.start) for hit in search.search_sync("meters").hits)
        for _ in range(3)
    }
    assert len(runs) == 1


def test_new_vectors_are_seen_without_opening_anew(filled: Index) -> None:
    search = searcher(filled, HashingEmbedder())
    assert search.search_sync("backup").method == "bm25"
    embed_pending(filled, HashingEmbedder())
    assert search.search_sync("backup").method == "hybrid"


@pytest.mark.parametrize(
    "question",
    ["", "   ", "?!", 'AND OR NOT "', "a" * 10_000, "word " * 5_000, "NEAR(x, 2)", "col:x* ^y -z"],
)
def test_any_question_can_be_asked(embedded: Index, question: str) -> None:
    result = searcher(embedded, HashingEmbedder()).search_sync(question)
    assert result.query == question


def test_async_search_keeps_the_request_of_its_caller(filled: Index) -> None:
    async def ask() -> list[str]:
        with request() as context:
            await searcher(filled, HashingEmbedder()).search("backup")
            return context.fallback_flags

    assert asyncio.run(ask()) == ["bm25_only"]


def test_nearest_is_exact(embedded: Index) -> None:
    embedder = HashingEmbedder()
    vectors = Vectors(embedded, embedder.name)
    rows = embedded.database.read("SELECT id, context, content FROM passage ORDER BY id")
    texts = [f"{row['context']}\n{row['content']}" for row in rows]
    query = embedder.embed(["meters and grid data"])[0]
    expected = embedder.embed(texts).astype("<f2").astype(np.float32) @ query
    found = vectors.nearest(query, ["adr", "principle", "policy"], 3)
    assert [similarity for _, similarity in found] == pytest.approx(
        sorted(expected.tolist(), reverse=True)[:3]
    )


def test_words_that_mean_something_to_fts5_are_words() -> None:
    """In quotes they are looked for like any other."""
    assert any_of(["and", "or"]) == '"and" OR "or"'


def candidate(**values: object) -> Candidate:
    given_values = {
        "passage": 1,
        "doc_id": "a",
        "collection": "adr",
        "start": 0,
        "bm25": None,
        "similarity": None,
        "coverage": 0.0,
        "fused": 0.0,
    }
    return Candidate(**(given_values | values))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("similarity", "coverage", "expected"),
    [(0.55, 0.0, True), (0.54, 0.0, False), (None, 0.2, True), (0.1, 0.19, False)],
)
def test_a_passage_must_be_near_in_meaning_or_in_words(
    similarity: float | None, coverage: float, *, expected: bool
) -> None:
    found = candidate(similarity=similarity, coverage=coverage)
    threshold = Threshold(distance_threshold=0.45000001, min_query_coverage=0.2)
    assert reaches(found, threshold) is expected


def test_equal_scores_are_ordered_by_document_and_place() -> None:
    three = [candidate(doc_id="b"), candidate(doc_id="a", start=5), candidate(doc_id="a")]
    assert [(one.doc_id, one.start) for one in in_order(three)] == [("a", 0), ("a", 5), ("b", 0)]


@given(st.lists(st.permutations(range(6)), min_size=1, max_size=3))
def test_what_every_ranking_puts_first_is_first(rankings: list[list[int]]) -> None:
    led = [[99, *ranking] for ranking in rankings]
    fused = fuse(*led)
    assert max(fused, key=lambda passage: fused[passage]) == 99
    assert fused[99] == pytest.approx(len(led) / 61)


@given(
    st.lists(st.sampled_from("abc"), max_size=20),
    st.integers(min_value=1, max_value=8),
    st.integers(min_value=1, max_value=3),
)
def test_spread_keeps_order_and_bounds(documents: list[str], limit: int, most: int) -> None:
    hits = [candidate(passage=place, doc_id=name) for place, name in enumerate(documents)]
    chosen = spread(hits, limit, most)
    assert len(chosen) <= limit
    assert [hit.passage for hit in chosen] == sorted(hit.passage for hit in chosen)
    assert all(sum(hit.doc_id == name for hit in chosen) <= most for name in "abc")


def test_coverage_counts_a_text_alone_and_with_its_headings(filled: Index) -> None:
    (pair,) = searcher(filled).coverage(["backups", "xylophone"], ["no word of it"], ["Backup"])
    alone, together = pair
    assert alone == 0.0
    assert 0.0 < together < 1.0
    assert searcher(filled).coverage([], ["a"], [""]) == [(0.0, 0.0)]


def test_nearness_compares_texts_with_the_question(embedded: Index) -> None:
    embedder = HashingEmbedder()
    search = searcher(embedded, embedder)
    same, other = search.nearness("the backup", ["the backup", "zebra"]) or (0.0, 0.0)
    assert same == pytest.approx(1.0)
    assert other < same
    assert search.nearness("the backup", []) is None
    assert searcher(embedded).nearness("the backup", ["a"]) is None


def test_a_question_is_embedded_once_in_a_request(embedded: Index) -> None:
    seen: list[int] = []

    class Counting(HashingEmbedder):
        def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
            seen.append(len(texts))
            return super().embed(texts)

    search = searcher(embedded, Counting())
    with request():
        search.search_sync("the backup")
        search.search_sync("the backup", collections=["policy"])
        near = search.nearness("the backup", ["the backup"])
    assert seen == [1, 1]
    assert (near or [0.0])[0] == pytest.approx(1.0)


def test_a_failure_while_comparing_is_a_fallback(embedded: Index) -> None:
    search = searcher(embedded, HashingEmbedder(failures=[EmbeddingFailed("down")]))
    with request() as context:
        assert search.nearness("the backup", ["a"]) is None
    assert context.fallback_flags == ["bm25_only"]


def test_near_documents_are_found_whatever_the_thresholds(embedded: Index) -> None:
    strict = ThresholdsSection(
        collections={}, default=Threshold(distance_threshold=0, min_query_coverage=1)
    )
    search = Searcher(embedded, thresholds=strict, embedder=HashingEmbedder())
    near = search.near_documents("a backup of each database", ["policy", "adr"], 0.0)
    assert near[0][0] == "docs/policies/backup.md"
    assert [score for _, score in near] == sorted((score for _, score in near), reverse=True)
    assert len({doc_id for doc_id, _ in near}) == len(near)
    assert search.near_documents("a backup", ["policy"], 0.999) == []


def test_in_a_corpus_of_one_passage_its_words_count_beside_one_nobody_wrote(
    tmp_path: Path,
) -> None:
    (tmp_path / "night.md").write_text("The pump ran dry and the line went down.\n")
    with Index(tmp_path / "index.sqlite") as index:
        Indexer(index, Config().evidence, Config().limits).run([tmp_path / "night.md"])
        assert len(searcher(index).search_sync("dry pump causes line down").hits) == 1
        assert searcher(index).search_sync("unheard-of causes").hits == ()
