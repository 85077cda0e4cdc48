"""A diagnosis, or the lack of one, as it is written down."""

from groundwire.model import Abstention, DiagnosisReport
from groundwire.observe import AuditEntry


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
