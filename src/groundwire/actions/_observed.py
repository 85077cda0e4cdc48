"""What hooks saw of a session: its files before the work, each write, and the call that made it.

Writes that were seen replace what a call's words suggest. A command that names a file without a
seen change may have made and undone one, so it still excuses; it no longer proves anything.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundwire.actions._scan import UNWATCHED_FOLDERS, state_hash
from groundwire.actions._snapshot import Snapshot
from groundwire.actions._watch import open_store, store_path
from groundwire.errors import StoreCorrupt, StoreError
from groundwire.traces import Effects, FileEffect, ToolTrace, TraceEvent


@dataclass(frozen=True)
class ObservedWrite:
    """A file's hash before and after; None where there was no file.

    `calls` are those during which it happened: one, several that ran together, or none.
    `untold` says that nobody looked in time, so that any earlier call may have made it.
    """

    path: str
    before: str | None
    after: str | None
    calls: tuple[int, ...]
    behind: int
    at: str
    untold: bool = False


@dataclass(frozen=True)
class ObservedCall:
    number: int
    id: str | None
    tool: str
    arguments: Mapping[str, Any]
    result: Any
    failed: bool | None
    ended: bool


@dataclass
class Observed:
    """One session as its hooks saw it. `gap` says what they missed, None if nothing."""

    session_id: str
    agent: str
    root: Path
    before: Snapshot
    calls: tuple[ObservedCall, ...]
    writes: tuple[ObservedWrite, ...]
    gap: str | None = None
    _by_id: dict[str, ObservedCall] = field(default_factory=dict)
    _told: int = 0

    def __post_init__(self) -> None:
        self._by_id = {call.id: call for call in self.calls if call.id is not None}

    def call_of(self, event: TraceEvent) -> ObservedCall | None:
        return self._by_id.get(event.id) if event.id is not None else None

    def is_watched(self, path: str) -> bool:
        """Whether hooks look where the file is, by its path from the root."""
        return UNWATCHED_FOLDERS.isdisjoint(path.split("/")[:-1])

    def effects(self, event: TraceEvent, read: Effects) -> Effects:
        """What the event surely wrote, and what its own words say it may have."""
        call = self.call_of(event)
        if call is None or not call.ended or self.gap is not None:
            return read
        mine = [write for write in self.writes if call.number in write.calls]
        if any(len(write.calls) > 1 for write in mine) or any(w.untold for w in self.writes):
            return read
        seen = {str(self.root / write.path): write for write in mine}
        files = [_as_effect(path, write, read) for path, write in seen.items()]
        files += [
            replace(effect, sure=False)
            for effect in read.files
            if str(self.root / effect.path) not in seen
        ]
        return Effects(files=files)

    def outside_before(self, event: TraceEvent | None) -> Iterator[ObservedWrite]:
        """Changes by others before a call began, each once; all that are left for None."""
        call = self.call_of(event) if event is not None else None
        if event is not None and call is None:
            return
        while self._told < len(self.writes):
            write = self.writes[self._told]
            if call is not None and write.behind >= call.number:
                return
            self._told += 1
            if not write.calls:
                yield write

    def trace(self) -> ToolTrace:
        """The calls themselves, where the agent's own transcript cannot be read."""
        events = [
            {
                "id": call.id or f"call {call.number}",
                "tool": call.tool,
                "arguments": call.arguments,
                "result": call.result,
                **({"outcome": "error"} if call.failed else {}),
            }
            for call in self.calls
        ]
        is_complete = self.gap is None and all(call.ended for call in self.calls)
        return ToolTrace(events, cwd=str(self.root), complete=is_complete)


