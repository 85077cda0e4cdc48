"""Settings become wired parts, each made at first use; one that is given stands in for its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from groundwire.config import Config
from groundwire.engine._records import Records
from groundwire.errors import GroundwireError

if TYPE_CHECKING:
    from groundwire.answer import Answerer, DraftVerifier
    from groundwire.config import Operation
    from groundwire.evidence import Embedder
    from groundwire.gate import LoadShedder
    from groundwire.ground import EdgeParts
    from groundwire.guard import DurableQueue
    from groundwire.judge import Evidence, KeptJudgements, VerifierBackend
    from groundwire.llm import Clients, LLMClient, Provider
    from groundwire.model import ClaimResult, EvidenceBundle
    from groundwire.terms import Terminology
    from groundwire.verify import ClaimVerifier, Compared, Rules, Standard, TraceAuditor


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
        self._verifiers: dict[Operation, ClaimVerifier] = {}
        self._backends: list[VerifierBackend] = []
        self.clock = clock or time.time
        self.records = Records(config, clock=self.clock, tell=self._told)
        self._evidence: Evidence | None = None

    async def aclose(self) -> None:
        """Let go of what was made here. What was given is left to whoever gave it."""
        from groundwire.judge import close_all

        self._verifiers.clear()
        await close_all(self._backends)
        self._backends.clear()
        self._evidence = None
        await self.let_go(*_MADE_AT_FIRST_USE)
        self.records.close()

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
        return self._rules_of(self.backend)

    def _rules_of(self, backend: VerifierBackend) -> Rules:
        from groundwire.verify import Rules

        return Rules(
            threshold=backend.threshold,
            refute_threshold=self.config.judge.refute_threshold,
            on_interval=self.config.hallucination.on_interval,
            has_knowledge=getattr(backend, "has_knowledge", False),
        )

    @cached_property
    def kept_judgements(self) -> KeptJudgements | None:
        """Of a judge the settings make; of one that was given nobody knows what it is."""
        from groundwire.judge import KEPT_NAME, KeptJudgements, judge_identity

        section = self.config.hallucination
        name = self._judge_of("check")
        is_given = self._given_judge is not None or self._given_llm is not None
        max_mb = section.cache_disk_mb
        if not max_mb or is_given or name not in ("embedded", "self", "haiku"):
            return None
        path = self.config.home.expanduser() / KEPT_NAME
        return KeptJudgements(path, judge_identity(self.config), max_mb)

    @cached_property
    def verifier(self) -> ClaimVerifier:
        return self._verifier_with(self.backend, self.kept_judgements)

    def verifier_of(self, operation: Operation) -> ClaimVerifier:
        """With the judge of one operation, where the settings give it one of its own."""
        from groundwire.judge import build_backend

        if self._judge_of(operation) == self._judge_of("check"):
            return self.verifier
        if operation not in self._verifiers:
            backend = build_backend(self.config, operation=operation, clients=self.clients)
            self._backends.append(backend)
            self._verifiers[operation] = self._verifier_with(backend, None)
        return self._verifiers[operation]

    def _judge_of(self, operation: Operation) -> str:
        section = self.config.hallucination.backend
        if self._given_judge is not None or section.type != "configurable":
            return section.type
        return section.operations.get(operation, section.default)

    def _verifier_with(
        self, backend: VerifierBackend, kept: KeptJudgements | None
    ) -> ClaimVerifier:
        from groundwire.judge import CachedJudge
        from groundwire.verify import ClaimVerifier

        section = self.config.hallucination
        judge = CachedJudge(
            backend,
            ttl_s=section.cache_ttl.total_seconds(),
            timer=self._given_clock or time.monotonic,
            kept=kept,
        )
        return ClaimVerifier(judge, self._rules_of(backend), self._standard)

    @property
    def _standard(self) -> Standard:
        from groundwire.verify import Standard

        section = self.config.hallucination
        return Standard(
            target=section.target_confidence,
            flag_threshold_bits=section.output_verification.flag_threshold_bits,
        )

    @property
    def auditor(self) -> TraceAuditor:
        """With a language model as judge of traces, it derives the answers, too [SPEC-08.26]."""
        from groundwire.verify import EmbeddedExecutor, ModelExecutor, TraceAuditor

        verifier = self.verifier_of("trace")
        if not self.config.hallucination.trace_auditing.check_post_hoc:
            return TraceAuditor(verifier, None)
        embedded = EmbeddedExecutor(verifier)
        judge = self._judge_of("trace")
        if judge == "self":
            return TraceAuditor(verifier, ModelExecutor(self.clients.configured(), embedded))
        if judge == "haiku":
            client = self.clients.of("anthropic", self.config.llm.haiku_model)
            return TraceAuditor(verifier, ModelExecutor(client, embedded))
        return TraceAuditor(verifier, embedded)

    @cached_property
    def shedder(self) -> LoadShedder:
        from groundwire.gate import LoadShedder

        return LoadShedder(self.config)

    async def load(self) -> None:
        """Nothing is asked of what is elsewhere; what fails here fails again where it is used."""
        from anyio.to_thread import run_sync

        from groundwire.model import EvidenceBundle

        with suppress(GroundwireError):
            if getattr(self.backend, "is_pinned", False):
                await self.verify_fact(
                    "The mast is red.", [EvidenceBundle.of("The mast is red.", "mast")], None
                )
            if self.embedder is not None and self.config.evidence.embedder == "embedded":
                await run_sync(self.embedder.embed, ["The mast is red."])

    async def verify_fact(
        self, content: str, bundles: Sequence[EvidenceBundle], confidence: float | None
    ) -> ClaimResult:
        from groundwire.claims import read_claim

        sources = {bundle.source.doc_id: bundle.source for bundle in bundles}
        claim = read_claim(content, list(sources.values()))
        results = await self.verifier_of("memory").verify(
            [claim], await self.evidence(bundles), confidence=confidence
        )
        return results[0]

    async def evidence(self, bundles: Sequence[EvidenceBundle]) -> Evidence:
        """Cut into sentences once: several texts are often checked against the same documents."""
        from anyio.to_thread import run_sync

        from groundwire.judge import Evidence

        known = self._evidence
        if known is None or known.bundles != tuple(bundles):
            known = self._evidence = await run_sync(Evidence, bundles)
        return known

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

    async def compare_facts(self, pairs: Sequence[tuple[str, str]]) -> list[Compared]:
        from groundwire.verify import compare

        return await compare(pairs, self.verifier_of("memory").judge)

    def record(
        self,
        operation: str,
        request_id: str,
        results: Sequence[ClaimResult],
        bundles: Sequence[EvidenceBundle],
    ) -> None:
        """Count and write down what the judge of `check` said."""
        self.records.add(operation, request_id, results, bundles, self.backend)

    def queue(self) -> DurableQueue:
        return self.records.queue()

    def _told(self, message: str) -> None:
        if self.tell is not None:
            self.tell(message)


_MADE_AT_FIRST_USE = (
    "kept_judgements",
    *("backend", "rules", "verifier", "edge_parts"),
    *("answerer", "terminology", "embedder", "clients"),
)
