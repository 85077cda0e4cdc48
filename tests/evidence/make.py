"""Documents and settings for tests."""

from pathlib import PurePosixPath

from groundwire.config import EvidenceSection, LimitsSection
from groundwire.evidence._readers import to_document
from groundwire.evidence._source import Loaded
from groundwire.model import Document

SETTINGS = EvidenceSection()
LIMITS = LimitsSection()


def document(text: str, name: str = "note.md") -> Document:
    return to_document(Loaded(name, PurePosixPath(name).suffix, text.encode()), LIMITS)
