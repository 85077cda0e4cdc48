import numpy as np
import pytest

from groundwire.errors import EmbeddingFailed
from groundwire.testing import HashingEmbedder


def test_rows_have_length_one_and_similar_spellings_are_near() -> None:
    rows = HashingEmbedder().embed(["transformer station", "transformer stations", "cheese", ""])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert rows[0] @ rows[1] > 0.8 > rows[0] @ rows[2]


def test_failures_come_in_order_and_then_it_works() -> None:
    embedder = HashingEmbedder(failures=[EmbeddingFailed("down")])
    with pytest.raises(EmbeddingFailed, match="down"):
        embedder.embed(["a"])
    assert embedder.embed(["a"]).shape == (1, 64)
