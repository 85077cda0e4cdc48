"""Long work: accepted is written down, so that neither a restart nor a crash loses it."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import rmtree
from typing import Any, Literal
from uuid import uuid4

from groundwire.evidence import StageProgress
from groundwire.model import Model
from groundwire.observe import Log, metrics
from groundwire.serve._problems import Problem
from groundwire.store import Database, Migration

JobState = Literal["waiting", "running", "done", "failed", "cancelled"]
_UNFINISHED = ("waiting", "running")
MAX_ATTEMPTS = 3
_EVENT_EVERY_S = 0.25
_HEARTBEAT_S = 15.0
_log = Log("serve")

_JOBS: Migration = (
    """CREATE TABLE job (
        id TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        kind TEXT NOT NULL,
        state TEXT NOT NULL,
        body TEXT NOT NULL,
        request_id TEXT NOT NULL,
        attempts INTEGER NOT NULL DEFAULT 0,
        created_at REAL NOT NULL,
        ended_at REAL,
        result TEXT
    ) STRICT""",
    "CREATE INDEX job_state ON job(state, created_at)",
)


class JobProgress(Model):
    doing: str
    done: int
    of: int | None = None


class Job(Model):
    """`result` is the answer of the verb, or the problem that ended it."""

    id: str
    kind: str
    state: JobState
    progress: JobProgress | None = None
    created_at: datetime
    ended_at: datetime | None = None
    request_id: str
    result: Any = None


class JobStore(Database):
    def __init__(
        self, path: Path, *, kept: timedelta, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(path, [_JOBS])
        self._kept = kept
        self._clock = clock

    def put(self, kind: str, body: str, *, owner: str, request_id: str, most: int) -> Job | None:
        """Accept a job, unless as many as `most` are waiting."""
        job_id, now = uuid4().hex, self._clock()
        with self.transaction() as connection:
            waiting = connection.execute("SELECT count(*) FROM job WHERE state = 'waiting'")
            if waiting.fetchone()[0] >= most:
                return None
            connection.execute(
                "INSERT INTO job (id, owner, kind, state, body, request_id, created_at)"
                " VALUES (?, ?, ?, 'waiting', ?, ?, ?)",
                (job_id, owner, kind, body, request_id, now),
            )
            connection.execute(
                "DELETE FROM job WHERE ended_at < ?", (now - self._kept.total_seconds(),)
            )
        return self.get(job_id, owner)

    def take(self) -> tuple[Job, str] | None:
        """The job that has waited longest, with its body; it is running now."""
        with self.transaction() as connection:
            row = connection.execute(
                "UPDATE job SET state = 'running', attempts = attempts + 1 WHERE id ="
                " (SELECT id FROM job WHERE state = 'waiting' ORDER BY created_at, id LIMIT 1)"
                " RETURNING *"
            ).fetchone()
        return None if row is None else (_job(row), row["body"])

    def end(self, job_id: str, state: JobState, result: Any = None) -> None:
        """Once: what was cancelled stays cancelled."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE job SET state = ?, result = ?, ended_at = ?, body = ''"
                " WHERE id = ? AND ended_at IS NULL",
                (state, None if result is None else json.dumps(result), self._clock(), job_id),
            )

    def put_back(self, job_id: str | None = None) -> int:
        """Work that was cut short waits again; what was cut short too often has failed."""
        given_up = {"detail": f"It was begun {MAX_ATTEMPTS} times and never ended."}
        with self.transaction() as connection:
            connection.execute(
                "UPDATE job SET state = 'failed', ended_at = ?, result = ?"
                " WHERE state = 'running' AND attempts >= ? AND (? IS NULL OR id = ?)",
                (self._clock(), json.dumps(given_up), MAX_ATTEMPTS, job_id, job_id),
            )
            cursor = connection.execute(
                "UPDATE job SET state = 'waiting'"
                " WHERE state = 'running' AND (? IS NULL OR id = ?)",
                (job_id, job_id),
            )
            return cursor.rowcount

    def get(self, job_id: str, owner: str) -> Job | None:
        rows = self.read("SELECT * FROM job WHERE id = ? AND owner = ?", [job_id, owner])
        return _job(rows[0]) if rows else None

    def of_owner(self, owner: str, limit: int = 50) -> list[Job]:
        rows = self.read(
            "SELECT id, kind, state, created_at, ended_at, request_id, NULL AS result FROM job"
            " WHERE owner = ? ORDER BY created_at DESC LIMIT ?",
            [owner, limit],
        )
        return [_job(row) for row in rows]

    def waiting(self) -> int:
        return int(self.read("SELECT count(*) FROM job WHERE state = 'waiting'")[0][0])


def _job(row: Any) -> Job:
    ended = row["ended_at"]
    return Job(
        id=row["id"],
        kind=row["kind"],
        state=row["state"],
        created_at=datetime.fromtimestamp(row["created_at"], UTC),
        ended_at=None if ended is None else datetime.fromtimestamp(ended, UTC),
        request_id=row["request_id"],
        result=None if row["result"] is None else json.loads(row["result"]),
    )


