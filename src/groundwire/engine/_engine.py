"""The composition root: settings become wired parts, and parts become the calls users make.

A part is imported when a call first needs it: checking what an agent did loads no judge. The calls
stand in rooms by what they are about; here is what they share: the loop, memory and the queue.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Self

from groundwire.config import Config, load_config
from groundwire.engine._corpus import CorpusCalls
from groundwire.engine._parts import Parts
from groundwire.engine._texts import TextCalls
from groundwire.engine._work import WorkCalls
from groundwire.gate import publish_gates
from groundwire.guard import LoopThread, on_own_loop, sync_twin

if TYPE_CHECKING:
    from groundwire.evidence import Embedder
    from groundwire.judge import VerifierBackend
    from groundwire.llm import LLMClient, Provider
    from groundwire.memory import FactFilter, GivenSources, Memory
    from groundwire.model import (
        CheckReport,
        ClaimResult,
        EvidenceBundle,
        MemoryKind,
        MemoryOutcome,
        MemoryTier,
        QueueReport,
        Recollection,
        TraceAudit,
    )
    from groundwire.verify import Compared, GivenEvidence


def _memory_loop(engine: Engine) -> LoopThread:
    """Of its own: whoever holds up the engine's does not hold up memory."""
    return engine.memory.loop


class Engine(WorkCalls, CorpusCalls, TextCalls):
    """Everything Groundwire does, behind one object. Make one and keep it: it holds the caches.

    A `judge`, an `llm`, an `embedder` or a `clock` (seconds, as `time.time`) that is given stands
    in for the one the settings would make; whoever gave a judge or an embedder closes it.

    Work runs on a loop of the engine's own, so an engine may be used from any loop and thread,
    and every call has a twin that waits: `verify_claims` and `verify_claims_sync`.
    """

    def __init__(
        self,
        config: Config | None = None,
        *,
        judge: VerifierBackend | None = None,
        llm: LLMClient | Provider | None = None,
        embedder: Embedder | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.config = config or load_config().config
        publish_gates(self.config)
        self.loop = LoopThread("groundwire-engine")
        self._making = Lock()
        self._memory: Memory | None = None
        self.parts = Parts(
            self.config,
            judge=judge,
            llm=llm,
            embedder=embedder,
            clock=clock,
            verify_draft=self.verify_claims,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def aclose(self) -> None:
        """As `close`, without holding up the caller's loop."""
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """Let go of connections and files. A closed engine opens again when it is used."""
        memory, self._memory = self._memory, None
        if memory is not None:
            self.loop.submit(memory.aclose()).result()
        self.loop.submit(self.parts.aclose()).result()
        self.loop.close()

    @property
    def backend(self) -> VerifierBackend:
        """The judge of `check`: the one that was given, or as configured."""
        return self.parts.backend

    @on_own_loop
    async def verify_queued(self) -> QueueReport:
        """Verify what was put off, facts of memory included, and facts whose source changed.

        The verdicts go into the audit trail [SPEC-08.42].
        """
        from groundwire.verify import verify_deferred

        with self.parts.queue() as queue:
            drained = await verify_deferred(queue, self.verify_claim)
        facts = await self.memory.verify_waiting() if self.memory.path.exists() else None
        promoted, evicted = (len(facts.promoted), len(facts.evicted)) if facts else (0, 0)
        done = drained.done + promoted + evicted
        return (await self.queued()).model_copy(
            update={"verified": done, "promoted": promoted, "evicted": evicted}
        )

    verify_queued_sync = sync_twin(verify_queued)

    @on_own_loop
    async def queued(self) -> QueueReport:
        """How much a rate limit put off."""
        from groundwire.model import QueueReport

        with self.parts.queue() as queue:
            return QueueReport(verified=0, waiting=queue.depth(), given_up=queue.given_up())

    queued_sync = sync_twin(queued)

    @property
    def memory(self) -> Memory:
        """What is kept: `remember` and `recall`, and everything else that is done with facts."""
        from groundwire.memory import Memory

        with self._making:
            if self._memory is None:
                self._memory = Memory(
                    self.config,
                    self.parts,
                    verify=self._verify_fact,
                    compare=self._compare_facts,
                    record=self.parts.records.add_fact,
                    clock=self.parts.clock,
                )
            return self._memory

    @on_own_loop
    async def _verify_fact(
        self, content: str, bundles: Sequence[EvidenceBundle], confidence: float | None
    ) -> ClaimResult:
        return await self.parts.verify_fact(content, bundles, confidence)

    @on_own_loop
    async def _compare_facts(self, pairs: Sequence[tuple[str, str]]) -> list[Compared]:
        return await self.parts.compare_facts(pairs)

    @on_own_loop
    async def load(self) -> None:
        """Read the models that work on this machine, so that no later call waits for that."""
        await self.parts.load()

    load_sync = sync_twin(load)

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
        """Store a fact if its evidence bears it; `ErrFactNotGrounded` where it does not.

        Nobody waits longer than two seconds: a fact that could not be checked by then is stored
        provisionally and verified later. Evidence given as a path is read again when it changes.
        `inside` names the operation that stores it by the way: such facts pass the gate only
        where `hallucination.memory_gate.enabled` says so.
        """
        return await self.memory.remember(
            content,
            evidence,
            confidence=confidence,
            kind=kind,
            tier=tier,
            about=about,
            said_by=said_by,
            session=session,
            inside=inside,
        )

    remember_sync = sync_twin(remember, on=_memory_loop)

    async def recall(
        self, query: str, wanted: FactFilter | None = None, *, limit: int = 10
    ) -> Recollection:
        """Facts that a question is about, best first, each with its evidence and status."""
        return await self.memory.recall(query, wanted, limit=limit)

    recall_sync = sync_twin(recall, on=_memory_loop)


@cache
def default_engine() -> Engine:
    """The engine of the top-level functions: settings from the file and the environment."""
    return Engine()


def verify_claim(
    claim: str, evidence: GivenEvidence, confidence: float | None = None
) -> ClaimResult:
    """Test one claim against evidence [SPEC-08.31]."""
    return default_engine().verify_claim_sync(claim, evidence, confidence)


def verify_claims(text: str, context: GivenEvidence, *, question: str | None = None) -> CheckReport:
    """Find what a text asserts and test each assertion against the context [SPEC-08.31].

    `question` is what the text answers.
    """
    return default_engine().verify_claims_sync(text, context, question=question)


def audit_trace(
    steps: Sequence[str], context: GivenEvidence | None = None, answer: str | None = None
) -> TraceAudit:
    """Audit a reasoning: each step, and whether the answer follows from them [SPEC-08.31]."""
    return default_engine().audit_trace_sync(steps, context, answer)
