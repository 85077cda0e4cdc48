"""What the gate looks at before a fact is kept: its evidence, and what is stored already."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from groundwire.config import Config
from groundwire.encoder import memory_calibration
from groundwire.errors import BackendError, BackendTimeout, GroundwireError
from groundwire.gate import judge_fact
from groundwire.guard import DurableQueue, Worker
from groundwire.memory._conflicts import (
    Compare,
    Verify,
    conflicts_among,
    error_of,
    verbatim,
)
from groundwire.memory._recall import Embedded, Searcher
from groundwire.memory._store import NewFact
from groundwire.model import ClaimResult, Decision
from groundwire.observe import Log

if TYPE_CHECKING:
    from groundwire.evidence import Embedder

CEILING_S = 2.0
"""The longest a caller waits at the gate [SPEC-08.38]."""
EMBEDDING_LIMIT_S = 0.5
"""Without a vector by then, words must do; it is made up for later."""
NEIGHBOURS = 16
"""Stored facts a new one is compared with."""
_log = Log("memory")


class Parts(Protocol):
    """What memory needs of the engine."""

    @property
    def embedder(self) -> "Embedder | None": ...

    def queue(self) -> DurableQueue: ...


@dataclass
class Found:
    """What the check of one fact found, as far as it came."""

    result: ClaimResult | None = None
    failure: BackendError | None = None
    embedded: Embedded | None = None
    conflicts: tuple[str, ...] = ()


class FactCheck:
    def __init__(
        self,
        config: Config,
        parts: Parts,
        verify: Verify,
        compare: Compare,
        searcher: Callable[[], Searcher],
    ) -> None:
        self._settings = config.hallucination
        self._contradicts_from = config.memory.contradicts_from
        self._parts = parts
        self._verify = verify
        self._compare = compare
        self._searcher = searcher
        self._worker = Worker("groundwire-memory-embedder")
        self.embedding_limit_s = EMBEDDING_LIMIT_S
        self.ceiling_s = min(CEILING_S, config.hallucination.timeout.total_seconds())

    async def within_ceiling(self, new: NewFact, found: Found) -> Decision:
        """Whatever goes wrong is a failure of the check, which stores nothing as verified."""
        try:
            return await asyncio.wait_for(self._check(new, found), self.ceiling_s)
        except TimeoutError:
            found.failure = BackendTimeout(f"The judge did not answer within {self.ceiling_s:g} s.")
        except BackendError as error:
            found.failure = error
        except Exception as error:  # noqa: BLE001 -- a fact must not be lost for a fault of ours
            found.failure = BackendError(f"The check failed: {type(error).__name__}: {error}.")
            _log.error("memory_check_failed", error=repr(error))
        raise found.failure

    async def _check(self, new: NewFact, found: Found) -> Decision:
        # what it is compared with is looked for while the judge works
        looking = asyncio.ensure_future(self._looked_for(new, found))
        try:
            found.result = await self.judged(new)
            if found.result.status == "unverifiable":
                raise error_of(found.result)
            decision = judge_fact(found.result, self._settings.memory_gate)
            others = await looking
            if decision.lets_through:
                found.conflicts = await self._among(new, others)
        finally:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
        return decision

    async def _looked_for(self, new: NewFact, found: Found) -> dict[str, str]:
        await self.embed(new, found)
        return self._others(new, found.embedded)

    async def judged(self, new: NewFact) -> ClaimResult:
        bundles = [one.bundle for one in new.sources]
        if new.kind == "snippet" and bundles:
            return verbatim(new.content, bundles, new.stated, self._settings.target_confidence)
        return await self._verify(new.content, bundles, new.stated)

    async def embed(self, new: NewFact, found: Found) -> None:
        found.embedded = await self.vector(new.content)

    async def vector(self, text: str) -> Embedded | None:
        """None where there is no embedder, or none that answers in time."""
        try:
            return await self._worker.run(self.embedding_limit_s, lambda: self._embedded(text))
        except (GroundwireError, TimeoutError) as error:
            _log.warn("embedding_failed", error=str(error) or "too slow")
            return None

    def _embedded(self, text: str) -> Embedded | None:
        embedder = self._parts.embedder
        if embedder is None:
            return None
        return Embedded.of(embedder.name, embedder.embed([text])[0])

    async def conflicts(self, new: NewFact, embedded: Embedded | None) -> tuple[str, ...]:
        """Stored facts that cannot be true together with this one."""
        return await self._among(new, self._others(new, embedded))

    def _others(self, new: NewFact, embedded: Embedded | None) -> dict[str, str]:
        """The stored facts that it is compared with; a quote excludes nothing."""
        if new.kind == "snippet":
            return {}
        near = self._searcher().neighbours(new.content, embedded, NEIGHBOURS + 1)
        return {row["id"]: row["content"] for row in near if row["id"] != new.id}

    async def _among(self, new: NewFact, others: dict[str, str]) -> tuple[str, ...]:
        if not others:
            return ()
        least = self._contradicts_from or memory_calibration().exclusion.threshold
        return await conflicts_among(new.content, others, self._compare, least=least)
