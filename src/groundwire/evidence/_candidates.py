"""Candidates for a question: by the words of passages, and by their meaning."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from sqlite3 import IntegrityError
from threading import Lock
from typing import TYPE_CHECKING

from groundwire.encoder import reader_calibration
from groundwire.evidence._index import Index
from groundwire.evidence._tables import any_of, stems

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

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
_NAMING = """
    SELECT DISTINCT d.doc_id FROM passage_words w JOIN passage p ON p.id = w.rowid
    JOIN document d ON d.id = p.document_id WHERE passage_words MATCH ?"""
_LACKING = """
    SELECT DISTINCT d.doc_type FROM document d
    LEFT JOIN vectors v ON v.document_id = d.id AND v.embedder = ?
    WHERE v.document_id IS NULL AND EXISTS (SELECT 1 FROM passage p WHERE p.document_id = d.id)"""


class Lexical:
    def __init__(self, index: Index) -> None:
        self._index = index

    def best(
        self, words: Sequence[str], collections: Sequence[str], limit: int
    ) -> dict[int, float]:
        """BM25 of the best passages, best first; equal ones in the order of their documents."""
        if not words or not collections:
            return {}
        expression = any_of(self._telling(words))
        names = json.dumps(list(collections))
        query = _BEST.format(heading_weight=reader_calibration().search.heading_weight)
        for fetched in (limit * _SPARE_TIMES, _WITHOUT_LIMIT):
            rows = self._index.database.read(query, (expression, fetched, names, limit))
            if len(rows) == limit:
                break
        return {row["id"]: -row["score"] for row in rows}

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

    def naming(self, name: str) -> set[str]:
        """The ids of the documents in which a name stands, its words in a row."""
        phrase = " ".join(stems(name))
        rows = self._index.database.read(_NAMING, (f'"{phrase}"',)) if phrase else []
        return {row["doc_id"] for row in rows}

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


@dataclass(frozen=True)
class Pending:
    """A document whose passages still have no vectors of the embedder in use."""

    row_id: int
    collection: str
    texts: tuple[str, ...]


class Vectors:
    """The vectors one embedder made. What others made is not looked at."""

    def __init__(self, index: Index, embedder: str) -> None:
        self._index = index
        self._embedder = embedder
        self._lock = Lock()
        self._loaded: _Loaded | None = None

    def pending_ids(self) -> list[int]:
        """Documents to embed, in the order they were indexed."""
        rows = self._index.database.read(
            "SELECT d.id FROM document d LEFT JOIN vectors v"
            " ON v.document_id = d.id AND v.embedder = ? WHERE v.document_id IS NULL"
            " AND EXISTS (SELECT 1 FROM passage p WHERE p.document_id = d.id) ORDER BY d.id",
            (self._embedder,),
        )
        return [row["id"] for row in rows]

    def pending(self, row_id: int) -> Pending | None:
        rows = self._index.database.read(
            "SELECT d.doc_type, p.context, p.content FROM passage p"
            " JOIN document d ON d.id = p.document_id WHERE d.id = ? ORDER BY p.id",
            (row_id,),
        )
        if not rows:
            return None
        texts = tuple(f"{row['context']}\n{row['content']}" for row in rows)
        return Pending(row_id, rows[0]["doc_type"], texts)

    def put(self, row_id: int, vectors: "Matrix") -> bool:
        """False when another process has replaced the document meanwhile."""
        data = vectors.astype("<f2").tobytes()
        try:
            with self._index.writing() as connection:
                connection.execute(
                    "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)",
                    (row_id, self._embedder, len(vectors), data),
                )
        except IntegrityError:
            return False
        return True

    def nearest(
        self, query: "Matrix", collections: Sequence[str], limit: int
    ) -> list[tuple[int, float]]:
        """Passage ids and cosine similarities, most similar first. Exact: every vector is seen."""
        import numpy as np

        loaded = self._load()
        if loaded is None or loaded.matrix.shape[1] != query.shape[-1]:
            return []
        codes = [code for code, name in enumerate(loaded.names) if name in collections]
        places = np.flatnonzero(np.isin(loaded.codes, codes))
        similarities = (loaded.matrix @ query)[places]
        if len(places) > limit:
            near = np.sort(np.argpartition(-similarities, limit)[:limit])
            places, similarities = places[near], similarities[near]
        best = np.lexsort((loaded.passages[places], -similarities))
        return [(int(loaded.passages[places[at]]), float(similarities[at])) for at in best]

    def similarities(self, query: "Matrix", passages: Sequence[int]) -> dict[int, float]:
        """Of given passages, those that have a vector."""
        import numpy as np

        loaded = self._load()
        if loaded is None or loaded.matrix.shape[1] != query.shape[-1]:
            return {}
        places = np.flatnonzero(np.isin(loaded.passages, np.array(passages)))
        found = loaded.matrix[places] @ query
        return {int(loaded.passages[at]): float(one) for at, one in zip(places, found, strict=True)}

    def collections(self) -> set[str]:
        """Collections of which at least one document has vectors."""
        loaded = self._load()
        return set() if loaded is None else set(loaded.names)

    def lacking(self) -> frozenset[str]:
        """Collections of which some document has none yet."""
        loaded = self._load()
        return frozenset() if loaded is None else loaded.lacking

    def is_of_size(self, vector: "Matrix") -> bool:
        """A service may have changed its model under the same name."""
        loaded = self._load()
        return loaded is None or loaded.matrix.shape[1] == vector.shape[-1]

    def _load(self) -> "_Loaded | None":
        with self._lock:
            generation = self._index.generation()
            if self._loaded is None or self._loaded.generation != generation:
                self._loaded = _load(self._index, self._embedder, generation)
            return self._loaded


@dataclass(frozen=True)
class _Loaded:
    generation: int
    passages: "NDArray[np.int64]"
    codes: "NDArray[np.int64]"
    names: tuple[str, ...]
    """Of the collections; `codes` are places in it."""
    matrix: "Matrix"
    lacking: frozenset[str]
    """Collections with documents that are not embedded yet."""


def _load(index: Index, embedder: str, generation: int) -> _Loaded | None:
    """One read, so that the rows belong together. A document's passages have ids in a row."""
    import numpy as np

    rows = index.database.read(
        "SELECT d.doc_type, v.passages, v.data,"
        " (SELECT min(id) FROM passage WHERE document_id = d.id) AS first_passage"
        " FROM vectors v JOIN document d ON d.id = v.document_id"
        " WHERE v.embedder = ? ORDER BY v.document_id",
        (embedder,),
    )
    if not rows:
        return None
    names = tuple(sorted({row["doc_type"] for row in rows}))
    counts = [row["passages"] for row in rows]
    data = b"".join(row["data"] for row in rows)
    if len(data) % (2 * sum(counts)):
        raise index.damaged("its vectors have different lengths")
    flat = np.frombuffer(data, dtype="<f2")
    return _Loaded(
        generation=generation,
        passages=np.concatenate(
            [row["first_passage"] + np.arange(row["passages"]) for row in rows]
        ),
        codes=np.repeat([names.index(row["doc_type"]) for row in rows], counts),
        names=names,
        matrix=flat.reshape(sum(counts), -1).astype(np.float32),
        lacking=frozenset(row["doc_type"] for row in index.database.read(_LACKING, (embedder,))),
    )
