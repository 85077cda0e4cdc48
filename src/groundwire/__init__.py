"""Groundwire: test every statement a language model makes against evidence.

    from groundwire import audit_trace, verify_claim, verify_claims

Importing this loads nothing heavy; parts are loaded when they are first used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from groundwire.engine import Engine, audit_trace, verify_claim, verify_claims
    from groundwire.errors import GroundwireError

    __version__: str

__all__ = [
    "Engine",
    "GroundwireError",
    "__version__",
    "audit_trace",
    "verify_claim",
    "verify_claims",
]


def __getattr__(name: str) -> Any:
    if name == "GroundwireError":
        from groundwire.errors import GroundwireError

        return GroundwireError
    if name == "__version__":
        from importlib.metadata import version

        return version("groundwire")
    if name in __all__:
        from groundwire import engine

        return getattr(engine, name)
    raise AttributeError(f"module 'groundwire' has no attribute {name!r}")
