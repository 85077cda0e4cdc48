"""What decides a search, without I/O: fusing two rankings, and thresholds."""

import time
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from sqlite3 import Row
from typing import TYPE_CHECKING

from groundwire.config import Threshold, ThresholdsSection
from groundwire.errors import EmbeddingFailed, GroundwireError
from groundwire.evidence._candidates import Lexical, Vectors
from groundwire.evidence._embedding import Breaker, Embedder
from groundwire.evidence._expand import Abbreviations
from groundwire.evidence._index import Index
from groundwire.guard import Cache
from groundwire.model import (
    DocumentIdentity,
    EvidenceBundle,
    RetrievalTrace,
    SearchMethod,
    SearchResult,
    Source,
    Span,
    content_hash,
)
from groundwire.observe import (
    Log,
    RequestContext,
    Route,
    current_request,
    metrics,
    request,
    span,
)
from groundwire.text import query_words, words_of

if TYPE_CHECKING:
    from groundwire.evidence._embedding import Matrix

RANK_CONSTANT = 60
"""Of reciprocal rank fusion: how little the first places differ from the next."""

FIRST_PLACE = 1.0 / (RANK_CONSTANT + 1)
"""What a passage gets besides that has all words of the question: a rare word may be all it takes,
and BM25's first is worth little when meaning does not second it."""


@dataclass(frozen=True)
class Candidate:
    """A passage that one of the searches found. `similarity` is unknown without its vector."""

    passage: int
    doc_id: str
    collection: str
    start: int
    bm25: float | None
    similarity: float | None
    coverage: float
    fused: float

    @property
    def distance(self) -> float | None:
        return None if self.similarity is None else 1.0 - self.similarity


def fuse(*rankings: Sequence[int]) -> dict[int, float]:
    """Reciprocal rank fusion: each ranking gives 1 / (60 + place), whatever its scores mean."""
    fused: dict[int, float] = {}
    for ranking in rankings:
        for place, passage in enumerate(ranking, start=1):
            fused[passage] = fused.get(passage, 0.0) + 1.0 / (RANK_CONSTANT + place)
    return fused


