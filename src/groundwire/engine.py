"""The composition root: settings become wired parts, and parts become the calls users make."""

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack, ExitStack
from functools import cache, cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from groundwire.config import Config, load_config
from groundwire.errors import StoreError
from groundwire.gate import publish_gates
from groundwire.guard import DurableQueue, LoopThread
from groundwire.judge import (
    CachedJudge,
    ConfigurableBackend,
    Evidence,
    VerifierBackend,
    build_backend,
)
from groundwire.model import (
    Abstention,
    Answer,
    CausalGraphFile,
    CheckReport,
    Claim,
    ClaimResult,
    DiagnosisReport,
    EvidenceBundle,
    QueueReport,
    Span,
)
from groundwire.observe import AuditEntry, AuditTrail, Log, metrics, request
from groundwire.verify import (
    QUEUE_NAME,
    ClaimVerifier,
    GivenEvidence,
    Rules,
    Standard,
    bundles_of,
    defer,
    require_claim,
    require_text,
    verify_deferred,
    verify_text,
)

if TYPE_CHECKING:
    from groundwire.answer import Answerer
    from groundwire.ground import EdgeOutcome, EdgeParts, GroundingReport, Progress

Result = TypeVar("Result")
_log = Log("engine")


class Engine:
    """Everything Groundwire does, behind one object. Make one and keep it: it holds the caches.

    Work runs on a loop of the engine's own, so an engine may be used from any loop and thread,
    and every call has a twin that waits: `verify_claims` and `verify_claims_sync`.
    """

    def __init__(self, config: Config | None = None) -> None:
        self.config = config or load_config().config
        self._loop = LoopThread("groundwire-engine")
        publish_gates(self.config)

    async def verify_claim(
        self, claim: str, evidence: GivenEvidence, confidence: float | None = None
    ) -> ClaimResult:
        """Test one claim. `confidence` is how surely it was stated, from 0 to 1."""
        return await self._run(self._verify_claim(claim, evidence, confidence))

    def verify_claim_sync(
        self, claim: str, evidence: GivenEvidence, confidence: float | None = None
    ) -> ClaimResult:
        return self._wait(self._verify_claim(claim, evidence, confidence))

    async def verify_claims(self, text: str, context: GivenEvidence) -> CheckReport:
        """Find what a text asserts and test each assertion."""
        return await self._run(self._verify_claims(text, context))

    def verify_claims_sync(self, text: str, context: GivenEvidence) -> CheckReport:
        return self._wait(self._verify_claims(text, context))

    async def diagnose(self, report: str, graph: CausalGraphFile) -> DiagnosisReport | Abstention:
        """Say what may have caused what a report observes, as far as a causal graph knows."""
        return await self._run(self._diagnose(report, graph))

    def diagnose_sync(self, report: str, graph: CausalGraphFile) -> DiagnosisReport | Abstention:
        return self._wait(self._diagnose(report, graph))

    async def ground(
        self,
        paths: Sequence[Path],
        *,
        out: Path | None = None,
        evidence_index: Path | None = None,
        progress: "Progress | None" = None,
    ) -> "GroundingReport":
        """Find what documents say causes what, and test each edge against them [S1].

        The graph is written to `out`. A run that was killed goes on where it stopped.
        """
        return await self._run(self._ground(paths, out, evidence_index, progress))

    def ground_sync(
        self,
        paths: Sequence[Path],
        *,
        out: Path | None = None,
        evidence_index: Path | None = None,
        progress: "Progress | None" = None,
    ) -> "GroundingReport":
        return self._wait(self._ground(paths, out, evidence_index, progress))

    async def verify_edge(
        self, cause: str, effect: str, *, graph: CausalGraphFile | None = None
    ) -> "EdgeOutcome":
        """Test one causal edge against the index, or against the evidence of a graph [S1.6]."""
        return await self._run(self._verify_edge(cause, effect, graph))

    def verify_edge_sync(
        self, cause: str, effect: str, *, graph: CausalGraphFile | None = None
    ) -> "EdgeOutcome":
        return self._wait(self._verify_edge(cause, effect, graph))

    async def ask(self, question: str, *, choice: str | None = None) -> Answer:
        """Answer from documents and the vocabulary. `choice` picks a suggestion by its id."""
        return await self._run(self._ask(question, choice))

    def ask_sync(self, question: str, *, choice: str | None = None) -> Answer:
        return self._wait(self._ask(question, choice))

    async def verify_queued(self) -> QueueReport:
        """Verify what a rate limit put off. The verdicts go into the audit trail [SPEC-08.42]."""
        return await self._run(self._verify_queued())

    def verify_queued_sync(self) -> QueueReport:
        return self._wait(self._verify_queued())

    async def aclose(self) -> None:
        await asyncio.to_thread(self.close)

    def close(self) -> None:
        """Let go of connections and files. A closed engine opens again when it is used."""
        backend = self.__dict__.pop("backend", None)
        if backend is not None and hasattr(backend, "aclose"):
            self._wait(backend.aclose())
        parts = self.__dict__.pop("_edge_parts", None)
        if parts is not None:
            self._wait(parts.aclose())
        trail = self.__dict__.pop("_audit", None)
        if trail is not None:
            trail.close()
        answerer = self.__dict__.pop("answerer", None)
        if answerer is not None:
            self._wait(answerer.aclose())
        self.__dict__.pop("_verifier", None)
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    @cached_property
    def backend(self) -> VerifierBackend:
        """The judge of `check`, as configured."""
        built = build_backend(self.config)
        return built.for_operation("check") if isinstance(built, ConfigurableBackend) else built

    @cached_property
    def answerer(self) -> "Answerer":
        """Who answers questions: opened at the first one, with this engine's judge for drafts."""
        from groundwire.answer import open_answerer

        return open_answerer(self.config, verifier=self._verify_draft)

    @cached_property
    def _verifier(self) -> ClaimVerifier:
        section = self.config.hallucination
        return ClaimVerifier(
            CachedJudge(self.backend, ttl_s=section.cache_ttl.total_seconds()),
            Rules(
                threshold=self.backend.threshold,
                refute_threshold=self.config.judge.refute_threshold,
                on_interval=section.on_interval,
            ),
            Standard(
                target=section.target_confidence,
                flag_threshold_bits=section.output_verification.flag_threshold_bits,
            ),
        )

    @cached_property
    def _edge_parts(self) -> "EdgeParts":
        """Who drafts and judges edges, as configured for the operation `edge`."""
        from groundwire.ground import build_parts

        return build_parts(self.config)

    @cached_property
    def _audit(self) -> AuditTrail | None:
        section = self.config.audit
        if not section.enabled:
            return None
        return AuditTrail(
            self.config.home.expanduser() / "audit.sqlite",
            retention=section.retention,
            max_rows=section.max_rows,
        )

    async def _verify_claim(
        self, claim: str, evidence: GivenEvidence, confidence: float | None = None
    ) -> ClaimResult:
        require_claim(claim, confidence, self.config.limits.max_text_chars)
        bundles = bundles_of(evidence)
        stated = Claim(content=claim.strip(), source=Span(start=0, end=len(claim)))
        with request() as context:
            results = await self._verifier.verify(
                [stated], Evidence(bundles), confidence=confidence
            )
            self._observe("verify_claim", context.request_id, results, bundles)
        return results[0]

    async def _verify_claims(self, text: str, evidence: GivenEvidence) -> CheckReport:
        require_text(text, self.config.limits.max_text_chars)
        bundles = bundles_of(evidence)
        with request() as context:
            report = await verify_text(
                text,
                bundles,
                self._verifier,
                request_id=context.request_id,
                max_claims=self.config.limits.max_claims,
            )
            self._observe("check", context.request_id, report.claims, bundles)
        return report

    async def _verify_queued(self) -> QueueReport:
        with DurableQueue(self._queue_path) as queue:
            drained = await verify_deferred(queue, self._verify_claim)
            return QueueReport(
                verified=drained.done, waiting=queue.depth(), given_up=queue.given_up()
            )

    @property
    def _queue_path(self) -> Path:
        return self.config.home.expanduser() / QUEUE_NAME

    async def _diagnose(self, report: str, graph: CausalGraphFile) -> DiagnosisReport | Abstention:
        from groundwire.diagnose import audit_entry, build_agent
        from groundwire.evidence import make_embedder
        from groundwire.llm import build_client

        async with AsyncExitStack() as open_:
            client = None
            if self.config.diagnosis.drafting == "llm":
                client = await open_.enter_async_context(build_client(self.config))
            embedder = make_embedder(self.config.evidence)
            agent = build_agent(self.config, graph, embedder=embedder, client=client)
            with request() as context:
                outcome = await agent.diagnose(report)
                self._write_down("diagnose", context.request_id, [audit_entry(outcome)])
            return outcome

    def _write_down(self, operation: str, request_id: str, entries: list[AuditEntry]) -> None:
        try:
            if self._audit is not None:
                self._audit.write(operation, request_id, entries)
        except StoreError as error:
            _log.error("audit_not_written", error=str(error), verdicts=len(entries))

    async def _verify_edge(
        self, cause: str, effect: str, graph: CausalGraphFile | None
    ) -> "EdgeOutcome":
        from groundwire.ground import EdgeVerifier, edge_search

        with ExitStack() as opened:
            search = edge_search(self.config, graph, opened)
            verifier = EdgeVerifier(
                self._edge_parts, self.config.verification, search, graph, self._audit
            )
            return await verifier.verify(cause, effect)

    async def _ground(
        self,
        paths: Sequence[Path],
        out: Path | None,
        evidence_index: Path | None,
        progress: "Progress | None",
    ) -> "GroundingReport":
        from groundwire.graph import save_graph
        from groundwire.ground import GroundingSession

        session = GroundingSession(
            self.config,
            paths,
            evidence_index=evidence_index,
            parts=self._edge_parts,
            audit=self._audit,
            progress=progress,
        )
        async with session:
            report = await session.run()
            if out is not None:
                save_graph(report.graph, out)
            session.finish()
        return report

    async def _ask(self, question: str, choice: str | None) -> Answer:
        return await self.answerer.ask(question, choice=choice)

    async def _verify_draft(self, text: str, bundles: Sequence[EvidenceBundle]) -> CheckReport:
        return await self._verify_claims(text, bundles)

    def _observe(
        self,
        operation: str,
        request_id: str,
        results: Sequence[ClaimResult],
        bundles: Sequence[EvidenceBundle],
    ) -> None:
        """Count and write down. A record that cannot be written does not cost the verdict."""
        _count(results)
        prompts = {
            key: value
            for key in ("prompt_id", "prompt_hash")
            if (value := getattr(self.backend, key, None)) is not None
        }
        try:
            if self._audit is not None:
                doc_ids = {bundle.source.doc_id for bundle in bundles}
                self._audit.record(operation, request_id, results, doc_ids, **prompts)
            if any(result.reason == "backend_rate_limited" for result in results):
                with DurableQueue(self._queue_path) as queue:
                    defer(queue, results, bundles, self.backend.context_words)
        except StoreError as error:
            _log.error("audit_not_written", error=str(error), verdicts=len(results))

    async def _run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return await asyncio.wrap_future(self._loop.submit(work))

    def _wait(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self._loop.submit(work).result()


def _count(results: Sequence[ClaimResult]) -> None:
    counted = metrics()
    for result in results:
        backend = result.verifier.backend
        if result.verifier.ran:
            counted.count("claims_verified_total")
            counted.observe("verification_latency_ms", result.verifier.latency_ms, backend=backend)
        if result.status in ("unsupported", "contradicted"):
            counted.count("hallucinations_detected_total", status=result.status)
        if result.status == "unverifiable":
            counted.count("verification_failure_total", reason=result.reason)
        _log.info(
            "claim_verified",
            status=result.status,
            reason=result.reason,
            flagged=result.flagged,
            budget_gap=result.budget_gap,
            backend=backend,
        )


@cache
def default_engine() -> Engine:
    """The engine of the top-level functions: settings from the file and the environment."""
    return Engine()


def verify_claim(
    claim: str, evidence: GivenEvidence, confidence: float | None = None
) -> ClaimResult:
    """Test one claim against evidence [SPEC-08.31]."""
    return default_engine().verify_claim_sync(claim, evidence, confidence)


def verify_claims(text: str, context: GivenEvidence) -> CheckReport:
    """Find what a text asserts and test each assertion against the context [SPEC-08.31]."""
    return default_engine().verify_claims_sync(text, context)
