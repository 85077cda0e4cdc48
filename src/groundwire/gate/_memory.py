"""Whether a fact may be kept [SPEC-08.15 … 08.18]."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundwire.gate._gate import Gate
from groundwire.model import Decision

if TYPE_CHECKING:
    from groundwire.config import HallucinationSection, MemoryGateSection
    from groundwire.model import ClaimResult


def memory_gate(settings: HallucinationSection, *, is_explicit: bool = False) -> Gate:
    """A call that asks for it always passes the gate; the settings speak of other operations."""
    return Gate(
        "memory",
        enabled=is_explicit or (settings.enabled and settings.memory_gate.enabled),
        on_failure=settings.memory_gate.on_failure,
        failure_reason="not_verified",
    )


def judge_fact(result: ClaimResult, settings: MemoryGateSection) -> Decision:
    """Refuse what the evidence opposes, does not say, or does not justify saying so surely."""
    looked_at = {
        name: value
        for name, value in (
            ("budget_gap", result.budget_gap),
            ("confidence", result.adjusted_confidence),
        )
        if value is not None
    }
    gap, confidence = result.budget_gap, result.adjusted_confidence
    if result.status == "contradicted":
        reason, message = "contradicted", result.message
    elif result.status == "unsupported" and settings.reject_unsupported:
        reason, message = "unsupported", result.message
    elif gap is not None and gap > settings.max_budget_gap_bits:
        reason = "budget_gap"
        message = (
            f"The evidence is {gap:.1f} bits short of the stated confidence; "
            f"{settings.max_budget_gap_bits:g} are allowed."
        )
    elif confidence is not None and confidence < settings.min_confidence:
        reason = "low_confidence"
        message = (
            f"The evidence justifies a confidence of {confidence:.2f}; "
            f"{settings.min_confidence:g} is needed."
        )
    else:
        return Decision(gate="memory", looked_at=looked_at)
    return Decision(
        gate="memory", effect="block", reason=reason, message=message, looked_at=looked_at
    )
