"""Text to claims: sentences, assertions, hedges, citations, stated confidence, values."""

from groundwire.claims._extract import extract_claims
from groundwire.claims._language import detect_language
from groundwire.claims._quotes import find_quote
from groundwire.claims._sentences import segment_ranges, sentence_ranges
from groundwire.claims._words import content_terms

__all__ = [
    "content_terms",
    "detect_language",
    "extract_claims",
    "find_quote",
    "segment_ranges",
    "sentence_ranges",
]
