from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.evidence import Index, Indexer
from tests.evidence.make import LIMITS, SETTINGS, write_corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "docs")


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    """An empty index."""
    with Index(tmp_path / "index.sqlite") as opened:
        yield opened


@pytest.fixture
def filled(corpus: Path, index: Index) -> Index:
    """An index of the small corpus, without vectors."""
    Indexer(index, SETTINGS, LIMITS).run([corpus])
    return index
