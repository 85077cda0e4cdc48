"""Finding facts: by their words and by their meaning, among those that are asked for.

All vectors are compared by their signs, a bit for each dimension, and the nearest of them then
exactly: 100,000 facts are 5 MB to look through instead of 150.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from sqlite3 import Row
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.config import Threshold
from groundwire.evidence import fuse
from groundwire.memory._store import MemoryStore, words_of_fact
from groundwire.memory._tables import STATUS, marks
from groundwire.model import FactStatus, MemoryKind, MemoryTier, Model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

POOL = 50
"""Facts each of the two searches contributes."""
_NEAR_BITS = 400
"""Facts whose vectors are compared exactly."""
_ROWS_READ = 150
"""Of these, so many are read, as some may not be asked for."""
_WORD_ROWS = 2_000
"""So many facts may be ranked by words: the rarest words first, as they tell facts apart."""
_WORD_BITS = 64
_RECALLED: tuple[MemoryTier, ...] = ("task", "session", "longterm")


class FactFilter(Model):
    """Which facts are meant; the archive only where it is named."""

    tiers: tuple[MemoryTier, ...] = _RECALLED
    kinds: tuple[MemoryKind, ...] = ()
    statuses: tuple[FactStatus, ...] = ()
    session: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether more is asked for than what is recalled anyway."""
        return self != FactFilter()

    def condition(self) -> tuple[str, list[Any]]:
        parts: list[tuple[str, Any]] = [("n.tier IN ({})", self.tiers)]
        if self.kinds:
            parts.append(("n.kind IN ({})", self.kinds))
        else:
            parts.append(("n.kind <> ?", "entity"))
        if self.statuses:
            parts.append((f"{STATUS} IN ({{}})", self.statuses))
        if self.session is not None:
            parts.append(("n.session = ?", self.session))
        if self.since is not None:
            parts.append(("n.said_at >= ?", self.since.timestamp()))
        if self.until is not None:
            parts.append(("n.said_at <= ?", self.until.timestamp()))
        sql: list[str] = []
        values: list[Any] = []
        for text, value in parts:
            given = list(value) if isinstance(value, tuple) else [value]
            sql.append(text.format(", ".join("?" * len(given))))
            values += given
        return " AND ".join(sql), values


_STATEMENTS = FactFilter(kinds=("fact", "experience", "decision"))


