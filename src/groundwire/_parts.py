"""Settings become wired parts, each made at first use; one that is given stands in for its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from groundwire.config import Config
from groundwire.errors import StoreError
from groundwire.observe import AuditTrail, Log

if TYPE_CHECKING:
    from groundwire.answer import Answerer, DraftVerifier
    from groundwire.evidence import Embedder
    from groundwire.ground import EdgeParts
    from groundwire.guard import DurableQueue
    from groundwire.judge import Evidence, KeptJudgements, VerifierBackend
    from groundwire.llm import Clients, LLMClient, Provider
    from groundwire.model import ClaimResult, EvidenceBundle
    from groundwire.observe import AuditEntry
    from groundwire.terms import Terminology
    from groundwire.verify import ClaimVerifier, Rules

_log = Log("engine")


class Parts:
    """The parts of one engine. `tell` is told in a few words what takes long."""

    def __init__(
        self,
        config: Config,
        *,
        judge: VerifierBackend | None = None,
        llm: LLMClient | Provider | None = None,
        embedder: Embedder | None = None,
        clock: Callable[[], float] | None = None,
        verify_draft: DraftVerifier | None = None,
    ) -> None:
        self.config = config
        self.tell: Callable[[str], None] | None = None
        self._given_judge = judge
        self._given_llm = llm
        self._given_embedder = embedder
        self._given_clock = clock
        self._verify_draft = verify_draft
        self._clock = clock or time.time
        self._evidence: Evidence | None = None

    async def aclose(self) -> None:
        """Let go of what was made here. What was given is left to whoever gave it."""
        self._evidence = None
        await self.let_go(*_MADE_AT_FIRST_USE)

    async def let_go(self, *names: str) -> None:
        """Close parts; they are made again when they are next used."""
        for name in names:
            part = self.__dict__.pop(name, None)
            if part is None or part is self._given_judge or part is self._given_embedder:
                continue
            if hasattr(part, "aclose"):
                await part.aclose()
            elif hasattr(part, "close"):
                part.close()

    @cached_property
    def clients(self) -> Clients:
        """The language models: the one that was given, or as configured."""
        from groundwire.llm import Clients, LLMClient

        given = self._given_llm
        client = given if given is None or isinstance(given, LLMClient) else LLMClient(given)
        return Clients(self.config, client)

    @cached_property
    def backend(self) -> VerifierBackend:
        """The judge of `check`: the one that was given, or as configured."""
        from groundwire.judge import build_backend

        return self._given_judge or build_backend(
            self.config, operation="check", clients=self.clients
        )

    @cached_property
    def rules(self) -> Rules:
        """From estimates to a status, by the judge's threshold and the settings."""
        from groundwire.verify import Rules

        return Rules(
            threshold=self.backend.threshold,
            refute_threshold=self.config.judge.refute_threshold,
            on_interval=self.config.hallucination.on_interval,
            has_knowledge=getattr(self.backend, "has_knowledge", False),
        )

    @cached_property
    def kept_judgements(self) -> KeptJudgements | None:
        """Of a judge the settings make; of one that was given nobody knows what it is."""
        from groundwire.judge import KEPT_NAME, KeptJudgements, judge_identity

        section = self.config.hallucination
        name = section.backend.type
        if name == "configurable":
            name = section.backend.operations.get("check", section.backend.default)
        is_given = self._given_judge is not None or self._given_llm is not None
        max_mb = section.cache_disk_mb
        if not max_mb or is_given or name not in ("embedded", "self", "haiku"):
            return None
        path = self.config.home.expanduser() / KEPT_NAME
        return KeptJudgements(path, judge_identity(self.config), max_mb)

    @cached_property
    def verifier(self) -> ClaimVerifier:
        from groundwire.judge import CachedJudge
        from groundwire.verify import ClaimVerifier, Standard

        section = self.config.hallucination
        judge = CachedJudge(
            self.backend,
            ttl_s=section.cache_ttl.total_seconds(),
            timer=self._given_clock or time.monotonic,
            kept=self.kept_judgements,
        )
        return ClaimVerifier(
            judge,
            self.rules,
            Standard(
                target=section.target_confidence,
                flag_threshold_bits=section.output_verification.flag_threshold_bits,
            ),
        )

    def evidence(self, bundles: Sequence[EvidenceBundle]) -> Evidence:
        """Cut into sentences once: several texts are often checked against the same documents."""
        from groundwire.judge import Evidence

        if self._evidence is None or self._evidence.bundles != tuple(bundles):
            self._evidence = Evidence(bundles)
        return self._evidence

    @cached_property
    def embedder(self) -> Embedder | None:
        from groundwire.evidence import make_embedder

        return self._given_embedder or make_embedder(self.config.evidence)

    @cached_property
    def terminology(self) -> Terminology:
        from groundwire.terms import open_terminology

        return open_terminology(self.config, progress=self.tell)

    @cached_property
    def answerer(self) -> Answerer:
        """Who answers questions: it looks once which documents and vocabularies there are."""
        from groundwire.answer import open_answerer
        from groundwire.terms import has_vocabulary

        return open_answerer(
            self.config,
            terminology=self.terminology if has_vocabulary(self.config) else None,
            clients=self.clients,
            embedder=self.embedder,
            verifier=self._verify_draft,
        )

    @cached_property
    def edge_parts(self) -> EdgeParts:
        """Who drafts and judges edges: the judge that was given, or that of operation `edge`."""
        from groundwire.ground import build_parts

        return build_parts(self.config, judge=self._given_judge, clients=self.clients)

    @cached_property
    def audit(self) -> AuditTrail | None:
        if not self.config.audit.enabled:
            return None
        return AuditTrail.of(self.config, clock=self._clock)

    def queue(self) -> DurableQueue:
        from groundwire.guard import DurableQueue
        from groundwire.verify import QUEUE_NAME

        path = self.config.home.expanduser() / QUEUE_NAME
        return DurableQueue(path, clock=self._clock)

    def now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)

    def record(
        self,
        operation: str,
        request_id: str,
        results: Sequence[ClaimResult],
        bundles: Sequence[EvidenceBundle],
    ) -> None:
        """Count and write down. A record that cannot be written does not cost the verdict."""
        from groundwire.verify import count_verdicts, defer

        count_verdicts(results)
        prompts = {
            key: value
            for key in ("prompt_id", "prompt_hash")
            if (value := getattr(self.backend, key, None)) is not None
        }
        try:
            if self.audit is not None:
                doc_ids = {bundle.source.doc_id for bundle in bundles}
                self.audit.record(operation, request_id, results, doc_ids, **prompts)
            if any(result.reason == "backend_rate_limited" for result in results):
                with self.queue() as queue:
                    defer(queue, results, bundles, self.backend.context_words)
        except StoreError as error:
            self._not_kept(error, len(results))

    def write_down(self, operation: str, request_id: str, entries: list[AuditEntry]) -> None:
        try:
            if self.audit is not None and entries:
                self.audit.write(operation, request_id, entries)
        except StoreError as error:
            self._not_kept(error, len(entries))

    def _not_kept(self, error: StoreError, verdicts: int) -> None:
        _log.error("audit_not_written", error=str(error), verdicts=verdicts)
        if self.tell is not None:
            self.tell(f"The verdicts were not kept: {error}")


_MADE_AT_FIRST_USE = (
    "kept_judgements",
    *("backend", "rules", "verifier", "edge_parts", "audit"),
    *("answerer", "terminology", "embedder", "clients"),
)
