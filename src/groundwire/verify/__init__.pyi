from groundwire.verify._audit import TraceAuditor as TraceAuditor
from groundwire.verify._audit_report import (
    audit_entries as audit_entries,
    count_audit as count_audit,
    require_steps as require_steps,
)
from groundwire.verify._claims import (
    QUEUE_NAME as QUEUE_NAME,
    ClaimVerifier as ClaimVerifier,
    defer as defer,
    verify_deferred as verify_deferred,
)
from groundwire.verify._compare import (
    Compared as Compared,
    compare as compare,
)
from groundwire.verify._decide import (
    Rules as Rules,
    StatusDecision as StatusDecision,
    decide as decide,
)
from groundwire.verify._executor import (
    EmbeddedExecutor as EmbeddedExecutor,
    Executor as Executor,
    ModelExecutor as ModelExecutor,
)
from groundwire.verify._given import (
    EvidenceLike as EvidenceLike,
    Given as Given,
    GivenEvidence as GivenEvidence,
    evidence_of as evidence_of,
    require_claim as require_claim,
    require_pairs as require_pairs,
    require_text as require_text,
)
from groundwire.verify._response import (
    GivenConversation as GivenConversation,
    Rewrite as Rewrite,
    messages_of as messages_of,
    report_of as report_of,
    rewritten as rewritten,
    risk_of as risk_of,
    sources_of as sources_of,
    unchecked as unchecked,
)
from groundwire.verify._result import Standard as Standard, count_verdicts as count_verdicts
from groundwire.verify._stream import (
    stream_sentences as stream_sentences,
    verify_sentences as verify_sentences,
)
from groundwire.verify._text import (
    OnClaim as OnClaim,
    verify_text as verify_text,
)
