"""From settings to an index, an embedder, and the breaker around it."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire import encoder
from groundwire.config import Config, EvidenceSection
from groundwire.errors import EmbeddingFailed, GroundwireError, InputError
from groundwire.evidence._embedding import (
    Embedder,
    EmbeddingReport,
    EmbeddingService,
    embed_pending,
)
from groundwire.evidence._index import INDEX_NAME, Index, Indexer, IndexReport
from groundwire.guard import CircuitBreaker
from groundwire.model import Model

if TYPE_CHECKING:
    from groundwire.evidence._embedding import Matrix

StageProgress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and of how much."""


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
    try:
        return encoder.EmbeddedEmbedder()
    except GroundwireError as error:
        return UnavailableEmbedder(str(error))


def index_path(config: Config) -> Path:
    return (config.evidence.index or config.home / INDEX_NAME).expanduser()


def require_index(path: Path) -> Path:
    if not path.exists():
        raise InputError(f"There is no index at {path}.", hint="Build it with: gw index PATH")
    return path


def make_breaker(config: Config) -> CircuitBreaker:
    """Around whatever embeds: an embedded model can be damaged, a service can be down."""
    settings = config.circuit_breaker.embeddings
    return CircuitBreaker(
        "embeddings",
        failure_threshold=settings.failure_threshold,
        success_threshold=settings.success_threshold,
        timeout_seconds=settings.timeout_seconds,
        failures=(GroundwireError, OSError),
    )


class IndexOutcome(Model):
    """What became of documents. `embedding` is missing where no vectors were made; then
    `no_embedder` says why, unless the settings want none."""

    index: str
    words: IndexReport
    words_s: float
    embedding: EmbeddingReport | None = None
    no_embedder: str | None = None


def index_documents(
    config: Config,
    paths: Sequence[Path],
    *,
    collection: str | None = None,
    rebuild: bool = False,
    embedder: Embedder | None = None,
    progress: StageProgress | None = None,
) -> IndexOutcome:
    """Bring the index of these settings up to date: first its words, then its vectors."""
    missing = [str(one) for one in paths if not one.exists()]
    if missing:
        raise InputError(f"{', '.join(missing)} does not exist.", hint="Nothing was changed.")
    report = progress or (lambda _doing, _done, _of: None)
    path = index_path(config)
    if rebuild:
        _move_aside(path)
    with Index(path) as index:
        started_s = time.perf_counter()
        indexer = Indexer(index, config.evidence, config.limits, collection=collection)
        words = indexer.run(paths, lambda done, of: report("Reading", done, of))
        words_s = round(time.perf_counter() - started_s, 3)
        outcome = IndexOutcome(index=str(path), words=words, words_s=words_s)
        if embedder is None:
            return outcome
        if isinstance(embedder, UnavailableEmbedder):
            return outcome.model_copy(update={"no_embedder": embedder.reason})
        embedding = embed_pending(
            index,
            embedder,
            breaker=make_breaker(config),
            progress=lambda done, of: report("Embedding", done, of),
        )
        return outcome.model_copy(update={"embedding": embedding})


def _move_aside(path: Path) -> None:
    """The old file stays until the next rebuild, in case it held something."""
    for suffix in ("", "-wal", "-shm"):
        old = Path(f"{path}{suffix}")
        if old.exists():
            old.replace(f"{path}.old{suffix}")
