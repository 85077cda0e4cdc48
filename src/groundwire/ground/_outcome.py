"""Every verdict on an edge in the audit trail, with what was searched for it [S1 step 7]."""

from collections.abc import Sequence

from groundwire.errors import StoreError
from groundwire.ground._belief import belief_of, strength_of
from groundwire.ground._evidence import EdgeReader, against_of, support_of
from groundwire.ground._judge import assumption_from, conditions_in
from groundwire.ground._types import (
    AdversarialVerdict,
    EdgeOutcome,
    Hypothesis,
    LoopState,
    Passage,
)
from groundwire.model import CausalEdge, EdgeEvidence, EvidenceBundle
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
    "not_mentioned": "No passage that was found names both.",
    "no_evidence": "Nothing was found.",
    "low_confidence": "What was found is not sure enough.",
    "quote_not_found": "The judge quoted words that stand in no source.",
    "no_quote": "The judge quoted nothing.",
    "variables_not_in_quote": "The quoted words do not name both.",
    "exhausted_refinements": "The judge asked for a search that had been made.",
    "irrelevant": "The judge called the passages irrelevant.",
}


class OutcomeBuilder:
    def __init__(self, reader: EdgeReader) -> None:
        self._reader = reader

    def settled(
        self, hypothesis: Hypothesis, state: LoopState, *, accepted: bool, judge: str
    ) -> EdgeOutcome:
        against = against_of(hypothesis, self._reader, state)
        if accepted:
            support = support_of(hypothesis, self._reader, state, state.verdicts[-1])
            belief = belief_of(support, against)
            edge = hypothesis.edge.model_copy(
                update={
                    "edge_status": "grounded",
                    "reason": "supported",
                    "message": _supported(support),
                    "belief": belief,
                    "evidence_strength": strength_of(belief or 0.0),
                    "evidence": tuple(support),
                    "conditions": tuple(
                        dict.fromkeys(
                            condition
                            for one in support
                            for condition in conditions_in(one.quote.quote)
                        )
                    ),
                }
            )
        else:
            edge = self._rejected(hypothesis, state, against)
        edge = edge.model_copy(
            update={"refutations": tuple(against), "attempted_queries": tuple(state.asked)}
        )
        return self._outcome(edge, state, judge)

    def undetermined(
        self, hypothesis: Hypothesis, state: LoopState, *, reason: str, message: str, judge: str
    ) -> EdgeOutcome:
        edge = hypothesis.edge.model_copy(
            update={
                "edge_status": "draft",
                "reason": reason,
                "message": message,
                "attempted_queries": tuple(state.asked),
            }
        )
        return self._outcome(edge, state, judge)

    def attacked(
        self, hypothesis: Hypothesis, outcome: EdgeOutcome, verdict: AdversarialVerdict
    ) -> EdgeOutcome:
        alternatives = verdict.alternative_explanations
        update: dict[str, object] = {
            "assumptions": tuple(assumption_from(one, hypothesis) for one in alternatives),
            "conditions": tuple(
                dict.fromkeys(
                    [
                        *outcome.edge.conditions,
                        *(found for one in alternatives for found in conditions_in(one)),
                    ]
                )
            ),
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

    def _rejected(
        self, hypothesis: Hypothesis, state: LoopState, against: Sequence[EdgeEvidence]
    ) -> CausalEdge:
        said = state.verdicts[-1].rejection_reason if state.verdicts else "no_evidence"
        reason, _, detail = (said or "judge_said_no").partition(": ")
        if reason not in _MESSAGES:
            reason, detail = "judge_said_no", said or ""
        message = _MESSAGES.get(reason, "The judge said no.")
        return hypothesis.edge.model_copy(
            update={
                "edge_status": "rejected",
                "reason": reason,
                "message": f"{message} {detail}".strip(),
                "belief": belief_of([], against),
            }
        )

    def _outcome(self, edge: CausalEdge, state: LoopState, judge: str) -> EdgeOutcome:
        metrics().count(
            "grounding_edges_total", status=edge.edge_status, reason=edge.reason or "none"
        )
        return EdgeOutcome(
            edge=edge,
            evidence=_used(edge, list(state.passages.values())),
            verdicts=tuple(state.verdicts),
            iterations=state.iteration,
            judge=judge,
        )


def _used(edge: CausalEdge, passages: Sequence[Passage]) -> tuple[EvidenceBundle, ...]:
    wanted = {one.evidence_id for one in (*edge.evidence, *edge.refutations)}
    return tuple(passage.bundle for passage in passages if passage.id in wanted)


def _supported(support: Sequence[EdgeEvidence]) -> str:
    sources = len({one.quote.doc_id for one in support})
    return f"{sources} source{'s' if sources != 1 else ''} state{'s' if sources == 1 else ''} it."
