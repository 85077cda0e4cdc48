"""An embedding service that speaks OpenAI's `/embeddings`: OpenAI, Ollama, vLLM, TEI and others."""

import json
import time
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from groundwire.config import EmbeddingServiceSection
from groundwire.errors import EmbeddingFailed
from groundwire.observe import redact

if TYPE_CHECKING:
    import httpx2

    from groundwire.evidence._embedding import Matrix

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

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
        except ValueError as error:
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