def in_order(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The same every time, also among equals."""
    return sorted(candidates, key=lambda one: (-one.fused, one.doc_id, one.start))


def reaches(candidate: Candidate, threshold: Threshold) -> bool:
    """Near in meaning or near in words: paraphrases share no words, identifiers no meaning."""
    near = candidate.distance is not None and candidate.distance <= threshold.distance_threshold
    return near or candidate.coverage >= threshold.min_query_coverage


def spread(hits: Sequence[Candidate], limit: int, per_document: int) -> list[Candidate]:
    """The first hits, but not all of them from one document."""
    taken: dict[str, int] = {}
    chosen = []
    for hit in hits:
        if taken.get(hit.doc_id, 0) < per_document:
            taken[hit.doc_id] = taken.get(hit.doc_id, 0) + 1
            chosen.append(hit)
        if len(chosen) == limit:
            break
    return chosen


WORDS_ALONE = "bm25_only"
PARTLY_EMBEDDED = "partly_embedded"
"""Some documents can be found by their words alone, since they have no vectors yet."""
POOL = 50
"""Passages each of the two searches contributes to the fusion."""
NOT_SEARCHED = ("template",)
"""Collections that are searched only when they are named."""
MAX_QUERY_CHARS = 4_000
"""Of a longer question the beginning is embedded; its words are all looked at."""

MAX_SENTENCE_CHARS = 300
"""What follows in a longer sentence hardly moves its vector, and costs as much time."""
ASKED_KEPT, ASKED_KEPT_S = 32, 60.0
"""Vectors of questions, each for the rest of its request."""

_VERSION_CHARS = 12

_log = Log("retrieval")
_embeddings_log = Log("embeddings")


class Searcher:
    """Finds passages for a question. An embedder of None means: by words alone, and by choice."""

    def __init__(
        self,
        index: Index,
        *,
        thresholds: ThresholdsSection,
        embedder: Embedder | None = None,
        breaker: Breaker | None = None,
    ) -> None:
        self._index = index
        self.thresholds = thresholds
        self._embedder = embedder
        self._breaker = breaker
        self._lexical = Lexical(index)
        self._vectors = Vectors(index, embedder.name) if embedder else None
        self._abbreviations = Abbreviations(index)
        self._asked: Cache[Matrix] = Cache(max_entries=ASKED_KEPT, ttl_s=ASKED_KEPT_S)

    async def search(
        self,
        query: str,
        *,
        collections: Sequence[str] | None = None,
        limit: int = 8,
        per_document: int = 3,
    ) -> SearchResult:
        from anyio.to_thread import run_sync

        return await run_sync(
            lambda: self.search_sync(
                query, collections=collections, limit=limit, per_document=per_document
            )
        )

    def search_sync(
        self,
        query: str,
        *,
        collections: Sequence[str] | None = None,
        limit: int = 8,
        per_document: int = 3,
        any_distance: bool = False,
        also: Sequence[str] = (),
    ) -> SearchResult:
        """The best passages of the named collections, or of all but templates.

        `any_distance` is for whoever reads the passages before use: where one of them reaches its
        threshold all may come, and half of them are the nearest in meaning, whatever their words.
        `also` are other names of what the question names; those the corpus
        itself gives, as "ADR (architecture decision record)", are known.
        """
        wanted = self._existing(collections)
        route: Route = "direct" if len(wanted) == 1 else "tree"
        with request(route) as context, span("groundwire.search", collections=list(wanted)):
            started_s = time.perf_counter()
            spread_to = (limit, per_document)
            names = (*also, *self._abbreviations.also(query[:MAX_QUERY_CHARS]))
            result = self._search(
                query, wanted, spread_to, context, any_distance=any_distance, names=names
            )
            elapsed_ms = (time.perf_counter() - started_s) * 1000
            for collection in wanted:
                metrics().count("retrieval_request_total", collection=collection)
                metrics().observe("retrieval_latency_ms", elapsed_ms, collection=collection)
            _log.info(
                "search_complete",
                method=result.method,
                hits=len(result.hits),
                below_threshold=result.below_threshold,
                latency_ms=round(elapsed_ms, 1),
            )
            return result

    def coverage(
        self, words: Sequence[str], texts: Sequence[str], contexts: Sequence[str]
    ) -> list[tuple[float, float]]:
        """The share of the words in each text alone, and in it together with its context."""
        return self._lexical.coverage_in_context(words, texts, contexts)

    def naming(self, name: str) -> set[str]:
        """The ids of the documents in which a name stands."""
        return self._lexical.naming(name)

    def nearness(self, question: str, texts: Sequence[str]) -> list[float] | None:
        """The cosine of each text to the question; none while words alone must do."""
        if self._embedder is None or self._vectors is None or not texts:
            return None
        try:
            with self._breaker.attempt() if self._breaker else nullcontext():
                asked = self._asked.get(_asked_in(current_request(), question))
                start = [text[:MAX_SENTENCE_CHARS] for text in texts]
                if asked is None:
                    start.append(question[:MAX_QUERY_CHARS])
                rows: Matrix = self._embedder.embed(start)
        except GroundwireError as error:
            _embeddings_log.warn("embedding_failed", error=str(error), code=error.code)
            if (context := current_request()) is not None:
                context.add_fallback(WORDS_ALONE)
            return None
        vector = rows[-1] if asked is None else asked
        return [float(row @ vector) for row in rows[: len(texts)]]

    def near_documents(
        self, query: str, collections: Sequence[str], least: float
    ) -> list[tuple[str, float]]:
        """Documents with a passage at least so near in meaning, nearest first, thresholds apart."""
        with request() as context:
            vector = self._query_vector(query, collections, context)
        if vector is None or self._vectors is None:
            return []
        near = dict(self._vectors.nearest(vector, collections, POOL))
        best: dict[str, float] = {}
        for row in self._rows(list(near)):
            similarity = near[row["id"]]
            if similarity >= max(least, best.get(row["doc_id"], least)):
                best[row["doc_id"]] = similarity
        return sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))

    def _existing(self, collections: Sequence[str] | None) -> tuple[str, ...]:
        known = self._index.collections()
        if collections is None:
            return tuple(name for name in known if name not in NOT_SEARCHED)
        return tuple(name for name in known if name in collections)

    def _search(
        self,
        query: str,
        wanted: Sequence[str],
        spread_to: tuple[int, int],
        context: RequestContext,
        *,
        any_distance: bool,
        names: Sequence[str],
    ) -> SearchResult:
        asked = f"{query} ({', '.join(names)})" if names else query
        vector = self._query_vector(asked, wanted, context)
        method: SearchMethod = "bm25" if vector is None else "hybrid"
        found = self._candidates(query_words(query), vector, wanted, words_of(" ".join(names)))
        ordered = in_order(found)
        good = [one for one in ordered if reaches(one, self.thresholds.of(one.collection))]
        # where nothing reaches its threshold nothing was found, whoever reads it
        is_wide = any_distance and bool(good)
        chosen = _both_ways(ordered, *spread_to) if is_wide else spread(good, *spread_to)
        return SearchResult(
            query=query,
            method=method,
            collections=tuple(wanted),
            hits=tuple(_bundle(hit, found[hit], method, query) for hit in chosen),
            below_threshold=len(found) - len(good),
            fallbacks=search_flags(context),
        )

    def _candidates(
        self,
        words: Sequence[str],
        vector: "Matrix | None",
        wanted: Sequence[str],
        also: Sequence[str] = (),
    ) -> dict[Candidate, Row]:
        """What either search found, with all that is known about it."""
        by_words = self._lexical.best([*words, *also], wanted, POOL)
        by_meaning: list[int] = []
        similar: dict[int, float] = {}
        if vector is not None and self._vectors is not None:
            by_meaning = [passage for passage, _ in self._vectors.nearest(vector, wanted, POOL)]
            similar = self._vectors.similarities(vector, [*by_words, *by_meaning])
        fused = fuse(list(by_words), by_meaning)
        rows = self._rows(list(fused))
        covered = self._lexical.coverage(
            words, [f"{row['context']}\n{row['content']}" for row in rows]
        )
        return {
            Candidate(
                passage=row["id"],
                doc_id=row["doc_id"],
                collection=row["doc_type"],
                start=row["start"],
                bm25=by_words.get(row["id"]),
                similarity=similar.get(row["id"]),
                coverage=share,
                fused=fused[row["id"]] + (share * FIRST_PLACE if vector is not None else 0.0),
            ): row
            for row, share in zip(rows, covered, strict=True)
        }

    def _query_vector(
        self, query: str, wanted: Sequence[str], context: RequestContext
    ) -> "Matrix | None":
        """None when words alone must do; then the request says so [S3 Gap D]."""
        if self._embedder is None or self._vectors is None or not wanted or not query.strip():
            return None
        if not self._vectors.collections() & set(wanted):
            self._fall_back(wanted, context)
            return None
        known = self._asked.get(_asked_in(context, query))
        if known is not None:
            return known
        for collection in wanted:
            metrics().count("embedding_request_total", collection=collection)
        try:
            with self._breaker.attempt() if self._breaker else nullcontext():
                vector: Matrix = self._embedder.embed([query[:MAX_QUERY_CHARS]])[0]
            if not self._vectors.is_of_size(vector):
                raise EmbeddingFailed(
                    f"The embedder gives {vector.shape[-1]} numbers, the index holds others.",
                    hint="Embed again: gw index PATH --rebuild",
                )
            self._asked.put(_asked_in(context, query), vector)
        except GroundwireError as error:
            for collection in wanted:
                metrics().count("embedding_fail_total", collection=collection)
            if error.code == "circuit_open":
                context.add_fallback("circuit_open")
            _embeddings_log.warn("embedding_failed", error=str(error), code=error.code)
            self._fall_back(wanted, context)
            return None
        if self._vectors.lacking() & set(wanted):
            context.add_fallback(PARTLY_EMBEDDED)
        return vector

    def _fall_back(self, wanted: Sequence[str], context: RequestContext) -> None:
        context.add_fallback(WORDS_ALONE)
        for collection in wanted:
            metrics().count("embedding_fallback_total", collection=collection)

    def _rows(self, passages: Sequence[int]) -> list[Row]:
        marks = ", ".join("?" * len(passages))
        return self._index.database.read(
            "SELECT p.id, p.start, p.section, p.context, p.content, d.doc_id, d.doc_type,"  # noqa: S608
            " d.title, d.sha256, d.identity FROM passage p JOIN document d ON d.id = p.document_id"
            f" WHERE p.id IN ({marks})",
            passages,
        )


def _both_ways(candidates: Sequence[Candidate], limit: int, per_document: int) -> list[Candidate]:
    """The first by both searches together, then the nearest in meaning that are not among them."""
    first = spread(candidates, limit - limit // 2, per_document)
    by_meaning = sorted(candidates, key=lambda one: (-(one.similarity or 0.0), one.doc_id))
    rest = [one for one in by_meaning if one not in first]
    more = [*spread(rest, limit // 2, per_document), *candidates]
    return list(dict.fromkeys([*first, *more]))[:limit]


def search_flags(context: RequestContext) -> tuple[str, ...]:
    """What of a request's fallbacks made its searches worse: a vocabulary that is down did not."""
    flags = context.fallback_flags
    own = [flag for flag in flags if flag in (WORDS_ALONE, PARTLY_EMBEDDED)]
    return tuple(flag for flag in flags if flag in own or (own and flag == "circuit_open"))


def _asked_in(context: RequestContext | None, query: str) -> tuple[str, str]:
    return (context.request_id if context else "", query)


def _bundle(hit: Candidate, row: Row, method: str, query: str) -> EvidenceBundle:
    identity = DocumentIdentity.model_validate_json(row["identity"])
    scores = {
        "fused": hit.fused,
        "coverage": hit.coverage,
        "bm25": hit.bm25,
        "similarity": hit.similarity,
        "distance": hit.distance,
    }
    content = row["content"]
    return EvidenceBundle(
        content=content,
        source=Source(
            doc_id=hit.doc_id,
            title=row["title"],
            version=row["sha256"][:_VERSION_CHARS],
            doc_type=identity.doc_type,
            number=identity.number,
            status=identity.status,
        ),
        section=row["section"] or None,
        location=Span(start=hit.start, end=hit.start + len(content)),
        retrieval=RetrievalTrace(
            method=method,
            query=query,
            scores={name: round(value, 6) for name, value in scores.items() if value is not None},
        ),
        sha256=content_hash(content),
    )
