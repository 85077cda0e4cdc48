"""Every folder's `__init__` keeps what it promises."""

from importlib import import_module
from pathlib import Path

import pytest

import groundwire

FOLDERS = sorted(
    f"groundwire.{path.parent.name}"
    for path in Path(groundwire.__file__).parent.glob("*/__init__.py")
)


@pytest.mark.parametrize("folder", ["groundwire", *FOLDERS])
def test_every_name_of_a_door_resolves(folder: str) -> None:
    """A name that moved or was misspelt in the door's stub is found here, not by a user."""
    door = import_module(folder)
    offered = getattr(door, "__all__", [])
    assert [name for name in offered if not hasattr(door, name)] == []
