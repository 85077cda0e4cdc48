"""Text to claims: sentences, assertions, hedges, citations, stated confidence, values."""

from groundwire.claims._extract import extract_claims
from groundwire.claims._language import detect_language
from groundwire.claims._parts import parts_of
from groundwire.claims._quotes import find_quote
from groundwire.claims._sentences import segment_ranges, sentence_ranges
from groundwire.claims._words import content_terms
from groundwire.claims.values import (
    Identifier,
    Name,
    Period,
    Quantity,
    Value,
    quantities_in,
    same_value,
    values_in,
)

__all__ = [
    "Identifier",
    "Name",
    "Period",
    "Quantity",
    "Value",
    "content_terms",
    "detect_language",
    "extract_claims",
    "find_quote",
    "parts_of",
    "quantities_in",
    "same_value",
    "segment_ranges",
    "sentence_ranges",
    "values_in",
]
