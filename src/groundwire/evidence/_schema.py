"""The tables of an index file. A change to them is a new migration, never an edit."""

from groundwire.store import Migration

PASSAGE_VERSION = 1
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
