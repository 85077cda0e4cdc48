"""The tables of the index: their schema, what is written and what is asked."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from sqlite3 import Connection, Row

from groundwire.evidence._passages import Passage
from groundwire.model import Document, DocumentIdentity, Model, RegistryEntry
from groundwire.store import Migration
from groundwire.text import stem, unaccented, words_of

PASSAGE_VERSION = 3
"""Raised when documents must be read and cut anew because the way of doing so changed."""

_DOCUMENTS: Migration = (
    """CREATE TABLE document (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        doc_id TEXT NOT NULL UNIQUE,
        path TEXT NOT NULL UNIQUE,
        sha256 TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        passage_version INTEGER NOT NULL,
        doc_type TEXT NOT NULL,
        number INTEGER,
        title TEXT NOT NULL,
        identity TEXT NOT NULL,
        format TEXT NOT NULL,
        source TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX document_key ON document(doc_type, number)",
    """CREATE TABLE passage (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        document_id INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
        start INTEGER NOT NULL,
        section TEXT NOT NULL,
        context TEXT NOT NULL,
        content TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX passage_document ON passage(document_id)",
    """CREATE TABLE registry_entry (
        document_id INTEGER NOT NULL REFERENCES document(id) ON DELETE CASCADE,
        doc_type TEXT NOT NULL,
        number INTEGER NOT NULL,
        entry TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX registry_entry_key ON registry_entry(doc_type, number)",
    "CREATE INDEX registry_entry_document ON registry_entry(document_id)",
    """CREATE TABLE vectors (
        document_id INTEGER PRIMARY KEY REFERENCES document(id) ON DELETE CASCADE,
        embedder TEXT NOT NULL,
        passages INTEGER NOT NULL,
        data BLOB NOT NULL
    ) STRICT""",
    """CREATE TABLE state (
        name TEXT PRIMARY KEY,
        value INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    "INSERT INTO state VALUES ('generation', 0)",
    """CREATE VIRTUAL TABLE passage_words USING fts5(
        context, content, content='passage', content_rowid='id',
        tokenize='porter unicode61 remove_diacritics 2'
    )""",
    """CREATE TRIGGER passage_added AFTER INSERT ON passage BEGIN
        INSERT INTO passage_words (rowid, context, content)
        VALUES (new.id, new.context, new.content);
    END""",
    """CREATE TRIGGER passage_removed AFTER DELETE ON passage BEGIN
        INSERT INTO passage_words (passage_words, rowid, context, content)
        VALUES ('delete', old.id, old.context, old.content);
    END""",
    "CREATE VIRTUAL TABLE passage_terms USING fts5vocab(passage_words, row)",
)

FIRST_DROPPED = "passage_added"
_STEMS: Migration = (
    f"DROP TRIGGER {FIRST_DROPPED}",
    "DROP TRIGGER passage_removed",
    "DROP TABLE passage_terms",
    "DROP TABLE passage_words",
    # what is written here is stems already; "1.3" and "pg_stat" are one each
    """CREATE VIRTUAL TABLE passage_words USING fts5(
        context, content, tokenize = "unicode61 remove_diacritics 0 tokenchars '._'"
    )""",
    """CREATE TRIGGER passage_removed AFTER DELETE ON passage BEGIN
        DELETE FROM passage_words WHERE rowid = old.id;
    END""",
    "CREATE VIRTUAL TABLE passage_terms USING fts5vocab(passage_words, row)",
)

MIGRATIONS = (_DOCUMENTS, _STEMS)


BY_PATH = "SELECT id, doc_id, sha256, title, passage_version FROM document WHERE path = ?"
LIST = """SELECT doc_id, path, title, identity FROM document
    ORDER BY doc_type, number IS NULL, number, doc_id"""
BY_KEY = """SELECT doc_id, path, title, identity FROM document
    WHERE doc_type = ? AND number = ? ORDER BY doc_id"""
REGISTRY = """SELECT d.doc_id, e.entry FROM registry_entry e JOIN document d ON d.id = e.document_id
    ORDER BY d.doc_id, e.rowid"""


class IndexedDocument(Model):
    """A document of the corpus, without its text."""

    doc_id: str
    path: str
    title: str
    identity: DocumentIdentity


def keeps_passages(old: Row, document: Document) -> bool:
    same_cut = bool(old["passage_version"] == PASSAGE_VERSION)
    return same_cut and bool(old["sha256"] == document.sha256 and old["title"] == document.title)


def free_id(connection: Connection, wanted: str, path: str) -> str:
    """Folders of the same name: as much of the path in front as tells them apart."""
    parts = Path(path).parts
    tail = len(Path(wanted).parts)
    while connection.execute("SELECT 1 FROM document WHERE doc_id = ?", (wanted,)).fetchone():
        tail += 1
        wanted = "/".join(part.strip("/") for part in parts[-tail:])
        if tail > len(parts):
            return path
    return wanted


def write_document(
    connection: Connection,
    document: Document,
    identity: DocumentIdentity,
    *,
    path: str,
    fingerprint: str,
    row_id: int | None,
) -> int:
    values = (
        row_id,
        document.doc_id,
        path,
        document.sha256,
        fingerprint,
        PASSAGE_VERSION,
        identity.doc_type,
        identity.number,
        document.title,
        identity.model_dump_json(),
        document.format,
        document.model_dump_json(),
    )
    cursor = connection.execute(
        f"INSERT INTO document VALUES ({', '.join('?' * len(values))})"  # noqa: S608
        " ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint,"
        " doc_type = excluded.doc_type, number = excluded.number, identity = excluded.identity",
        values,
    )
    return row_id if row_id is not None else cursor.lastrowid or 0


def write_passages(
    connection: Connection, row_id: int, document: Document, passages: Sequence[Passage]
) -> None:
    connection.executemany(
        "INSERT INTO passage (document_id, start, section, context, content)"
        " VALUES (?, ?, ?, ?, ?)",
        [
            (
                row_id,
                part.start,
                part.section,
                _context(document, part),
                document.text[part.start : part.end],
            )
            for part in passages
        ],
    )
    write_words(connection)


def write_words(connection: Connection) -> None:
    """The stems of every passage that has none yet."""
    lacking = connection.execute(
        "SELECT id, context, content FROM passage"
        " WHERE id > (SELECT ifnull(max(rowid), 0) FROM passage_words)"
    ).fetchall()
    connection.executemany(
        "INSERT INTO passage_words (rowid, context, content) VALUES (?, ?, ?)",
        [
            (row["id"], " ".join(stems(row["context"])), " ".join(stems(row["content"])))
            for row in lacking
        ],
    )


def stems(text: str) -> list[str]:
    """What a text is found by: all its words, also the small ones, accents and apostrophes off."""
    return [stem(word).replace("'", "") for word in words_of(unaccented(text))]


def _context(document: Document, part: Passage) -> str:
    """What a reader of the passage alone would have to know."""
    return "\n".join(filter(None, (document.title, part.section, part.table_header)))


def write_registry(connection: Connection, row_id: int, registry: Iterable[RegistryEntry]) -> None:
    connection.execute("DELETE FROM registry_entry WHERE document_id = ?", (row_id,))
    connection.executemany(
        "INSERT INTO registry_entry VALUES (?, ?, ?, ?)",
        [
            (row_id, entry.key.doc_type, entry.key.number, entry.model_dump_json())
            for entry in registry
        ],
    )


def delete(connection: Connection, row_id: int) -> None:
    connection.execute("DELETE FROM passage WHERE document_id = ?", (row_id,))
    connection.execute("DELETE FROM document WHERE id = ?", (row_id,))


def indexed(row: Row) -> IndexedDocument:
    return IndexedDocument(
        doc_id=row["doc_id"],
        path=row["path"],
        title=row["title"],
        identity=DocumentIdentity.model_validate_json(row["identity"]),
    )


def any_of(words: Sequence[str]) -> str:
    """An FTS5 expression. Quoted words are words, whatever they mean to FTS5 otherwise."""
    return " OR ".join(f'"{word}"' for word in words)


def retype(connection: Connection, documents: Iterable[IndexedDocument]) -> None:
    """Documents, and what the registries beside them list under their old type."""
    for one in documents:
        identity = one.identity
        (old,) = connection.execute(
            "SELECT doc_type FROM document WHERE doc_id = ?", (one.doc_id,)
        ).fetchone()
        connection.execute(
            "UPDATE document SET doc_type = ?, identity = ? WHERE doc_id = ?",
            (identity.doc_type, identity.model_dump_json(), one.doc_id),
        )
        connection.execute(
            "UPDATE registry_entry SET doc_type = ?,"
            " entry = json_set(entry, '$.key.doc_type', ?) WHERE doc_type = ? AND number = ?",
            (identity.doc_type, identity.doc_type, old, identity.number),
        )
