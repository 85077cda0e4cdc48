"""Work put off until later, in SQLite: what is accepted survives a crash and is done once."""

import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from groundwire.errors import BackendError
from groundwire.observe import metrics, redact
from groundwire.store import Database, Migration

_ITEMS: Migration = (
    """CREATE TABLE item (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        key TEXT UNIQUE,
        payload TEXT NOT NULL,
        reason TEXT NOT NULL,
        queued_at REAL NOT NULL,
        due_at REAL NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        lease TEXT,
        last_error TEXT NOT NULL DEFAULT '',
        given_up INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
    "CREATE INDEX item_due ON item(given_up, due_at)",
)


@dataclass(frozen=True)
class QueuedItem:
    id: int
    kind: str
    payload: dict[str, Any]
    reason: str
    attempts: int
    """How often it was taken, this time included."""
    lease: str
    last_error: str = ""


class DurableQueue(Database):
    """Verifications for later [SPEC-08.42]; several processes may put and take.

    A taken item belongs to its taker for a while. A taker that dies loses it: when the time is
    over, somebody else takes it. After `max_attempts` an item is given up and kept for people.
    """

    def __init__(
        self, path: Path, *, max_attempts: int = 10, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(path, [_ITEMS])
        self._max_attempts = max_attempts
        self._clock = clock

    def put(
        self,
        kind: str,
        payload: Mapping[str, Any],
        *,
        reason: str,
        key: str | None = None,
        delay_s: float = 0.0,
    ) -> bool:
        """Accept an item; `False` when one with the same `key` waits already."""
        now = self._clock()
        with self.transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO item (kind, key, payload, reason, queued_at, due_at)"
                " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
                (kind, key, json.dumps(payload), reason, now, now + max(0.0, delay_s)),
            )
        accepted = cursor.rowcount == 1
        if accepted:
            metrics().count("verification_queued_total", reason=reason)
        self._report_depth()
        return accepted

    def take(
        self, *, limit: int = 1, lease_s: float = 300.0, kind: str | None = None
    ) -> list[QueuedItem]:
        """Items that are due, oldest first, now yours for `lease_s`."""
        now = self._clock()
        lease = uuid4().hex
        with self.transaction() as connection:
            connection.execute(
                "UPDATE item SET given_up = 1, lease = NULL"
                " WHERE given_up = 0 AND attempts >= ? AND due_at <= ?",
                (self._max_attempts, now),
            )
            rows = connection.execute(
                """UPDATE item SET lease = ?, due_at = ?, attempts = attempts + 1 WHERE id IN (
                     SELECT id FROM item
                     WHERE given_up = 0 AND due_at <= ? AND (? IS NULL OR kind = ?)
                     ORDER BY due_at, id LIMIT ?
                   ) RETURNING id, kind, payload, reason, attempts, last_error""",
                (lease, now + lease_s, now, kind, kind, limit),
            ).fetchall()
        return [
            QueuedItem(**{**dict(row), "payload": json.loads(row["payload"])}, lease=lease)
            for row in sorted(rows, key=lambda row: int(row["id"]))
        ]

    def done(self, item: QueuedItem) -> bool:
        """Forget an item. `False` when its lease was lost, so that its work may be repeated."""
        removed = self._change(item, "DELETE FROM item WHERE id = ? AND lease = ?")
        self._report_depth()
        return removed

    def put_back(self, item: QueuedItem, *, delay_s: float, error: str = "") -> bool:
        """Try again later; given up instead once it was taken often enough."""
        return self._change(
            item,
            "UPDATE item SET lease = NULL, due_at = ?, last_error = ?, given_up = attempts >= ?"
            " WHERE id = ? AND lease = ?",
            self._clock() + max(0.0, delay_s),
            redact(error),
            self._max_attempts,
        )

    def depth(self) -> int:
        return self._count("given_up = 0")

    def given_up(self) -> int:
        return self._count("given_up = 1")

    def _change(self, item: QueuedItem, sql: str, *before: Any) -> bool:
        with self.transaction() as connection:
            return connection.execute(sql, (*before, item.id, item.lease)).rowcount == 1

    def _count(self, condition: str) -> int:
        rows = self.read(f"SELECT count(*) FROM item WHERE {condition}")  # noqa: S608
        return int(rows[0][0])

    def _report_depth(self) -> None:
        metrics().set("verification_queue_depth", self.depth())


FIRST_DELAY_S = 60.0
LONGEST_DELAY_S = 3_600.0


@dataclass(frozen=True)
class Drained:
    done: int = 0
    put_back: int = 0


async def drain(
    queue: DurableQueue,
    handle: Callable[[QueuedItem], Awaitable[None]],
    *,
    limit: int = 100,
    lease_s: float = 300.0,
    kind: str | None = None,
) -> Drained:
    """Handle up to `limit` due items, one after the other, each exactly once unless it fails.

    An item that meets a `BackendError` goes back, for as long as the backend asked for or, failing
    that, twice as long each time. The backend that turned one away turns the next away too: the
    first rate limit ends the round. Any other error is a mistake in `handle` and is raised, with
    the item left to its lease.
    """
    done = put_back = 0
    while done + put_back < limit:
        items = queue.take(limit=1, lease_s=lease_s, kind=kind)
        if not items:
            break
        try:
            await handle(items[0])
        except BackendError as error:
            put_back += 1
            queue.put_back(items[0], delay_s=_delay_s(items[0], error), error=str(error))
            if error.retryable:
                break
        else:
            done += 1
            queue.done(items[0])
    return Drained(done, put_back)


def _delay_s(item: QueuedItem, error: BackendError) -> float:
    if error.retry_after_s is not None:
        return error.retry_after_s
    return min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0 ** (item.attempts - 1))
