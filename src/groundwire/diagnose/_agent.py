"""The diagnosis agent: retrieve, gate, draft, enforce, verify [S0]."""

from typing import Protocol

from groundwire.config import Config, DiagnosisSection
from groundwire.diagnose import _report
from groundwire.diagnose._conclusion import abstention, missing_knowledge
from groundwire.diagnose._drafting import DraftVerifier, LLMDrafter, LLMVerifier, RuleVerifier
from groundwire.diagnose._enforce import enforce
from groundwire.diagnose._retriever import Retriever
from groundwire.diagnose._telling import Telling
from groundwire.errors import BackendError, InputError
from groundwire.gate import coverage_gate, is_low, judge_coverage, judge_draft, low_coverage_gate
from groundwire.graph import CausalKnowledgeGraph, Embedder, coverage_of
from groundwire.llm import LLMClient
from groundwire.model import (
    Abstention,
    CausalGraphFile,
    CoverageReport,
    Decision,
    Diagnosis,
    DiagnosisContext,
    DiagnosisReport,
    VerifierOutcome,
    VerifierVerdict,
)
from groundwire.observe import AuditEntry, Log, metrics, request, span


def audit_entry(outcome: DiagnosisReport | Abstention) -> AuditEntry:
    detail = outcome.model_dump(mode="json")
    if isinstance(outcome, Abstention):
        return AuditEntry("", outcome.mode, outcome.reason, backend="gate", detail=detail)
    found = outcome.diagnosis
    return AuditEntry(
        claim=f"Root cause: {found.conclusion.root_cause}",
        status=outcome.mode,
        reason=f"confidence_{found.conclusion.confidence}",
        backend=outcome.drafted_by,
        detail=detail,
        doc_ids=tuple(one.doc_id for fact in found.ckg_grounded_facts for one in fact.evidence),
    )


MAX_REPORT_CHARS = 1_000_000
_log = Log("diagnose")


class Drafter(Protocol):
    name: str

    async def draft(self, context: DiagnosisContext, coverage: CoverageReport) -> Diagnosis: ...


class TemplateDrafter:
    name = "template"

    async def draft(self, context: DiagnosisContext, coverage: CoverageReport) -> Diagnosis:
        return _report.drafted(context, coverage)


class DiagnosisAgent:
    """Diagnoses reports over one graph. No model is asked before the gate has let a report by.

    A drafter that fails is replaced by the template, which needs nobody. A verifier that fails
    leaves the draft unverified, and an unverified draft under low coverage is not shown.
    """

    def __init__(
        self,
        retriever: Retriever,
        settings: DiagnosisSection | None = None,
        *,
        drafter: Drafter | None = None,
        verifier: DraftVerifier | None = None,
        max_chars: int = MAX_REPORT_CHARS,
    ) -> None:
        self._retriever = retriever
        self._settings = settings or DiagnosisSection()
        self._drafter = drafter or TemplateDrafter()
        self._verifier = verifier or RuleVerifier()
        self._max_chars = max_chars
        self._coverage_gate = coverage_gate(self._settings)
        self._draft_gate = low_coverage_gate(self._settings)

    async def diagnose(self, report: str) -> DiagnosisReport | Abstention:
        self._check(report)
        with request() as running, span("diagnose", drafter=self._drafter.name):
            context = self._retriever.retrieve(report)
            coverage = coverage_of(context)
            decision = self._coverage_gate.run(
                lambda: judge_coverage(context, coverage, self._settings)
            )
            outcome = (
                await self._drafted(context, coverage, running.request_id)
                if decision.lets_through
                else abstention(decision, context, coverage)
            )
            _observe(outcome, coverage)
        return outcome

    def _check(self, report: str) -> None:
        if not report.strip():
            raise InputError("The report is empty.", hint="Give a report with what was observed.")
        if len(report) > self._max_chars:
            raise InputError(
                f"The report has {len(report):,} characters; {self._max_chars:,} can be read.",
                hint="Give the part that says what was observed, or raise limits.max_text_chars.",
            )

    async def _drafted(
        self, context: DiagnosisContext, coverage: CoverageReport, request_id: str
    ) -> DiagnosisReport | Abstention:
        draft, drafted_by = await self._draft(context, coverage)
        verdict: VerifierVerdict | None = None

        async def check() -> Decision:
            nonlocal verdict
            verdict = await self._verifier.verify(draft, context, coverage)
            return judge_draft(verdict, coverage)

        is_needed = is_low(coverage, self._settings)
        gate = self._draft_gate
        decision = await gate.arun(check) if is_needed else gate.skip("not_needed")
        if not decision.lets_through:
            return abstention(decision, context, coverage)
        if verdict and verdict.status == "NEEDS_REWRITE" and verdict.rewritten_report is not None:
            draft = verdict.rewritten_report
        held, problems = enforce(draft, context, coverage)
        if decision.effect == "degrade":
            held = _with_low_confidence(held)
        found = verdict.problems if verdict else ()
        return DiagnosisReport(
            diagnosis=held,
            coverage=coverage,
            missing_knowledge=missing_knowledge(context),
            drafted_by=drafted_by,
            verifier=_verifier_status(verdict, decision),
            problems=tuple(dict.fromkeys((*found, *problems))),
            similar_incidents=context.similar_incidents,
            request_id=request_id,
        )

    async def _draft(
        self, context: DiagnosisContext, coverage: CoverageReport
    ) -> tuple[Diagnosis, str]:
        try:
            return await self._drafter.draft(context, coverage), self._drafter.name
        except BackendError as error:
            _log.warn("draft_failed", drafter=self._drafter.name, error=str(error))
            return _report.drafted(context, coverage), TemplateDrafter.name


def _verifier_status(verdict: VerifierVerdict | None, decision: Decision) -> VerifierOutcome:
    if verdict is not None:
        return verdict.status
    if decision.check == "failed":
        return "failed"
    return "off" if decision.reason == "disabled" else "not_needed"


def _with_low_confidence(held: Diagnosis) -> Diagnosis:
    conclusion = held.conclusion.model_copy(update={"confidence": "low"})
    return held.model_copy(update={"conclusion": conclusion})


def _observe(outcome: DiagnosisReport | Abstention, coverage: CoverageReport) -> None:
    if isinstance(outcome, Abstention):
        metrics().count("diagnosis_abstained_total", reason=outcome.reason)
        _log.info("diagnosis_abstained", reason=outcome.reason, **coverage.figures())
        return
    confidence = outcome.diagnosis.conclusion.confidence
    metrics().count("diagnosis_made_total", confidence=confidence)
    for problem in outcome.problems:
        metrics().count("diagnosis_enforced_total", type=problem.type)
    _log.info(
        "diagnosis_made",
        confidence=confidence,
        drafted_by=outcome.drafted_by,
        verifier=outcome.verifier,
        problems=len(outcome.problems),
        **coverage.figures(),
    )


def build_agent(
    config: Config,
    graph: CausalGraphFile,
    *,
    embedder: Embedder | None = None,
    client: LLMClient | None = None,
) -> DiagnosisAgent:
    """The agent of these settings; with a `client`, it drafts and, on low coverage, verifies."""
    telling = Telling()
    return DiagnosisAgent(
        Retriever(
            CausalKnowledgeGraph(graph),
            embedder,
            config.diagnosis,
            telling,
            telling.refutes,
            bears=telling.bears,
        ),
        config.diagnosis,
        drafter=LLMDrafter(client) if client else None,
        verifier=LLMVerifier(client) if client else None,
        max_chars=config.limits.max_text_chars,
    )
