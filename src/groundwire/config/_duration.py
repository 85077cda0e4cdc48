import re
from datetime import timedelta
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

_UNIT_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)\s*")


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
