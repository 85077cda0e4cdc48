"""Every verdict on an edge in the audit trail, with what was searched for it [S1 step 7]."""

from collections.abc import Mapping, Sequence

from groundwire.errors import GroundwireError, StoreError
from groundwire.ground._belief import belief_of, strength_of
from groundwire.ground._evidence import EdgeReader, against_of, support_of
from groundwire.ground._judge import conditions_in
from groundwire.ground._types import (
    AdversarialVerdict,
    EdgeJudge,
    EdgeOutcome,
    Hypothesis,
    LoopState,
)
from groundwire.model import EdgeEvidence
from groundwire.observe import AuditEntry, AuditTrail, Log, metrics, request

_log = Log("grounding")


def record(audit: AuditTrail | None, operation: str, outcome: EdgeOutcome) -> None:
    """A record that cannot be written does not cost the verdict."""
    if audit is None:
        return
    edge = outcome.edge
    entry = AuditEntry(
        claim=f"{edge.from_var} causes {edge.to_var}",
        status=edge.edge_status,
        reason=edge.reason or "none",
        backend=outcome.judge,
        detail=outcome.model_dump(mode="json", exclude={"evidence"}),
        doc_ids=tuple({bundle.source.doc_id for bundle in outcome.evidence}),
    )
    with request() as context:
        try:
            audit.write(operation, context.request_id, [entry])
        except StoreError as error:
            _log.error("audit_not_written", error=str(error))


_MESSAGES = {
    "correlation_only": "The sources say that the two go together, not that one causes the other.",
    "reversed": "The sources state the opposite direction.",
    "refuted": "The sources deny it.",
    "hypothetical": "The sources only suppose it.",
    "no_causal_statement": "The sources name both, but say nothing of one causing the other.",
    "not_confirmed": "The wording joins them; the learned reader does not read a cause there:",
    "not_supported": "The wording joins them; the judge does not find it supported by:",
    "not_mentioned": "No passage that was found names both.",
    "no_evidence": "Nothing was found.",
    "low_confidence": "What was found is not sure enough.",
    "quote_not_found": "The judge quoted words that stand in no source.",
    "no_quote": "The judge quoted nothing.",
    "variables_not_in_quote": "The quoted words do not name both.",
    "exhausted_refinements": "The judge asked for a search that had been made.",
    "irrelevant": "The judge called the passages irrelevant.",
}


def grounded(
    hypothesis: Hypothesis, state: LoopState, reader: EdgeReader, judge: EdgeJudge
) -> EdgeOutcome:
    against = against_of(hypothesis, reader, state)
    support = support_of(hypothesis, reader, state, state.verdicts[-1])
    belief = belief_of(support, against)
    update = {
        "edge_status": "grounded",
        "reason": "supported",
        "message": _supported(support),
        "belief": belief,
        "evidence_strength": strength_of(belief or 0.0),
        "evidence": tuple(support),
        "refutations": tuple(against),
        "conditions": conditions_in(one.quote.quote for one in support),
    }
    return _outcome(hypothesis, state, judge, update)


def rejected(
    hypothesis: Hypothesis, state: LoopState, reader: EdgeReader, judge: EdgeJudge
) -> EdgeOutcome:
    against = against_of(hypothesis, reader, state)
    said = state.verdicts[-1].rejection_reason if state.verdicts else "no_evidence"
    reason, _, detail = (said or "judge_said_no").partition(": ")
    if reason not in _MESSAGES:
        reason, detail = "judge_said_no", said or ""
    message = _MESSAGES.get(reason, "The judge said no.")
    update = {
        "edge_status": "rejected",
        "reason": reason,
        "message": f"{message} {detail}".strip(),
        "belief": belief_of([], against),
        "refutations": tuple(against),
    }
    return _outcome(hypothesis, state, judge, update)


def undetermined(
    hypothesis: Hypothesis, state: LoopState, reason: str, error: GroundwireError, judge: EdgeJudge
) -> EdgeOutcome:
    _log.warn("edge_undetermined", edge=hypothesis.edge.id, reason=reason, error=str(error))
    update = {"edge_status": "draft", "reason": reason, "message": str(error)}
    return _outcome(hypothesis, state, judge, update)


def attacked(
    hypothesis: Hypothesis, outcome: EdgeOutcome, verdict: AdversarialVerdict
) -> EdgeOutcome:
    alternatives = verdict.alternative_explanations
    conditions = (*outcome.edge.conditions, *conditions_in(alternatives))
    update: dict[str, object] = {
        "assumptions": tuple(
            f"{one} does not account for {hypothesis.effect.label} by itself"
            for one in alternatives
        ),
        "conditions": tuple(dict.fromkeys(conditions)),
    }
    if not verdict.still_grounded:
        update |= {
            "edge_status": "rejected",
            "reason": "adversarial",
            "message": "Another explanation fits the evidence: "
            + ("; ".join(alternatives) or verdict.rejection_reason or "not named"),
        }
        metrics().count("grounding_adversarial_rejections_total")
    edge = outcome.edge.model_copy(update=update)
    return outcome.model_copy(update={"edge": edge, "adversarial": verdict})


def _outcome(
    hypothesis: Hypothesis, state: LoopState, judge: EdgeJudge, update: Mapping[str, object]
) -> EdgeOutcome:
    edge = hypothesis.edge.model_copy(update={**update, "attempted_queries": tuple(state.asked)})
    metrics().count("grounding_edges_total", status=edge.edge_status, reason=edge.reason or "none")
    used = {one.evidence_id for one in (*edge.evidence, *edge.refutations)}
    return EdgeOutcome(
        edge=edge,
        evidence=tuple(one.bundle for one in state.passages.values() if one.id in used),
        verdicts=tuple(state.verdicts),
        iterations=state.iteration,
        judge=judge.name,
    )


def _supported(support: Sequence[EdgeEvidence]) -> str:
    sources = len({one.quote.doc_id for one in support})
    return f"{sources} source{'s' if sources != 1 else ''} state{'s' if sources == 1 else ''} it."
