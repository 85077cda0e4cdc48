"""Text to claims: assertions, citations, stated confidence, what was left out and why."""

from groundwire.claims._extract import extract_claims

__all__ = ["extract_claims"]
