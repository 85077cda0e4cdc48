"""Claim and evidence to bits: one estimator protocol, many engines."""

from groundwire.judge._narrow import Evidence, Sentence
from groundwire.judge._protocol import Backend, Estimate, Question, VerifierBackend

EVIDENCE_REMOVED = "[EVIDENCE REMOVED]"

__all__ = [
    "EVIDENCE_REMOVED",
    "Backend",
    "Estimate",
    "Evidence",
    "Question",
    "Sentence",
    "VerifierBackend",
]
