"""One event of the record of what an agent's tools did.

A trace file is JSON Lines: a header with `"groundwire_trace": 1`, then one event a line; or one
JSON object with the same header fields and a list `events`. `docs/concepts/tool-trace.md` says
what each field means. Other formats are read by `open_trace`.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic.alias_generators import to_camel

from groundwire._patterns import lazy_pattern
from groundwire.errors import InputError
from groundwire.model import Model

Outcome = Literal["ok", "error", "unknown"]
RefusedBy = Literal["tool", "user"]

_SYNONYMS = {
    "call_id": "id",
    "tool_call_id": "id",
    "callId": "id",
    "toolCallId": "id",
    "tool_name": "tool",
    "toolName": "tool",
    "name": "tool",
    "input": "arguments",
    "args": "arguments",
    "params": "arguments",
    "output": "result",
    "observation": "result",
}


# such as "sha256:" and 64 hexadecimal digits, or the digits alone
_HASH = lazy_pattern(r"(?:sha-?256[:=-])?([0-9a-f]{64})")


def _sha256(text: str) -> str:
    match = _HASH.fullmatch(text.strip().lower())
    if match is None:
        raise ValueError("not a SHA-256 in hexadecimal (64 digits)")
    return match[1]


Sha256 = Annotated[str, AfterValidator(_sha256)]
# what a terminal obeys or turns around: escape sequences, direction marks, halves of characters
_CONTROL = lazy_pattern(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def printable(text: str) -> str:
    """A name out of a transcript, safe to show: control characters as `\\x1b`, say."""
    return _CONTROL.sub(lambda match: ascii(match[0])[1:-1], text)


class Given(Model):
    """What an agent hands over: either spelling of a name, fields nobody knows ignored."""

    model_config = ConfigDict(
        extra="ignore", alias_generator=to_camel, validate_by_name=True, loc_by_alias=False
    )


class RecordedWrite(Given):
    """A change to one file, as the tool that made it recorded it."""

    path: str
    action: Literal["write", "edit", "delete"] = "write"
    content: str | None = None
    content_hash: Sha256 | None = None


class TraceEvent(Given):
    """One call of a tool, in the order it finished.

    `writes` lists the files it changed: none if it is empty, and read off the tool's name and
    arguments if it is left out. `refused_by` says that nothing was done at all: the tool or the
    user would not have it. `cwd` is the folder of this call, where the format records it.
    """

    id: str | None = None
    tool: str = ""
    arguments: dict[str, Any] = Field(default_factory=dict)
    result: Any = None
    outcome: Outcome | None = None
    exit_code: int | None = None
    at: str | None = None
    writes: tuple[RecordedWrite, ...] | None = None
    refused_by: RefusedBy | None = None
    cwd: str | None = None
    is_sidechain: bool = False

    @model_validator(mode="before")
    @classmethod
    def _tidy(cls, raw: Any) -> Any:
        if not isinstance(raw, Mapping):
            return raw
        tidy: dict[str, Any] = {
            _SYNONYMS.get(str(name), str(name)): value for name, value in raw.items()
        }
        if isinstance(tidy.get("id"), int):
            tidy["id"] = str(tidy["id"])
        if not isinstance(tidy.get("arguments"), dict):
            tidy["arguments"] = _arguments(tidy.get("arguments"))
        if tidy.get("outcome") not in {"ok", "error", "unknown"}:
            tidy["outcome"] = _outcome(tidy)
        return tidy


def _arguments(given: Any) -> dict[str, Any]:
    """Arguments written as a JSON string, as some interfaces do; a bare string is a command."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {"command": given}
    return given if isinstance(given, dict) else {} if given is None else {"value": given}


def _outcome(raw: Mapping[str, Any]) -> Outcome | None:
    for flag in ("is_error", "isError"):
        if isinstance(raw.get(flag), bool):
            return "error" if raw[flag] else "ok"
    for flag in ("success", "ok"):
        if isinstance(raw.get(flag), bool):
            return "ok" if raw[flag] else "error"
    return "error" if raw.get("error") else None


Events = Iterable[TraceEvent | Mapping[str, Any]]


def read_event(raw: Any, where: str) -> TraceEvent:
    if isinstance(raw, Mapping) and raw.keys() & {"role", "jsonrpc"}:
        raise InputError(
            f"{where} is a message, not an event.",
            hint="Make a trace of messages with groundwire.traces (trace_from_openai, …).",
        )
    try:
        return TraceEvent.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputError(
            f"{where}{f', field {field}' if field else ''}: {first['msg']}."
        ) from error
