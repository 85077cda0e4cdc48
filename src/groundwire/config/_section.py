"""What all sections share: the strict base, durations, addresses."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from difflib import get_close_matches
from typing import Annotated, Any, TypeVar
from urllib.parse import SplitResult, urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
)

from groundwire._patterns import lazy_pattern
from groundwire._registry import known_names


class Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True, defer_build=True)


def _one_is_a_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


OneIsAList = BeforeValidator(_one_is_a_list)
"""For lists that mostly have one member: `languages: en` means `languages: [en]`."""


_UNIT_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
# such as "300ms", "1.5h"
_DURATION = lazy_pattern(r"\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)\s*")


def parse_duration(value: object) -> timedelta:
    if isinstance(value, timedelta):
        return value
    match = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError("write a duration as a number with its unit: 300ms, 2s, 10m, 1h or 90d")
    return timedelta(seconds=float(match[1]) * _UNIT_SECONDS[match[2]])


def format_duration(value: timedelta) -> str:
    seconds = value.total_seconds()
    for unit, size in reversed(_UNIT_SECONDS.items()):
        count = seconds / size
        if count >= 1 and count == round(count):
            return f"{round(count)}{unit}"
    return f"{seconds * 1000:g}ms"


Duration = Annotated[
    timedelta,
    BeforeValidator(parse_duration),
    PlainSerializer(format_duration, return_type=str),
    WithJsonSchema({"type": "string", "examples": ["300ms", "2s", "10m", "90d"]}),
]


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


Value = TypeVar("Value")


def setting(
    default: Value,
    description: str,
    *,
    ge: float | None = None,
    gt: float | None = None,
    le: float | None = None,
    lt: float | None = None,
    **extra: Any,
) -> Value:
    """A setting of the tree; `extra` is what else there is to know about it: `env`, the variables
    that set it; `loosens`, which way it loosens (`_trust`), without which a project may not set it.
    """
    return Field(
        default,
        description=description,
        json_schema_extra=extra or None,
        ge=ge,
        gt=gt,
        le=le,
        lt=lt,
    )


Share = Annotated[float, Field(ge=0, le=1)]


def duration(default: str, description: str, **extra: Any) -> timedelta:
    return setting(parse_duration(default), description, **extra)


def nested() -> Any:
    """A section with its defaults. It is made with the whole tree: one alone takes its own check,
    which every start of the program would pay for.
    """
    return Field(default={})


def address(description: str, default: str | None = None) -> Any:
    """A setting that says where data is sent: a project's file may not choose it."""
    return setting(default, description, address=True)


def secret(description: str, *, env: Sequence[str] = ()) -> Any:
    """A key, and the customary variables that may hold it. A project's file may not set it."""
    return setting(None, description, env=list(env))


def registered(group: str, built_in: Iterable[str]) -> AfterValidator:
    """A name of ours, or one that another installed package registered in this group."""
    ours = tuple(built_in)

    def check(name: str) -> str:
        if name in ours:
            return name
        known = known_names(group, ours)
        if name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.4)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"known are {', '.join(known)}{meant}")
        return name

    return AfterValidator(check)
