"""Whether the graph knows enough to say anything: decided by counting, before any model call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.gate._gate import Gate
from groundwire.model import Decision

if TYPE_CHECKING:
    from groundwire.config import DiagnosisSection
    from groundwire.model import CoverageReport, DiagnosisContext, RootCause, VerifierVerdict

_CORROBORATED = 2


def coverage_gate(settings: DiagnosisSection) -> Gate:
    return Gate("coverage", enabled=settings.enable_abstain_gate, on_failure="abstain")


def low_coverage_gate(settings: DiagnosisSection) -> Gate:
    """By default an unverified draft under low coverage is not shown."""
    return Gate(
        "low_coverage_verifier",
        enabled=settings.enable_low_coverage_verifier,
        on_failure=settings.on_verifier_failure,
        failure_reason="verifier_failed",
    )


def judge_coverage(
    context: DiagnosisContext, coverage: CoverageReport, settings: DiagnosisSection
) -> Decision:
    """Abstain where too little is known, or where what is known does not decide [S0 1]."""
    if not context.symptoms:
        return _abstain(
            "nothing_observed",
            "The report states no metric and no symptom, so there is nothing to explain.",
            coverage,
        )
    if (
        coverage.root_causes_count < settings.abstain_min_root_causes
        or coverage.causal_chains_count < settings.abstain_min_chains
    ):
        message = "Insufficient CKG coverage to support grounded diagnosis"
        if context.ruled_out and not context.causal_chains:
            message = "The report rules out what is known to cause this, so no diagnosis is given."
        return _abstain("insufficient_coverage", message, coverage)
    if coverage.input_coverage < settings.abstain_min_input_coverage:
        message = "The graph knows too little of what the report says to support a diagnosis."
        return _abstain("input_not_covered", message, coverage)
    undecided = _undecided(context, coverage) if settings.abstain_when_undecided else None
    return undecided or Decision(gate="coverage", looked_at=coverage.figures())


def _undecided(context: DiagnosisContext, coverage: CoverageReport) -> Decision | None:
    """Chains there are, but they do not single out one cause."""
    root = the_root_cause(context)
    if root is None:
        message = "What was observed has several possible root causes and does not tell them apart."
        return _abstain("ambiguous_root_cause", message, coverage)
    if coverage.input_coverage < 1 and not _is_corroborated(context, coverage, root):
        message = "One thing observed points to a cause, and others nobody can explain do not."
        return _abstain("uncorroborated_root_cause", message, coverage)
    return None


def _abstain(reason: str, message: str, coverage: CoverageReport) -> Decision:
    return Decision(
        gate="coverage",
        effect="abstain",
        reason=reason,
        message=message,
        looked_at=coverage.figures(),
    )


def _is_corroborated(context: DiagnosisContext, coverage: CoverageReport, root: RootCause) -> bool:
    """Two statements point to the cause, and it is seen itself, or beats a rival, or is close.

    The only cause the graph happens to know of something is not therefore the cause of it: it
    must be next to what is seen, and little may be left that nobody can explain.
    """
    from groundwire.encoder import reader_calibration

    chains = [chain for chain in context.causal_chains if chain.nodes[0] == root.id]
    observed = set(root.explains)
    said = {one.statement for one in context.matched_entities if one.id in observed}
    is_preferred = root.id in observed or len(context.root_causes) > 1
    is_next = any(chain.nodes[1] in observed for chain in chains)
    enough = reader_calibration().diagnosis.sole_cause_coverage
    is_close = is_next and coverage.input_coverage >= enough
    return len(said) >= _CORROBORATED and (is_preferred or is_close)


def leading(context: DiagnosisContext) -> tuple[RootCause, ...]:
    """The root causes that explain most of what was observed; several when they are tied."""
    if not context.root_causes:
        return ()
    most = len(context.root_causes[0].explains)
    return tuple(one for one in context.root_causes if len(one.explains) == most)


def the_root_cause(context: DiagnosisContext) -> RootCause | None:
    """The one that leads; of several in one document's story the one furthest back, if one is."""
    tied = leading(context)
    if len(tied) <= 1:
        return tied[0] if tied else None
    chains = {
        root.id: [one for one in context.causal_chains if one.nodes[0] == root.id] for root in tied
    }
    used = {edge for ways in chains.values() for one in ways for edge in one.edges}
    told_by = {
        quoted.quote.doc_id
        for edge in context.subgraph.edges
        if edge.id in used
        for quoted in edge.evidence
    }
    depths = {root.id: max((len(one.nodes) for one in chains[root.id]), default=0) for root in tied}
    deepest = [root for root in tied if depths[root.id] == max(depths.values())]
    return deepest[0] if len(told_by) == 1 and len(deepest) == 1 else None


def is_low(coverage: CoverageReport, settings: DiagnosisSection) -> bool:
    """Whether a draft needs the verifier [S0 3]."""
    return (
        coverage.root_causes_count == 0
        or coverage.causal_chains_count == 0
        or coverage.required_nodes_count < settings.min_required_nodes
        or coverage.matched_entities_count == 0
    )


def judge_draft(verdict: VerifierVerdict, coverage: CoverageReport) -> Decision:
    """What the verifier of drafts said; a draft that it rewrote is let through as rewritten."""
    looked_at = coverage.figures()
    if verdict.status == "ABSTAIN":
        return Decision(
            gate="low_coverage_verifier",
            effect="abstain",
            reason="verifier_abstained",
            message="Little is known of this case, and the verifier let no draft stand.",
            looked_at=looked_at,
        )
    return Decision(gate="low_coverage_verifier", looked_at=looked_at)
