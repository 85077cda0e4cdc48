"""Groundwire: test every statement a language model makes against evidence.

    from groundwire import Engine, audit_trace, verify_claim, verify_claims

Importing this loads nothing heavy; parts are loaded when they are first used. The names stand in
`__init__.pyi`.
"""

from typing import Any

from groundwire._door import door

_resolve = door(__name__)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("groundwire")
    if name == "__all__":
        return sorted([*_resolve("__all__"), "__version__"])
    return _resolve(name)


def __dir__() -> list[str]:
    return list(__getattr__("__all__"))
