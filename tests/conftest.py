import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has a home directory of its own and none of the machine's settings."""
    for name in list(os.environ):
        if name.startswith("GROUNDWIRE_"):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    monkeypatch.setenv("GROUNDWIRE_HOME", str(home))
    monkeypatch.chdir(tmp_path)
    return home
