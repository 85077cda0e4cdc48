"""Documents and settings for tests."""

from pathlib import Path, PurePosixPath

from groundwire.config import EvidenceSection, LimitsSection
from groundwire.evidence._readers import to_document
from groundwire.evidence._source import Loaded
from groundwire.model import Document

SETTINGS = EvidenceSection()
LIMITS = LimitsSection()


def document(text: str, name: str = "note.md") -> Document:
    return to_document(Loaded(name, PurePosixPath(name).suffix, text.encode()), LIMITS)


def body(sentences: int = 8) -> str:
    return "The meters report every fifteen minutes and the values are kept. " * sentences


CORPUS = {
    "adr/0001-use-cim.md": "# Use CIM\n\n## Status\n\nAccepted\n\n## Decision\n\n"
    "The Common Information Model is the language of all interfaces between systems.",
    "adr/0002-use-tls.md": "# Use TLS\n\n## Status\n\nProposed\n\n## Decision\n\n"
    "Data in transit is encrypted with TLS 1.3 on every network.",
    "principles/0001-openness.md": "# Openness\n\nData about the grid is open unless law forbids.",
    "principles/0002-ownership.md": "# Ownership\n\nEach data set has an owner who answers for it.",
    "policies/backup.md": "# Backup\n\nA backup of each database is kept for 35 days.",
}


def write_corpus(folder: Path) -> Path:
    for name, text in CORPUS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n\n{body()}\n")
    return folder
