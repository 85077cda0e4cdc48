"""Text, located: the only place that reads prose."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.text._clauses import split_clauses
    from groundwire.text._language import detect_language
    from groundwire.text._parts import parts_of
    from groundwire.text._quotes import find_quote
    from groundwire.text._sentences import segment_ranges, sentence_ranges
    from groundwire.text._words import content_terms

__all__ = [
    "content_terms",
    "detect_language",
    "find_quote",
    "parts_of",
    "segment_ranges",
    "sentence_ranges",
    "split_clauses",
]

__getattr__ = door(
    __name__,
    {
        "_clauses": "split_clauses",
        "_language": "detect_language",
        "_parts": "parts_of",
        "_quotes": "find_quote",
        "_sentences": "segment_ranges sentence_ranges",
        "_words": "content_terms",
    },
)
