"""Facts through the gate: remembered, recalled, verified later, forgotten."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from sqlite3 import Row

from groundwire.config import Config, thresholds_of
from groundwire.errors import ErrFactNotGrounded, InputError, StoreError
from groundwire.gate import memory_gate
from groundwire.guard import LoopThread, on_own_loop, sync_twin
from groundwire.memory._check import FactCheck, Found, Parts
from groundwire.memory._conflicts import Compare, Verify
from groundwire.memory._exchange import export_lines, import_lines
from groundwire.memory._later import NOT_TRIED_AGAIN, Later, Record, enqueue
from groundwire.memory._recall import FactFilter, Searcher
from groundwire.memory._sources import GivenSources, Source, names_files, read_sources
from groundwire.memory._store import MEMORY_NAME, MemoryStore, NewFact, Placed, placed_by
from groundwire.model import (
    ClaimResult,
    Decision,
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

_KINDS = ("fact", "experience", "decision", "snippet")
_TIERS = ("task", "session", "longterm")
_TEND_EVERY_S = 3_600.0
_log = Log("memory")


class Memory:
    """A memory of facts, on a loop of its own: a judge that holds up the engine does not hold up
    whoever stores a fact."""

    def __init__(
        self,
        config: Config,
        parts: Parts,
        *,
        verify: Verify,
        compare: Compare,
        record: Record,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.loop = LoopThread("groundwire-memory")
        self.path = config.home.expanduser() / MEMORY_NAME
        self._config = config
        self._gates = config.hallucination
        self._parts = parts
        self._record = record
        self._clock = clock
        self._check = FactCheck(config, parts, verify, compare, lambda: self._searcher)
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
        _require_known(kind, _KINDS, "Name entities with `about`.")
        _require_known(tier, _TIERS, "The archive is filled by disuse.")
        sources = await self._sources(evidence)
        _require_storable(content, said_by, session, *about, *(one.text for one in sources))
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
            found = Found()
            gate = memory_gate(self._gates, is_explicit=inside is None)
            decision = await gate.arun(partial(self._check.within_ceiling, new, found))
            elapsed_ms = (time.perf_counter() - started_s) * 1000
            metrics().observe("memory_gate_latency_ms", elapsed_ms)
            outcome = self._settle(new, found, decision)
            self._tend()
        return outcome

    async def _sources(self, evidence: GivenSources) -> list[Source]:
        """Texts are there; files are read elsewhere, so that nobody else waits for them."""
        if names_files(evidence):
            return await asyncio.to_thread(read_sources, evidence, self._config.limits)
        return read_sources(evidence, self._config.limits)

    def _settle(self, new: NewFact, found: Found, decision: Decision) -> MemoryOutcome:
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
        if is_known and stored is not None and stored["tier"] == "longterm":
            placed = replace(placed, tier="longterm")  # saying it again for less takes nothing away
        self._store.put(new, placed)
        if placed.waits:
            with self._parts.queue() as queue:
                enqueue(self._store, queue, new.id)
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

    def _placed(self, new: NewFact, found: Found, decision: Decision) -> Placed:
        """Where it belongs: with a verdict, after a failed check, or where none was made."""
        stated = self._gates.target_confidence if new.stated is None else new.stated
        result = found.result
        if decision.check == "made":
            assert result is not None  # noqa: S101
            return placed_by(new, result, found.conflicts, found.embedded, self._gates)
        code = "gate_disabled" if found.failure is None else found.failure.code
        is_unverifiable = result is not None and result.status == "unverifiable"
        reason = result.reason if result is not None and is_unverifiable else code
        return Placed(
            tier="task",
            status="unverified",
            confidence=stated / 2 if decision.effect in ("queue", "degrade") else stated,
            reason=reason,
            waits=decision.effect == "queue" and reason not in NOT_TRIED_AGAIN,
            embedded=found.embedded,
        )

    def _refuse(self, new: NewFact, found: Found, decision: Decision) -> MemoryOutcome:
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
        asked = await self._check.vector(query)
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
        self._touch(rows)
        doubted = [one for one in changed if one.status in ("verified", "contested")]
        for fact in doubted:
            self._store.doubt(fact.id, "source_changed")
            _log.info("source_changed", id=fact.id)
        if doubted:
            with self._parts.queue() as queue:
                enqueue(self._store, queue, *(fact.id for fact in doubted))
            ids = {one.id for one in doubted}
            fresh = {
                one.id: one.model_copy(update={"score": old.score})
                for old in doubted
                if (row := self._store.row(old.id)) is not None
                for one in self._store.facts([row])
            }
            facts = [fresh[one.id] if one.id in ids else one for one in facts]
        return facts

    def _touch(self, rows: Sequence[Row]) -> None:
        try:
            self._store.touch(rows)
        except StoreError as error:  # what is found is worth more than that it was
            _log.warn("recall_not_counted", error=str(error))

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
            enqueue(self._store, queue)
        return count

    @on_own_loop
    async def counts(self) -> MemoryCounts:
        return self._store.counts()

    @on_own_loop
    async def verify_waiting(self) -> WaitingReport:
        """Verify what waits, and what rests on files that changed: promoted, or removed."""
        later = Later(self._config, self._parts, self._store, self._check, self._record)
        report = await later.run()
        self._tended_at = 0.0
        self._tend()
        return report

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


def _require_known(given: str, known: Sequence[str], hint: str) -> None:
    if given not in known:
        raise InputError(
            f"A fact cannot be stored as {given!r}; known are {', '.join(known)}.", hint=hint
        )


def _require_storable(*texts: str) -> None:
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"A text has half of a character pair ({text[error.start]!r}) and cannot be kept.",
                hint="It was decoded wrongly; read it again as UTF-8.",
            ) from error


def _told(placed: Placed, found: Found, decision: Decision) -> str:
    if placed.conflicts:
        return "Stored; it contradicts what is stored already, and neither is preferred."
    if placed.status == "verified":
        return found.result.message if found.result else ""
    if placed.status == "unsupported":
        return "Stored in the task tier, although no evidence was found to say it."
    why = decision.message or "the gate is switched off for this operation"
    later = "verified later" if placed.waits else "not queued"
    return f"Stored provisionally, unverified, {later}: {why}"
