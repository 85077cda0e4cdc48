import pytest

from groundwire.config import EvidenceSection
from groundwire.errors import EmbeddingFailed
from groundwire.evidence import EmbeddingService, UnavailableEmbedder, make_embedder


def test_the_settings_say_what_makes_vectors() -> None:
    assert make_embedder(EvidenceSection(embedder="off")) is None
    service = make_embedder(EvidenceSection(embedder="service"))
    assert isinstance(service, EmbeddingService)
    assert service.name == "http://localhost:11434/v1 nomic-embed-text"


def test_an_encoder_that_is_not_installed_is_said_and_not_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("groundwire.evidence._make._ENCODER", "groundwire.nowhere")
    embedder = make_embedder(EvidenceSection())
    assert isinstance(embedder, UnavailableEmbedder)
    with pytest.raises(EmbeddingFailed, match="no embedded encoder"):
        embedder.embed(["a"])
