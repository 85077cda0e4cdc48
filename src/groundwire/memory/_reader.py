"""Facts read back: each with its sources, its links and what contradicts it."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from sqlite3 import Row

from groundwire.config import MemorySection
from groundwire.memory import _tables
from groundwire.memory._sources import Source, has_changed, source_of
from groundwire.model import ClaimResult, ConflictingFact, Link, MemoryCounts, StoredFact
from groundwire.store import Database


class FactReader(Database):
    def __init__(
        self, path: Path, settings: MemorySection, *, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(path, _tables.MIGRATIONS)
        self._settings = settings
        self._clock = clock

    def row(self, identity: str) -> Row | None:
        rows = self.read(f"{_tables.FACTS} WHERE n.id = ?", (identity,))
        return rows[0] if rows else None

    def rows(self, keys: Sequence[int]) -> dict[int, Row]:
        found = self.read(
            f"{_tables.FACTS} WHERE n.key IN (SELECT value FROM json_each(?))",  # noqa: S608
            (_tables.marks(keys),),
        )
        return {row["key"]: row for row in found}

    def sources(self, key: int) -> list[Source]:
        return [source_of(row) for row in self.read(_tables.SOURCES, (_tables.marks([key]),))]

    def conflicting(self, ids: Sequence[str]) -> tuple[ConflictingFact, ...]:
        rows = self.read(
            f"{_tables.FACTS} WHERE n.id IN (SELECT value FROM json_each(?)) ORDER BY n.said_at",  # noqa: S608
            (json.dumps(list(ids)),),
        )
        return tuple(_tables.conflicting(row) for row in rows)

    def facts(
        self, rows: Sequence[Row], scores: Mapping[int, float] | None = None
    ) -> list[StoredFact]:
        """Each with its sources, its links and what contradicts it."""
        keys = _tables.marks(row["key"] for row in rows)
        sources: dict[int, list[Row]] = {}
        for one in self.read(_tables.SOURCE_NAMES, (keys,)):
            sources.setdefault(one["node_key"], []).append(one)
        links: dict[int, dict[int, list[Row]]] = {}
        for one in self.read(_tables.LINKS, (keys,)):
            links.setdefault(one["node_key"], {}).setdefault(one["edge"], []).append(one)
        facts = []
        for row in rows:
            own = links.get(row["key"], {}).values()
            against = {
                one["id"]
                for edge in own
                for one in edge
                if one["relation"] == _tables.CONTRADICTS and one["key"] != row["key"]
            }
            facts.append(
                _tables.stored_fact(
                    row,
                    sources=[
                        _tables.fact_source(
                            one,
                            changed=has_changed(one["path"], one["file_sha256"], one["file_stat"]),
                        )
                        for one in sources.get(row["key"], ())
                    ],
                    links=[
                        Link(
                            relation=edge[0]["relation"],
                            members=tuple((one["role"], one["id"]) for one in edge),
                        )
                        for edge in own
                    ],
                    contradicts=self.conflicting(sorted(against)) if against else (),
                    score=round(scores[row["key"]], 6) if scores else None,
                )
            )
        return facts

    def waiting(self, only: Sequence[str] = ()) -> list[tuple[str, float, str]]:
        """Those that are to be verified: id, since when, why."""
        rows = self.read(
            "SELECT id, waiting_since, reason FROM node WHERE waiting_since IS NOT NULL"
            " AND (?1 = '[]' OR id IN (SELECT value FROM json_each(?1))) ORDER BY waiting_since",
            (json.dumps(list(only)),),
        )
        return [(row["id"], row["waiting_since"], row["reason"]) for row in rows]

    def resting_on_changed(self) -> list[str]:
        """Verified facts of which a file is another now."""
        rows = self.read(
            "SELECT DISTINCT path, file_sha256, file_stat FROM source WHERE path IS NOT NULL"
        )
        changed = {row["path"] for row in rows if has_changed(*row)}
        found = self.read(
            "SELECT DISTINCT n.id FROM node n JOIN rests_on r ON r.node_key = n.key"
            " JOIN source s ON s.key = r.source_key WHERE n.status = 'verified'"
            " AND s.path IN (SELECT value FROM json_each(?)) ORDER BY n.id",
            (json.dumps(sorted(changed)),),
        )
        return [row["id"] for row in found]

    def lacking_vectors(self, embedder: str, limit: int) -> list[tuple[int, str]]:
        rows = self.read(
            "SELECT n.key, n.content FROM node n LEFT JOIN sketch s"
            " ON s.node_key = n.key AND s.embedder = ?"
            " WHERE s.node_key IS NULL AND n.kind <> 'entity' ORDER BY n.key LIMIT ?",
            (embedder, limit),
        )
        return [(row["key"], row["content"]) for row in rows]

    def pending(self, limit: int) -> list[StoredFact]:
        rows = self.read(
            f"{_tables.FACTS} WHERE n.status <> 'verified' ORDER BY n.said_at DESC LIMIT ?",
            (limit,),
        )
        return self.facts(rows)

    def rejected(self, limit: int) -> list[StoredFact]:
        rows = self.read("SELECT * FROM rejected ORDER BY id DESC LIMIT ?", (limit,))
        return [_rejected(row) for row in rows]

    def counts(self) -> MemoryCounts:
        tiers = self.read("SELECT tier, count(*) AS n FROM node GROUP BY tier ORDER BY tier")
        (row,) = self.read(
            "SELECT (SELECT count(*) FROM node WHERE status <> 'verified') AS unverified,"
            " (SELECT count(DISTINCT m.node_key) FROM member m JOIN edge e ON e.id = m.edge_id"
            "  WHERE e.relation = ?) AS contested,"
            " (SELECT count(*) FROM rejected) AS rejected",
            (_tables.CONTRADICTS,),
        )
        return MemoryCounts(facts={one["tier"]: one["n"] for one in tiers}, **dict(row))


def _rejected(row: Row) -> StoredFact:
    result = ClaimResult.model_validate_json(row["result"]) if row["result"] else None
    return StoredFact(
        id=row["node_id"],
        kind=row["kind"],
        content=row["content"],
        tier=None,
        status="rejected",
        confidence=result.adjusted_confidence if result else None,
        reason=row["reason"],
        evidence=result.evidence if result else (),
        sources=tuple(json.loads(row["sources"])),
        said_by=row["said_by"],
        said_at=_tables.moment_of(row["moment"]),
        request_id=row["request_id"],
        session=row["session"],
        result=result,
    )
