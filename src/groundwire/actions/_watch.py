"""Sees which files change while an agent works, and during which of its calls.

A hook runs this before and after every call, so it imports nothing that is slow to load. A file is
hashed only where its size, times or number changed. What was seen is kept in one SQLite file under
Groundwire's home, never in the repository; `_observed.py` reads it for the verifier.
"""

import os
import sqlite3
import time
from collections.abc import Iterable

from groundwire.actions._scan import (
    hash_file,
    only_reads,
    paths_in,
    recorded,
    state_hash,
    walk,
)

MAX_FILES = 200_000
MAX_WHOLE_FILES = 20_000
"""Larger trees are looked at whole when a session starts and ends; during calls by name only."""
MAX_KEPT_ROOTS = 20
MAX_KEPT_SESSIONS = 200
_RACY_NS = 50_000_000
"""A file written this shortly before it was looked at may be written again at the same time."""
_VERSION = 1
_SCHEMA = (
    """CREATE TABLE root (
        id INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, seen_at REAL NOT NULL,
        whole INTEGER NOT NULL, why TEXT NOT NULL) STRICT""",
    """CREATE TABLE file (
        root INTEGER NOT NULL, path TEXT NOT NULL, stamp TEXT NOT NULL, hash TEXT NOT NULL,
        PRIMARY KEY (root, path)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE session (
        id TEXT PRIMARY KEY, agent TEXT NOT NULL, root INTEGER NOT NULL, started_at REAL NOT NULL,
        first_write INTEGER NOT NULL, state_hash TEXT NOT NULL, gap TEXT) STRICT""",
    """CREATE TABLE call (
        number INTEGER PRIMARY KEY, session TEXT NOT NULL, root INTEGER NOT NULL,
        id TEXT, tool TEXT NOT NULL, input TEXT NOT NULL, result TEXT, failed INTEGER,
        started_at REAL NOT NULL, ended_at REAL) STRICT""",
    "CREATE INDEX call_session ON call (session)",
    """CREATE TABLE written (
        number INTEGER PRIMARY KEY, root INTEGER NOT NULL, path TEXT NOT NULL, before TEXT,
        after TEXT, calls TEXT NOT NULL, behind INTEGER NOT NULL, at REAL NOT NULL) STRICT""",
    "CREATE INDEX written_root ON written (root)",
    f"PRAGMA user_version = {_VERSION}",
)
"""`calls` holds the numbers of the calls that may have written it, separated by blanks: one if it
is known, none if nothing was under way, `?` if nobody looked in time. `behind` is the newest call
that had begun."""


class WatchError(Exception):
    """The watch could not be kept; the message says why."""


