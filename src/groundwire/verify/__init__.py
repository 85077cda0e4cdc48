"""Evidence to verdict: what a text, an edge, a trace or an agent says, tested."""

from groundwire.verify._claims import ClaimVerifier
from groundwire.verify._decide import Decision, Rules, decide
from groundwire.verify._inputs import GivenEvidence, bundles_of, require_claim, require_text
from groundwire.verify._result import Standard
from groundwire.verify._text import verify_text

__all__ = [
    "ClaimVerifier",
    "Decision",
    "GivenEvidence",
    "Rules",
    "Standard",
    "bundles_of",
    "decide",
    "require_claim",
    "require_text",
    "verify_text",
]
