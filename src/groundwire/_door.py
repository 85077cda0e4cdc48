"""Opens a folder's door without walking in: a name's module is loaded when it is first used."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def door(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a folder; `homes` says which names live in which of its modules.

    door("groundwire.store", {"_files": "write_atomically", "_sqlite": "Database Migration"})
    """
    home_of = {name: module for module, names in homes.items() for name in names.split()}

    def resolve(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{home_of[name]}"), name)

    return resolve
