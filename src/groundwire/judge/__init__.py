"""Claim and evidence to bits: one estimator protocol, many engines."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.judge._bits import CLAMP, Budget, budget, clamped, kl_bits
    from groundwire.judge._build import (
        JUDGES,
        ConfigurableBackend,
        JudgeFactory,
        build_backend,
        build_judge,
    )
    from groundwire.judge._cached import CachedJudge, Judged, together
    from groundwire.judge._canaries import CanaryWatch
    from groundwire.judge._cascade import CascadeBackend
    from groundwire.judge._deep import DeepBackend, TextReader, build_deep
    from groundwire.judge._deep_model import join_model, usual_place
    from groundwire.judge._embedded import EmbeddedBackend, embedded_backend
    from groundwire.judge._external import ExternalBackend
    from groundwire.judge._llm_backend import LLMBackend
    from groundwire.judge._narrow import Evidence, Sentence
    from groundwire.judge._prompt import Fence
    from groundwire.judge._protocol import Backend, Estimate, Question, VerifierBackend
    from groundwire.judge._scrub import (
        EVIDENCE_REMOVED,
        scrub,
        scrubbed_context,
        supporting,
        with_and_without,
    )
    from groundwire.judge.facts import EvidenceValues, Finding, check_values

__all__ = [
    "CLAMP",
    "EVIDENCE_REMOVED",
    "JUDGES",
    "Backend",
    "Budget",
    "CachedJudge",
    "CanaryWatch",
    "CascadeBackend",
    "ConfigurableBackend",
    "DeepBackend",
    "EmbeddedBackend",
    "Estimate",
    "Evidence",
    "EvidenceValues",
    "ExternalBackend",
    "Fence",
    "Finding",
    "JudgeFactory",
    "Judged",
    "LLMBackend",
    "Question",
    "Sentence",
    "TextReader",
    "VerifierBackend",
    "budget",
    "build_backend",
    "build_deep",
    "build_judge",
    "check_values",
    "clamped",
    "embedded_backend",
    "join_model",
    "kl_bits",
    "scrub",
    "scrubbed_context",
    "supporting",
    "together",
    "usual_place",
    "with_and_without",
]

__getattr__ = door(
    __name__,
    {
        "_bits": "CLAMP Budget budget clamped kl_bits",
        "_build": "JUDGES ConfigurableBackend JudgeFactory build_backend build_judge",
        "_cached": "CachedJudge Judged together",
        "_canaries": "CanaryWatch",
        "_cascade": "CascadeBackend",
        "_deep": "DeepBackend TextReader build_deep",
        "_deep_model": "join_model usual_place",
        "_embedded": "EmbeddedBackend embedded_backend",
        "_external": "ExternalBackend",
        "_llm_backend": "LLMBackend",
        "_narrow": "Evidence Sentence",
        "_prompt": "Fence",
        "_protocol": "Backend Estimate Question VerifierBackend",
        "_scrub": "EVIDENCE_REMOVED scrub scrubbed_context supporting with_and_without",
        "facts": "EvidenceValues Finding check_values",
    },
)
