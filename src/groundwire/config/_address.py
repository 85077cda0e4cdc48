"""Settings that say where data is sent, and the keys that go with it."""

from typing import Annotated, Any
from urllib.parse import SplitResult, urlsplit

from pydantic import AfterValidator, Field


def _web_address(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or not _has_valid_port(parts):
        raise ValueError("write an address as in http://127.0.0.1:8080/v1")
    if parts.username or parts.password:
        raise ValueError("leave user and password out of the address; a key has its own setting")
    return value.rstrip("/")


def _has_valid_port(parts: SplitResult) -> bool:
    try:
        return parts.port is None or parts.port > 0
    except ValueError:
        return False


Address = Annotated[str, AfterValidator(_web_address)]


def address(description: str, default: str | None = None) -> Any:
    """A setting that says where data is sent: a project's file may not choose it freely."""
    return Field(default=default, description=description, json_schema_extra={"address": True})


def secret(description: str, *, sent_to: str, env: list[str] | None = None) -> Any:
    """A key, the customary variables that may hold it, and the address it would be sent to."""
    return Field(
        default=None,
        description=description,
        json_schema_extra={"sent_to": sent_to, **({"env": list[Any](env)} if env else {})},
    )