class Embedded(NamedTuple):
    """A vector as it is kept: exactly, in half precision, and as its signs."""

    embedder: str
    data: bytes
    bits: bytes

    @classmethod
    def of(cls, embedder: str, vector: "NDArray[np.float32]") -> "Embedded":
        import numpy as np

        signs = np.packbits(vector > 0).tobytes()
        filled = signs.ljust(-(-len(signs) // 8) * 8, b"\0")
        return cls(embedder, vector.astype("<f2").tobytes(), filled)

    def exact(self) -> "NDArray[np.float32]":
        import numpy as np

        return np.frombuffer(self.data, dtype="<f2").astype(np.float32)


class Sketches:
    """The signs of all vectors of one embedder, held and kept up with what is written."""

    def __init__(self, store: MemoryStore, embedder: str) -> None:
        import numpy as np

        self._store = store
        self._embedder = embedder
        self._lock = Lock()
        self._last = 0
        self._used = 0
        self._keys: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._bits: NDArray[np.uint64] = np.zeros((0, 0), dtype=np.uint64)
        """A row for each 64 dimensions, a column for each fact: whole rows are counted at once."""

    def nearest(self, bits: bytes, limit: int, among: Sequence[int] | None = None) -> list[int]:
        """Keys of facts, the nearest first. What was removed may still be among them."""
        import numpy as np

        self._read_new()
        asked = np.frombuffer(bits, dtype=np.uint64)
        if not self._used or len(self._bits) != len(asked):
            return []
        keys = self._keys[: self._used]
        away = np.zeros(self._used, dtype=np.uint16)
        for held, own in zip(self._bits, asked, strict=True):
            away += np.bitwise_count(held[: self._used] ^ own)
        if among is not None:
            places = np.flatnonzero(np.isin(keys, np.array(among)))
            keys, away = keys[places], away[places]
        # distances are small whole numbers: counting them finds the bound without sorting all
        reached = np.cumsum(np.bincount(away))
        near = np.flatnonzero(away <= np.searchsorted(reached, limit))
        best = near[np.argsort(away[near], kind="stable")][:limit]
        return [int(key) for key in keys[best]]

    def _read_new(self) -> None:
        import numpy as np

        with self._lock:
            rows = self._store.read(
                "SELECT seq, node_key, bits FROM sketch WHERE seq > ? AND embedder = ?"
                " ORDER BY seq",
                (self._last, self._embedder),
            )
            if not rows:
                return
            width = len(rows[0]["bits"]) * 8 // _WORD_BITS
            if self._used + len(rows) > len(self._keys):
                room = 2 * (self._used + len(rows))
                keys = np.zeros(room, dtype=np.int64)
                held = np.zeros((width, room), dtype=np.uint64)
                if self._used:
                    keys[: self._used] = self._keys[: self._used]
                    held[:, : self._used] = self._bits[:, : self._used]
                self._keys, self._bits = keys, held
            end = self._used + len(rows)
            self._keys[self._used : end] = [row["node_key"] for row in rows]
            data = b"".join(row["bits"] for row in rows)
            self._bits[:, self._used : end] = (
                np.frombuffer(data, dtype=np.uint64).reshape(-1, width).T
            )
            self._used = end
            self._last = rows[-1]["seq"]


class Hit(NamedTuple):
    row: Row
    score: float
    similarity: float | None


class Searcher:
    """`threshold` says what counts as found: near in meaning, or enough of the words."""

    def __init__(self, store: MemoryStore, threshold: Threshold) -> None:
        self._store = store
        self._threshold = threshold
        self._sketches: dict[str, Sketches] = {}

    def search(
        self, query: str, asked: Embedded | None, wanted: FactFilter, limit: int
    ) -> list[Hit]:
        terms = list(dict.fromkeys(words_of_fact(query)))
        having = self._having(terms)
        weights = _weights(terms, having, self._count())
        found = [
            one
            for one in self._candidates(having, asked, wanted)
            if self._is_near(one.similarity) or self._covers(weights, one.row["content"])
        ]
        found.sort(key=lambda one: (-one.score, -one.row["said_at"], one.row["id"]))
        best = found[:limit]
        rows = self._store.rows([one.row["key"] for one in best])
        return [Hit(rows[one.row["key"]], one.score, one.similarity) for one in best]

    def neighbours(self, content: str, embedded: Embedded | None, limit: int) -> list[Row]:
        """Statements that may be about the same thing, by their words and by their meaning."""
        having = self._having(list(dict.fromkeys(words_of_fact(content))))
        keys = self._by_words(having, _STATEMENTS)
        if embedded is not None:
            signs = self._held(embedded).nearest(embedded.bits, POOL)
            similar = self._similarities(embedded, {*keys, *signs})
            fused = fuse(keys, sorted(similar, key=lambda key: (-similar[key], key)))
            keys = sorted(fused, key=lambda key: (-fused[key], key))
        rows: dict[int, Row] = {}
        some = self._those(keys[: 2 * limit], _STATEMENTS, rows)
        return [rows[key] for key in some[:limit]]

    def _held(self, asked: Embedded) -> Sketches:
        if asked.embedder not in self._sketches:
            self._sketches[asked.embedder] = Sketches(self._store, asked.embedder)
        return self._sketches[asked.embedder]

    def _candidates(
        self, having: Mapping[str, int], asked: Embedded | None, wanted: FactFilter
    ) -> list[Hit]:
        """What either search found, ranked by both."""
        rows: dict[int, Row] = {}
        by_words = self._those(self._by_words(having, wanted), wanted, rows)
        similar: dict[int, float] = {}
        if asked is not None:
            near = self._nearest(asked, wanted, rows)
            similar = self._similarities(asked, {*near, *by_words})
        fused = fuse(by_words, sorted(similar, key=lambda key: (-similar[key], key)))
        return [Hit(rows[key], score, similar.get(key)) for key, score in fused.items()]

    def _those(self, keys: Sequence[int], wanted: FactFilter, rows: dict[int, Row]) -> list[int]:
        """Of these facts, in this order, the ones that are asked for; their rows are kept."""
        condition, values = wanted.condition()
        for row in self._store.read(
            # by their keys and not by an index of tiers, which would read them all
            "SELECT n.key, n.id, n.content, n.said_at FROM json_each(?) j"  # noqa: S608
            f" CROSS JOIN node n ON n.key = j.value WHERE {condition}",
            [marks(key for key in keys if key not in rows), *values],
        ):
            rows[row["key"]] = row
        return [key for key in keys if key in rows][:POOL]

    def _nearest(self, asked: Embedded, wanted: FactFilter, rows: dict[int, Row]) -> list[int]:
        sketches = self._held(asked)
        signs = sketches.nearest(asked.bits, _NEAR_BITS)
        by_meaning = sorted(
            (similar := self._similarities(asked, signs)), key=lambda key: (-similar[key], key)
        )
        near = self._those(by_meaning[:_ROWS_READ], wanted, rows)
        if len(near) < POOL and wanted.is_narrow and len(signs) == _NEAR_BITS:
            condition, values = wanted.condition()
            allowed = self._store.read(
                f"SELECT n.key FROM node n WHERE {condition}",  # noqa: S608
                values,
            )
            keys = [row["key"] for row in allowed]
            near = self._those(sketches.nearest(asked.bits, _NEAR_BITS, keys), wanted, rows)
        return near

    def _similarities(self, asked: Embedded, keys: Iterable[int]) -> dict[int, float]:
        """Cosine similarities, exactly, of those that have a vector."""
        import numpy as np

        found = self._store.read(
            "SELECT node_key, data FROM vector WHERE embedder = ? AND length(data) = ?"
            " AND node_key IN (SELECT value FROM json_each(?))",
            (asked.embedder, len(asked.data), marks(keys)),
        )
        if not found:
            return {}
        data = np.frombuffer(b"".join(row["data"] for row in found), dtype="<f2")
        matrix = data.reshape(len(found), -1).astype(np.float32)
        cosines = matrix @ asked.exact()
        return {row["node_key"]: float(one) for row, one in zip(found, cosines, strict=True)}

    def _by_words(self, having: Mapping[str, int], wanted: FactFilter) -> list[int]:
        telling: list[str] = []
        rows = 0
        for term, count in sorted(having.items(), key=lambda one: one[1]):
            if telling and rows + count > _WORD_ROWS:
                break
            telling.append(term)
            rows += count
        if not telling:
            return []
        expression = " OR ".join(f'"{term}"' for term in telling)
        spare = 4 if wanted.is_narrow else 1
        found = self._store.read(
            "SELECT rowid FROM node_words WHERE node_words MATCH ? ORDER BY rank LIMIT ?",
            (expression, POOL * spare),
        )
        return [row["rowid"] for row in found]

    def _having(self, terms: Sequence[str]) -> dict[str, int]:
        """The terms that some fact has, and how many facts have each."""
        rows = self._store.read(
            "SELECT term, doc FROM node_terms WHERE term IN (SELECT value FROM json_each(?))",
            (json.dumps(list(terms)),),
        )
        return {row["term"]: row["doc"] for row in rows}

    def _count(self) -> int:
        rows = self._store.read("SELECT ifnull(max(key), 0) AS n FROM node")
        return int(rows[0]["n"])

    def _is_near(self, similarity: float | None) -> bool:
        bound = self._threshold.distance_threshold
        return similarity is not None and 1.0 - similarity <= bound

    def _covers(self, weights: Mapping[str, float], content: str) -> bool:
        """Whether enough of what is asked stands in a fact."""
        total = sum(weights.values())
        said = set(words_of_fact(content))
        held = sum(weight for term, weight in weights.items() if term in said)
        return bool(total) and held / total >= self._threshold.min_query_coverage


def _weights(terms: Sequence[str], having: Mapping[str, int], count: int) -> dict[str, float]:
    """A rare word counts more than a common one; one that no fact has, most."""
    return {term: math.log(1 + (count + 0.5) / (having.get(term, 0) + 0.5)) for term in terms}
