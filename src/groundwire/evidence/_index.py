"""One file that holds a corpus: its documents, their passages, words and vectors."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection
from typing import Self

from groundwire.errors import StoreCorrupt, StoreError
from groundwire.evidence import _rows
from groundwire.evidence._passages import Passage
from groundwire.evidence._rows import IndexedDocument
from groundwire.evidence._schema import MIGRATIONS, PASSAGE_VERSION
from groundwire.model import Document, DocumentIdentity, DocumentKey, RegistryEntry
from groundwire.store import Database

INDEX_NAME = "index.sqlite"
_DAMAGED_HINT = "Build it again with `gw index --rebuild PATH`; your documents are not touched."


class Index:
    """A document is written in one transaction: after a crash it is there whole, or as before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = Database(path, MIGRATIONS, damaged_hint=_DAMAGED_HINT)
        if not self.database.read("SELECT 1 FROM sqlite_master WHERE name = 'passage_words'"):
            self.close()
            raise StoreError(f"{path} is a database, but no index.", hint="Name another file.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.database.close()

    def damaged(self, problem: str) -> StoreCorrupt:
        return StoreCorrupt(f"{self.path} is damaged: {problem}.", hint=_DAMAGED_HINT)

    def generation(self) -> int:
        """Changes with every write of any process, so that caches know when they are stale."""
        (row,) = self.database.read("SELECT value FROM state WHERE name = 'generation'")
        return int(row["value"])

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with self.database.transaction() as connection:
            yield connection
            connection.execute("UPDATE state SET value = value + 1 WHERE name = 'generation'")

    def is_current(self, path: str, sha256: str, fingerprint: str) -> bool:
        """Whether a file is in the index just as it would be written now."""
        rows = self.database.read(
            "SELECT 1 FROM document WHERE path = ? AND sha256 = ? AND fingerprint = ?"
            " AND passage_version = ?",
            (path, sha256, fingerprint, PASSAGE_VERSION),
        )
        return bool(rows)

    def put(
        self,
        document: Document,
        identity: DocumentIdentity,
        passages: Sequence[Passage],
        registry: Iterable[RegistryEntry],
        *,
        path: str,
        fingerprint: str,
    ) -> bool:
        """Add or replace a document; true when it is new. Unchanged passages keep their vectors."""
        with self.writing() as connection:
            old = connection.execute(_rows.BY_PATH, (path,)).fetchone()
            keeps = old is not None and _rows.keeps_passages(old, document)
            doc_id = old["doc_id"] if old else _rows.free_id(connection, document.doc_id, path)
            if old is not None and not keeps:
                _rows.delete(connection, old["id"])
            row_id = _rows.write_document(
                connection,
                document.model_copy(update={"doc_id": doc_id}),
                identity,
                path=path,
                fingerprint=fingerprint,
                row_id=old["id"] if keeps else None,
            )
            if not keeps:
                _rows.write_passages(connection, row_id, document, passages)
            _rows.write_registry(connection, row_id, registry)
        return old is None

    def remove(self, path: str) -> bool:
        with self.writing() as connection:
            row = connection.execute("SELECT id FROM document WHERE path = ?", (path,)).fetchone()
            if row is not None:
                _rows.delete(connection, row["id"])
        return row is not None

    def paths(self) -> list[str]:
        return [row["path"] for row in self.database.read("SELECT path FROM document")]

    def documents(self, collections: Sequence[str] | None = None) -> list[IndexedDocument]:
        """All of them, always in the same order: by type, number, then name [S3]."""
        rows = map(_rows.indexed, self.database.read(_rows.LIST))
        return [row for row in rows if collections is None or row.identity.doc_type in collections]

    def find(self, key: DocumentKey) -> list[IndexedDocument]:
        """Usually one. More when several series of documents share their numbers."""
        rows = self.database.read(_rows.BY_KEY, (key.doc_type, key.number))
        return [_rows.indexed(row) for row in rows]

    def document(self, doc_id: str) -> Document | None:
        """With its whole text, to quote from."""
        rows = self.database.read("SELECT source FROM document WHERE doc_id = ?", (doc_id,))
        return Document.model_validate_json(rows[0]["source"]) if rows else None

    def registry(self) -> list[tuple[str, RegistryEntry]]:
        """What registries say, each with the `doc_id` of the registry that says it."""
        rows = self.database.read(_rows.REGISTRY)
        return [(row["doc_id"], RegistryEntry.model_validate_json(row["entry"])) for row in rows]

    def collections(self) -> dict[str, int]:
        """Each collection and how many documents it holds."""
        rows = self.database.read(
            "SELECT doc_type, count(*) AS documents FROM document GROUP BY doc_type ORDER BY 1"
        )
        return {row["doc_type"]: row["documents"] for row in rows}

    def passage_count(self) -> int:
        return int(self.database.read("SELECT count(*) AS n FROM passage")[0]["n"])
