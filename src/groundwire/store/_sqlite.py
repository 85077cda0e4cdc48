"""Files written whole, and SQLite opened one way."""

import os
import sqlite3
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from threading import RLock
from typing import Any, Self

from groundwire.errors import StoreCorrupt, StoreError, StoreTooNew, UnreadableSource

Migration = tuple[str, ...]
"""The statements that lead from one schema version to the next."""

BUSY_TIMEOUT_MS = 10_000
_BUSY_PAUSE_S = 0.01


class Database:
    """A SQLite file of ours. Its schema version is the number of migrations applied to it.

    Writes go through `transaction()`, which takes the write lock at once, so that two processes
    wait for each other instead of failing half-way.
    """

    def __init__(
        self,
        path: Path,
        migrations: Sequence[Migration],
        *,
        damaged_hint: str = "Move the file away; a fresh one is made at the next start.",
    ) -> None:
        self.path = path
        self._damaged_hint = damaged_hint
        self._lock = RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.touch(mode=0o600, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{path} cannot be created: {_why(error)}.") from error
        with self._translated_errors():
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            # a database that is forgotten lets go of its file, too
            weakref.finalize(self, self._connection.close)
            self._connection.row_factory = sqlite3.Row
            try:
                self._prepare(migrations)
            except BaseException:
                self._connection.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._translated_errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def read(self, sql: str, parameters: Sequence[Any] = ()) -> list[sqlite3.Row]:
        with self._lock, self._translated_errors():
            return self._connection.execute(sql, parameters).fetchall()

    def _prepare(self, migrations: Sequence[Migration]) -> None:
        self._connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        self._use_wal()
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute("PRAGMA foreign_keys = ON")
        if self._version() == len(migrations):
            return
        with self.transaction() as connection:
            version = self._version()
            if version > len(migrations):
                raise StoreTooNew(
                    f"{self.path} was written by a newer Groundwire (schema {version}; "
                    f"this one knows {len(migrations)}).",
                    hint="Upgrade Groundwire, or point `home` elsewhere.",
                )
            for migration in migrations[version:]:
                for statement in migration:
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {len(migrations)}")

    def _use_wal(self) -> None:
        """Of two processes that meet at a new file SQLite turns one away without waiting."""
        until_s = time.monotonic() + BUSY_TIMEOUT_MS / 1000
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                # an extended code has the plain one in its last byte
                is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                if not is_busy or time.monotonic() > until_s:
                    raise
                time.sleep(_BUSY_PAUSE_S)
            else:
                return

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError:
            raise
        except sqlite3.OperationalError as error:
            raise StoreError(f"{self.path} cannot be used: {error}.") from error
        except sqlite3.DatabaseError as error:
            raise StoreCorrupt(
                f"{self.path} is damaged: {error}.", hint=self._damaged_hint
            ) from error


def write_whole(path: Path, content: str | Iterable[bytes]) -> None:
    """All of it or nothing, whoever else writes it and whenever we are stopped.

    `content` is a text, or bytes as they come. The file is as private as any other that the user
    makes: what is written here is meant to be shown around.
    """
    chunks = [content.encode()] if isinstance(content, str) else content
    partial = path.with_name(f".{path.name}-{token_hex(8)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _fill(partial, chunks)
        partial.replace(path)
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be written: {_why(error)}.") from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _why(error: OSError) -> str:
    """ "File exists" would not tell that it is the folder that could not be made."""
    if isinstance(error, FileExistsError):
        return f"{error.filename} is a file, not a folder"
    return error.strerror or str(error)


def _fill(partial: Path, chunks: Iterable[bytes]) -> None:
    with partial.open("xb") as file:
        for chunk in chunks:
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
