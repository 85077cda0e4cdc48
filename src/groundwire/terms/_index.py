"""SKOS files, read once into SQLite, so that a fresh process answers at once.

Everything in the index can be made again from the files: a damaged one is put aside and rebuilt.
A file that can no longer be read keeps what was last read from it.
"""

import sqlite3
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from groundwire.errors import StoreCorrupt, UnreadableSource
from groundwire.model import LabelKind
from groundwire.observe import Log
from groundwire.store import Database
from groundwire.terms._fold import Text, loose_key
from groundwire.terms._protocol import Match
from groundwire.terms._rdf import RDF_SUFFIXES, ConceptRecord, read_concepts
from groundwire.terms._tables import (
    TABLES,
    Stamp,
    delete_file,
    renew_file,
    unpacked,
    write_file,
    write_problem,
)
from groundwire.terms._terminology import MAX_CANDIDATES, Candidate, grams
from groundwire.text import inflections, same_letters

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


def vocabulary_files(paths: Sequence[Path]) -> list[Path]:
    """The files themselves, and of folders every file with the suffix of an RDF format."""
    files: list[Path] = []
    for path in (given.expanduser().absolute() for given in paths):
        if path.is_dir():
            inside = sorted(
                child for child in path.iterdir() if child.suffix.lower() in RDF_SUFFIXES
            )
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
        self._said: set[str] = set()
        try:
            self._database = Database(path, [TABLES])
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

    def forget(self, path: Path) -> None:
        with self._database.transaction() as connection:
            delete_file(connection, path)

    def update(self, files: Sequence[Path]) -> tuple[dict[int, IndexedFile], list[str]]:
        """Bring the index up to date with these files.

        Returns the files it can answer from, by their id, and what was wrong with others.
        """
        read, broken = self._rows("file"), self._rows("unreadable")
        problems = {
            path: self._refreshed(path, read.get(str(path)), broken.get(str(path)))
            for path in files
        }
        read = self._rows("file")
        usable = {
            row["id"]: IndexedFile(path, row["concepts"], row["definitions"], problems[path])
            for path in files
            if (row := read.get(str(path))) is not None
        }
        return usable, [problem for problem in problems.values() if problem is not None]

    def _refreshed(
        self, path: Path, row: sqlite3.Row | None, broken: sqlite3.Row | None
    ) -> str | None:
        """Read a file if it has changed; the answer is what is wrong with it, if anything is."""
        try:
            stamp = checked_stamp(path, self._max_file_bytes)
        except UnreadableSource as error:
            return self._reported(path, str(error))
        if row is not None and _is_current(row, stamp):
            return None
        if broken is not None and _is_current(broken, stamp):
            return str(broken["problem"])
        try:
            self._read_file(path, stamp, row)
        except UnreadableSource as error:
            with self._database.transaction() as connection:
                write_problem(connection, path, stamp, str(error))
            return self._reported(path, str(error))
        return None

    def _read_file(self, path: Path, stamp: Stamp, row: sqlite3.Row | None) -> None:
        data = _bytes(path)
        digest = sha256(data).hexdigest()
        if row is not None and row["sha256"] == digest:
            with self._database.transaction() as connection:
                renew_file(connection, path, stamp)
            return
        started_s = time.monotonic()
        self._progress(f"reading the vocabulary {path}")
        concepts = read_concepts(data, path)
        with self._database.transaction() as connection:
            write_file(connection, path, stamp, digest, concepts)
        took_ms = round((time.monotonic() - started_s) * 1000)
        _log.info("vocabulary_read", file=str(path), concepts=len(concepts), took_ms=took_ms)

    def _rows(self, table: str) -> dict[str, sqlite3.Row]:
        return {row["path"]: row for row in self.read(f"SELECT * FROM {table}")}  # noqa: S608

    def _reported(self, path: Path, problem: str) -> str:
        if problem not in self._said:
            self._said.add(problem)
            _log.warn("vocabulary_unreadable", file=str(path), problem=problem)
        return problem

    def _put_aside(self) -> None:
        damaged = self._path.with_name(self._path.name + ".damaged")
        _log.warn("vocabulary_index_damaged", file=str(self._path), kept_as=str(damaged))
        with suppress(FileNotFoundError):  # another process may be doing the same
            self._path.replace(damaged)
        for suffix in ("-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        self._database = Database(self._path, [TABLES])


def check_vocabulary(path: Path, *, max_file_bytes: int) -> int:
    """The number of concepts in a file; raises what is wrong with it."""
    checked_stamp(path, max_file_bytes)
    return len(read_concepts(_bytes(path), path))


def checked_stamp(path: Path, max_file_bytes: int) -> Stamp:
    try:
        status = path.stat()
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be read: {error.strerror}.") from error
    if status.st_size > max_file_bytes:
        raise UnreadableSource(
            f"{path} is larger than {max_file_bytes / 1e6:g} MB.",
            hint="Raise limits.max_file_mb to read it.",
        )
    return Stamp(status.st_size, status.st_mtime_ns)


def _is_current(row: sqlite3.Row, stamp: Stamp) -> bool:
    unchanged = (row["size"], row["mtime_ns"]) == stamp
    return unchanged and row["indexed_ns"] - stamp.mtime_ns > _RACY_NS


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except IsADirectoryError as error:
        raise UnreadableSource(f"The folder {path} holds no file in an RDF format.") from error
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be read: {error.strerror}.") from error


_RANKS: dict[LabelKind, int] = {"preferred": 0, "alternative": 1, "hidden": 2}
_UNTAGGED = "en"


class Queries:
    def __init__(self, index: VocabularyIndex, file_ids: Sequence[int]) -> None:
        self._index = index
        self._file_ids = file_ids
        # the plus keeps SQLite from starting with the file, which holds every concept
        self._in_files = f"+file_id IN ({_marks(file_ids)})"

    def matches(self, term: str) -> dict[str, Match]:
        """The concepts a term names, by address, each with the label that fits best."""
        loose = loose_key(term)
        return (
            self.exact_matches(term)
            or self._labels("loose", {loose: None})
            or self._labels("loose", inflections(loose))
        )

    def exact_matches(self, term: str) -> dict[str, Match]:
        found = self._labels("exact", {same_letters(term): None})
        # hidden labels are misspellings and codes: they count only when nothing else fits
        return {uri: match for uri, match in found.items() if match.kind != "hidden"} or found

    def records(self, uris: Collection[str]) -> dict[str, ConceptRecord]:
        """What the files together say about some concepts."""
        rows = self._index.read(
            f"SELECT record FROM concept WHERE uri IN ({_marks(uris)}) AND {self._in_files}"  # noqa: S608
            " ORDER BY id",
            [*uris, *self._file_ids],
        )
        records: dict[str, ConceptRecord] = {}
        for record in map(unpacked, rows):
            if record.uri in records:
                records[record.uri].absorb(record)
            else:
                records[record.uri] = record
        return records

    def names(self, records: Iterable[ConceptRecord]) -> dict[str, list[Text]]:
        """The preferred labels of all neighbours."""
        uris = {uri for record in records for uri in record.neighbours()}
        rows = self._index.read(
            "SELECT uri, text, lang FROM concept JOIN label ON concept_id = concept.id"  # noqa: S608
            f" WHERE uri IN ({_marks(uris)}) AND kind = 'preferred' AND {self._in_files}",
            [*uris, *self._file_ids],
        )
        names: dict[str, list[Text]] = {}
        for row in rows:
            names.setdefault(row["uri"], []).append(Text(row["text"], row["lang"]))
        return names

    def preferred(self) -> list[tuple[str, str]]:
        """The address and a preferred label of every concept, in the order of the addresses."""
        rows = self._index.read(
            "SELECT uri, min(text) AS text FROM concept JOIN label ON concept_id = concept.id"  # noqa: S608
            f" WHERE kind = 'preferred' AND {self._in_files} GROUP BY uri ORDER BY uri",
            self._file_ids,
        )
        return [(row["uri"], row["text"]) for row in rows]

    def similar(self, key: str) -> list[Candidate]:
        """Labels that share letters with a loose key, misspellings left out."""
        wanted = " OR ".join(f'"{gram}"' for gram in grams(key))
        if not wanted:
            return []
        rows = self._index.read(
            "SELECT loose, text, uri FROM trigram JOIN label ON label.id = trigram.rowid"  # noqa: S608
            " JOIN concept ON concept.id = concept_id"
            f" WHERE trigram MATCH ? AND kind != 'hidden' AND {self._in_files}"
            " ORDER BY rank LIMIT ?",
            [wanted, *self._file_ids, MAX_CANDIDATES],
        )
        return [Candidate(*row) for row in rows]

    def _labels(self, column: str, keys: Mapping[str, set[str] | None]) -> dict[str, Match]:
        """The best match of each concept; a key may count in some languages only."""
        rows = self._index.read(
            f"SELECT label.{column} AS key, kind, text, lang, uri"  # noqa: S608
            " FROM label JOIN concept ON concept.id = concept_id"
            f" WHERE label.{column} IN ({_marks(keys)}) AND {self._in_files}",
            [*keys, *self._file_ids],
        )
        found: dict[str, Match] = {}
        for row in rows:
            languages = keys[row["key"]]
            if languages is None or _is_inflection(row, languages):
                match = Match(_RANKS[row["kind"]], row["text"], row["lang"], row["kind"])
                found[row["uri"]] = min(match, found.get(row["uri"], match))
        return found


def _is_inflection(row: sqlite3.Row, languages: set[str]) -> bool:
    """In its own language; and ISMS is no plural of "ism"."""
    is_acronym_in_s = row["text"].isupper() and row["text"].endswith("S")
    return not is_acronym_in_s and (row["lang"] or _UNTAGGED).split("-")[0].lower() in languages


def _marks(values: Collection[object]) -> str:
    return ",".join("?" * len(values))
