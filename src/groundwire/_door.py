"""Opens a folder's door without walking in: a module is loaded when one of its names is first used.

The names stand once, in the folder's `__init__.pyi`, where type checkers read them too:

    from groundwire.store._sqlite import write_atomically as write_atomically
"""

import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


def door(package: str) -> Callable[[str], Any]:
    """The `__getattr__` of a folder."""

    def resolve(name: str) -> Any:
        homes = _homes(package)
        if name == "__all__":
            return sorted(homes)
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return resolve


@cache
def _homes(package: str) -> dict[str, str]:
    """The module of each name."""
    stub = pkgutil.get_data(package, "__init__.pyi")
    if stub is None:
        raise ImportError(f"{package} was installed without its __init__.pyi.")
    homes: dict[str, str] = {}
    home = ""
    # by lines: a parser of Python would take longer than loading most of the modules
    for line in stub.decode().splitlines():
        names = line.partition("#")[0]
        if names.startswith("from "):
            home, _, names = names.removeprefix("from ").partition(" import ")
        for part in names.split(","):
            _, is_name, name = part.partition(" as ")
            if is_name:
                homes[name.strip(" ()")] = home
    return homes
