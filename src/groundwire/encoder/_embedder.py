from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from groundwire.encoder._runner import Runner
from groundwire.encoder._weights import card, word_piece

if TYPE_CHECKING:
    import numpy as np

MAX_EMBEDDED_TOKENS = 256


class Embedder(Protocol):
    """Turns texts into unit vectors, one row each."""

    name: str
    dimension: int

    def embed(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]": ...


class EmbeddedEmbedder:
    """The sentence embedder that ships with the package."""

    dimension = 384

    def __init__(self, threads: int = 2) -> None:
        self.name = f"embedded-{card()['version']}"
        self._runner = Runner("embedder", threads)

    def embed(self, texts: Sequence[str]) -> "np.ndarray[Any, Any]":
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack(self._runner.run([_sequence(text) for text in texts]))


def _sequence(text: str) -> tuple[list[int], int]:
    pieces = word_piece()
    ids = [pieces.start, *pieces.ids(text, MAX_EMBEDDED_TOKENS - 2), pieces.separator]
    return ids, len(ids)


def make_embedder(threads: int = 2) -> EmbeddedEmbedder:
    return EmbeddedEmbedder(threads)
