"""One file that holds a corpus: its documents, their passages, words and vectors."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection
from typing import Literal, Self

from groundwire.config import EvidenceSection, LimitsSection
from groundwire.errors import MissingExtra, StoreCorrupt, StoreError, UnreadableSource
from groundwire.evidence import _tables
from groundwire.evidence._identity import Identifier
from groundwire.evidence._passages import Passage, passages
from groundwire.evidence._readers import Found, find_data, find_files, to_document
from groundwire.evidence._source import load
from groundwire.evidence._tables import MIGRATIONS, PASSAGE_VERSION, IndexedDocument
from groundwire.model import (
    Document,
    DocumentIdentity,
    DocumentKey,
    Model,
    RegistryEntry,
    bytes_hash,
    content_hash,
)
from groundwire.store import Database

INDEX_NAME = "index.sqlite"
_READING = 5
"""Raised when documents must be read anew because more is read from them."""
_DAMAGED_HINT = "Build it again with `gw index --rebuild PATH`; your documents are not touched."


class Index:
    """A document is written in one transaction: after a crash it is there whole, or as before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        no_index = StoreError(f"{path} is a database, but no index.", hint="Name another file.")
        try:
            self.database = Database(path, MIGRATIONS, damaged_hint=_DAMAGED_HINT)
        except StoreError as error:
            # what brings an index up to date fails on any other database, and changes nothing there
            raise no_index if _tables.FIRST_DROPPED in error.message else error from error
        if not self.database.read("SELECT 1 FROM sqlite_master WHERE name = 'passage_words'"):
            self.close()
            raise no_index
        self._write_missing_words()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.database.close()

    def _write_missing_words(self) -> None:
        """Of an index that kept its words in another way; at any other time there are none."""
        last = self.database.read(
            "SELECT ifnull((SELECT max(id) FROM passage), 0) AS passage,"
            " ifnull((SELECT max(rowid) FROM passage_words), 0) AS words"
        )[0]
        if last["passage"] > last["words"]:
            with self.writing() as connection:
                _tables.write_words(connection)

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
            old = connection.execute(_tables.BY_PATH, (path,)).fetchone()
            keeps = old is not None and _tables.keeps_passages(old, document)
            doc_id = old["doc_id"] if old else _tables.free_id(connection, document.doc_id, path)
            if old is not None and not keeps:
                _tables.delete(connection, old["id"])
            row_id = _tables.write_document(
                connection,
                document.model_copy(update={"doc_id": doc_id}),
                identity,
                path=path,
                fingerprint=fingerprint,
                row_id=old["id"] if keeps else None,
            )
            if not keeps:
                _tables.write_passages(connection, row_id, document, passages)
            _tables.write_registry(connection, row_id, registry)
        return old is None

    def retype(self, documents: Iterable[IndexedDocument]) -> None:
        """Write what was found of the types of documents once all were there."""
        changed = list(documents)
        if changed:
            with self.writing() as connection:
                _tables.retype(connection, changed)

    def remove(self, path: str) -> bool:
        with self.writing() as connection:
            row = connection.execute("SELECT id FROM document WHERE path = ?", (path,)).fetchone()
            if row is not None:
                _tables.delete(connection, row["id"])
        return row is not None

    def paths(self) -> list[str]:
        return [row["path"] for row in self.database.read("SELECT path FROM document")]

    def documents(self) -> list[IndexedDocument]:
        """All of them, always in the same order: by type, number, then name [S3]."""
        return [_tables.indexed(row) for row in self.database.read(_tables.LIST)]

    def find(self, key: DocumentKey) -> list[IndexedDocument]:
        """Usually one. More when several series of documents share their numbers."""
        rows = self.database.read(_tables.BY_KEY, (key.doc_type, key.number))
        return [_tables.indexed(row) for row in rows]

    def document(self, doc_id: str) -> Document | None:
        """With its whole text, to quote from."""
        rows = self.database.read("SELECT source FROM document WHERE doc_id = ?", (doc_id,))
        return Document.model_validate_json(rows[0]["source"]) if rows else None

    def registry(self) -> list[tuple[str, RegistryEntry]]:
        """What registries say, each with the `doc_id` of the registry that says it."""
        rows = self.database.read(_tables.REGISTRY)
        return [(row["doc_id"], RegistryEntry.model_validate_json(row["entry"])) for row in rows]

    def collections(self) -> dict[str, int]:
        """Each collection and how many documents it holds."""
        rows = self.database.read(
            "SELECT doc_type, count(*) AS documents FROM document GROUP BY doc_type ORDER BY 1"
        )
        return {row["doc_type"]: row["documents"] for row in rows}

    def passage_count(self) -> int:
        return int(self.database.read("SELECT count(*) AS n FROM passage")[0]["n"])


