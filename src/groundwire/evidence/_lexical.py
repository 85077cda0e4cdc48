"""Search by words: BM25 over the passages and the headings above them."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.encoder import embedder_calibration
from groundwire.evidence._index import Index
from groundwire.evidence._tables import any_of, stems

COMMON_SHARE = 0.5
"""Words in more passages than this tell none of them apart; BM25 gives them no weight either."""
_SPARE_TIMES = 4
"""How many more passages than asked for are fetched before collections are told apart."""

_BEST = """
    SELECT p.id, w.rank AS score
    FROM (
        SELECT rowid, rank FROM passage_words
        WHERE passage_words MATCH ? AND rank MATCH 'bm25({heading_weight}, 1.0)'
        ORDER BY rank LIMIT ?
    ) w
    JOIN passage p ON p.id = w.rowid
    JOIN document d ON d.id = p.document_id
    WHERE d.doc_type IN (SELECT value FROM json_each(?))
    ORDER BY score, d.doc_id, p.start LIMIT ?"""
_WITHOUT_LIMIT = -1


@dataclass(frozen=True)
class WordHit:
    passage: int
    bm25: float
    """Larger is better."""


class Lexical:
    def __init__(self, index: Index) -> None:
        self._index = index

    def best(self, words: Sequence[str], collections: Sequence[str], limit: int) -> list[WordHit]:
        """The best passages, best first; equal ones in the order of their documents."""
        if not words or not collections:
            return []
        expression = any_of(self._telling(words))
        names = json.dumps(list(collections))
        query = _BEST.format(heading_weight=embedder_calibration().search.heading_weight)
        for fetched in (limit * _SPARE_TIMES, _WITHOUT_LIMIT):
            rows = self._index.database.read(query, (expression, fetched, names, limit))
            if len(rows) == limit:
                break
        return [WordHit(row["id"], -row["score"]) for row in rows]

    def coverage(self, words: Sequence[str], texts: Sequence[str]) -> list[float]:
        """The share of the question's words in each text; a rare word counts more than a common."""
        return [alone for alone, _ in self.coverage_in_context(words, texts, [""] * len(texts))]

    def coverage_in_context(
        self, words: Sequence[str], texts: Sequence[str], contexts: Sequence[str]
    ) -> list[tuple[float, float]]:
        """Of each text alone and with its context; contexts that repeat are read once."""
        weights = self._weights(sorted(set(stems(" ".join(words)))))
        total = sum(weights.values())
        if not total:
            return [(0.0, 0.0)] * len(texts)
        around = {context: weights.keys() & stems(context) for context in set(contexts)}

        def share(found: set[str]) -> float:
            return sum(weights[stem] for stem in sorted(found)) / total

        held = [weights.keys() & stems(text) for text in texts]
        pairs = zip(held, contexts, strict=True)
        return [(share(own), share(own | around[context])) for own, context in pairs]

    def _telling(self, words: Sequence[str]) -> list[str]:
        """Stems in some passages but not in most; all of them where a small corpus has none."""
        asked = list(dict.fromkeys(stems(" ".join(words))))
        having = self._passages_having(asked)
        most = self._index.passage_count() * COMMON_SHARE
        return [one for one in asked if 0 < having.get(one, 0) <= most] or asked

    def _weights(self, stems: Sequence[str]) -> dict[str, float]:
        count = self._index.passage_count()
        having = self._passages_having(stems)
        return {stem: math.log(1 + (count + 0.5) / (having.get(stem, 0) + 0.5)) for stem in stems}

    def _passages_having(self, stems: Sequence[str]) -> dict[str, int]:
        rows = self._index.database.read(
            "SELECT term, doc FROM passage_terms WHERE term IN (SELECT value FROM json_each(?))",
            (json.dumps(stems),),
        )
        return {row["term"]: row["doc"] for row in rows}
