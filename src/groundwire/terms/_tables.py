"""How a vocabulary lies in SQLite: written here, read by `_queries`."""

import json
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.store import Migration
from groundwire.terms._fold import MAX_TERM_CHARS, Text, loose_key
from groundwire.terms._rdf import ConceptRecord
from groundwire.text import same_letters

TABLES: Migration = (
    """CREATE TABLE file (
        id INTEGER PRIMARY KEY,
        path TEXT NOT NULL UNIQUE,
        sha256 TEXT NOT NULL,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        indexed_ns INTEGER NOT NULL,
        concepts INTEGER NOT NULL,
        definitions INTEGER NOT NULL
    ) STRICT""",
    """CREATE TABLE unreadable (
        path TEXT PRIMARY KEY,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        indexed_ns INTEGER NOT NULL,
        problem TEXT NOT NULL
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE concept (
        id INTEGER PRIMARY KEY,
        file_id INTEGER NOT NULL REFERENCES file(id),
        uri TEXT NOT NULL,
        record TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE label (
        id INTEGER PRIMARY KEY,
        concept_id INTEGER NOT NULL REFERENCES concept(id),
        kind TEXT NOT NULL,
        text TEXT NOT NULL,
        lang TEXT NOT NULL,
        exact TEXT NOT NULL,
        loose TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX concept_file ON concept(file_id)",
    "CREATE INDEX concept_uri ON concept(uri)",
    "CREATE INDEX label_concept ON label(concept_id)",
    "CREATE INDEX label_exact ON label(exact)",
    "CREATE INDEX label_loose ON label(loose)",
    # letters in threes, the two spaces in front so that a word's beginning weighs more
    """CREATE VIRTUAL TABLE trigram USING fts5(
        padded, content='', tokenize='trigram case_sensitive 1'
    )""",
)
_PADDED = "'  ' || loose || ' '"
_CONCEPTS_OF_FILE = "SELECT id FROM concept WHERE file_id = ?"


class Stamp(NamedTuple):
    """By which a file is taken to be unchanged."""

    size: int
    mtime_ns: int


def write_file(
    connection: sqlite3.Connection,
    path: Path,
    stamp: Stamp,
    digest: str,
    concepts: Sequence[ConceptRecord],
) -> None:
    """Replace what is stored of a file. Its id stays: other processes go on asking by it."""
    same = "SELECT 1 FROM file WHERE path = ? AND sha256 = ?"
    if connection.execute(same, (str(path), digest)).fetchone():  # another process was faster
        renew_file(connection, path, stamp)
        return
    defined = sum(bool(concept.definitions) for concept in concepts)
    (file_id,) = connection.execute(
        """INSERT INTO file (path, sha256, size, mtime_ns, indexed_ns, concepts, definitions)
           VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (path) DO UPDATE SET sha256 = excluded.sha256, size = excluded.size,
           mtime_ns = excluded.mtime_ns, indexed_ns = excluded.indexed_ns,
           concepts = excluded.concepts, definitions = excluded.definitions RETURNING id""",
        (str(path), digest, *stamp, time.time_ns(), len(concepts), defined),
    ).fetchone()
    connection.execute("DELETE FROM unreadable WHERE path = ?", (str(path),))
    _delete_concepts(connection, file_id)
    _insert_concepts(connection, file_id, concepts)


def renew_file(connection: sqlite3.Connection, path: Path, stamp: Stamp) -> None:
    """The file was looked at again and says the same."""
    connection.execute("DELETE FROM unreadable WHERE path = ?", (str(path),))
    connection.execute(
        "UPDATE file SET size = ?, mtime_ns = ?, indexed_ns = ? WHERE path = ?",
        (*stamp, time.time_ns(), str(path)),
    )


def write_problem(connection: sqlite3.Connection, path: Path, stamp: Stamp, problem: str) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO unreadable VALUES (?, ?, ?, ?, ?)",
        (str(path), *stamp, time.time_ns(), problem),
    )


def delete_file(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("DELETE FROM unreadable WHERE path = ?", (str(path),))
    find = "SELECT id FROM file WHERE path = ?"
    for row in connection.execute(find, (str(path),)).fetchall():
        _delete_concepts(connection, row["id"])
        connection.execute("DELETE FROM file WHERE id = ?", (row["id"],))


def unpacked(row: sqlite3.Row) -> ConceptRecord:
    record = ConceptRecord(**json.loads(row["record"]))
    record.labels = [(kind, Text(*text)) for kind, text in record.labels]
    record.definitions = [Text(*text) for text in record.definitions]
    record.scope_notes = [Text(*text) for text in record.scope_notes]
    return record


def _delete_concepts(connection: sqlite3.Connection, file_id: int) -> None:
    connection.execute(
        f"INSERT INTO trigram(trigram, rowid, padded) SELECT 'delete', id, {_PADDED}"  # noqa: S608
        f" FROM label WHERE concept_id IN ({_CONCEPTS_OF_FILE})",
        (file_id,),
    )
    connection.execute(
        f"DELETE FROM label WHERE concept_id IN ({_CONCEPTS_OF_FILE})",  # noqa: S608
        (file_id,),
    )
    connection.execute("DELETE FROM concept WHERE file_id = ?", (file_id,))


def _insert_concepts(
    connection: sqlite3.Connection, file_id: int, concepts: Sequence[ConceptRecord]
) -> None:
    first_concept = _next_id(connection, "concept")
    first_label = _next_id(connection, "label")
    numbered = list(enumerate(concepts, start=first_concept))
    connection.executemany(
        "INSERT INTO concept VALUES (?, ?, ?, ?)",
        ((number, file_id, concept.uri, _packed(concept)) for number, concept in numbered),
    )
    connection.executemany(
        "INSERT INTO label (concept_id, kind, text, lang, exact, loose) VALUES (?, ?, ?, ?, ?, ?)",
        (row for number, concept in numbered for row in _label_rows(number, concept)),
    )
    connection.execute(
        f"INSERT INTO trigram(rowid, padded) SELECT id, {_PADDED} FROM label WHERE id >= ?",  # noqa: S608
        (first_label,),
    )


def _label_rows(concept_id: int, concept: ConceptRecord) -> Iterator[tuple[Any, ...]]:
    for kind, (text, lang) in concept.labels:
        if len(text) <= MAX_TERM_CHARS:  # nobody asks for a longer one
            yield concept_id, kind, text, lang, same_letters(text), loose_key(text)


def _packed(concept: ConceptRecord) -> str:
    return json.dumps(vars(concept), ensure_ascii=False, separators=(",", ":"))


def _next_id(connection: sqlite3.Connection, table: str) -> int:
    row = connection.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").fetchone()  # noqa: S608
    return int(row[0])
