import io
import json
import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

from groundwire.config import EvidenceSection, LimitsSection
from groundwire.encoder import EmbeddedEmbedder
from groundwire.evidence import Index, Indexer, embed_pending
from groundwire.observe import configure_logs
from groundwire.testing import forbid_network

_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")

# the same examples everywhere, so that what passes here passes there; how long one takes is a
# matter for benchmarks. HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("stable", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1_000)
settings.register_profile(
    "mutants",  # tests/mutants.py: many short runs, and the first failure is enough
    deadline=None,
    derandomize=True,
    max_examples=30,
    phases=(Phase.explicit, Phase.generate),
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "stable"))


@pytest.fixture(autouse=True)
def no_network() -> Iterator[None]:
    """A test that reaches beyond this machine fails."""
    with forbid_network():
        yield


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has a home directory of its own and none of the machine's settings."""
    for name in list(os.environ):
        if name.startswith("GROUNDWIRE_") or name in _KEYS:
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    monkeypatch.setenv("GROUNDWIRE_HOME", str(home))
    monkeypatch.chdir(tmp_path)
    return home


@pytest.fixture
def captured_logs() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Our log entries, as they are written, from here on."""
    logger = logging.getLogger("groundwire")
    before = (list(logger.handlers), logger.level, logger.propagate)
    stream = io.StringIO()
    configure_logs("info", "json", stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    logger.handlers, logger.propagate = before[0], before[2]
    logger.setLevel(before[1])


@pytest.fixture(scope="session")
def halden_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documents of the examples, indexed and embedded with the shipped model. Read only."""
    path = tmp_path_factory.mktemp("halden") / "index.sqlite"
    documents = Path(__file__).parents[1] / "examples" / "documents"
    with Index(path) as index:
        Indexer(index, EvidenceSection(), LimitsSection()).run([documents])
        report = embed_pending(index, EmbeddedEmbedder())
    assert (report.embedded, report.pending, report.error) == (48, 0, None)
    return path
