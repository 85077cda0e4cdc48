"""Facts verified later, or again: what waits is promoted or removed, and said so."""

from collections.abc import Callable, Sequence
from functools import partial
from sqlite3 import Row

import anyio.to_thread

from groundwire.config import Config
from groundwire.errors import GroundwireError
from groundwire.gate import judge_fact, memory_gate
from groundwire.guard import DurableQueue, QueuedItem, drain
from groundwire.memory._check import FactCheck, Found, Parts
from groundwire.memory._conflicts import error_of
from groundwire.memory._recall import Embedded
from groundwire.memory._sources import Source, read_again
from groundwire.memory._store import MemoryStore, NewFact, placed_by
from groundwire.model import ClaimResult, EvidenceBundle, WaitingReport
from groundwire.observe import Log, metrics

KIND = "fact"
"""Of queue items."""
NOT_TRIED_AGAIN = ("no_evidence", "language")
"""Why a check says nothing that asking again would not change."""
_AT_ONCE = 64
_log = Log("memory")

Record = Callable[[str, str, ClaimResult, Sequence[EvidenceBundle]], None]


def enqueue(store: MemoryStore, queue: DurableQueue, *only: str) -> None:
    """Memory itself knows what waits; the queue knows when each is tried next. A kill between
    the two costs nothing: whoever comes next puts it in."""
    for identity, since, reason in store.waiting(only):
        payload = {"id": identity, "since": since}
        queue.put(KIND, payload, reason=reason, key=f"{KIND} {identity} {since}")


class Later:
    """One round over what waits."""

    def __init__(
        self, config: Config, parts: Parts, store: MemoryStore, check: FactCheck, record: Record
    ) -> None:
        self._config = config
        self._parts = parts
        self._store = store
        self._check = check
        self._record = record
        self._promoted: list[str] = []
        self._evicted: list[str] = []

    async def run(self) -> WaitingReport:
        for identity in self._store.resting_on_changed():
            self._store.doubt(identity, "source_changed")
        with self._parts.queue() as queue:
            enqueue(self._store, queue)
            drained = await drain(queue, self._verify_again, limit=1_000, kind=KIND)
        await self._embed_lacking()
        return WaitingReport(
            promoted=tuple(self._promoted),
            evicted=tuple(self._evicted),
            put_back=drained.put_back,
        )

    async def _verify_again(self, item: QueuedItem) -> None:
        row = self._store.row(item.payload["id"])
        if row is None or row["waiting_since"] != item.payload["since"]:
            return
        new = self._as_it_is_now(row)
        if not new.sources:
            self._store.stop_waiting(new.id, "source_missing")
            return
        found = Found(result=await self._check.judged(new))
        result = found.result
        assert result is not None  # noqa: S101
        if result.status == "unverifiable":
            if result.reason not in NOT_TRIED_AGAIN:
                raise error_of(result)
            self._store.stop_waiting(new.id, result.reason)
            return
        settings = self._config.hallucination
        gate = memory_gate(settings, is_explicit=True)
        decision = gate.run(lambda: judge_fact(result, settings.memory_gate))
        if decision.lets_through:
            await self._check.embed(new, found)
            found.conflicts = await self._check.conflicts(new, found.embedded)
            placed = placed_by(new, result, found.conflicts, found.embedded, settings)
            self._store.put(new, placed)
            metrics().count("facts_promoted_total")
            _log.info("fact_promoted", id=new.id, contradicts=list(found.conflicts))
            self._promoted.append(new.id)
        else:
            reason = decision.reason or "unsupported"
            self._store.reject(new, reason, result, evict=True)
            metrics().count("facts_rejected_total", reason=reason)
            metrics().count("facts_evicted_total", reason=reason)
            _log.info("fact_evicted", id=new.id, reason=reason)
            self._evicted.append(new.id)
        self._record("memory", new.request_id, result, [one.bundle for one in new.sources])

    def _as_it_is_now(self, row: Row) -> NewFact:
        """The fact, with what it rests on read again where that is a file."""
        return NewFact(
            kind=row["kind"],
            content=row["content"],
            wanted_tier=row["wanted_tier"],
            stated=row["stated"],
            said_by=row["said_by"],
            said_at=row["said_at"],
            request_id=row["request_id"],
            session=row["session"],
            sources=tuple(self._read_again(row["key"])),
        )

    def _read_again(self, key: int) -> list[Source]:
        before = self._store.sources(key)
        now = [read_again(one, self._config.limits) for one in before]
        sources = [one for one in now if one is not None]
        if sources != before and sources:
            self._store.replace_sources(key, sources)
        return sources

    async def _embed_lacking(self) -> None:
        """Vectors for facts that were stored without one, or by another embedder."""
        try:
            embedder = self._parts.embedder
            if embedder is None:
                return
            while lacking := self._store.lacking_vectors(embedder.name, _AT_ONCE):
                embed = partial(embedder.embed, [content for _, content in lacking])
                rows = await anyio.to_thread.run_sync(embed)
                self._store.put_vectors(
                    {
                        key: Embedded.of(embedder.name, vector)
                        for (key, _), vector in zip(lacking, rows, strict=True)
                    }
                )
        except GroundwireError as error:
            _log.warn("embedding_failed", error=str(error))
