"""Transcripts as traces: our own format, and the messages of OpenAI, Anthropic and MCP."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import Any, BinaryIO, cast
from weakref import finalize

from groundwire._registry import Registry
from groundwire.config import ActionsSection
from groundwire.errors import GroundwireError, InputError, UnreadableSource
from groundwire.observe import Log
from groundwire.traces._stream import Record, read_records
from groundwire.traces._trace import ToolTrace, TraceEvent, read_event


@dataclass(frozen=True, slots=True)
class Call:
    """A tool was asked to do something."""

    id: str
    tool: str
    arguments: Any


@dataclass(frozen=True, slots=True)
class Answer:
    """A tool answered. `is_error` is None where the format does not say."""

    id: str
    result: Any
    is_error: bool | None = None
    exit_code: int | None = None


Part = Call | Answer | TraceEvent


def event_of(call: Call, answer: Answer | None) -> TraceEvent:
    """One event of a trace; a call nobody answered may have been carried out or not."""
    raw: dict[str, Any] = {"id": call.id, "tool": call.tool, "arguments": call.arguments}
    if answer is None:
        raw["outcome"] = "unknown"
    else:
        raw |= {"result": answer.result, "exit_code": answer.exit_code}
        raw["is_error"] = answer.is_error
    return TraceEvent.model_validate(raw)


_ANSWERS = {
    "function_call_output",
    "custom_tool_call_output",
    "local_shell_call_output",
    "shell_call_output",
}


def openai_parts(record: Mapping[str, Any]) -> Iterator[Part]:
    """The calls and answers in one message, or in one item of a response."""
    for choice in record.get("choices") or ():
        if isinstance(choice, Mapping) and isinstance(choice.get("message"), Mapping):
            yield from openai_parts(choice["message"])
    kind = record.get("type")
    if kind in {"function_call", "custom_tool_call"}:
        arguments = record.get("arguments", record.get("input"))
        # a custom tool takes bare text, such as a patch
        if kind == "custom_tool_call" and isinstance(arguments, str):
            arguments = {"input": arguments}
        yield Call(_id(record), str(record.get("name", "")), arguments)
    elif kind in {"local_shell_call", "shell_call"}:
        action = record.get("action")
        command = action.get("command") if isinstance(action, Mapping) else None
        yield Call(_id(record), "shell", {"command": command})
    elif kind in _ANSWERS:
        yield _answer(_id(record), record.get("output"))
    else:
        yield from _chat(record)


def _chat(message: Mapping[str, Any]) -> Iterator[Part]:
    for call in message.get("tool_calls") or ():
        if isinstance(call, Mapping) and isinstance(call.get("function"), Mapping):
            function = call["function"]
            yield Call(str(call.get("id")), str(function.get("name")), function.get("arguments"))
    legacy = message.get("function_call")
    if isinstance(legacy, Mapping):
        name = str(legacy.get("name"))
        yield Call(f"function:{name}", name, legacy.get("arguments"))
    if message.get("role") == "tool":
        several = message.get("tool_call_ids")
        first = several[0] if isinstance(several, list) and several else None
        yield _answer(str(message.get("tool_call_id") or first), message.get("content"))
    elif message.get("role") == "function":
        yield _answer(f"function:{message.get('name')}", message.get("content"))


def _id(record: Mapping[str, Any]) -> str:
    return str(record.get("call_id") or record.get("id"))


def _answer(identity: str, output: Any) -> Answer:
    """Shell tools wrap what was printed and the exit code in a JSON string."""
    if isinstance(output, str) and output.startswith("{"):
        try:
            wrapped = json.loads(output)
        except (ValueError, RecursionError):
            return Answer(identity, output)
        metadata = wrapped.get("metadata") if isinstance(wrapped, dict) else None
        if isinstance(metadata, dict) and isinstance(wrapped.get("output"), str):
            code = metadata.get("exit_code")
            return Answer(
                identity, wrapped["output"], exit_code=code if type(code) is int else None
            )
    return Answer(identity, output)


_CALLS = {"tool_use", "server_tool_use", "mcp_tool_use"}


def anthropic_parts(message: Mapping[str, Any]) -> Iterator[Part]:
    blocks = message.get("content")
    for block in blocks if isinstance(blocks, list) else ():
        if not isinstance(block, Mapping):
            continue
        kind = str(block.get("type"))
        if kind in _CALLS:
            yield Call(str(block.get("id")), str(block.get("name")), block.get("input"))
        elif kind.endswith("tool_result"):
            error = block.get("is_error")
            yield Answer(
                str(block.get("tool_use_id")),
                block.get("content"),
                is_error=error if isinstance(error, bool) else None,
            )


def mcp_parts(message: Mapping[str, Any]) -> Iterator[Part]:
    if "jsonrpc" not in message:
        return
    identity = str(message.get("id"))
    if message.get("method") == "tools/call" and isinstance(message.get("params"), Mapping):
        params = message["params"]
        yield Call(identity, str(params.get("name")), params.get("arguments"))
    elif isinstance(message.get("error"), Mapping):
        yield Answer(identity, str(message["error"].get("message")), is_error=True)
    elif isinstance(message.get("result"), Mapping):
        result = message["result"]
        answered = result.get("structuredContent", result.get("content"))
        if "content" in result or "structuredContent" in result:
            yield Answer(identity, answered, is_error=result.get("isError") is True)


AUTO = "auto"
_log = Log("traces")
MEGABYTE = 1_000_000
MAX_OPEN_CALLS = 10_000
_HEADER = {"groundwire_trace", "trace_id", "traceId", "cwd", "complete", "base_path", "run_id"}
_OURS = {"tool", "writes", "arguments"}


def trace_from_openai(
    messages: Iterable[Mapping[str, Any]], *, trace_id: str | None = None, cwd: str | None = None
) -> ToolTrace:
    """A trace from the messages of a chat, or the items of a response."""
    return _from_messages(messages, openai_parts, trace_id, cwd)


def trace_from_anthropic(
    messages: Iterable[Mapping[str, Any]], *, trace_id: str | None = None, cwd: str | None = None
) -> ToolTrace:
    return _from_messages(messages, anthropic_parts, trace_id, cwd)


def trace_from_mcp(
    messages: Iterable[Mapping[str, Any]], *, trace_id: str | None = None, cwd: str | None = None
) -> ToolTrace:
    return _from_messages(messages, mcp_parts, trace_id, cwd)


def _from_messages(
    messages: Iterable[Mapping[str, Any]],
    parts_of: Callable[[Mapping[str, Any]], Iterator[Part]],
    trace_id: str | None,
    cwd: str | None,
) -> ToolTrace:
    parts = (part for message in messages for part in parts_of(message))
    return ToolTrace(list(paired(parts)), trace_id=trace_id, cwd=cwd)


def paired(parts: Iterable[Part]) -> Iterator[TraceEvent]:
    """Calls with their answers, in the order of the answers; last, the calls nobody answered."""
    open_calls: dict[str, Call] = {}
    for part in parts:
        if isinstance(part, Call):
            if len(open_calls) >= MAX_OPEN_CALLS:
                yield event_of(open_calls.pop(next(iter(open_calls))), None)
            open_calls[part.id] = part
        elif isinstance(part, Answer):
            call = open_calls.pop(part.id, None)
            if call is not None:
                yield event_of(call, part)
        else:
            yield part
    for call in open_calls.values():
        yield event_of(call, None)


def open_trace(
    path: Path | str,
    *,
    trace_format: str = "auto",
    trace_id: str | None = None,
    cwd: str | None = None,
    settings: ActionsSection | None = None,
) -> ToolTrace:
    """A trace that reads its file anew each time; `-` is standard input, which is read once.

    What stands before the first event is known at once.
    """
    if trace_format != AUTO:
        TRACES.get(trace_format)
    settings = settings or ActionsSection()
    source = _Source(path, trace_format, settings)
    trace = ToolTrace(source.events, trace_id=trace_id, cwd=cwd)
    for _ in islice(source.events(trace), 1):
        pass
    return trace


class _Source:
    def __init__(self, path: Path | str, trace_format: str, settings: ActionsSection) -> None:
        self._path = path
        self._format = trace_format
        self._settings = settings
        self._spooled = _spooled_input() if str(path) == "-" else None
        if self._spooled is not None:
            finalize(self, self._spooled.close)

    @property
    def _name(self) -> str:
        return "the trace on standard input" if self._spooled is not None else str(self._path)

    def events(self, trace: ToolTrace) -> Iterator[TraceEvent]:
        with self._opened() as file:
            limit = int(self._settings.max_event_mb * MEGABYTE)
            records = read_records(file, where=self._name, max_record_chars=limit)
            yield from paired(self._parts(records, trace))

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        if self._spooled is not None:
            self._spooled.seek(0)
            yield self._spooled
            return
        path = Path(self._path)
        try:
            size_mb = path.stat().st_size / MEGABYTE
            if size_mb > self._settings.max_trace_mb:
                raise UnreadableSource(
                    f"The trace {path} has {size_mb:.0f} MB,"
                    f" more than {self._settings.max_trace_mb:g}.",
                    hint="Raise actions.max_trace_mb.",
                )
            file = path.open("rb")
        except OSError as error:
            raise UnreadableSource(f"The trace {path} cannot be read: {error.strerror}.") from error
        with file:
            yield file

    def _parts(self, records: Iterator[Record], trace: ToolTrace) -> Iterator[Part]:
        understood = False
        for record in records:
            if record.is_field:
                if record.name in _HEADER:
                    trace.accept_header({record.name: record.value}, self._name)
                continue
            if not isinstance(record.value, Mapping):
                raise InputError(f"{record.where}: an event must be an object.")
            if self._is_header(record.value):
                trace.accept_header(record.value, self._name)
                understood = True
                continue
            found = list(self._parts_of(record, trace))
            understood = understood or bool(found) or "role" in record.value
            yield from found
        if not understood:
            raise InputError(
                f"{self._name} holds no events that could be understood.",
                hint="See docs/concepts/tool-trace.md for the formats.",
            )

    def _parts_of(self, record: Record, trace: ToolTrace) -> Iterator[Part]:
        for reader in _readers_of(record, self._format):
            if reader is not GROUNDWIRE and isinstance(record.value.get("cwd"), str):
                trace.cwd = trace.cwd or record.value["cwd"]
            yield from _read(reader, record)

    def _is_header(self, value: Mapping[str, Any]) -> bool:
        return "groundwire_trace" in value or (not value.keys() - _HEADER and bool(value))


def _spooled_input() -> BinaryIO:
    """Standard input as a file that can be read twice, on disk rather than in memory."""
    spooled = cast("BinaryIO", TemporaryFile())  # noqa: SIM115
    copyfileobj(sys.stdin.buffer, spooled)
    return spooled


@dataclass(frozen=True)
class TraceReader:
    """What stands in the registry of trace formats (entry points `groundwire.traces`).

    `parts` gives the calls and answers in one JSON record of a file; `recognises` says whether a
    record is of this format, for files whose format nobody named.
    """

    parts: Callable[[Record], Iterable[Part]]
    recognises: Callable[[Record], bool] = lambda _: False


def _is_ours(record: Record) -> bool:
    value = record.value
    if "role" in value or "jsonrpc" in value or not value.keys() & _OURS:
        return False
    return "tool" in value or "writes" in value or record.name == "events"


def _unwrapped(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Transcripts put each message into an envelope."""
    for name in ("message", "payload", "item"):
        if isinstance(value.get(name), Mapping) and "jsonrpc" not in value:
            return _unwrapped(value[name])
    return value