Progress = Callable[[int, int], None]
"""Called with how many are done, and of how many."""


class Refused(Model):
    """A file that is not in the index, and why."""

    path: str
    message: str
    hint: str | None = None


class IndexReport(Model):
    added: int
    updated: int
    unchanged: int
    removed: int
    refused: tuple[Refused, ...]
    documents: int
    passages: int
    collections: dict[str, int]


def _unread_data(found: Found) -> Refused:
    """What a record states in a file that nobody reads is not known, and said not to be."""
    return Refused(
        path=str(found.path),
        message=f"{found.path} is not read: what it states of its record is not known.",
        hint="State status, dates and people in the front matter of the record.",
    )


class Indexer:
    """Brings an index up to date with files: what is unchanged is left alone."""

    def __init__(
        self,
        index: Index,
        settings: EvidenceSection,
        limits: LimitsSection,
        *,
        collection: str | None = None,
    ) -> None:
        self._index = index
        self._settings = settings
        self._limits = limits
        self._collection = collection
        self._identifier = Identifier(settings)
        self._fingerprint = _fingerprint(settings, collection)

    def run(self, roots: Sequence[Path], progress: Progress | None = None) -> IndexReport:
        files = list(find_files(roots))
        counts = Counter[str]()
        refused: list[Refused] = []
        for done, found in enumerate(files, start=1):
            try:
                counts[self._take_in(found)] += 1
            except (UnreadableSource, MissingExtra) as error:
                counts["removed"] += self._index.remove(str(found.path))
                refused.append(
                    Refused(path=str(found.path), message=error.message, hint=error.hint)
                )
            if progress is not None:
                progress(done, len(files))
        refused += [_unread_data(found) for found in find_data(roots)]
        counts["removed"] += self._remove_vanished(roots, {str(found.path) for found in files})
        if self._collection is None:
            self._index.retype(self._identifier.retyped(self._index.documents()))
        return IndexReport(
            added=counts["added"],
            updated=counts["updated"],
            unchanged=counts["unchanged"],
            removed=counts["removed"],
            refused=tuple(refused),
            documents=sum(self._index.collections().values()),
            passages=self._index.passage_count(),
            collections=self._index.collections(),
        )

    def _take_in(self, found: Found) -> Literal["added", "updated", "unchanged"]:
        loaded = load(found.path, self._limits)
        path = str(found.path)
        if self._index.is_current(path, bytes_hash(loaded.data), self._fingerprint):
            return "unchanged"
        document = to_document(loaded, self._limits).model_copy(update={"doc_id": found.place})
        identity = self._identifier.identify(document, found.place, collection=self._collection)
        is_registry = identity.doc_type == "registry"
        is_new = self._index.put(
            document,
            identity,
            passages(document),
            self._identifier.entries(document, found.place) if is_registry else (),
            path=path,
            fingerprint=self._fingerprint,
        )
        return "added" if is_new else "updated"

    def _remove_vanished(self, roots: Sequence[Path], seen: set[str]) -> int:
        folders = [root.resolve() for root in roots if root.is_dir()]
        vanished = [
            path
            for path in self._index.paths()
            if path not in seen and any(Path(path).is_relative_to(folder) for folder in folders)
        ]
        return sum(self._index.remove(path) for path in vanished)


def _fingerprint(settings: EvidenceSection, collection: str | None) -> str:
    """Documents are read again when the settings that sort them change."""
    sorting = [_READING, settings.collections, settings.prefixes, collection]
    return content_hash(json.dumps(sorting, sort_keys=True))[:16]
