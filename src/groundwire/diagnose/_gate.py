"""Whether the graph knows enough to say anything: decided by counting, before any model call."""

from collections.abc import Sequence

from groundwire.config import DiagnosisSection
from groundwire.diagnose._conclusion import leading, the_root_cause, unseen
from groundwire.encoder import embedder_calibration
from groundwire.model import (
    Abstention,
    Action,
    CoverageReport,
    DiagnosisContext,
    RootCause,
    Suggestion,
)

MAX_QUOTED = 20
_CORROBORATED = 2
_AUGMENT_INPUTS = ("raw_report", "raw_debug_query", "agent_output", "judge_feedback")

NOTHING_OBSERVED = "nothing_observed"
INSUFFICIENT = "insufficient_coverage"
INPUT_NOT_COVERED = "input_not_covered"
AMBIGUOUS = "ambiguous_root_cause"
UNCORROBORATED = "uncorroborated_root_cause"
VERIFIER_ABSTAINED = "verifier_abstained"
VERIFIER_FAILED = "verifier_failed"


def gate(
    context: DiagnosisContext, coverage: CoverageReport, settings: DiagnosisSection
) -> Abstention | None:
    """The abstention that coverage calls for, if any [S0 1]."""
    if not settings.enable_abstain_gate:
        return None
    if not context.symptoms:
        return abstention(
            NOTHING_OBSERVED,
            "The report states no metric and no symptom, so there is nothing to explain.",
            context,
            coverage,
        )
    if (
        coverage.root_causes_count < settings.abstain_min_root_causes
        or coverage.causal_chains_count < settings.abstain_min_chains
    ):
        return abstention(
            INSUFFICIENT,
            "Insufficient CKG coverage to support grounded diagnosis",
            context,
            coverage,
        )
    if coverage.input_coverage < settings.abstain_min_input_coverage:
        message = "The graph knows too little of what the report says to support a diagnosis."
        return abstention(INPUT_NOT_COVERED, message, context, coverage)
    return _undecided(context, coverage) if settings.abstain_when_undecided else None


def _undecided(context: DiagnosisContext, coverage: CoverageReport) -> Abstention | None:
    """Chains there are, but they do not single out one cause."""
    root = the_root_cause(context)
    if root is None:
        message = "What was observed has several possible root causes and does not tell them apart."
        return abstention(AMBIGUOUS, message, context, coverage)
    if coverage.input_coverage < 1 and not _is_corroborated(context, coverage, root):
        message = "One thing observed points to a cause, and others nobody can explain do not."
        return abstention(UNCORROBORATED, message, context, coverage)
    return None


def _is_corroborated(context: DiagnosisContext, coverage: CoverageReport, root: RootCause) -> bool:
    """Two statements point to the cause, and it is seen itself, or beats a rival, or is close.

    The only cause the graph happens to know of something is not therefore the cause of it: it
    must be next to what is seen, and little may be left that nobody can explain.
    """
    chains = [chain for chain in context.causal_chains if chain.nodes[0] == root.id]
    observed = set(root.explains)
    said = {one.statement for one in context.matched_entities if one.id in observed}
    is_preferred = root.id in observed or len(context.root_causes) > 1
    is_next = any(chain.nodes[1] in observed for chain in chains)
    enough = embedder_calibration().diagnosis.sole_cause_coverage
    is_close = is_next and coverage.input_coverage >= enough
    return len(said) >= _CORROBORATED and (is_preferred or is_close)


def is_low(coverage: CoverageReport, settings: DiagnosisSection) -> bool:
    """Whether a draft needs the verifier [S0 3]."""
    return (
        coverage.root_causes_count == 0
        or coverage.causal_chains_count == 0
        or coverage.required_nodes_count < settings.min_required_nodes
        or coverage.matched_entities_count == 0
    )


def abstention(
    reason: str, message: str, context: DiagnosisContext, coverage: CoverageReport
) -> Abstention:
    """No diagnosis, and what is needed for one: quoted, countable, and ready to be acted on."""
    return Abstention(
        reason=reason,
        message=message,
        observations=tuple(one.statement for one in context.symptoms[:MAX_QUOTED]),
        missing_knowledge=missing_knowledge(context),
        coverage=coverage.figures(),
        suggestions=_candidates(context),
        action=Action.model_validate(
            {
                "next_step": "REQUEST_MORE_DATA_OR_AUGMENT_CKG",
                "suggested_ckg_augment_inputs": _AUGMENT_INPUTS,
                "suggested_command": "gw ground DOC... --out GRAPH",
                "ground_documents_about": _wanted(context),
            }
        ),
    )


def _candidates(context: DiagnosisContext) -> tuple[Suggestion, ...]:
    """Causes that may be looked into; none of them is claimed."""
    return tuple(
        Suggestion(
            id=root.id,
            label=root.label,
            kind="possible_root_cause",
            detail=f"look for: {', '.join(away)}" if (away := unseen(context, root)) else None,
        )
        for root in leading(context)[:MAX_QUOTED]
    )


def missing_knowledge(context: DiagnosisContext) -> tuple[str, ...]:
    """What the graph would have to know, most pressing first."""
    unbound = [one.statement for one in context.symptoms if not one.bound_to]
    missing = [f"Nothing in the graph is about: “{one}”" for one in unbound[:MAX_QUOTED]]
    missing += [f"No cause of {one!r} is known." for one in _without_cause(context)]
    tied = leading(context)
    if len(tied) > 1:
        names = ", ".join(repr(root.label) for root in tied)
        missing.append(f"What would tell these causes apart: {names}.")
    if not context.symptoms:
        missing.append("A metric or a symptom: what was measured or seen, and how much.")
    return tuple(missing)


def _without_cause(context: DiagnosisContext) -> Sequence[str]:
    explained = {node for chain in context.causal_chains for node in chain.nodes}
    return [
        one.label
        for one in context.matched_entities
        if not one.is_absent and one.id not in explained
    ]


def _wanted(context: DiagnosisContext) -> tuple[str, ...]:
    """What documents should speak of, to close the gap."""
    unbound = [one.statement for one in context.symptoms if not one.bound_to]
    causes = [f"what causes {one}" for one in _without_cause(context)]
    return tuple((unbound + causes)[:MAX_QUOTED])
