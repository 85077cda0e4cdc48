"""A report to a diagnosis that knows what it does not know, or to an abstention."""

from groundwire.diagnose._agent import DiagnosisAgent, Drafter, TemplateDrafter
from groundwire.diagnose._audit import audit_entry
from groundwire.diagnose._build import build_agent
from groundwire.diagnose._drafting import LLMDrafter
from groundwire.diagnose._enforce import enforce
from groundwire.diagnose._gate import gate, is_low
from groundwire.diagnose._known import KnownNumbers
from groundwire.diagnose._markdown import to_markdown
from groundwire.diagnose._retriever import Retriever
from groundwire.diagnose._verifier import DraftVerifier, LLMVerifier, RuleVerifier

__all__ = [
    "DiagnosisAgent",
    "DraftVerifier",
    "Drafter",
    "KnownNumbers",
    "LLMDrafter",
    "LLMVerifier",
    "Retriever",
    "RuleVerifier",
    "TemplateDrafter",
    "audit_entry",
    "build_agent",
    "enforce",
    "gate",
    "is_low",
    "to_markdown",
]