Runner = Callable[[Job, str, Path, StageProgress], Awaitable[Any]]
"""Does a job: its record, its body, a folder of its own, and whom to tell how far it is."""


class Jobs:
    """Does one job after the other. A job that a stop cuts short is done at the next start."""

    def __init__(self, store: JobStore, folder: Path, run: Runner, *, most: int) -> None:
        self.store = store
        self._folder = folder
        self._run = run
        self._most = most
        self._progress: dict[str, JobProgress] = {}
        self._work: dict[str, asyncio.Task[None]] = {}
        self._came = asyncio.Event()
        self._is_stopping = False
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        resumed = self.store.put_back()
        if resumed:
            _log.info("jobs_resumed", jobs=resumed)
        self._loop = asyncio.create_task(self._serve())

    def begin_stop(self) -> None:
        self._is_stopping = True
        self._came.set()

    async def stop(self, grace_s: float) -> None:
        """No job is begun any more; one under way has a while, then waits for the next start."""
        self.begin_stop()
        if self._work:
            await asyncio.wait(self._work.values(), timeout=grace_s)
        for task in list(self._work.values()):
            task.cancel()
        if self._loop is not None:
            self._loop.cancel()
            with suppress(asyncio.CancelledError):
                await self._loop

    def put(self, kind: str, body: str, *, owner: str, request_id: str) -> Job:
        job = self.store.put(kind, body, owner=owner, request_id=request_id, most=self._most)
        if job is None:
            metrics().count("http_shed_total", reason="jobs")
            raise Problem(
                *(503, "jobs_full", f"{self._most} jobs are waiting."),
                hint="Try again later, or raise serve.max_jobs.",
                retry_after_s=30,
            )
        self._came.set()
        self._report()
        return job

    def get(self, job_id: str, owner: str) -> Job:
        job = self.store.get(job_id, owner)
        if job is None:
            raise Problem(
                404, "not_found", "There is no such job.", hint="GET /v1/jobs lists them."
            )
        return job.model_copy(update={"progress": self._progress.get(job_id)})

    def cancel(self, job_id: str, owner: str) -> Job:
        job = self.get(job_id, owner)
        if job.state in _UNFINISHED:
            self.store.end(job_id, "cancelled")
            if job_id in self._work:
                self._work[job_id].cancel()
            metrics().count("jobs_total", kind=job.kind, state="cancelled")
        return self.get(job_id, owner)

    async def events(self, job_id: str, owner: str) -> AsyncIterator[str]:
        """Server-sent events: `progress` as it comes, then `end` with the job; a stop ends them."""
        shown, idle_s = None, 0.0
        while not self._is_stopping:
            job = await asyncio.to_thread(self.get, job_id, owner)
            if job.state not in _UNFINISHED:
                yield _event("end", job)
                return
            if (job.state, job.progress) != shown:
                shown, idle_s = (job.state, job.progress), 0.0
                yield _event("progress", job)
            elif idle_s >= _HEARTBEAT_S:
                idle_s = 0.0
                yield ": still there\n\n"
            await asyncio.sleep(_EVENT_EVERY_S)
            idle_s += _EVENT_EVERY_S
        yield "event: stopped\ndata: {}\n\n"

    async def _serve(self) -> None:
        while not self._is_stopping:
            self._came.clear()
            taken = await asyncio.to_thread(self.store.take)
            if taken is None:
                await self._came.wait()
                continue
            job, body = taken
            self._work[job.id] = task = asyncio.create_task(self._do(job, body))
            self._report()
            await asyncio.wait([task])
            del self._work[job.id]
            self._progress.pop(job.id, None)

    async def _do(self, job: Job, body: str) -> None:
        folder = self._folder / job.id

        def tell(doing: str, done: int, of: int | None) -> None:
            self._progress[job.id] = JobProgress(doing=doing, done=done, of=of)

        state: JobState = "failed"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            result = await self._run(job, body, folder, tell)
            state = "done"
        except asyncio.CancelledError:
            # by a person: then it has ended already; by a stop: then it waits
            self.store.put_back(job.id)
            raise
        except Problem as problem:
            result = problem.document(job.request_id)
        except Exception as error:  # noqa: BLE001 -- one job must not end the others
            _log.error("job_failed", job=job.id, error=f"{type(error).__name__}: {error}")
            result = Problem(500, "error", "The job failed.").document(job.request_id)
        await asyncio.to_thread(self.store.end, job.id, state, result)
        await asyncio.to_thread(rmtree, folder, ignore_errors=True)
        metrics().count("jobs_total", kind=job.kind, state=state)

    def _report(self) -> None:
        metrics().set("jobs_waiting", self.store.waiting())


def _event(name: str, job: Job) -> str:
    return f"event: {name}\ndata: {job.model_dump_json()}\n\n"
