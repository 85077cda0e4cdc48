"""Patterns that are compiled at first use are still patterns, every one."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import groundwire
from groundwire._patterns import _Lazy, lazy_pattern


def _modules() -> list[str]:
    """Those that make patterns; a module whose library is not installed has none of ours."""
    folder = Path(groundwire.__file__).parent
    return sorted(
        ".".join(path.relative_to(folder.parent).with_suffix("").parts)
        for path in folder.rglob("*.py")
        if "lazy_pattern(" in path.read_text(encoding="utf-8")
    )


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
        re.compile(pattern.pattern, pattern._flags)


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
