"""Claim and evidence to bits: one estimator protocol, many engines."""

from groundwire.judge._bits import CLAMP, Budget, budget, clamped, kl_bits
from groundwire.judge._build import build_backend, embedded_backend
from groundwire.judge._cached import CachedJudge, Judged
from groundwire.judge._canaries import CanaryWatch
from groundwire.judge._configurable import ConfigurableBackend
from groundwire.judge._embedded import EmbeddedBackend
from groundwire.judge._external import ExternalBackend
from groundwire.judge._llm_backend import LLMBackend
from groundwire.judge._narrow import Evidence, Sentence
from groundwire.judge._protocol import Backend, Estimate, Question, VerifierBackend
from groundwire.judge._scrub import EVIDENCE_REMOVED, scrub, scrubbed_context, supporting
from groundwire.judge.facts import EvidenceValues, Finding, check_values

__all__ = [
    "CLAMP",
    "EVIDENCE_REMOVED",
    "Backend",
    "Budget",
    "CachedJudge",
    "CanaryWatch",
    "ConfigurableBackend",
    "EmbeddedBackend",
    "Estimate",
    "Evidence",
    "EvidenceValues",
    "ExternalBackend",
    "Finding",
    "Judged",
    "LLMBackend",
    "Question",
    "Sentence",
    "VerifierBackend",
    "budget",
    "build_backend",
    "check_values",
    "clamped",
    "embedded_backend",
    "kl_bits",
    "scrub",
    "scrubbed_context",
    "supporting",
]
