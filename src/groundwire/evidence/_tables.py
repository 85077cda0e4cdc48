"""The tables of the index: their schema, what is written and what is asked."""

import re
import sqlite3
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection, Row
from threading import Lock

from groundwire.evidence._passages import Passage
from groundwire.model import Document, DocumentIdentity, Model, RegistryEntry
from groundwire.store import Migration

PASSAGE_VERSION = 2
"""Raised when documents must be cut anew because the way of cutting changed."""

TOKENIZER = "porter unicode61 remove_diacritics 2"

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
    f"""CREATE VIRTUAL TABLE passage_words USING fts5(
        context, content, content='passage', content_rowid='id', tokenize='{TOKENIZER}'
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

MIGRATIONS = (_DOCUMENTS,)


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


MAX_QUERY_WORDS = 64
"""More distinct words than this add time, not precision."""

_WORD = re.compile(r"\w{1,64}")
_ENGLISH = """a about all an and any are as at be been by can could did do does for from had has
have how i if in into is it its me my no not of on or our shall should so that the their them there
these they this those to us was we were what when where which who whom why will with would you your
tell show give explain describe please list
decide decided define ensure handle happen happens long many much often quickly"""
_DUTCH = """aan als bij dat de deze die dit door een en er geen het hoe hun ik in is je kan kunnen
maar met mijn naar niet of om omdat ons onze ook op over te tot uit van voor waar waarom wanneer wat
welke wie wij worden wordt ze zich zij zijn zou"""
_STOP_WORDS = frozenset(f"{_ENGLISH} {_DUTCH}".split())


def content_words(question: str) -> list[str]:
    """The words that carry the question, each once; all of them if there are only small ones."""
    words = list(dict.fromkeys(match[0].lower() for match in _WORD.finditer(question)))
    content = [word for word in words if word not in _STOP_WORDS]
    return (content or words)[:MAX_QUERY_WORDS]


def topic_words(question: str) -> list[str]:
    """The same without the way out: a question of small words only is about nothing."""
    return [word for word in content_words(question) if word not in _STOP_WORDS]


def any_of(words: Sequence[str]) -> str:
    """An FTS5 expression. Quoted words are words, whatever they mean to FTS5 otherwise."""
    return " OR ".join(f'"{word}"' for word in words)


class Stemmer:
    """Stems as the index makes them, since the same tokenizer makes both."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._connection = sqlite3.connect(":memory:", check_same_thread=False)
        self._connection.execute(
            f"CREATE VIRTUAL TABLE words USING fts5(content, tokenize='{TOKENIZER}')"
        )
        self._connection.execute("CREATE VIRTUAL TABLE stems USING fts5vocab(words, instance)")
        weakref.finalize(self, self._connection.close)

    def stems(self, texts: Sequence[str]) -> list[set[str]]:
        """Of each text, usually a word, its stems."""
        found: list[set[str]] = [set() for _ in texts]
        with self._holding(texts):
            for place, stem in self._connection.execute("SELECT doc, term FROM stems"):
                found[place].add(stem)
        return found

    def occurring(self, stems: Sequence[str], texts: Sequence[str]) -> list[set[str]]:
        """Which of the stems occur in each text."""
        found: list[set[str]] = [set() for _ in texts]
        with self._holding(texts):
            for stem in stems:
                rows = self._connection.execute("SELECT doc FROM stems WHERE term = ?", (stem,))
                for (place,) in rows:
                    found[place].add(stem)
        return found

    @contextmanager
    def _holding(self, texts: Sequence[str]) -> Iterator[None]:
        with self._lock:
            self._connection.execute("BEGIN")
            self._connection.executemany(
                "INSERT INTO words (rowid, content) VALUES (?, ?)", enumerate(texts)
            )
            try:
                yield
            finally:
                self._connection.execute("ROLLBACK")