def _is_message(record: Record) -> bool:
    return "jsonrpc" not in _unwrapped(record.value) and not _is_ours(record)


GROUNDWIRE = TraceReader(lambda record: [read_event(record.value, record.where)], _is_ours)
OPENAI = TraceReader(lambda record: openai_parts(_unwrapped(record.value)), _is_message)
ANTHROPIC = TraceReader(lambda record: anthropic_parts(_unwrapped(record.value)), _is_message)
MCP = TraceReader(
    lambda record: mcp_parts(_unwrapped(record.value)),
    lambda record: "jsonrpc" in _unwrapped(record.value),
)
TRACES = Registry[TraceReader](
    "groundwire.traces",
    "trace format",
    {
        "groundwire": "groundwire.traces._messages:GROUNDWIRE",
        "mcp": "groundwire.traces._messages:MCP",
        "anthropic": "groundwire.traces._messages:ANTHROPIC",
        "openai": "groundwire.traces._messages:OPENAI",
    },
    TraceReader,
)


def _readers_of(record: Record, trace_format: str) -> list[TraceReader]:
    """By the asked format, or all that recognise the record: one of another package goes first."""
    if trace_format != AUTO:
        return [TRACES.get(trace_format)]
    for added in _usable(*TRACES.added_names()):
        if _recognised(added, record):
            return [added]
    return [own for own in _usable(*TRACES.own_names()) if own.recognises(record)]


@cache
def _usable(*names: str) -> list[TraceReader]:
    """A format of another package that cannot be used is told, and recognises nothing."""
    readers = []
    for name in names:
        try:
            readers.append(TRACES.get(name))
        except GroundwireError as error:
            _log.warn("trace_format_unusable", format=name, error=str(error))
    return readers


def _read(reader: TraceReader, record: Record) -> list[Part]:
    try:
        return list(reader.parts(record))
    except GroundwireError:
        raise
    except Exception as error:
        raise InputError(
            f"{record.where} cannot be read in this trace format: {type(error).__name__}: {error}.",
            hint="Is it in another format? See --trace-format.",
        ) from error


def _recognised(reader: TraceReader, record: Record) -> bool:
    """A reader of another package that stumbles over a record has not recognised it."""
    try:
        return reader.recognises(record)
    except Exception as error:  # noqa: BLE001 it may raise anything on what is not its format
        _log.warn("trace_format_failed", where=record.where, error=str(error))
        return False
