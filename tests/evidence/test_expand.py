"""What the corpus itself says that an abbreviation means."""

from pathlib import Path

import pytest

from groundwire.config import Config
from groundwire.evidence import Index, Indexer, Searcher
from groundwire.evidence._expand import Abbreviations


@pytest.fixture
def index(tmp_path: Path) -> Index:
    folder = tmp_path / "docs"
    folder.mkdir()
    texts = {
        "relay": "The remote terminal unit (RTU) reports every minute.",
        "power": "A UPS (uninterruptible power supply) bridges ten minutes.",
        "other": "The fleet team (see below) washes the vans. An RTU needs no lamp.",
        "house": "Each remote terminal unit stands in a locked house.",
    }
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(f"# {name}\n\n{text}\n", encoding="utf-8")
    opened = Index(tmp_path / "index.sqlite")
    config = Config()
    Indexer(opened, config.evidence, config.limits).run([folder])
    return opened


@pytest.mark.parametrize(
    ("question", "also"),
    [
        ("How often does the RTU report?", ("remote terminal unit",)),
        ("How many RTUs are there?", ("remote terminal unit",)),
        ("How long does a UPS last?", ("uninterruptible power supply",)),
        ("Where does a remote terminal unit stand?", ("RTU",)),
        ("Is an uninterruptible power supply needed?", ("UPS",)),
        ("What does the HSE say?", ()),
        ("Who washes the vans?", ()),
        ("", ()),
    ],
)
def test_what_stands_in_brackets_with_the_same_letters_is_the_same(
    index: Index, question: str, also: tuple[str, ...]
) -> None:
    assert Abbreviations(index).also(question) == also


def test_whoever_asks_for_the_one_finds_the_other(index: Index) -> None:
    """The house is spoken of in full only."""
    searcher = Searcher(index, thresholds=Config().evidence.thresholds)
    found = searcher.search_sync("Is the RTU behind a lock?", any_distance=True).hits
    assert "docs/house.md" in {one.source.doc_id for one in found}
