"""A report to a diagnosis that knows what it does not know, or to an abstention."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.diagnose._abstention import abstention
    from groundwire.diagnose._agent import (
        DiagnosisAgent,
        Drafter,
        TemplateDrafter,
        audit_entry,
        build_agent,
    )
    from groundwire.diagnose._conclusion import KnownNumbers
    from groundwire.diagnose._drafting import DraftVerifier, LLMDrafter, LLMVerifier, RuleVerifier
    from groundwire.diagnose._enforce import enforce
    from groundwire.diagnose._report import to_markdown
    from groundwire.diagnose._retriever import Retriever

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
    "abstention",
    "audit_entry",
    "build_agent",
    "enforce",
    "to_markdown",
]

__getattr__ = door(
    __name__,
    {
        "_abstention": "abstention",
        "_agent": "DiagnosisAgent Drafter TemplateDrafter audit_entry build_agent",
        "_conclusion": "KnownNumbers",
        "_drafting": "DraftVerifier LLMDrafter LLMVerifier RuleVerifier",
        "_enforce": "enforce",
        "_report": "to_markdown",
        "_retriever": "Retriever",
    },
)
