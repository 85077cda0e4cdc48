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
from groundwire.verify._result import Standard as Standard, count_verdicts as count_verdicts
from groundwire.verify._text import (
    GivenEvidence as GivenEvidence,
    bundles_of as bundles_of,
    require_claim as require_claim,
    require_text as require_text,
    verify_text as verify_text,
)
