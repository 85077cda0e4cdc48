"""The second pass: passages get their vectors, a few documents at a time, resumable anywhere."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Protocol

from groundwire.errors import EmbeddingFailed, GroundwireError
from groundwire.evidence._index import Index, Progress
from groundwire.evidence._vectors import Pending, Vectors
from groundwire.model import Model
from groundwire.observe import Log, metrics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors, one row of length 1 for each text.

    Vectors of different embedders do not compare: `name` says which one made them.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> "Matrix": ...


class Breaker(Protocol):
    """Leaves a failing service alone for a while: `attempt` raises instead of letting one try."""

    def attempt(self) -> AbstractContextManager[None]: ...


class AlwaysClosed:
    """For embedders inside this process, which no network separates from us."""

    @contextmanager
    def attempt(self) -> Iterator[None]:
        yield


PASSAGES_AT_ONCE = 64
PAUSES_S = (0.5, 2.0)
"""Before a failed call is tried again; a service may be busy for a moment."""

_log = Log("embeddings")


class EmbeddingReport(Model):
    """`pending` documents have no vectors yet; searching them by their words works regardless."""

    embedder: str
    embedded: int
    pending: int
    error: str | None = None


def embed_pending(
    index: Index,
    embedder: Embedder,
    *,
    breaker: Breaker | None = None,
    progress: Progress | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> EmbeddingReport:
    """Every finished document stays finished: after a stop or a failure, call it again."""
    vectors = Vectors(index, embedder.name)
    waiting = vectors.pending_ids()
    embedded = 0
    error = None
    try:
        for group in _groups(vectors, waiting):
            _embed(group, vectors, embedder, breaker or AlwaysClosed(), sleep)
            embedded += len(group)
            if progress is not None:
                progress(embedded, len(waiting))
    except GroundwireError as failure:
        _log.error("embedding_stopped", embedded=embedded, waiting=len(waiting), error=str(failure))
        error = str(failure)
    pending = len(vectors.pending_ids())
    return EmbeddingReport(embedder=embedder.name, embedded=embedded, pending=pending, error=error)


def _groups(vectors: Vectors, waiting: list[int]) -> Iterator[list[Pending]]:
    """Small documents together, since embedders work best on many texts at once."""
    group: list[Pending] = []
    for row_id in waiting:
        document = vectors.pending(row_id)
        if document is None:
            continue
        group.append(document)
        if sum(len(one.texts) for one in group) >= PASSAGES_AT_ONCE:
            yield group
            group = []
    if group:
        yield group


def _embed(
    group: list[Pending],
    vectors: Vectors,
    embedder: Embedder,
    breaker: Breaker,
    sleep: Callable[[float], None],
) -> None:
    texts = [text for document in group for text in document.texts]
    for pause_s in (*PAUSES_S, None):
        for document in group:
            metrics().count("embedding_request_total", collection=document.collection)
        try:
            with breaker.attempt():
                rows = embedder.embed(texts)
            break
        except GroundwireError as error:
            for document in group:
                metrics().count("embedding_fail_total", collection=document.collection)
            if pause_s is None or not isinstance(error, EmbeddingFailed):
                raise
            sleep(pause_s)
    start = 0
    for document in group:
        end = start + len(document.texts)
        vectors.put(document.row_id, rows[start:end])
        start = end
