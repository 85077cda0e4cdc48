"""Claim and evidence to bits: one estimator protocol, many engines."""

from groundwire.judge._build import build_backend
from groundwire.judge._canaries import CanaryWatch
from groundwire.judge._configurable import ConfigurableBackend
from groundwire.judge._external import ExternalBackend
from groundwire.judge._llm_backend import LLMBackend
from groundwire.judge._narrow import Evidence, Sentence
from groundwire.judge._protocol import Backend, Estimate, Question, VerifierBackend
from groundwire.judge.facts import EvidenceValues, Finding, check_values

EVIDENCE_REMOVED = "[EVIDENCE REMOVED]"

__all__ = [
    "EVIDENCE_REMOVED",
    "Backend",
    "CanaryWatch",
    "ConfigurableBackend",
    "Estimate",
    "Evidence",
    "EvidenceValues",
    "ExternalBackend",
    "Finding",
    "LLMBackend",
    "Question",
    "Sentence",
    "VerifierBackend",
    "build_backend",
    "check_values",
]
