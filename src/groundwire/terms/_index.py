"""SKOS files, read once into SQLite, so that a fresh process answers at once.

Everything in the index can be made again from the files: a damaged one is put aside and rebuilt.
A file that can no longer be read keeps what was last read from it.
"""

import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.errors import StoreCorrupt, StoreError, UnreadableSource
from groundwire.observe import Log
from groundwire.store import Database, Migration
from groundwire.terms._fold import MAX_TERM_CHARS, exact_key, loose_key
from groundwire.terms._formats import SUFFIXES
from groundwire.terms._rdf import ConceptRecord, read_concepts
from groundwire.terms._text import Text

_TABLES: Migration = (
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
    """CREATE TABLE unreadable (
        path TEXT PRIMARY KEY,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        indexed_ns INTEGER NOT NULL,
        problem TEXT NOT NULL
    ) STRICT, WITHOUT ROWID""",
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
PADDED = "'  ' || loose || ' '"

_RACY_NS = 2_000_000_000
"""A file changed this shortly before it was read may change again with the same time stamp."""

_log = Log("vocabulary")


@dataclass(frozen=True)
class IndexedFile:
    path: Path
    concepts: int
    definitions: int
    problem: str | None = None
    """Why the file could not be read this time; what is known of it is from before."""


class _Stamp(NamedTuple):
    size: int
    mtime_ns: int


def vocabulary_files(paths: Sequence[Path]) -> list[Path]:
    """The files themselves, and of folders every file with the suffix of an RDF format."""
    files: list[Path] = []
    for path in (given.expanduser().absolute() for given in paths):
        if path.is_dir():
            inside = sorted(child for child in path.iterdir() if child.suffix.lower() in SUFFIXES)
            files += inside or [path]
        else:
            files.append(path)
    return list(dict.fromkeys(files))


class VocabularyIndex:
    """The index of all vocabularies of one home directory. Several processes may share it."""

    def __init__(
        self, path: Path, *, max_file_bytes: int, progress: Callable[[str], None] | None = None
    ) -> None:
        self._path = path
        self._max_file_bytes = max_file_bytes
        self._progress = progress or (lambda _: None)
        try:
            self._database = Database(path, [_TABLES])
        except StoreCorrupt:
            self._put_aside()

    def close(self) -> None:
        self._database.close()

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[sqlite3.Row]:
        return self._database.read(sql, parameters)

    def rebuild(self) -> None:
        """Start over with an empty index; the next `update` fills it."""
        self._database.close()
        self._put_aside()

    def update(self, files: Sequence[Path]) -> tuple[dict[int, IndexedFile], list[str]]:
        """Bring the index up to date with these files.

        Returns the files it can answer from, by their id, and what was wrong with others.
        """
        known = {Path(row["path"]): row for row in self.read("SELECT * FROM file")}
        broken = {Path(row["path"]): row for row in self.read("SELECT * FROM unreadable")}
        usable: dict[int, IndexedFile] = {}
        problems: list[str] = []
        for path in files:
            row, problem = self._current(path, known.get(path), broken.get(path))
            if problem is not None:
                problems.append(problem)
            if row is not None:
                usable[row["id"]] = IndexedFile(path, row["concepts"], row["definitions"], problem)
        return usable, problems

    def forget(self, path: Path) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM unreadable WHERE path = ?", (str(path),))
            find = "SELECT id FROM file WHERE path = ?"
            for row in connection.execute(find, (str(path),)).fetchall():
                _delete(connection, row["id"])

    def _current(
        self, path: Path, row: sqlite3.Row | None, broken: sqlite3.Row | None
    ) -> tuple[sqlite3.Row | None, str | None]:
        """What is stored of a file, up to date; or why it could not be, and what was there."""
        stamp = _Stamp(0, 0)
        try:
            stamp = _stamp(path)
            if row is not None and _trusted(row, stamp):
                return row, None
            if broken is not None and _trusted(broken, stamp):
                return row, str(broken["problem"])
            return self._refreshed(path, stamp, row), None
        except UnreadableSource as error:
            self._remember(path, stamp, str(error), broken)
            return row, str(error)

    def _remember(
        self, path: Path, stamp: _Stamp, problem: str, broken: sqlite3.Row | None
    ) -> None:
        is_news = broken is None or broken["problem"] != problem
        if is_news:
            _log.warn("vocabulary_unreadable", file=str(path), problem=problem)
        if is_news or stamp.size:
            with self._database.transaction() as connection:
                connection.execute(
                    "INSERT OR REPLACE INTO unreadable VALUES (?, ?, ?, ?, ?)",
                    (str(path), *stamp, time.time_ns(), problem),
                )

    def _refreshed(self, path: Path, stamp: _Stamp, row: sqlite3.Row | None) -> sqlite3.Row:
        if stamp.size > self._max_file_bytes:
            raise UnreadableSource(
                f"{path} is larger than {self._max_file_bytes / 1e6:g} MB.",
                hint="Raise limits.max_file_mb to read it.",
            )
        data = _read(path)
        digest = sha256(data).hexdigest()
        concepts = None
        if row is None or row["sha256"] != digest:
            started_s = time.monotonic()
            self._progress(f"reading the vocabulary {path}")
            concepts = read_concepts(data, path)
            elapsed_ms = round((time.monotonic() - started_s) * 1000)
            _log.info("vocabulary_read", file=str(path), concepts=len(concepts), took_ms=elapsed_ms)
        with self._database.transaction() as connection:
            return _store(connection, path, stamp, digest, concepts)

    def _put_aside(self) -> None:
        damaged = self._path.with_name(self._path.name + ".damaged")
        _log.warn("vocabulary_index_damaged", file=str(self._path), kept_as=str(damaged))
        with suppress(FileNotFoundError):  # another process may be doing the same
            self._path.replace(damaged)
        for suffix in ("-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        self._database = Database(self._path, [_TABLES])


def check_vocabulary(path: Path, *, max_file_bytes: int) -> int:
    """The number of concepts in a file; raises what is wrong with it."""
    if _stamp(path).size > max_file_bytes:
        raise UnreadableSource(f"{path} is larger than {max_file_bytes / 1e6:g} MB.")
    return len(read_concepts(_read(path), path))


def _stamp(path: Path) -> _Stamp:
    try:
        status = path.stat()
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be read: {error.strerror}.") from error
    return _Stamp(status.st_size, status.st_mtime_ns)


def _trusted(row: sqlite3.Row, stamp: _Stamp) -> bool:
    unchanged = (row["size"], row["mtime_ns"]) == stamp
    return unchanged and row["indexed_ns"] - stamp.mtime_ns > _RACY_NS


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except IsADirectoryError as error:
        raise UnreadableSource(f"The folder {path} holds no file in an RDF format.") from error
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be read: {error.strerror}.") from error


def _store(
    connection: sqlite3.Connection,
    path: Path,
    stamp: _Stamp,
    digest: str,
    concepts: list[ConceptRecord] | None,
) -> sqlite3.Row:
    """Replace what is stored of a file, unless another process has just done so."""
    find = "SELECT * FROM file WHERE path = ?"
    connection.execute("DELETE FROM unreadable WHERE path = ?", (str(path),))
    row = connection.execute(find, (str(path),)).fetchone()
    now_ns = time.time_ns()
    if row is not None and (concepts is None or row["sha256"] == digest):
        connection.execute(
            "UPDATE file SET size = ?, mtime_ns = ?, indexed_ns = ? WHERE id = ?",
            (*stamp, now_ns, row["id"]),
        )
    elif concepts is not None:
        if row is not None:
            _delete(connection, row["id"])
        defined = sum(bool(concept.definitions) for concept in concepts)
        cursor = connection.execute(
            "INSERT INTO file (path, sha256, size, mtime_ns, indexed_ns, concepts, definitions)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (str(path), digest, *stamp, now_ns, len(concepts), defined),
        )
        _insert(connection, cursor.lastrowid or 0, concepts)
    stored: sqlite3.Row | None = connection.execute(find, (str(path),)).fetchone()
    if stored is None:
        raise StoreError("The vocabulary index was rebuilt meanwhile.", hint="Try again.")
    return stored


def _delete(connection: sqlite3.Connection, file_id: int) -> None:
    of_file = "SELECT id FROM concept WHERE file_id = ?"
    connection.execute(
        f"INSERT INTO trigram(trigram, rowid, padded) SELECT 'delete', id, {PADDED}"  # noqa: S608
        f" FROM label WHERE concept_id IN ({of_file})",
        (file_id,),
    )
    connection.execute(f"DELETE FROM label WHERE concept_id IN ({of_file})", (file_id,))  # noqa: S608
    connection.execute("DELETE FROM concept WHERE file_id = ?", (file_id,))
    connection.execute("DELETE FROM file WHERE id = ?", (file_id,))


def _insert(
    connection: sqlite3.Connection, file_id: int, concepts: Sequence[ConceptRecord]
) -> None:
    with closing(connection.execute("SELECT coalesce(max(id), 0) FROM concept")) as cursor:
        first_id = cursor.fetchone()[0] + 1
    numbered = list(enumerate(concepts, start=first_id))
    connection.executemany(
        "INSERT INTO concept VALUES (?, ?, ?, ?)",
        ((number, file_id, concept.uri, _packed(concept)) for number, concept in numbered),
    )
    with closing(connection.execute("SELECT coalesce(max(id), 0) FROM label")) as cursor:
        first_label = cursor.fetchone()[0] + 1
    rows = (row for number, concept in numbered for row in _label_rows(number, concept))
    connection.executemany(
        "INSERT INTO label (concept_id, kind, text, lang, exact, loose) VALUES (?, ?, ?, ?, ?, ?)",
        rows,
    )
    connection.execute(
        f"INSERT INTO trigram(rowid, padded) SELECT id, {PADDED} FROM label WHERE id >= ?",  # noqa: S608
        (first_label,),
    )


def _label_rows(concept_id: int, concept: ConceptRecord) -> Iterator[tuple[Any, ...]]:
    for kind, (text, lang) in concept.labels:
        if len(text) <= MAX_TERM_CHARS:  # nobody asks for a longer one
            yield concept_id, kind, text, lang, exact_key(text), loose_key(text)


def _packed(concept: ConceptRecord) -> str:
    return json.dumps(vars(concept), ensure_ascii=False, separators=(",", ":"))


def unpacked(row: sqlite3.Row) -> ConceptRecord:
    record = ConceptRecord(**json.loads(row["record"]))
    record.labels = [(kind, Text(*text)) for kind, text in record.labels]
    record.definitions = [Text(*text) for text in record.definitions]
    record.scope_notes = [Text(*text) for text in record.scope_notes]
    return record
