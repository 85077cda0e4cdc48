"""How documents are written to the tables of an index and read from them."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from sqlite3 import Connection, Row

from groundwire.evidence._passages import Passage
from groundwire.evidence._schema import PASSAGE_VERSION
from groundwire.model import Document, DocumentIdentity, Model, RegistryEntry

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
