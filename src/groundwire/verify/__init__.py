"""Evidence to verdict: what a text, an edge, a trace or an agent says, tested."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.verify._claims import ClaimVerifier
    from groundwire.verify._decide import Rules, StatusDecision, decide
    from groundwire.verify._deferred import QUEUE_NAME, defer, verify_deferred
    from groundwire.verify._record import count_verdicts
    from groundwire.verify._result import Standard
    from groundwire.verify._text import (
        GivenEvidence,
        bundles_of,
        require_claim,
        require_text,
        verify_text,
    )

__all__ = [
    "QUEUE_NAME",
    "ClaimVerifier",
    "GivenEvidence",
    "Rules",
    "Standard",
    "StatusDecision",
    "bundles_of",
    "count_verdicts",
    "decide",
    "defer",
    "require_claim",
    "require_text",
    "verify_deferred",
    "verify_text",
]

__getattr__ = door(
    __name__,
    {
        "_claims": "ClaimVerifier",
        "_decide": "Rules StatusDecision decide",
        "_deferred": "QUEUE_NAME defer verify_deferred",
        "_record": "count_verdicts",
        "_result": "Standard",
        "_text": "GivenEvidence bundles_of require_claim require_text verify_text",
    },
)
