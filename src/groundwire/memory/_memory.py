"""Facts through the gate: remembered, recalled, verified later, forgotten."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from sqlite3 import Row
from typing import TYPE_CHECKING, Protocol

import anyio.to_thread

from groundwire.config import Config, thresholds_of
from groundwire.errors import (
    BackendError,
    BackendTimeout,
    ErrFactNotGrounded,
    GroundwireError,
    InputError,
)
from groundwire.gate import judge_fact, memory_gate
from groundwire.guard import DurableQueue, LoopThread, QueuedItem, drain, on_own_loop, sync_twin
from groundwire.memory._conflicts import conflicts_among, error_of, verbatim
from groundwire.memory._exchange import export_lines, import_lines
from groundwire.memory._recall import Embedded, FactFilter, Searcher
from groundwire.memory._sources import GivenSources, Source, read_again, read_sources
from groundwire.memory._store import MEMORY_NAME, MemoryStore, NewFact, Placed
from groundwire.model import (
    ClaimResult,
    Decision,
    EvidenceBundle,
    MemoryCounts,
    MemoryKind,
    MemoryOutcome,
    MemoryTier,
    Recollection,
    StoredFact,
    WaitingReport,
)
from groundwire.observe import Log, metrics, request
from groundwire.verify import require_claim

if TYPE_CHECKING:
    from groundwire.evidence import Embedder

CEILING_S = 2.0
"""The longest a caller waits at the gate [SPEC-08.38]."""
EMBEDDING_LIMIT_S = 0.5
"""Without a vector by then, words must do; it is made up for later."""
KIND = "fact"
"""Of queue items."""
_NEIGHBOURS = 8
"""Stored facts a new one is compared with."""
_TEND_EVERY_S = 3_600.0
_AGAIN_LATER = ("no_evidence", "language")
"""Why a check says nothing that asking again would not change."""
_log = Log("memory")

Verify = Callable[[str, Sequence[EvidenceBundle], float | None], Awaitable[ClaimResult]]
Record = Callable[[str, str, ClaimResult, Sequence[EvidenceBundle]], None]


class Parts(Protocol):
    """What memory needs from outside: who judges, who embeds, what waits, who writes down."""

    @property
    def embedder(self) -> "Embedder | None": ...

    def queue(self) -> DurableQueue: ...


@dataclass
class _Found:
    """What the check of one fact found, as far as it came."""

    result: ClaimResult | None = None
    failure: BackendError | None = None
    embedded: Embedded | None = None
    conflicts: tuple[str, ...] = ()


class Memory:
    """A memory of facts, on a loop of its own: a judge that holds up the engine does not hold up
    whoever stores a fact."""

    def __init__(
        self,
        config: Config,
        parts: Parts,
        *,
        verify: Verify,
        record: Record,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.loop = LoopThread("groundwire-memory")
        self.path = config.home.expanduser() / MEMORY_NAME
        self._config = config
        self._gates = config.hallucination
        self._parts = parts
        self._verify = verify
        self._record = record
        self._clock = clock
        self._ceiling_s = min(CEILING_S, config.hallucination.timeout.total_seconds())
        self._tended_at = 0.0

    async def aclose(self) -> None:
        store = self.__dict__.pop("_store", None)
        self.__dict__.pop("_searcher", None)
        if store is not None:
            store.close()
        await asyncio.to_thread(self.loop.close)

    @cached_property
    def _store(self) -> MemoryStore:
        return MemoryStore(self.path, self._config.memory, clock=self._clock)

    @cached_property
    def _searcher(self) -> Searcher:
        return Searcher(self._store, thresholds_of(self._config.evidence).of("memory"))

    @on_own_loop
    async def remember(
        self,
        content: str,
        evidence: GivenSources = (),
        *,
        confidence: float | None = None,
        kind: MemoryKind = "fact",
        tier: MemoryTier = "longterm",
        about: Sequence[str] = (),
        said_by: str = "",
        session: str = "",
        inside: str | None = None,
    ) -> MemoryOutcome:
        """Store a fact if its evidence bears it; see `Engine.remember`."""
        require_claim(content, confidence, self._config.limits.max_text_chars)
        if kind == "entity" or tier == "archive":
            raise InputError(
                f"A fact cannot be stored as {'an entity' if kind == 'entity' else 'archived'}.",
                hint="Name entities with `about`; the archive is filled by disuse.",
            )
        sources = await anyio.to_thread.run_sync(read_sources, evidence, self._config.limits)
        with request() as context:
            new = NewFact(
                kind=kind,
                content=content.strip(),
                wanted_tier=tier,
                stated=confidence,
                about=tuple(about),
                said_by=said_by,
                said_at=self._clock(),
                request_id=context.request_id,
                session=session,
                sources=tuple(sources),
            )
            started_s = time.perf_counter()
            found = _Found()
            gate = memory_gate(self._gates, is_explicit=inside is None)
            decision = await gate.arun(partial(self._within_ceiling, new, found))
            elapsed_ms = (time.perf_counter() - started_s) * 1000
            metrics().observe("memory_gate_latency_ms", elapsed_ms)
            outcome = self._settle(new, found, decision)
            self._tend()
        return outcome

    async def _within_ceiling(self, new: NewFact, found: _Found) -> Decision:
        """Whatever goes wrong is a failure of the check, which stores nothing as verified."""
        try:
            return await asyncio.wait_for(self._check(new, found), self._ceiling_s)
        except TimeoutError:
            found.failure = BackendTimeout(
                f"The judge did not answer within {self._ceiling_s:g} s.",
                hint="The fact is verified later: gw queue --run",
            )
        except BackendError as error:
            found.failure = error
        except Exception as error:  # noqa: BLE001 -- a fact must not be lost for a fault of ours
            found.failure = BackendError(f"The check failed: {type(error).__name__}: {error}.")
            _log.error("memory_check_failed", error=repr(error))
        raise found.failure

    async def _check(self, new: NewFact, found: _Found) -> Decision:
        embedding = asyncio.ensure_future(self._embed(new.content, found))
        try:
            result = await self._judged(new)
            found.result = result
            if result.status == "unverifiable":
                raise error_of(result)
            decision = judge_fact(result, self._gates.memory_gate)
            await embedding
            if decision.lets_through:
                found.conflicts = await self._conflicts(new, found.embedded)
        finally:
            embedding.cancel()
        return decision

    async def _judged(self, new: NewFact) -> ClaimResult:
        bundles = [one.bundle for one in new.sources]
        if new.kind == "snippet" and bundles:
            return verbatim(new.content, bundles, new.stated, self._gates.target_confidence)
        return await self._verify(new.content, bundles, new.stated)

    async def _embed(self, content: str, found: _Found) -> None:
        found.embedded = await self._vector(content)

    async def _vector(self, text: str) -> Embedded | None:
        """None where there is no embedder, or none that answers in time."""
        try:
            work = anyio.to_thread.run_sync(self._embedded, text, abandon_on_cancel=True)
            return await asyncio.wait_for(work, EMBEDDING_LIMIT_S)
        except (GroundwireError, TimeoutError) as error:
            _log.warn("embedding_failed", error=str(error) or "too slow")
            return None

    def _embedded(self, text: str) -> Embedded | None:
        embedder = self._parts.embedder
        if embedder is None:
            return None
        return Embedded.of(embedder.name, embedder.embed([text])[0])

    async def _conflicts(self, new: NewFact, embedded: Embedded | None) -> tuple[str, ...]:
        """Stored facts that cannot be true together with this one."""
        if new.kind == "snippet":
            return ()
        near = self._searcher.search(new.content, embedded, FactFilter(), _NEIGHBOURS + 1)
        others = {
            one.row["id"]: one.row["content"]
            for one in near
            if one.row["id"] != new.id and one.row["kind"] != "snippet"
        }
        return await conflicts_among(new.content, others, self._verify)

    def _settle(self, new: NewFact, found: _Found, decision: Decision) -> MemoryOutcome:
        if found.result is not None:
            bundles = [one.bundle for one in new.sources]
            self._record("memory", new.request_id, found.result, bundles)
        if decision.check == "made" and not decision.lets_through:
            return self._refuse(new, found, decision)
        stored = self._store.row(new.id)
        is_known = stored is not None and stored["status"] in ("verified", "contested")
        placed = self._placed(new, found, decision)
        if decision.effect == "block":
            return self._outcome(new, None, placed, "The fact could not be checked: not stored.")
        if is_known and placed.status == "unverified":
            # what was verified once does not become less so because nobody can look again now
            assert stored is not None  # noqa: S101
            kept = replace(
                placed,
                tier=stored["tier"],
                status=stored["status"],
                confidence=stored["confidence"],
                waits=False,
            )
            return self._outcome(new, new.id, kept, "It is stored already.")
        self._store.put(new, placed)
        if placed.waits:
            with self._parts.queue() as queue:
                self._enqueue(queue)
        metrics().count("facts_stored_total", status=placed.status)
        if placed.conflicts:
            metrics().count("facts_contested_total")
        _log.info(
            "fact_stored",
            id=new.id,
            tier=placed.tier,
            status=placed.status,
            reason=placed.reason,
            contradicts=list(placed.conflicts),
            queued=placed.waits,
        )
        return self._outcome(new, new.id, placed, _told(placed, found, decision))

    def _placed(self, new: NewFact, found: _Found, decision: Decision) -> Placed:
        """Where it belongs: with a verdict, after a failed check, or where none was made."""
        stated = self._gates.target_confidence if new.stated is None else new.stated
        result = found.result
        if decision.check == "made":
            assert result is not None  # noqa: S101
            supported = result.status == "grounded"
            believed = result.adjusted_confidence
            return Placed(
                tier=new.wanted_tier if supported else "task",
                status="verified" if supported else "unsupported",
                confidence=stated if believed is None else believed,
                reason="contradicts_stored" if found.conflicts else result.reason,
                result=result,
                conflicts=found.conflicts,
                embedded=found.embedded,
            )
        code = "gate_disabled" if found.failure is None else found.failure.code
        reason = result.reason if result is not None and found.failure is not None else code
        return Placed(
            tier="task",
            status="unverified",
            confidence=stated / 2 if decision.effect in ("queue", "degrade") else stated,
            reason=reason,
            waits=decision.effect == "queue" and reason not in _AGAIN_LATER,
            embedded=found.embedded,
        )

    def _refuse(self, new: NewFact, found: _Found, decision: Decision) -> MemoryOutcome:
        reason = decision.reason or "unsupported"
        self._store.reject(new, reason, found.result)
        metrics().count("facts_rejected_total", reason=reason)
        _log.info("fact_rejected", id=new.id, reason=reason, request_id=new.request_id)
        believed = found.result.adjusted_confidence if found.result else None
        raise ErrFactNotGrounded(
            MemoryOutcome(
                stored=False,
                id=None,
                tier=None,
                status="rejected",
                confidence=believed,
                reason=reason,
                message=decision.message or "",
                result=found.result,
                request_id=new.request_id,
            )
        )

    def _outcome(
        self, new: NewFact, identity: str | None, placed: Placed, message: str
    ) -> MemoryOutcome:
        is_contested = bool(placed.conflicts) and placed.status == "verified"
        return MemoryOutcome(
            stored=identity is not None,
            id=identity,
            tier=placed.tier if identity is not None else None,
            status="contested" if is_contested else placed.status,
            confidence=round(placed.confidence, 4),
            reason=placed.reason,
            message=message,
            result=placed.result,
            contradicts=self._store.conflicting(placed.conflicts) if placed.conflicts else (),
            queued=placed.waits,
            request_id=new.request_id,
        )

    @on_own_loop
    async def recall(
        self, query: str, wanted: FactFilter | None = None, *, limit: int = 10
    ) -> Recollection:
        """Facts that a question is about, best first, each with its evidence and status."""
        if not query.strip():
            raise InputError("There is nothing to search for.")
        asked = await self._vector(query)
        found = self._searcher.search(query, asked, wanted or FactFilter(), limit)
        facts = self._shown(
            [one.row for one in found], {one.row["key"]: one.score for one in found}
        )
        has_vectors = asked is not None or self._config.evidence.embedder == "off"
        return Recollection(facts=tuple(facts), fallbacks=() if has_vectors else ("bm25_only",))

    def _shown(self, rows: Sequence[Row], scores: Mapping[int, float]) -> list[StoredFact]:
        """Looked at, they are stronger; and those whose source changed are doubted at once."""
        facts = self._store.facts(rows, scores)
        changed = [one for one in facts if any(source.changed for source in one.sources)]
        if rows:
            self._store.touch(rows)
        doubted = [one for one in changed if one.status in ("verified", "contested")]
        for fact in doubted:
            self._store.doubt(fact.id, "source_changed")
            _log.info("source_changed", id=fact.id)
        if doubted:
            with self._parts.queue() as queue:
                self._enqueue(queue)
            ids = {one.id for one in doubted}
            fresh = {
                one.id: one.model_copy(update={"score": old.score})
                for old in doubted
                if (row := self._store.row(old.id)) is not None
                for one in self._store.facts([row])
            }
            facts = [fresh[one.id] if one.id in ids else one for one in facts]
        return facts

    @on_own_loop
    async def show(self, identity: str) -> StoredFact:
        """One fact with the verdict that let it in."""
        row = self._store.row(identity)
        if row is None:
            raise InputError(
                f"There is no fact {identity!r} in memory.", hint="gw memory search finds ids."
            )
        (fact,) = self._shown([row], {row["key"]: 0.0})
        result = ClaimResult.model_validate_json(row["result"]) if row["result"] else None
        return fact.model_copy(update={"result": result, "score": None})

    @on_own_loop
    async def pending(self, *, limit: int = 100) -> Recollection:
        """What is not verified: waiting for its judge, or for evidence."""
        return Recollection(facts=tuple(self._store.pending(limit)))

    @on_own_loop
    async def rejected(self, *, limit: int = 100) -> Recollection:
        """What the gate refused, and what it removed after a later look, newest first."""
        return Recollection(facts=tuple(self._store.rejected(limit)))

    @on_own_loop
    async def relate(self, relation: str, members: Sequence[tuple[str, str]]) -> None:
        """Join stored nodes by a hyperedge: (role, id) pairs, two or more."""
        if len(members) < 2:  # noqa: PLR2004
            raise InputError("A relation joins two nodes or more.")
        try:
            self._store.relate(relation, members)
        except KeyError as error:
            raise InputError(f"There is no fact {error} in memory.") from error

    @on_own_loop
    async def forget(self, identity: str) -> bool:
        """Remove a fact, from the log of refused ones too; whether it was there."""
        return self._store.forget(identity)

    @on_own_loop
    async def forget_source(self, doc_id: str) -> int:
        """Remove every fact that rests on a source."""
        return self._store.forget_source(doc_id)

    @on_own_loop
    async def export(self, path: Path) -> int:
        """Write all facts with their sources and links, a JSON object a line; how many."""
        return export_lines(self._store, path)

    @on_own_loop
    async def import_from(self, path: Path, *, trust: bool = False) -> int:
        """Take over what `export` wrote. Facts are verified again unless the file is trusted."""
        count = import_lines(self._store, path, self._config.limits, trust=trust)
        with self._parts.queue() as queue:
            self._enqueue(queue)
        return count

    @on_own_loop
    async def counts(self) -> MemoryCounts:
        return self._store.counts()

    @on_own_loop
    async def verify_waiting(self) -> WaitingReport:
        """Verify what waits, and what rests on files that changed: promoted, or removed."""
        for identity in self._store.resting_on_changed():
            self._store.doubt(identity, "source_changed")
        promoted: list[str] = []
        evicted: list[str] = []
        with self._parts.queue() as queue:
            self._enqueue(queue)

            async def handle(item: QueuedItem) -> None:
                await self._verify_again(item, promoted, evicted)

            drained = await drain(queue, handle, limit=1_000, kind=KIND)
        await self._embed_lacking()
        self._tended_at = 0.0
        self._tend()
        return WaitingReport(
            promoted=tuple(promoted), evicted=tuple(evicted), put_back=drained.put_back
        )

    def _enqueue(self, queue: DurableQueue) -> None:
        """Memory itself knows what waits; the queue knows when each is tried next."""
        for identity, since, reason in self._store.waiting():
            payload = {"id": identity, "since": since}
            queue.put(KIND, payload, reason=reason, key=f"{KIND} {identity} {since}")

    async def _verify_again(
        self, item: QueuedItem, promoted: list[str], evicted: list[str]
    ) -> None:
        row = self._store.row(item.payload["id"])
        if row is None or row["waiting_since"] != item.payload["since"]:
            return
        sources = self._read_again(row)
        new = NewFact(
            kind=row["kind"],
            content=row["content"],
            wanted_tier=row["wanted_tier"],
            stated=row["stated"],
            said_by=row["said_by"],
            said_at=row["said_at"],
            request_id=row["request_id"],
            session=row["session"],
            sources=tuple(sources),
        )
        if not sources:
            self._store.stop_waiting(new.id, "source_missing")
            return
        found = _Found(result=await self._judged(new))
        result = found.result
        assert result is not None  # noqa: S101
        if result.status == "unverifiable":
            if result.reason not in _AGAIN_LATER:
                raise error_of(result)
            self._store.stop_waiting(new.id, result.reason)
            return
        gate = memory_gate(self._gates, is_explicit=True)
        decision = gate.run(lambda: judge_fact(result, self._gates.memory_gate))
        self._record("memory", new.request_id, result, [one.bundle for one in sources])
        if not decision.lets_through:
            reason = decision.reason or "unsupported"
            self._store.reject(new, reason, result, evict=True)
            metrics().count("facts_rejected_total", reason=reason)
            metrics().count("facts_evicted_total", reason=reason)
            _log.info("fact_evicted", id=new.id, reason=reason)
            evicted.append(new.id)
            return
        await self._embed(new.content, found)
        found.conflicts = await self._conflicts(new, found.embedded)
        self._store.put(new, self._placed(new, found, decision))
        metrics().count("facts_promoted_total")
        _log.info("fact_promoted", id=new.id, contradicts=list(found.conflicts))
        promoted.append(new.id)

    def _read_again(self, row: Row) -> list[Source]:
        """What a fact rests on, as its files are now."""
        before = self._store.sources(row["key"])
        now = [read_again(one, self._config.limits) for one in before]
        sources = [one for one in now if one is not None]
        if sources != before and sources:
            self._store.replace_sources(row["key"], sources)
        return sources

    async def _embed_lacking(self) -> None:
        """Vectors for facts that were stored without one, or by another embedder."""
        try:
            embedder = self._parts.embedder
            if embedder is None:
                return
            while lacking := self._store.lacking_vectors(embedder.name, 64):
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

    def _tend(self) -> None:
        now = self._clock()
        if now - self._tended_at < _TEND_EVERY_S:
            return
        self._tended_at = now
        archived = self._store.archive_faded()
        self._store.forget_rejected(self._config.audit.retention, self._config.audit.max_rows)
        if archived:
            _log.info("facts_archived", count=archived)

    remember_sync = sync_twin(remember)
    recall_sync = sync_twin(recall)
    show_sync = sync_twin(show)
    pending_sync = sync_twin(pending)
    rejected_sync = sync_twin(rejected)
    relate_sync = sync_twin(relate)
    forget_sync = sync_twin(forget)
    forget_source_sync = sync_twin(forget_source)
    export_sync = sync_twin(export)
    import_from_sync = sync_twin(import_from)
    counts_sync = sync_twin(counts)
    verify_waiting_sync = sync_twin(verify_waiting)


def _told(placed: Placed, found: _Found, decision: Decision) -> str:
    if placed.conflicts:
        return "Stored; it contradicts what is stored already, and neither is preferred."
    if placed.status == "verified":
        return found.result.message if found.result else ""
    if placed.status == "unsupported":
        return "Stored in the task tier, although no evidence was found to say it."
    why = decision.message or "the gate is switched off for this operation"
    later = "verified later" if placed.waits else "not queued"
    return f"Stored provisionally, unverified, {later}: {why}"
