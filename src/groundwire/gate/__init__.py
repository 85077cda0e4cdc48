"""Verdict to decision: what each gate makes of what was found, and how all of them fare."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.gate._confidence import (
        LOW_CONFIDENCE,
        Curve,
        by_meaning,
        by_words,
        confidence_gate,
        judge_confidence,
        passage_confidence,
    )
    from groundwire.gate._coverage import (
        coverage_gate,
        is_low,
        judge_coverage,
        judge_draft,
        leading,
        low_coverage_gate,
        the_root_cause,
    )
    from groundwire.gate._gate import Gate
    from groundwire.gate._health import all_gates, gate_health, publish_gates

__all__ = [
    "LOW_CONFIDENCE",
    "Curve",
    "Gate",
    "all_gates",
    "by_meaning",
    "by_words",
    "confidence_gate",
    "coverage_gate",
    "gate_health",
    "is_low",
    "judge_confidence",
    "judge_coverage",
    "judge_draft",
    "leading",
    "low_coverage_gate",
    "passage_confidence",
    "publish_gates",
    "the_root_cause",
]

__getattr__ = door(
    __name__,
    {
        "_confidence": """
            by_meaning by_words LOW_CONFIDENCE Curve confidence_gate judge_confidence
            passage_confidence
        """,
        "_coverage": """
            coverage_gate is_low judge_coverage judge_draft leading low_coverage_gate
            the_root_cause
        """,
        "_gate": "Gate",
        "_health": "all_gates gate_health publish_gates",
    },
)
