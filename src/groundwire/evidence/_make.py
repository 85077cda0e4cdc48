"""From settings to an embedder."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from groundwire.config import EvidenceSection
from groundwire.errors import EmbeddingFailed, GroundwireError
from groundwire.evidence._embedder import Embedder
from groundwire.evidence._embedding_service import EmbeddingService

if TYPE_CHECKING:
    from groundwire.evidence._embedder import Matrix

_ENCODER = "groundwire.encoder"


class UnavailableEmbedder:
    """Stands where an embedder was asked for and cannot be had: searches fall back, and say so."""

    name = "unavailable"
    dimension = 0

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def embed(self, texts: Sequence[str]) -> "Matrix":
        raise EmbeddingFailed(f"{len(texts)} texts were not embedded: {self.reason}")


def make_embedder(settings: EvidenceSection) -> Embedder | None:
    """None when the settings switch vectors off."""
    if settings.embedder == "off":
        return None
    if settings.embedder == "service":
        return EmbeddingService(settings.service)
    if find_spec(_ENCODER) is None:
        return UnavailableEmbedder("this installation has no embedded encoder.")
    try:
        embedder: Embedder = import_module(_ENCODER).make_embedder()
    except GroundwireError as error:
        return UnavailableEmbedder(str(error))
    return embedder
