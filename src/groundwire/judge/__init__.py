"""Claim and evidence to bits: one estimator protocol, many engines."""

from groundwire.judge._protocol import Backend, Estimate, Question, VerifierBackend

__all__ = ["Backend", "Estimate", "Question", "VerifierBackend"]
