"""From settings to an index, an embedder, and the breaker around it."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.config import Config, EvidenceSection
from groundwire.errors import EmbeddingFailed, GroundwireError
from groundwire.evidence._embedding import Embedder
from groundwire.evidence._embedding_service import EmbeddingService
from groundwire.evidence._index import INDEX_NAME
from groundwire.guard import CircuitBreaker
from groundwire.observe import Metrics

if TYPE_CHECKING:
    from groundwire.evidence._embedding import Matrix

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


def index_path(config: Config) -> Path:
    return (config.evidence.index or config.home / INDEX_NAME).expanduser()


def make_breaker(config: Config, *, counted: Metrics | None = None) -> CircuitBreaker:
    """Around whatever embeds: an embedded model can be damaged, a service can be down."""
    settings = config.circuit_breaker.embeddings
    return CircuitBreaker(
        "embeddings",
        failure_threshold=settings.failure_threshold,
        success_threshold=settings.success_threshold,
        timeout_seconds=settings.timeout_seconds,
        failures=(GroundwireError, OSError),
        counted=counted,
    )
