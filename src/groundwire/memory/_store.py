"""Facts written and read: each change is one transaction, so that a kill leaves it whole or out."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from sqlite3 import Connection, Row
from typing import TYPE_CHECKING

from groundwire.config import HallucinationSection
from groundwire.memory import _tables
from groundwire.memory._reader import FactReader
from groundwire.memory._sources import Source
from groundwire.memory._strength import Strength, fades_at, touched
from groundwire.model import (
    ClaimResult,
    FactStatus,
    MemoryKind,
    MemoryTier,
    Quote,
    content_hash,
)
from groundwire.observe import redact, redact_tree
from groundwire.text import content_terms, unaccented

if TYPE_CHECKING:
    from groundwire.memory._recall import Embedded

MEMORY_NAME = "memory.sqlite"
_ID_CHARS = 16


def fact_id(kind: str, content: str) -> str:
    """The same words are the same fact, whoever says them."""
    said = " ".join(content.split())
    return f"{kind}-{content_hash(said.casefold() if kind == 'entity' else said)[:_ID_CHARS]}"


def words_of_fact(content: str) -> list[str]:
    """What a fact is found by."""
    return [term.replace("'", "") for term in content_terms(unaccented(content))]


@dataclass(frozen=True)
class NewFact:
    """A fact before the gate: what is said, by whom, how surely, on what grounds."""

    kind: MemoryKind
    content: str
    wanted_tier: MemoryTier = "longterm"
    stated: float | None = None
    about: tuple[str, ...] = ()
    said_by: str = ""
    said_at: float = 0.0
    request_id: str = ""
    session: str = ""
    sources: tuple[Source, ...] = ()

    @property
    def id(self) -> str:
        return fact_id(self.kind, self.content)


@dataclass(frozen=True)
class Placed:
    """Where the gate puts it and as what."""

    tier: MemoryTier
    status: FactStatus
    confidence: float
    reason: str
    waits: bool = False
    result: ClaimResult | None = None
    conflicts: Sequence[str] = ()
    embedded: "Embedded | None" = field(default=None, compare=False)

    @property
    def evidence(self) -> tuple[Quote, ...]:
        return self.result.evidence if self.result else ()


def placed_by(
    new: NewFact,
    result: ClaimResult,
    conflicts: Sequence[str],
    embedded: "Embedded | None",
    settings: HallucinationSection,
) -> Placed:
    """Where a fact belongs that passed the gate: what is not supported stays in the task tier."""
    stated = settings.target_confidence if new.stated is None else new.stated
    believed = result.adjusted_confidence
    supported = result.status == "grounded"
    return Placed(
        tier=new.wanted_tier if supported else "task",
        status="verified" if supported else "unsupported",
        confidence=stated if believed is None else believed,
        reason=_tables.CONTRADICTS_STORED if conflicts else result.reason,
        result=result,
        conflicts=conflicts,
        embedded=embedded,
    )


class MemoryStore(FactReader):
    def put(self, new: NewFact, placed: Placed) -> None:
        """Add a fact, or give a stored one its new place; sources and links add up."""
        with self.transaction():
            self.put_in_transaction(new, placed)

    def put_in_transaction(self, new: NewFact, placed: Placed) -> None:
        """As `put`, inside a transaction of the caller."""
        connection = self._connection
        now = self._clock()
        strength = Strength(1.0, now)
        values = {
            "id": new.id,
            "kind": new.kind,
            "content": new.content,
            "tier": placed.tier,
            "wanted_tier": new.wanted_tier,
            "status": placed.status,
            "reason": placed.reason,
            "confidence": placed.confidence,
            "stated": new.stated,
            "waiting_since": now if placed.waits else None,
            "said_by": new.said_by,
            "said_at": new.said_at or now,
            "request_id": new.request_id,
            "session": new.session,
            "evidence": json.dumps([one.model_dump() for one in placed.evidence]),
            "result": placed.result.model_dump_json() if placed.result else None,
            "strength": strength.value,
            "touched_at": now,
            "fades_at": fades_at(strength, self._settings),
            "accesses": 0,
        }
        (key,) = connection.execute(
            f"INSERT INTO node ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})"  # noqa: S608
            " ON CONFLICT (id) DO UPDATE SET tier = excluded.tier, status = excluded.status,"
            " wanted_tier = excluded.wanted_tier, reason = excluded.reason,"
            " confidence = excluded.confidence, stated = excluded.stated,"
            " waiting_since = excluded.waiting_since, evidence = excluded.evidence,"
            " result = excluded.result RETURNING key",
            list(values.values()),
        ).fetchone()
        connection.execute("DELETE FROM node_words WHERE rowid = ?", (key,))
        words = " ".join(words_of_fact(new.content))
        connection.execute("INSERT INTO node_words (rowid, words) VALUES (?, ?)", (key, words))
        if placed.embedded is not None:
            write_vector(connection, key, placed.embedded)
        self._rest_on(key, new.sources)
        for name in new.about:
            entity = NewFact("entity", name, said_by=new.said_by, request_id=new.request_id)
            self._link("about", [("fact", key), ("entity", self._entity(entity))])
        for other in placed.conflicts:
            self._link(_tables.CONTRADICTS, [("newer", key), ("older", self._key(other))])

    def _entity(self, new: NewFact) -> int:
        """A name is no statement: there is nothing in it to verify."""
        if self.row(new.id) is None:
            self.put_in_transaction(new, Placed("longterm", "verified", 1.0, "name"))
        return self._key(new.id)

    def _rest_on(self, key: int, sources: Iterable[Source]) -> None:
        connection = self._connection
        for source in sources:
            bundle = source.bundle
            connection.execute(
                "INSERT OR IGNORE INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    source.key,
                    bundle.source.doc_id,
                    bundle.source.title,
                    source.path,
                    source.file_sha256,
                    source.file_stat,
                    bundle.sha256,
                    bundle.location.start,
                    bundle.content,
                ),
            )
            connection.execute("INSERT OR IGNORE INTO rests_on VALUES (?, ?)", (key, source.key))

    def relate(self, relation: str, members: Sequence[tuple[str, str]]) -> None:
        """Join stored nodes by a hyperedge; `members` are (role, id) pairs."""
        with self.transaction():
            self.relate_in_transaction(relation, members)

    def relate_in_transaction(self, relation: str, members: Sequence[tuple[str, str]]) -> None:
        self._link(relation, [(role, self._key(identity)) for role, identity in members])

    def _key(self, identity: str) -> int:
        rows = self.read("SELECT key FROM node WHERE id = ?", (identity,))
        if not rows:
            raise KeyError(identity)
        return int(rows[0]["key"])

    def _link(self, relation: str, members: Sequence[tuple[str, int]]) -> None:
        wanted = {(role, key) for role, key in members}
        (first, *_) = [key for _, key in members]
        known: dict[int, set[tuple[str, int]]] = {}
        for row in self.read(_tables.LINKS, (_tables.marks([first]),)):
            if row["relation"] == relation:
                known.setdefault(row["edge"], set()).add((row["role"], row["key"]))
        pairs = [{key for _, key in one} for one in known.values()]
        if wanted in known.values() or (
            relation == _tables.CONTRADICTS and {key for _, key in wanted} in pairs
        ):
            return
        connection = self._connection
        edge = connection.execute(
            "INSERT INTO edge (relation, made_at) VALUES (?, ?)", (relation, self._clock())
        ).lastrowid
        connection.executemany(
            "INSERT INTO member VALUES (?, ?, ?)", [(edge, role, key) for role, key in wanted]
        )

    def doubt(self, identity: str, reason: str) -> None:
        """A verified fact becomes provisional again and waits: only a verified one is believed."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE node SET tier = 'task', wanted_tier = tier, status = 'unverified',"
                " reason = ?, confidence = confidence / 2, waiting_since = ?"
                " WHERE id = ? AND status = 'verified' AND kind <> 'entity'",
                (reason, self._clock(), identity),
            )

    def replace_sources(self, key: int, sources: Sequence[Source]) -> None:
        with self.transaction() as connection:
            connection.execute("DELETE FROM rests_on WHERE node_key = ?", (key,))
            self._rest_on(key, sources)

    def stop_waiting(self, identity: str, reason: str) -> None:
        with self.transaction() as connection:
            connection.execute(
                "UPDATE node SET waiting_since = NULL, reason = ? WHERE id = ?", (reason, identity)
            )

    def put_vectors(self, vectors: "Mapping[int, Embedded]") -> None:
        with self.transaction() as connection:
            for key, embedded in vectors.items():
                write_vector(connection, key, embedded)

    def reject(
        self, new: NewFact, reason: str, result: ClaimResult | None, *, evict: bool = False
    ) -> None:
        """Write it into the log; a stored one leaves memory in the same moment [SPEC-08.18]."""
        sources = [
            {"doc_id": one.bundle.source.doc_id, "path": one.path, "sha256": one.bundle.sha256}
            for one in new.sources
        ]
        with self.transaction() as connection:
            connection.execute(
                "INSERT INTO rejected (moment, node_id, kind, content, reason, stated, said_by,"
                " request_id, session, sources, result, was_stored)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    self._clock(),
                    new.id,
                    new.kind,
                    redact(new.content),
                    reason,
                    new.stated,
                    new.said_by,
                    new.request_id,
                    new.session,
                    json.dumps(sources),
                    json.dumps(redact_tree(result.model_dump(mode="json"))) if result else None,
                    int(evict),
                ),
            )
            if evict:
                connection.execute("DELETE FROM node WHERE id = ?", (new.id,))

    def forget_rejected(self, retention: timedelta, max_rows: int) -> None:
        horizon = self._clock() - retention.total_seconds()
        with self.transaction() as connection:
            connection.execute("DELETE FROM rejected WHERE moment < ?", (horizon,))
            connection.execute(
                "DELETE FROM rejected WHERE id <="
                " (SELECT id FROM rejected ORDER BY id DESC LIMIT 1 OFFSET ?)",
                (max_rows,),
            )

    def forget(self, identity: str) -> bool:
        with self.transaction() as connection:
            forgotten = connection.execute("DELETE FROM node WHERE id = ?", (identity,)).rowcount
            cursor = connection.execute("DELETE FROM rejected WHERE node_id = ?", (identity,))
        return bool(forgotten or cursor.rowcount)

    def forget_source(self, doc_id: str) -> int:
        """Everything that rests on a source, for instance because its owner asked for it: what was
        refused by it quotes it too."""
        with self.transaction() as connection:
            cursor = connection.execute(
                "DELETE FROM node WHERE key IN (SELECT r.node_key FROM rests_on r"
                " JOIN source s ON s.key = r.source_key WHERE s.doc_id = ?)",
                (doc_id,),
            )
            refused = connection.execute(
                "DELETE FROM rejected WHERE EXISTS (SELECT 1 FROM json_each(rejected.sources)"
                " WHERE json_extract(value, '$.doc_id') = ?)",
                (doc_id,),
            )
            return cursor.rowcount + refused.rowcount

    def touch(self, rows: Sequence[Row]) -> None:
        """They were recalled: stronger, and perhaps in another tier."""
        now = self._clock()
        changes = [touched(row, now, self._settings) for row in rows if row["kind"] != "entity"]
        with self.transaction() as connection:
            connection.executemany(
                "UPDATE node SET strength = :strength, touched_at = :touched_at,"
                " fades_at = :fades_at, tier = :tier, accesses = accesses + 1 WHERE key = :key",
                changes,
            )

    def archive_faded(self) -> int:
        """What nobody used for long is kept apart: recalled when the archive is asked for."""
        with self.transaction() as connection:
            return connection.execute(
                "UPDATE node SET wanted_tier = CASE WHEN tier = 'task' THEN wanted_tier ELSE tier"
                " END, tier = 'archive' WHERE tier <> 'archive' AND fades_at < ?"
                " AND kind <> 'entity' AND waiting_since IS NULL",
                (self._clock(),),
            ).rowcount


def write_vector(connection: Connection, key: int, embedded: "Embedded") -> None:
    connection.execute(
        "INSERT OR REPLACE INTO vector VALUES (?, ?, ?)", (key, embedded.embedder, embedded.data)
    )
    connection.execute("DELETE FROM sketch WHERE node_key = ?", (key,))
    connection.execute(
        "INSERT INTO sketch (node_key, embedder, bits) VALUES (?, ?, ?)",
        (key, embedded.embedder, embedded.bits),
    )
