from contextlib import suppress
from pathlib import Path

import pytest

from groundwire.config import EvidenceSection, load_config
from groundwire.errors import CircuitOpen, EmbeddingFailed
from groundwire.evidence import (
    EmbeddingService,
    index_path,
    make_breaker,
    make_embedder,
)
from groundwire.observe import metrics


def test_the_settings_say_what_makes_vectors() -> None:
    assert make_embedder(EvidenceSection(embedder="off")) is None
    service = make_embedder(EvidenceSection(embedder="service"))
    assert isinstance(service, EmbeddingService)
    assert service.name == "http://localhost:11434/v1 nomic-embed-text"


def test_the_breaker_around_embeddings_is_set_as_configured() -> None:
    settings = {"circuit_breaker.embeddings.failure_threshold": 2}
    breaker = make_breaker(load_config(overrides=settings).config)
    for _ in range(2):
        with suppress(EmbeddingFailed), breaker.attempt():
            raise EmbeddingFailed("down")
    assert breaker.state == "open"
    assert metrics().value("circuit_breaker_state", service="embeddings") == 2
    with pytest.raises(CircuitOpen), breaker.attempt():
        pass


def test_the_index_lies_in_the_home_directory_unless_it_is_named(tmp_path: Path) -> None:
    home = load_config(overrides={"home": str(tmp_path)}).config
    assert index_path(home) == tmp_path / "index.sqlite"
    named = load_config(overrides={"evidence.index": str(tmp_path / "x.sqlite")}).config
    assert index_path(named) == tmp_path / "x.sqlite"
