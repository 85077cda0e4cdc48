from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from groundwire.observe import Metrics
from groundwire.terms import LocalVocabulary, SKOSMOSClient
from groundwire.testing import SkosmosStandIn
from tests.vocabularies import HALDEN

OpenLocal = Callable[..., LocalVocabulary]
OpenClient = Callable[..., SKOSMOSClient]


@pytest.fixture
def counted() -> Metrics:
    return Metrics()


@pytest.fixture
def open_local(tmp_path: Path, counted: Metrics) -> Iterator[OpenLocal]:
    """Opens vocabularies over files; all share one index, as in one home directory."""
    opened: list[LocalVocabulary] = []

    def open_files(*paths: Path, **options: object) -> LocalVocabulary:
        index = tmp_path / "home" / "vocabulary.sqlite"
        options.setdefault("counted", counted)
        vocabulary = LocalVocabulary(paths or (HALDEN,), index, **options)  # type: ignore[arg-type]
        opened.append(vocabulary)
        return vocabulary

    yield open_files
    for vocabulary in opened:
        vocabulary.close()


@pytest.fixture
def halden(open_local: OpenLocal) -> LocalVocabulary:
    return open_local(HALDEN)


@pytest.fixture
def server() -> Iterator[SkosmosStandIn]:
    with SkosmosStandIn([HALDEN], vocabulary="halden") as stand_in:
        yield stand_in


@pytest.fixture
def open_client(server: SkosmosStandIn, counted: Metrics) -> Iterator[OpenClient]:
    opened: list[SKOSMOSClient] = []

    def connect(base_url: str | None = None, **options: object) -> SKOSMOSClient:
        # long enough for a busy machine; what tests the deadline sets its own
        settings: dict[str, object] = {
            "timeout_ms": 5000,
            "vocabulary": "halden",
            "counted": counted,
        } | options
        client = SKOSMOSClient(base_url or server.url, **settings)  # type: ignore[arg-type]
        opened.append(client)
        return client

    yield connect
    for client in opened:
        client.close()
