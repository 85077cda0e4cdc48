"""One engine and what the routes need besides: who may call, jobs, reviews."""

import asyncio
import json
import sqlite3
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from groundwire.engine import Engine
from groundwire.errors import ConfigError, GroundwireError
from groundwire.evidence import StageProgress
from groundwire.judge import Question
from groundwire.model import EvidenceBundle
from groundwire.observe import AuditTrail, Log, request
from groundwire.serve._access import Access
from groundwire.serve._bodies import Body
from groundwire.serve._jobs import Job, Jobs, JobStore
from groundwire.serve._problems import Problem, problem_of
from groundwire.serve._reviews import ReviewStore
from groundwire.serve._tokens import TokenStore
from groundwire.serve._verbs import VERBS, Verb, Work, scratch

_log = Log("serve")


class Service:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.settings = engine.config.serve
        home = engine.config.home.expanduser()
        self._stack = ExitStack()
        self.tokens = self._stack.enter_context(TokenStore.of(engine.config))
        self.reviews = self._stack.enter_context(ReviewStore.of(engine.config))
        jobs = JobStore(home / "jobs.sqlite", kept=self.settings.jobs_kept)
        self.jobs = Jobs(
            self._stack.enter_context(jobs),
            *(home / "jobs", self._run_job),
            most=self.settings.max_jobs,
        )
        self.access = Access(self.settings, self.tokens)
        self.not_ready: str | None = "It is starting."
        self._warming: asyncio.Task[None] | None = None

    def require_safe_address(self) -> None:
        try:
            self.access.require_token("gw token add NAME; or listen at 127.0.0.1.")
        except ConfigError:
            self.close()
            raise

    def claim(self) -> None:
        """One service at a time does the jobs of a home directory: two would do them twice."""
        home = self.engine.config.home.expanduser()
        # the lock goes with the process, however that ends
        lock = sqlite3.connect(
            home / "jobs.lock", isolation_level=None, timeout=0, check_same_thread=False
        )
        self._stack.callback(lock.close)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self.close()
            raise ConfigError(
                f"Another `gw serve` uses {home}.",
                hint="Stop that one, or give this one a home of its own: --set home=FOLDER",
            ) from error

    def start(self) -> None:
        self.jobs.start()
        self._warming = asyncio.create_task(self._warm())

    def begin_stop(self) -> None:
        """No job is begun any more, and streams of events end."""
        self.not_ready = "It is being stopped."
        self.jobs.begin_stop()

    async def stop(self) -> None:
        self.begin_stop()
        await self.jobs.stop(self.settings.shutdown_grace.total_seconds())
        if self._warming is not None:
            self._warming.cancel()
        self.close()

    def close(self) -> None:
        self._stack.close()

    async def run(self, verb: Verb, body: Body) -> Any:
        """One call, now."""
        with scratch() as folder:
            return await verb.run(Work(self.engine, folder, lambda _doing, _done, _of: None), body)

    async def _run_job(self, job: Job, body: str, folder: Path, tell: StageProgress) -> Any:
        verb = VERBS[job.kind]
        work = Work(self.engine, lambda: folder, tell)
        try:
            with request(request_id=job.request_id):
                return plain(await verb.run(work, verb.body.model_validate(json.loads(body))))
        except GroundwireError as error:
            raise problem_of(error) from error

    async def _warm(self) -> None:
        """The embedded judge, and all that a check reads by, is loaded before anybody waits."""
        try:
            backend = self.engine.backend
            if backend.name == "embedded":
                asked = backend.estimate([Question(claim="It is so.", context="It is so.")])
                await asyncio.wrap_future(self.engine.loop.submit(asked))
                known = [EvidenceBundle.of("It is so.", "known")]
                checked = self.engine.parts.verify_fact("It is so.", known, None)
                await asyncio.wrap_future(self.engine.loop.submit(checked))
            self.not_ready = None
        except GroundwireError as error:
            self.not_ready = str(error)
            _log.error("not_ready", error=str(error))

    @property
    def trail(self) -> AuditTrail:
        trail = self.engine.parts.records.audit
        if trail is None:
            raise Problem(
                404, "no_trail", "No trail is kept.", hint="audit.enabled switches it on."
            )
        return trail


def plain(answer: Any) -> Any:
    """An answer as the JSON of its command."""
    return answer.model_dump(mode="json") if isinstance(answer, BaseModel) else answer
