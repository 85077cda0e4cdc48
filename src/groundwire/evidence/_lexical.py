"""Search by words: BM25 over the passages and the headings above them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.evidence._index import Index
from groundwire.evidence._queries import Stemmer, any_of

CONTEXT_WEIGHT = 2.0
"""A word in a title or heading says more than one in the text."""


@dataclass(frozen=True)
class WordHit:
    passage: int
    bm25: float
    """Larger is better."""


class Lexical:
    def __init__(self, index: Index, stemmer: Stemmer) -> None:
        self._index = index
        self._stemmer = stemmer

    def best(self, words: Sequence[str], collections: Sequence[str], limit: int) -> list[WordHit]:
        """The best passages, best first; equal ones in the order of their documents."""
        if not words or not collections:
            return []
        marks = ", ".join("?" * len(collections))
        rows = self._index.database.read(
            f"SELECT p.id, bm25(passage_words, {CONTEXT_WEIGHT}, 1.0) AS score"  # noqa: S608
            " FROM passage_words JOIN passage p ON p.id = passage_words.rowid"
            " JOIN document d ON d.id = p.document_id"
            f" WHERE passage_words MATCH ? AND d.doc_type IN ({marks})"
            " ORDER BY score, d.doc_id, p.start LIMIT ?",
            (any_of(words), *collections, limit),
        )
        return [WordHit(row["id"], -row["score"]) for row in rows]

    def coverage(self, words: Sequence[str], texts: Sequence[str]) -> list[float]:
        """The share of the question's words in each text; a rare word counts more than a common."""
        weights = self._weights(sorted(self._stemmer.stems(" ".join(words))))
        total = sum(weights.values())
        if not total:
            return [0.0] * len(texts)
        held = self._stemmer.occurring(list(weights), texts)
        return [sum(weights[stem] for stem in sorted(stems)) / total for stems in held]

    def _weights(self, stems: Sequence[str]) -> dict[str, float]:
        count = self._index.passage_count()
        marks = ", ".join("?" * len(stems))
        rows = self._index.database.read(
            f"SELECT term, doc FROM passage_terms WHERE term IN ({marks})",  # noqa: S608
            stems,
        )
        having = {row["term"]: row["doc"] for row in rows}
        return {stem: math.log(1 + (count + 0.5) / (having.get(stem, 0) + 0.5)) for stem in stems}
