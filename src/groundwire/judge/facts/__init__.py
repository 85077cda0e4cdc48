"""The deterministic tier: a claim's numbers, dates, names and identifiers against the evidence."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.judge.facts._check import EvidenceValues, Finding, check_values

__all__ = [
    "EvidenceValues",
    "Finding",
    "check_values",
]

__getattr__ = door(
    __name__,
    {
        "_check": "EvidenceValues Finding check_values",
    },
)
