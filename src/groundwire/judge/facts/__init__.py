"""The deterministic tier: a claim's numbers, dates, names and identifiers against the evidence."""

from groundwire.judge.facts._check import EvidenceValues, Finding, check_values

__all__ = ["EvidenceValues", "Finding", "check_values"]
