from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from groundwire.answer import Answerer, Documents, open_answerer
from groundwire.config import Config, load_config
from groundwire.evidence import Index, Indexer, Searcher
from groundwire.model import Answer
from tests.vocabularies import HALDEN

Ask = Callable[..., Answer]
Corpus = Callable[[dict[str, str]], Documents]


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


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    """Documents with these paths and texts, indexed by their words."""
    with ExitStack() as opened:

        def made(files: dict[str, str]) -> Documents:
            for name, text in files.items():
                path = tmp_path / "docs" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            config = load_config().config
            index = opened.enter_context(Index(tmp_path / "index.sqlite"))
            Indexer(index, config.evidence, config.limits).run([tmp_path / "docs"])
            searcher = Searcher(index, thresholds=config.evidence.thresholds)
            return Documents(index, searcher, config)

        yield made
