"""A report to a diagnosis that knows what it does not know, or to an abstention."""

from groundwire.diagnose._retriever import Retriever

__all__ = ["Retriever"]
