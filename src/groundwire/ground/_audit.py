"""Every verdict on an edge in the audit trail, with what was searched for it [S1 step 7]."""

from groundwire.errors import StoreError
from groundwire.ground._types import EdgeOutcome
from groundwire.observe import AuditEntry, AuditTrail, Log, request

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