def _as_effect(path: str, write: ObservedWrite, read: Effects) -> FileEffect:
    """With the words of the call where it has them: anchors need more than a hash."""
    if write.after is None:
        return FileEffect(path, "delete")
    digest = write.after if len(write.after) == 64 else None  # noqa: PLR2004
    for effect in read.files:
        if effect.path in {path, write.path} and effect.action != "delete":
            return replace(effect, path=path, content_hash=digest, sure=True)
    action = "write" if write.before is None else "edit"
    return FileEffect(path, action, content_hash=digest)  # type: ignore[arg-type]


def read_observed(home: Path, session_id: str) -> Observed | None:
    """What hooks recorded of a session; None if they recorded nothing."""
    if not Path(store_path(str(home))).exists():
        return None
    try:
        db = open_store(str(home))
        db.row_factory = sqlite3.Row
        try:
            return _read(db, session_id)
        finally:
            db.close()
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{store_path(str(home))} cannot be read: {error}.") from error


def _read(db: sqlite3.Connection, session_id: str) -> Observed | None:
    session = db.execute(
        "SELECT session.*, root.path FROM session JOIN root ON root.id = session.root"
        " WHERE session.id = ?",
        (session_id,),
    ).fetchone()
    if session is None:
        return None
    calls = db.execute("SELECT * FROM call WHERE session = ? ORDER BY number", (session_id,))
    writes = db.execute(
        "SELECT * FROM written WHERE root = ? AND number > ? ORDER BY number",
        (session["root"], session["first_write"]),
    ).fetchall()
    files = dict(db.execute("SELECT path, hash FROM file WHERE root = ?", (session["root"],)))
    own = tuple(_call(row) for row in calls)
    return Observed(
        session_id=session_id,
        agent=session["agent"],
        root=Path(session["path"]),
        before=_before(session, files, writes),
        calls=own,
        writes=tuple(_write(row, {call.number for call in own}) for row in writes),
        gap=session["gap"],
    )


def _before(session: sqlite3.Row, files: dict[str, str], writes: list[sqlite3.Row]) -> Snapshot:
    """The state at the start: today's with every write undone, and the hash kept of it then."""
    for row in reversed(writes):
        if row["before"] is None:
            files.pop(row["path"], None)
        else:
            files[row["path"]] = row["before"]
    digest = state_hash(files.items())
    if digest != session["state_hash"]:
        raise StoreCorrupt(
            f"What was recorded of {session['path']} is not what its session began with.",
            hint="Somebody changed watch.sqlite; start a new session of the agent.",
        )
    links = {path: value[5:] for path, value in files.items() if value.startswith("link:")}
    hashes = {path: value for path, value in files.items() if ":" not in value}
    started = datetime.fromtimestamp(session["started_at"], UTC)
    return Snapshot(
        taken_at=started.isoformat(timespec="milliseconds"),
        base_path=session["path"],
        ignore_rules=False,
        unwatched=tuple(sorted(UNWATCHED_FOLDERS)),
        files=hashes,
        links=links,
        skipped={path: "not read" for path, value in files.items() if value.startswith("unread:")},
        state_hash=digest if hashes == files else state_hash(hashes.items(), links.items()),
    )


def _call(row: sqlite3.Row) -> ObservedCall:
    arguments = json.loads(row["input"])
    return ObservedCall(
        number=row["number"],
        id=row["id"],
        tool=row["tool"],
        arguments=arguments if isinstance(arguments, dict) else {"input": arguments},
        result=None if row["result"] is None else json.loads(row["result"]),
        failed=None if row["failed"] is None else bool(row["failed"]),
        ended=row["ended_at"] is not None,
    )


def _write(row: sqlite3.Row, own: set[int]) -> ObservedWrite:
    untold = row["calls"] == "?"
    numbers = [] if untold else [int(number) for number in row["calls"].split()]
    return ObservedWrite(
        path=row["path"],
        before=row["before"],
        after=row["after"],
        calls=tuple(number for number in numbers if number in own),
        behind=row["behind"],
        at=datetime.fromtimestamp(row["at"], UTC).isoformat(timespec="milliseconds"),
        untold=untold,
    )
