"""The audit trail: one row per verdict, in SQLite, for the people who must answer for it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from groundwire.observe._secrets import redact, redact_tree
from groundwire.store import Database, Migration

if TYPE_CHECKING:
    from groundwire.config import Config
    from groundwire.model import ClaimResult

_VERDICTS: Migration = (
    """CREATE TABLE verdict (
        id INTEGER PRIMARY KEY,
        moment TEXT NOT NULL,
        request_id TEXT NOT NULL,
        operation TEXT NOT NULL,
        claim TEXT NOT NULL,
        status TEXT NOT NULL,
        reason TEXT NOT NULL,
        flagged INTEGER NOT NULL,
        backend TEXT NOT NULL,
        detail TEXT NOT NULL
    ) STRICT""",
    """CREATE TABLE verdict_source (
        verdict_id INTEGER NOT NULL REFERENCES verdict(id) ON DELETE CASCADE,
        doc_id TEXT NOT NULL,
        PRIMARY KEY (verdict_id, doc_id)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX verdict_moment ON verdict(moment)",
    "CREATE INDEX verdict_request ON verdict(request_id)",
    "CREATE INDEX verdict_source_doc ON verdict_source(doc_id)",
)

PRUNE_EVERY_ROWS = 1_000


@dataclass(frozen=True)
class AuditRow:
    id: int
    moment: str
    request_id: str
    operation: str
    claim: str
    status: str
    reason: str
    flagged: bool
    backend: str
    detail: dict[str, Any]


@dataclass(frozen=True)
class AuditEntry:
    """One verdict of any kind, as it is written down. `doc_ids` are the sources it used."""

    claim: str
    status: str
    reason: str
    backend: str
    detail: dict[str, Any]
    flagged: bool = False
    doc_ids: tuple[str, ...] = ()


class AuditTrail(Database):
    def __init__(
        self,
        path: Path,
        *,
        retention: timedelta,
        max_rows: int,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(path, [_VERDICTS])
        self._retention = retention
        self._max_rows = max_rows
        self._clock = clock

    @classmethod
    def of(cls, config: Config, *, clock: Callable[[], float] = time.time) -> Self:
        """The trail of these settings, in the home directory."""
        section = config.audit
        return cls(
            config.home.expanduser() / "audit.sqlite",
            retention=section.retention,
            max_rows=section.max_rows,
            clock=clock,
        )

    def record(
        self,
        operation: str,
        request_id: str,
        results: Sequence[ClaimResult],
        doc_ids: Iterable[str] = (),
        **detail: Any,
    ) -> None:
        """Write one row per verdict. `doc_ids` are all sources that were consulted."""
        consulted = list(doc_ids)
        entries = [
            AuditEntry(
                claim=result.claim,
                status=result.status,
                reason=result.reason,
                backend=result.verifier.backend,
                detail=result.model_dump(mode="json") | detail,
                flagged=result.flagged,
                doc_ids=(*consulted, *(quote.doc_id for quote in result.evidence)),
            )
            for result in results
        ]
        self.write(operation, request_id, entries)

    def write(self, operation: str, request_id: str, entries: Sequence[AuditEntry]) -> None:
        """Write verdicts of any kind, all or none."""
        moment = _timestamp(self._now())
        with self.transaction() as connection:
            last_id = 0
            for entry in entries:
                cursor = connection.execute(
                    """INSERT INTO verdict (moment, request_id, operation, claim, status, reason,
                       flagged, backend, detail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                    (
                        moment,
                        request_id,
                        operation,
                        _storable(redact(entry.claim)),
                        entry.status,
                        entry.reason,
                        int(entry.flagged),
                        entry.backend,
                        _storable(json.dumps(redact_tree(entry.detail), ensure_ascii=False)),
                    ),
                )
                last_id = cursor.lastrowid or 0
                connection.executemany(
                    "INSERT INTO verdict_source VALUES (?, ?)",
                    [(last_id, _storable(doc_id)) for doc_id in sorted(set(entry.doc_ids))],
                )
        if (
            last_id
            and (last_id // PRUNE_EVERY_ROWS) != (last_id - len(entries)) // PRUNE_EVERY_ROWS
        ):
            self.prune()

    def query(
        self,
        *,
        status: str | None = None,
        source: str | None = None,
        request_id: str | None = None,
        operation: str | None = None,
        since: datetime | None = None,
        contains: str | None = None,
        verdict_id: int | None = None,
        limit: int = 50,
    ) -> list[AuditRow]:
        """The newest rows that fit, newest first."""
        conditions: list[tuple[str, Any]] = [
            ("id = ?", verdict_id),
            ("status = ?", status),
            ("request_id = ?", request_id),
            ("operation = ?", operation),
            ("moment >= ?", _timestamp(since) if since else None),
            ("instr(lower(claim), lower(?)) > 0", contains),
            ("id IN (SELECT verdict_id FROM verdict_source WHERE doc_id = ?)", source),
        ]
        given = [(sql, value) for sql, value in conditions if value is not None]
        where = " AND ".join(sql for sql, _ in given) or "1"
        rows = self.read(
            f"SELECT * FROM verdict WHERE {where} ORDER BY id DESC LIMIT ?",  # noqa: S608
            [*(value for _, value in given), limit],
        )
        return [
            AuditRow(
                **{
                    **dict(row),
                    "flagged": bool(row["flagged"]),
                    "detail": json.loads(row["detail"]),
                }
            )
            for row in rows
        ]

    def delete_source(self, doc_id: str) -> int:
        """Delete every row that used a source, for instance because its owner asked for it."""
        with self.transaction() as connection:
            cursor = connection.execute(
                "DELETE FROM verdict WHERE id IN"
                " (SELECT verdict_id FROM verdict_source WHERE doc_id = ?)",
                (doc_id,),
            )
            return cursor.rowcount

    def prune(self) -> int:
        """Delete rows past their retention and the oldest beyond the row limit."""
        horizon = _timestamp(self._now() - self._retention)
        with self.transaction() as connection:
            expired = connection.execute("DELETE FROM verdict WHERE moment < ?", (horizon,))
            surplus = connection.execute(
                "DELETE FROM verdict WHERE id <="
                " (SELECT id FROM verdict ORDER BY id DESC LIMIT 1 OFFSET ?)",
                (self._max_rows,),
            )
            return expired.rowcount + surplus.rowcount

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


def _timestamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def _storable(text: str) -> str:
    """Half of a character pair, which no file can hold, is written as its escape."""
    return text.encode("utf-8", "backslashreplace").decode()
