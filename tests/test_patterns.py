"""Patterns that are compiled at first use are still patterns, every one."""

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import pytest

import groundwire.actions
import groundwire.observe
import groundwire.text
import groundwire.traces
from groundwire._patterns import _Lazy, lazy_pattern


def _modules() -> list[str]:
    folders: list[ModuleType] = [
        groundwire.actions,
        groundwire.observe,
        groundwire.text,
        groundwire.traces,
    ]
    return [
        found.name
        for folder in folders
        for found in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}.")
        if not found.name.endswith("__main__")
    ]


def _patterns(value: object) -> Iterator[_Lazy]:
    if isinstance(value, _Lazy):
        yield value
    elif isinstance(value, dict | list | tuple):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _patterns(one)


@pytest.mark.parametrize("name", _modules())
def test_every_pattern_compiles(name: str) -> None:
    """A mistake in one is found here, and not when a text first needs it."""
    for pattern in _patterns(list(vars(import_module(name)).values())):
        re.compile(pattern._source, pattern._flags)


def test_a_pattern_is_compiled_when_it_is_used() -> None:
    """Until then a broken one harms nobody; then it matches as any pattern does."""
    broken = lazy_pattern("(")
    with pytest.raises(re.error):
        broken.search("x")
    pattern = lazy_pattern("(?P<digit>[0-9])x", re.IGNORECASE)
    assert pattern.sub("y", "1X 2x") == "y y"
    found = pattern.fullmatch("1X")
    assert found is not None
    assert found["digit"] == "1"
    assert pattern.pattern == "(?P<digit>[0-9])x"
