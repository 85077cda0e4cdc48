"""What decides a search, without I/O: fusing two rankings, and thresholds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundwire.config import Threshold

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
