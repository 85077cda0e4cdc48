from pathlib import Path

import pytest


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A small project."""
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "src" / "app.py").write_text("def greet():\n    return 'hi'\n\n\nprint(greet())\n")
    (folder / "tests" / "test_app.py").write_text("def test_greet():\n    assert True\n")
    (folder / "README.md").write_text("# Project\n\nSays hi.\n")
    return folder
