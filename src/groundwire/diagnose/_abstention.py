"""No diagnosis, and what is needed for one: quoted, countable, and ready to be acted on."""

from collections.abc import Sequence

from groundwire.diagnose._conclusion import unseen
from groundwire.gate import leading
from groundwire.model import (
    Abstention,
    Action,
    CoverageReport,
    Decision,
    DiagnosisContext,
    Suggestion,
)

MAX_QUOTED = 20
_AUGMENT_INPUTS = ("raw_report", "raw_debug_query", "agent_output", "judge_feedback")


def abstention(
    decision: Decision, context: DiagnosisContext, coverage: CoverageReport
) -> Abstention:
    """What a gate that did not let a report by says to whoever sent it."""
    return Abstention(
        reason=decision.reason or decision.effect,
        message=_message(decision),
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


def _message(decision: Decision) -> str:
    if decision.check == "failed":
        return f"Little is known of this case, and the verifier failed: {decision.message}"
    return decision.message or "No diagnosis is given."


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