class Watch:
    """The record of one folder. Two hooks at once wait for each other."""

    def __init__(self, home: str, root: str) -> None:
        self.root = os.path.realpath(root)
        self._changed: dict[str, tuple[str, str]] = {}
        try:
            self._db = open_store(home)
            self._begin()
            now = time.time()
            row = self._db.execute("SELECT id FROM root WHERE path = ?", (self.root,)).fetchone()
            if row is None:
                add = "INSERT INTO root (path, seen_at, whole, why) VALUES (?, ?, 1, '')"
                self._id = int(self._db.execute(add, (self.root, now)).lastrowid or 0)
                self._is_new = True
            else:
                self._id, self._is_new = int(row[0]), False
                self._db.execute("UPDATE root SET seen_at = ? WHERE id = ?", (now, self._id))
        except (OSError, sqlite3.Error) as error:
            raise WatchError(f"the record under {home} cannot be used: {error}") from error

    def close(self) -> None:
        """Keep everything since it was opened."""
        try:
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise WatchError(f"nothing was recorded: {error}") from error
        finally:
            self._db.close()

    def _begin(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def start_session(self, session: str, agent: str) -> str | None:
        """Record the state before the work; the reason if it cannot be recorded whole."""
        known = self._db.execute("SELECT gap FROM session WHERE id = ?", (session,)).fetchone()
        if known is not None:
            return str(known[0]) if known[0] else None
        gap = self.look_everywhere()
        files = self._db.execute("SELECT path, hash FROM file WHERE root = ?", (self._id,))
        newest = self._db.execute("SELECT coalesce(max(number), 0) FROM written").fetchone()[0]
        self._db.execute(
            "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?)",
            (session, agent, self._id, time.time(), newest, state_hash(files), gap),
        )
        self._forget_old()
        return gap

    def note_gap(self, session: str, why: str) -> None:
        """Something was missed: what is not recorded no longer proves anything."""
        self._db.execute("UPDATE session SET gap = coalesce(gap, ?) WHERE id = ?", (why, session))

    def begin_call(self, session: str, call_id: str | None, tool: str, given: object) -> None:
        is_writer = not only_reads(tool)
        if is_writer:
            self._look(given)
        add = (
            "INSERT INTO call (session, root, id, tool, input, started_at)"
            " VALUES (?, ?, ?, ?, ?, ?)"
        )
        row = (session, self._id, call_id, tool[:200], recorded(given), time.time())
        self._db.execute(add, row)

    def end_call(
        self,
        session: str,
        call_id: str | None,
        tool: str,
        given: object,
        result: object,
        *,
        failed: bool,
    ) -> None:
        if not only_reads(tool):
            self._look(given)
        open_call = self._open_call(session, call_id, tool, given)
        if open_call is None:
            self.note_gap(session, f"a call of {tool} began unseen")
            return
        self._db.execute(
            "UPDATE call SET result = ?, failed = ?, ended_at = ? WHERE number = ?",
            (recorded(result), failed, time.time(), open_call),
        )

    def end_turn(self, session: str) -> None:
        """Nothing is under way any more: calls without an end were refused or broken off."""
        self.look_everywhere()
        self._db.execute(
            "UPDATE call SET ended_at = ?, failed = 1 WHERE session = ? AND ended_at IS NULL",
            (time.time(), session),
        )

    def _open_call(self, session: str, call_id: str | None, tool: str, given: object) -> int | None:
        """By its id; agents that give none, by tool and input."""
        find = "SELECT number FROM call WHERE session = ? AND ended_at IS NULL AND "
        if call_id is not None:
            row = self._db.execute(find + "id = ?", (session, call_id)).fetchone()
        else:
            row = self._db.execute(
                find + "tool = ? AND input = ? ORDER BY number",
                (session, tool[:200], recorded(given)),
            ).fetchone()
        return None if row is None else int(row[0])

    def look_everywhere(self) -> str | None:
        """Bring the record of every file up to date; the reason if that cannot be done."""
        if os.path.dirname(self.root) == self.root or self.root == os.path.expanduser("~"):
            why = f"{self.root} is too wide to watch: start the agent inside a project"
            self._set_root(whole=False, why=why)
            return why
        known = self._known()
        seen: dict[str, str] = {}
        for name, path, status in walk(self.root):
            if len(seen) >= MAX_FILES:
                why = f"{self.root} holds more than {MAX_FILES} files"
                self._set_root(whole=False, why=why)
                return why
            self._compare(name, path, status, known, seen)
        self._record(known, seen, gone=known.keys() - seen.keys())
        self._set_root(whole=len(seen) <= MAX_WHOLE_FILES, why="")
        return None

    def _look(self, given: object) -> None:
        """During a call: everything in a small tree, in a large one what the call names."""
        whole, why = self._db.execute(
            "SELECT whole, why FROM root WHERE id = ?", (self._id,)
        ).fetchone()
        if whole:
            self.look_everywhere()
        elif not why:
            self._look_at(set(paths_in(given, self.root)) | self._written_lately())

    def _look_at(self, names: set[str]) -> None:
        known = {name: found for name in names if (found := self._known_one(name)) is not None}
        seen: dict[str, str] = {}
        for name in names:
            path = os.path.join(self.root, name)
            try:
                status = os.lstat(path)
            except OSError:
                continue
            self._compare(name, path, status, known, seen)
        self._record(known, seen, gone=known.keys() - seen.keys())

    def _written_lately(self) -> set[str]:
        rows = self._db.execute(
            "SELECT path FROM written WHERE root = ? ORDER BY number DESC LIMIT 500", (self._id,)
        )
        return {str(row[0]) for row in rows}

    def _known(self) -> dict[str, tuple[str, str]]:
        rows = self._db.execute("SELECT path, stamp, hash FROM file WHERE root = ?", (self._id,))
        return {path: (stamp, digest) for path, stamp, digest in rows}

    def _known_one(self, name: str) -> tuple[str, str] | None:
        row = self._db.execute(
            "SELECT stamp, hash FROM file WHERE root = ? AND path = ?", (self._id, name)
        ).fetchone()
        return None if row is None else (row[0], row[1])

    def _compare(
        self,
        name: str,
        path: str,
        status: os.stat_result,
        known: dict[str, tuple[str, str]],
        seen: dict[str, str],
    ) -> None:
        stamp = f"{status.st_mtime_ns} {status.st_ctime_ns} {status.st_size} {status.st_ino}"
        before = known.get(name)
        if before is not None and before[0] == stamp:
            seen[name] = before[1]
            return
        digest = hash_file(path, status)
        if digest is None:
            return
        if time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) < _RACY_NS:
            stamp = ""  # hashed again next time
        seen[name] = digest
        self._changed[name] = (stamp, digest)

    def _record(
        self, known: dict[str, tuple[str, str]], seen: dict[str, str], gone: Iterable[str]
    ) -> None:
        changed, self._changed = self._changed, {}
        rows = [(self._id, name, stamp, digest) for name, (stamp, digest) in changed.items()]
        self._db.executemany("INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?)", rows)
        lost = sorted(gone)
        forget = "DELETE FROM file WHERE root = ? AND path = ?"
        self._db.executemany(forget, ((self._id, name) for name in lost))
        if self._is_new:  # the first look has nothing to compare with
            self._is_new = False
            return
        writes: list[tuple[str, str | None, str | None]] = [
            (name, known[name][1] if name in known else None, seen[name])
            for name in sorted(changed)
            if name not in known or known[name][1] != seen[name]
        ]
        writes += [(name, known[name][1], None) for name in lost]
        if not writes:
            return
        calls, behind = self._under_way()
        now = time.time()
        add = (
            "INSERT INTO written (root, path, before, after, calls, behind, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)"
        )
        self._db.executemany(add, ((self._id, *write, calls, behind, now) for write in writes))

    def _under_way(self) -> tuple[str, int]:
        rows = self._db.execute(
            "SELECT number, tool FROM call WHERE root = ? AND ended_at IS NULL ORDER BY number",
            (self._id,),
        )
        calls = " ".join(str(number) for number, tool in rows if not only_reads(tool))
        newest = self._db.execute("SELECT coalesce(max(number), 0) FROM call").fetchone()[0]
        whole = self._db.execute("SELECT whole FROM root WHERE id = ?", (self._id,)).fetchone()[0]
        return calls if calls or whole else "?", int(newest)

    def _set_root(self, *, whole: bool, why: str) -> None:
        self._db.execute("UPDATE root SET whole = ?, why = ? WHERE id = ?", (whole, why, self._id))

    def _forget_old(self) -> None:
        """Bounded: the least recently used folders and sessions go."""
        old = self._db.execute(
            "SELECT id FROM root ORDER BY seen_at DESC LIMIT -1 OFFSET ?", (MAX_KEPT_ROOTS,)
        ).fetchall()
        for (root,) in old:
            for table, column in (
                ("file", "root"), ("written", "root"), ("call", "root"), ("session", "root"),
                ("root", "id"),
            ):  # fmt: skip
                self._db.execute(f"DELETE FROM {table} WHERE {column} = ?", (root,))  # noqa: S608
        self._db.execute(
            "DELETE FROM session WHERE id IN"
            " (SELECT id FROM session ORDER BY started_at DESC LIMIT -1 OFFSET ?)",
            (MAX_KEPT_SESSIONS,),
        )
        self._db.execute("DELETE FROM call WHERE session NOT IN (SELECT id FROM session)")
        self._db.execute(
            "DELETE FROM written WHERE number <= (SELECT min(first_write) FROM session AS s"
            " WHERE s.root = written.root)"
        )


def store_path(home: str) -> str:
    return os.path.join(os.path.expanduser(home), "watch.sqlite")


def open_store(home: str) -> sqlite3.Connection:
    path = store_path(home)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    db = sqlite3.connect(path, isolation_level=None, timeout=10)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    if db.execute("PRAGMA user_version").fetchone()[0] == _VERSION:
        return db
    db.execute("BEGIN IMMEDIATE")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version > _VERSION:
        raise sqlite3.OperationalError(f"{path} was written by a newer Groundwire")
    if version == 0:
        for statement in _SCHEMA:
            db.execute(statement)
    db.execute("COMMIT")
    return db


def session_root(home: str, session: str) -> str | None:
    """The folder a session was started in, whatever folder its shell is in now."""
    if not os.path.exists(store_path(home)):
        return None
    try:
        db = open_store(home)
    except (OSError, sqlite3.Error):
        return None
    try:
        row = db.execute(
            "SELECT path FROM session JOIN root ON root.id = session.root WHERE session.id = ?",
            (session,),
        ).fetchone()
    finally:
        db.close()
    return None if row is None else str(row[0])
