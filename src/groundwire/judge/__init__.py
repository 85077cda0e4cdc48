"""Claim and evidence to bits: one estimator protocol, many engines, and a tier without a model."""

from groundwire.judge._protocol import Backend, Estimate, Question, VerifierBackend
from groundwire.judge.facts import EvidenceValues, Finding, check_values

__all__ = [
    "Backend",
    "Estimate",
    "EvidenceValues",
    "Finding",
    "Question",
    "VerifierBackend",
    "check_values",
]
