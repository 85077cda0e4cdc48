"""Text to claims: assertions, citations, stated confidence, what was left out and why."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.claims._extract import extract_claims

__all__ = [
    "extract_claims",
]

__getattr__ = door(
    __name__,
    {
        "_extract": "extract_claims",
    },
)
