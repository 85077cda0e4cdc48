"""Evidence to verdict: what a text, an edge, a trace or an agent says, tested."""

from groundwire.verify._claims import ClaimVerifier
from groundwire.verify._decide import Decision, Rules, decide
from groundwire.verify._deferred import QUEUE_NAME, put_off, verify_put_off
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
    "Decision",
    "GivenEvidence",
    "Rules",
    "Standard",
    "bundles_of",
    "decide",
    "put_off",
    "require_claim",
    "require_text",
    "verify_put_off",
    "verify_text",
]
