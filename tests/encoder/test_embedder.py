import numpy as np
import pytest

from groundwire.encoder import EmbeddedEmbedder


@pytest.fixture(scope="module")
def embedder() -> EmbeddedEmbedder:
    return EmbeddedEmbedder(threads=1)


def test_vectors_have_length_one(embedder: EmbeddedEmbedder) -> None:
    vectors = embedder.embed(["a short text", "", "another " * 2_000])
    assert vectors.shape == (3, embedder.dimension)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_near_meanings_lie_nearer_than_far_ones(embedder: EmbeddedEmbedder) -> None:
    car, vehicle, soup = embedder.embed(
        ["The car would not start.", "The vehicle failed to start.", "Add salt to the soup."]
    )
    assert car @ vehicle > car @ soup + 0.2


def test_no_text_gives_no_vector(embedder: EmbeddedEmbedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimension)


def test_a_text_has_one_vector_whatever_it_is_embedded_with(embedder: EmbeddedEmbedder) -> None:
    alone = embedder.embed(["A relay clicked."])[0]
    among = embedder.embed(["Rain.", "A relay clicked.", "It was a very long night."])[1]
    assert (alone == among).all()
