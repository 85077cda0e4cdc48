import multiprocessing
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from groundwire.errors import StoreCorrupt, StoreError, StoreTooNew
from groundwire.store import Database

FIRST = ("CREATE TABLE item (name TEXT NOT NULL) STRICT",)
SECOND = ("ALTER TABLE item ADD COLUMN size INTEGER NOT NULL DEFAULT 1",)


def test_an_older_file_is_migrated_and_keeps_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with Database(path, [FIRST]) as database, database.transaction() as connection:
        connection.execute("INSERT INTO item VALUES ('kept')")
    with Database(path, [FIRST, SECOND]) as database:
        assert [tuple(row) for row in database.read("SELECT * FROM item")] == [("kept", 1)]


def test_a_newer_file_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    Database(path, [FIRST, SECOND]).close()
    with pytest.raises(StoreTooNew, match="newer Groundwire"):
        Database(path, [FIRST])
    with Database(path, [FIRST, SECOND]) as database:
        assert database.read("SELECT * FROM item") == []


def test_a_failing_migration_leaves_the_old_schema(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    Database(path, [FIRST]).close()
    with pytest.raises(StoreError):
        Database(path, [FIRST, (*SECOND, "CREATE TABLE broken (")])
    with Database(path, [FIRST, SECOND]) as database:
        assert database.read("SELECT size FROM item") == []


def _insert_then_fail(database: Database) -> None:
    with database.transaction() as connection:
        connection.execute("INSERT INTO item VALUES ('lost')")
        raise RuntimeError


def test_a_failing_transaction_writes_nothing(tmp_path: Path) -> None:
    with Database(tmp_path / "a.sqlite", [FIRST]) as database:
        with pytest.raises(RuntimeError):
            _insert_then_fail(database)
        assert database.read("SELECT * FROM item") == []


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    path.write_bytes(b"not a database, but long enough to be read as one" * 100)
    with pytest.raises(StoreCorrupt, match=r"a\.sqlite is damaged"):
        Database(path, [FIRST])


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot be created: \S+file is a file, not a folder"):
        Database(tmp_path / "file" / "a.sqlite", [FIRST])


def test_only_the_owner_may_read(tmp_path: Path) -> None:
    Database(tmp_path / "home" / "a.sqlite", [FIRST]).close()
    mode = (tmp_path / "home" / "a.sqlite").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def _insert_many(path: Path, count: int) -> None:
    with Database(path, [FIRST]) as database:
        for number in range(count):
            with database.transaction() as connection:
                connection.execute("INSERT INTO item VALUES (?)", (str(number),))


def test_several_processes_may_write_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_insert_many, args=(path, 25)) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 4
    with Database(path, [FIRST]) as database:
        assert database.read("SELECT count(*) AS n FROM item")[0]["n"] == 100


def test_all_who_meet_at_a_new_file_may_use_it(tmp_path: Path) -> None:
    """SQLite turns some of them away at once while the journal is switched."""

    def open_it(start: threading.Barrier, path: Path) -> None:
        start.wait()
        Database(path, [FIRST]).close()

    for number in range(25):
        start = threading.Barrier(6)
        with ThreadPoolExecutor(6) as pool:
            path = tmp_path / f"{number}.sqlite"
            opened = [pool.submit(open_it, start, path) for _ in range(6)]
        assert [one.result() for one in opened] == [None] * 6
