"""Documents to passages: readers, identity, index, search, quality."""

from groundwire.evidence._readers import read_document, read_text

__all__ = ["read_document", "read_text"]
