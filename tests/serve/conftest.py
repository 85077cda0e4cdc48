from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.config import load_config
from groundwire.serve import SCOPES, TokenStore
from tests.serve.running import Running, service


@pytest.fixture(scope="session")
def open_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Without any token, for this machine alone."""
    with service(tmp_path_factory.mktemp("open") / "home", serve__rate_per_minute=100_000) as run:
        yield run


@pytest.fixture(scope="session")
def closed_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, str]]:
    """With a token that may do everything."""
    home = tmp_path_factory.mktemp("closed") / "home"
    token = new_token(home, *SCOPES)
    with service(home, serve__rate_per_minute=100_000) as run:
        yield run, token


def new_token(home: Path, *scopes: str, **options: float | None) -> str:
    config = load_config(environ={}, overrides={"home": home}, directory=home.parent).config
    with TokenStore.of(config) as store:
        return store.add("test", scopes, **options)[0]  # type: ignore[arg-type]
