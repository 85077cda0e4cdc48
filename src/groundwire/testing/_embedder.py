from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class HashingEmbedder:
    """Vectors from hashed pieces of words: equal texts are equal, similar spellings are near.

    It knows nothing of meaning, needs no model, and gives the same vectors on every machine.
    `failures` holds errors to raise, one per call, before it works again.
    """

    def __init__(self, dimension: int = 64, *, failures: Sequence[Exception] = ()) -> None:
        self.name = f"hashing-{dimension}"
        self.dimension = dimension
        self.failures = list(failures)
        self.calls = 0

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        matrix = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for piece in _pieces(text):
                place, sign = _hashed(piece, self.dimension)
                matrix[row, place] += sign
            if not matrix[row].any():
                matrix[row, 0] = 1.0
        normal: NDArray[np.float32] = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
        return normal


def _pieces(text: str) -> list[str]:
    words = text.lower().split()
    return [f"<{word}>"[start : start + 4] for word in words for start in range(len(word))]


def _hashed(piece: str, dimension: int) -> tuple[int, float]:
    number = int.from_bytes(blake2b(piece.encode(), digest_size=8).digest())
    return number % dimension, 1.0 if (number >> 40) & 1 else -1.0
