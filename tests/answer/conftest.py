from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from groundwire.answer import Answerer, Documents, open_answerer
from groundwire.config import Config, load_config
from groundwire.evidence import Index, Searcher
from groundwire.model import Answer
from tests.vocabularies import HALDEN

Ask = Callable[..., Answer]


@pytest.fixture
def config(halden_index: Path) -> Config:
    overrides = {"evidence.index": str(halden_index), "terms.vocabulary": [str(HALDEN)]}
    return load_config(overrides=overrides).config


@pytest.fixture
def answerer(config: Config) -> Iterator[Answerer]:
    """The examples' documents and vocabulary, with the shipped embedder."""
    opened = open_answerer(config)
    yield opened
    opened.close()


@pytest.fixture
def by_words(halden_index: Path, config: Config) -> Iterator[Documents]:
    """The examples' documents without vectors, by choice: fast, and the same everywhere."""
    with Index(halden_index) as index:
        searcher = Searcher(index, thresholds=config.evidence.thresholds)
        yield Documents(index, searcher, config)
