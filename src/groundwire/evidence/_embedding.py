"""Vectors for passages: made here or by a service, in the background."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol

from groundwire.config import EmbeddingServiceSection
from groundwire.errors import EmbeddingFailed, GroundwireError
from groundwire.evidence._candidates import Pending, Vectors
from groundwire.evidence._index import Index, Progress
from groundwire.model import Model
from groundwire.observe import Log, metrics, redact

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]
    import httpx2


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
            _embed(group, vectors, embedder, breaker, sleep)
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
    breaker: Breaker | None,
    sleep: Callable[[float], None],
) -> None:
    texts = [text for document in group for text in document.texts]
    for pause_s in (*PAUSES_S, None):
        for document in group:
            metrics().count("embedding_request_total", collection=document.collection)
        try:
            with breaker.attempt() if breaker else nullcontext():
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


_MAX_REPLY_BYTES = 200_000_000
_HTTP_ERROR = 400
_SHOWN_BYTES = 200


class EmbeddingService:
    """The dimension is known after the first call, which is made to learn it if need be."""

    def __init__(self, settings: EmbeddingServiceSection) -> None:
        self.name = f"{settings.url} {settings.model}"
        self._settings = settings
        self._client: httpx2.Client | None = None
        self._dimension = 0

    @property
    def dimension(self) -> int:
        if not self._dimension:
            self.embed(["dimension"])
        return self._dimension

    def embed(self, texts: Sequence[str]) -> "Matrix":
        import numpy as np

        size = self._settings.batch_size
        batches = [texts[start : start + size] for start in range(0, len(texts), size)]
        if not batches:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.concatenate([self._batch(batch) for batch in batches])

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None

    def _batch(self, texts: Sequence[str]) -> "Matrix":
        import numpy as np

        vectors = _vectors_of(self._post(texts), len(texts))
        matrix = np.asarray(vectors, dtype=np.float32)
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        if matrix.ndim != 2 or not np.isfinite(lengths).all() or not lengths.all():  # noqa: PLR2004
            raise _malformed("a vector without direction")
        self._dimension = matrix.shape[1]
        normal: Matrix = matrix / lengths
        return normal

    def _post(self, texts: Sequence[str]) -> Any:
        import httpx2

        body = {"model": self._settings.model, "input": list(texts), "encoding_format": "float"}
        try:
            with self._http().stream("POST", "embeddings", json=body) as reply:
                content = self._read(reply)
        except httpx2.TimeoutException as error:
            raise self._too_late() from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise EmbeddingFailed(
                f"The embedding service at {self._settings.url} cannot be reached: {error}.",
                hint="Is it running? See evidence.service.url.",
            ) from error
        if reply.status_code >= _HTTP_ERROR:
            shown = redact(content[:_SHOWN_BYTES].decode("utf-8", "replace").strip())
            raise EmbeddingFailed(
                f"The embedding service answered {reply.status_code}: {shown}",
                hint="See evidence.service.model and evidence.service.key.",
            )
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise _malformed("no JSON") from error

    def _read(self, reply: "httpx2.Response") -> bytes:
        """A reply that drips or never ends is given up like one that does not come."""
        deadline_s = time.monotonic() + self._settings.timeout.total_seconds()
        content = bytearray()
        for piece in reply.iter_bytes():
            content += piece
            if len(content) > _MAX_REPLY_BYTES:
                raise _malformed("too much")
            if time.monotonic() > deadline_s:
                raise self._too_late()
        return bytes(content)

    def _too_late(self) -> EmbeddingFailed:
        return EmbeddingFailed(
            f"The embedding service at {self._settings.url} did not answer in time.",
            hint="Raise evidence.service.timeout, or look at the service.",
        )

    def _http(self) -> "httpx2.Client":
        if self._client is None:
            key = self._settings.key
            import httpx2

            self._client = httpx2.Client(
                base_url=self._settings.url.rstrip("/") + "/",
                timeout=self._settings.timeout.total_seconds(),
                headers={"Authorization": f"Bearer {key.get_secret_value()}"} if key else {},
            )
        return self._client


def _vectors_of(reply: Any, count: int) -> list[list[float]]:
    try:
        rows = sorted(reply["data"], key=lambda row: int(row["index"]))
        vectors = [[float(value) for value in row["embedding"]] for row in rows]
    except (KeyError, TypeError, ValueError) as error:
        raise _malformed("no vectors") from error
    if len(vectors) != count or len({len(vector) for vector in vectors}) != 1:
        raise _malformed(f"{len(vectors)} vectors for {count} texts")
    return vectors


def _malformed(what: str) -> EmbeddingFailed:
    return EmbeddingFailed(f"The embedding service answered with {what}.")
