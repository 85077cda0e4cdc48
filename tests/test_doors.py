"""Every folder's `__init__` keeps what it promises."""

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import groundwire
import groundwire.errors
import groundwire.testing

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


def dir_of(package: ModuleType) -> list[str]:
    """Its names, which stand in its stub."""
    return list(package.__all__)


def test_everything_public_says_what_it_is() -> None:
    """Every name of the package, every public method and property of its classes, every error."""
    named = {name: getattr(groundwire, name) for name in dir_of(groundwire) if name[0] != "_"}
    named |= {name: one for name, one in vars(groundwire.errors).items() if name[0].isupper()}
    named |= {name: getattr(groundwire.testing, name) for name in dir_of(groundwire.testing)}
    silent = [
        f"{name}.{member}".rstrip(".")
        for name, one in named.items()
        if inspect.isclass(one) or inspect.isfunction(one)
        for member, said in _documented(one)
        if not said
    ]
    assert silent == []


def _documented(one: Any) -> Iterator[tuple[str, str | None]]:
    yield "", one.__doc__ if inspect.isfunction(one) else one.__dict__.get("__doc__")
    is_ours = inspect.isclass(one) and one.__module__.split(".")[1] != "testing"
    bases = (
        [base for base in inspect.getmro(one) if "groundwire" in base.__module__] if is_ours else []
    )
    for name, member in [pair for base in bases for pair in vars(base).items()]:
        function = member.fget if isinstance(member, property) else member
        function = getattr(function, "__func__", function)
        if name[0] != "_" and inspect.isfunction(function):
            yield name, function.__doc__
