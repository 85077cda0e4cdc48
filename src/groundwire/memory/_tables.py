"""The hypergraph as tables: nodes, hyperedges with roles, sources, words, vectors, the log."""

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from sqlite3 import Row
from typing import Any

from groundwire.model import ConflictingFact, FactSource, Link, Quote, StoredFact
from groundwire.store import Migration

_NODES: Migration = (
    """CREATE TABLE node (
        key INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        content TEXT NOT NULL,
        tier TEXT NOT NULL,
        wanted_tier TEXT NOT NULL,
        status TEXT NOT NULL,
        reason TEXT NOT NULL,
        confidence REAL NOT NULL,
        stated REAL,
        waiting_since REAL,
        said_by TEXT NOT NULL,
        said_at REAL NOT NULL,
        request_id TEXT NOT NULL,
        session TEXT NOT NULL,
        evidence TEXT NOT NULL,
        result TEXT,
        strength REAL NOT NULL,
        touched_at REAL NOT NULL,
        fades_at REAL NOT NULL,
        accesses INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX node_waiting ON node(waiting_since) WHERE waiting_since IS NOT NULL",
    "CREATE INDEX node_unverified ON node(status) WHERE status <> 'verified'",
    "CREATE INDEX node_place ON node(tier, kind)",
    "CREATE INDEX node_said ON node(said_at)",
    "CREATE INDEX node_session ON node(session) WHERE session <> ''",
    "CREATE INDEX node_fades ON node(fades_at) WHERE tier <> 'archive'",
    """CREATE TABLE edge (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        relation TEXT NOT NULL,
        made_at REAL NOT NULL
    ) STRICT""",
    """CREATE TABLE member (
        edge_id INTEGER NOT NULL REFERENCES edge(id) ON DELETE CASCADE,
        role TEXT NOT NULL,
        node_key INTEGER NOT NULL REFERENCES node(key) ON DELETE CASCADE,
        PRIMARY KEY (edge_id, role, node_key)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX member_node ON member(node_key)",
    # what joins one thing to nothing says nothing
    """CREATE TRIGGER member_removed AFTER DELETE ON member BEGIN
        DELETE FROM edge WHERE id = old.edge_id
            AND (SELECT count(*) FROM member WHERE edge_id = old.edge_id) < 2;
    END""",
    """CREATE TABLE source (
        key TEXT PRIMARY KEY,
        doc_id TEXT NOT NULL,
        title TEXT,
        path TEXT,
        file_sha256 TEXT,
        file_stat TEXT,
        sha256 TEXT NOT NULL,
        start INTEGER NOT NULL,
        content TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX source_doc ON source(doc_id)",
    """CREATE TABLE rests_on (
        node_key INTEGER NOT NULL REFERENCES node(key) ON DELETE CASCADE,
        source_key TEXT NOT NULL REFERENCES source(key) ON DELETE CASCADE,
        PRIMARY KEY (node_key, source_key)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX rests_on_source ON rests_on(source_key)",
    """CREATE TRIGGER source_unused AFTER DELETE ON rests_on BEGIN
        DELETE FROM source WHERE key = old.source_key
            AND NOT EXISTS (SELECT 1 FROM rests_on WHERE source_key = old.source_key);
    END""",
    """CREATE VIRTUAL TABLE node_words USING fts5(
        words, tokenize = "unicode61 remove_diacritics 0 tokenchars '._'"
    )""",
    "CREATE VIRTUAL TABLE node_terms USING fts5vocab(node_words, row)",
    """CREATE TRIGGER node_removed AFTER DELETE ON node BEGIN
        DELETE FROM node_words WHERE rowid = old.key;
    END""",
    """CREATE TABLE vector (
        node_key INTEGER PRIMARY KEY REFERENCES node(key) ON DELETE CASCADE,
        embedder TEXT NOT NULL,
        data BLOB NOT NULL
    ) STRICT""",
    # the signs of a vector: small enough that all of them are held and looked at
    """CREATE TABLE sketch (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        node_key INTEGER NOT NULL UNIQUE REFERENCES node(key) ON DELETE CASCADE,
        embedder TEXT NOT NULL,
        bits BLOB NOT NULL
    ) STRICT""",
    """CREATE TABLE rejected (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        moment REAL NOT NULL,
        node_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        content TEXT NOT NULL,
        reason TEXT NOT NULL,
        stated REAL,
        said_by TEXT NOT NULL,
        request_id TEXT NOT NULL,
        session TEXT NOT NULL,
        sources TEXT NOT NULL,
        result TEXT,
        was_stored INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX rejected_moment ON rejected(moment)",
)
MIGRATIONS = (_NODES,)

CONTRADICTS = "contradicts"
_IS_CONTESTED = f"""EXISTS (
        SELECT 1 FROM member m JOIN edge e ON e.id = m.edge_id
        WHERE m.node_key = n.key AND e.relation = '{CONTRADICTS}'
    )"""  # noqa: S608
STATUS = f"""CASE WHEN n.status = 'verified' AND {_IS_CONTESTED} THEN 'contested'
    ELSE n.status END"""
"""What a fact is shown as: one that a stored fact contradicts is contested while both are there."""
CONTRADICTS_STORED = "contradicts_stored"
_REASON = f"""CASE WHEN n.reason = '{CONTRADICTS_STORED}' AND NOT {_IS_CONTESTED}
    THEN coalesce(json_extract(n.result, '$.reason'), n.reason) ELSE n.reason END"""
"""Why: once what it contradicted is forgotten, the reason of its own verdict."""

FACTS = f"""SELECT n.key, n.id, n.kind, n.content, n.tier, {STATUS} AS status, {_REASON} AS reason,
    n.confidence, n.waiting_since, n.said_by, n.said_at, n.request_id, n.session, n.evidence,
    n.result, n.strength, n.touched_at, n.accesses, n.wanted_tier, n.stated FROM node n"""  # noqa: S608
SOURCES = """SELECT r.node_key, s.key, s.doc_id, s.title, s.path, s.sha256, s.file_sha256,
    s.file_stat, s.start, s.content FROM rests_on r JOIN source s ON s.key = r.source_key
    WHERE r.node_key IN (SELECT value FROM json_each(?)) ORDER BY r.node_key, s.doc_id, s.start"""
SOURCE_NAMES = """SELECT r.node_key, s.doc_id, s.title, s.path, s.sha256, s.file_sha256, s.file_stat
    FROM rests_on r JOIN source s ON s.key = r.source_key
    WHERE r.node_key IN (SELECT value FROM json_each(?)) ORDER BY r.node_key, s.doc_id, s.start"""
LINKS = """SELECT own.node_key, e.id AS edge, e.relation, m.role, n.id, n.key
    FROM member own JOIN edge e ON e.id = own.edge_id
    JOIN member m ON m.edge_id = e.id JOIN node n ON n.key = m.node_key
    WHERE own.node_key IN (SELECT value FROM json_each(?)) ORDER BY e.id, m.role, n.id"""


def moment_of(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def marks(values: Iterable[int]) -> str:
    """For `IN (SELECT value FROM json_each(?))`."""
    return json.dumps(list(values))


def quotes_of(row: Row) -> tuple[Quote, ...]:
    return tuple(Quote.model_validate(one) for one in json.loads(row["evidence"]))


def conflicting(row: Row) -> ConflictingFact:
    return ConflictingFact(
        id=row["id"],
        content=row["content"],
        status=row["status"],
        confidence=row["confidence"],
        said_by=row["said_by"],
        said_at=moment_of(row["said_at"]),
        evidence=quotes_of(row),
    )


def stored_fact(
    row: Row,
    *,
    sources: Sequence[FactSource],
    links: Sequence[Link],
    contradicts: Sequence[ConflictingFact],
    **more: Any,
) -> StoredFact:
    return StoredFact(
        id=row["id"],
        kind=row["kind"],
        content=row["content"],
        tier=row["tier"],
        status=row["status"],
        confidence=round(row["confidence"], 4),
        reason=row["reason"] or None,
        evidence=quotes_of(row),
        sources=tuple(sources),
        contradicts=tuple(contradicts),
        links=tuple(links),
        said_by=row["said_by"],
        said_at=moment_of(row["said_at"]),
        request_id=row["request_id"],
        session=row["session"],
        accesses=row["accesses"],
        queued=row["waiting_since"] is not None,
        **more,
    )


def fact_source(row: Row, *, changed: bool = False) -> FactSource:
    return FactSource(
        doc_id=row["doc_id"],
        title=row["title"],
        path=row["path"],
        sha256=row["sha256"],
        changed=changed,
    )
