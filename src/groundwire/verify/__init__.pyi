from groundwire.verify._claims import (
    QUEUE_NAME as QUEUE_NAME,
    ClaimVerifier as ClaimVerifier,
    defer as defer,
    verify_deferred as verify_deferred,
)
from groundwire.verify._decide import (
    Rules as Rules,
    StatusDecision as StatusDecision,
    decide as decide,
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
from groundwire.verify._result import Standard as Standard, count_verdicts as count_verdicts
from groundwire.verify._text import (
    OnClaim as OnClaim,
    verify_text as verify_text,
)
