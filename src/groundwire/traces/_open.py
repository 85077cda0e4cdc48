"""`open_trace`: which reader a file needs, and the events it gives, read anew each time."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import BinaryIO, cast
from weakref import finalize

from groundwire._registry import Registry
from groundwire.config import ActionsSection
from groundwire.errors import GroundwireError, InputError, UnreadableSource
from groundwire.observe import Log
from groundwire.traces._messages import HEADER, MESSAGES, is_header, message_format
from groundwire.traces._parts import Part, Reading, TraceReader, Unknown, Unread
from groundwire.traces._stream import LIST, TEXT, Record, json_line, read_all
from groundwire.traces._tally import Tally
from groundwire.traces._tool_trace import LISTS, ToolTrace
from groundwire.traces._trace import TraceEvent

AUTO = "auto"
MEGABYTE = 1_000_000
HEAD_RECORDS = 40
HEAD_LINES = 5_000
"""So many records, or lines of a text, are looked at to tell a format."""
_LISTS = {*LISTS, "messages", "list"}
"""A list of this name may be empty: then nothing was done."""
_log = Log("traces")
_READERS = "groundwire.traces.readers"
TRACES = Registry[TraceReader](
    "groundwire.traces",
    "trace format",
    {
        "groundwire": "groundwire.traces._messages:GROUNDWIRE",
        "mcp": "groundwire.traces._messages:MCP",
        "claude-session": f"{_READERS}._claude:SESSION",
        "claude-stream": f"{_READERS}._claude:STREAM",
        "codex-rollout": f"{_READERS}._codex:ROLLOUT",
        "codex-rollout-old": f"{_READERS}._codex:OLD_ROLLOUT",
        "codex-exec": f"{_READERS}._codex_exec:EXEC",
        "gemini-chat": f"{_READERS}._gemini:CHAT",
        "gemini-chat-jsonl": f"{_READERS}._gemini:CHAT_LINES",
        "gemini-stream": f"{_READERS}._gemini:STREAM",
        "opencode-export": f"{_READERS}._opencode:EXPORT",
        "opencode-storage": f"{_READERS}._opencode:STORAGE",
        "opencode-run": f"{_READERS}._opencode:RUN",
        "cline-ui": f"{_READERS}._cline:UI",
        "cline-api": f"{_READERS}._cline:API",
        "openhands-list": f"{_READERS}._openhands:LIST",
        "openhands-events": f"{_READERS}._openhands:EVENTS",
        "swe-agent": f"{_READERS}._swe_agent:SWE_AGENT",
        "mini-swe-agent": f"{_READERS}._swe_agent:MINI",
        "copilot-events": f"{_READERS}._copilot:EVENTS",
        "pi-session": f"{_READERS}._pi:SESSION",
        "atif": f"{_READERS}._atif:ATIF",
        "cursor-jsonl": f"{_READERS}._cursor:LINES",
        "cursor-md": f"{_READERS}._cursor:MARKDOWN",
        "aider-md": f"{_READERS}._aider:MARKDOWN",
        "specstory-md": f"{_READERS}._specstory:MARKDOWN",
        "anthropic": "groundwire.traces._messages:ANTHROPIC",
        "openai": "groundwire.traces._messages:OPENAI",
    },
    TraceReader,
)


def open_trace(
    path: Path | str,
    *,
    trace_format: str = AUTO,
    trace_id: str | None = None,
    cwd: str | None = None,
    settings: ActionsSection | None = None,
    shown_as: str | None = None,
) -> ToolTrace:
    """A trace that reads its file anew each time; `-` is standard input, which is read once.

    What stands before the first event is known at once. Messages call the file `shown_as`.
    """
    if trace_format != AUTO:
        TRACES.get(trace_format)
    source = _Source(path, trace_format, settings or ActionsSection(), shown_as or str(path))
    trace = ToolTrace(source.events, trace_id=trace_id, cwd=cwd)
    for _ in islice(source.events(trace), 1):
        pass
    return trace


class _Source:
    def __init__(
        self, path: Path | str, trace_format: str, settings: ActionsSection, shown_as: str
    ) -> None:
        self._path = path
        self._shown_as = shown_as
        self._format = trace_format
        self._settings = settings
        self._has_list = False
        self._spooled = _spooled_input() if str(path) == "-" else None
        if self._spooled is not None:
            finalize(self, self._spooled.close)

    @property
    def _name(self) -> str:
        return "the trace on standard input" if self._spooled is not None else self._shown_as

    def events(self, trace: ToolTrace) -> Iterator[TraceEvent]:
        name, reader = self._reader()
        tally = Tally(name, reader.leaves_out)
        with self._records() as records:
            for event in self._read(records, reader, trace, tally):
                trace.cwd = trace.cwd or tally.cwd
                yield event
            yield from tally.finish()
        is_empty = self._has_list and not tally.records
        if not tally.understood and not is_empty:
            raise self._not_understood(tally)
        trace.cwd = trace.cwd or tally.cwd
        trace.accept_account(tally.account())

    def _not_understood(self, tally: Tally) -> InputError:
        first = tally.first_unread
        if first is not None:
            told = f"{first.where}{'' if first.reason[0] in ' ,' else ': '}{first.reason}"
            return InputError(told, hint="Is it in another format? See --trace-format.")
        return InputError(
            f"{self._name} holds no events that could be understood.",
            hint="See docs/concepts/tool-trace.md for the formats.",
        )

    def _reader(self) -> tuple[str, TraceReader]:
        """By the asked format, or the first that recognises one of the first records."""
        if self._format != AUTO:
            return self._format, TRACES.get(self._format)
        name = None
        with self._records() as records:
            for number, record in enumerate(one for one in records if not one.broken):
                if number >= (HEAD_LINES if record.name == TEXT else HEAD_RECORDS):
                    break
                found = _recognised(record)
                if found is None and record.name == TEXT:
                    found = _recognised(json_line(record))
                if found is not None:
                    return found
                name = name or message_format(record)
        return name or "messages", MESSAGES

    @contextmanager
    def _records(self) -> Iterator[Iterator[Record]]:
        limit = int(self._settings.max_event_mb * MEGABYTE)
        with self._opened() as file:
            yield read_all(file, where=self._name, max_record_chars=limit)

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
                    f"The trace {self._name} has {size_mb:.0f} MB,"
                    f" more than {self._settings.max_trace_mb:g}.",
                    hint="Raise actions.max_trace_mb.",
                )
            if not path.is_file():
                raise UnreadableSource(f"The trace {self._name} is not a file.")
            file = path.open("rb")
        except OSError as error:
            raise UnreadableSource(
                f"The trace {self._name} cannot be read: {error.strerror}."
            ) from error
        with file:
            yield file

    def _read(
        self, records: Iterator[Record], reader: TraceReader, trace: ToolTrace, tally: Tally
    ) -> Iterator[TraceEvent]:
        reading = reader.begin()
        for given in records:
            self._has_list = self._has_list or (given.value is LIST and given.name in _LISTS)
            record = json_line(given) if given.name == TEXT and not reader.is_text else given
            if record.name == TEXT and not record.value.strip():
                continue
            if not record.is_field:
                tally.add_record()
            if record.broken:
                tally.add_unread(record.where, record.broken, is_broken=True)
                continue
            if record.value is LIST:
                continue
            self._take_header(record, trace, tally)
            for part in _parts(reading, record):
                yield from tally.add(part, record.where)
        for part in reading.end():
            yield from tally.add(part, self._name)

    def _take_header(self, record: Record, trace: ToolTrace, tally: Tally) -> None:
        if record.is_field:
            if record.name in HEADER:
                trace.accept_header({record.name: record.value}, self._name)
        elif is_header(record.value):
            trace.accept_header(record.value, self._name)
            tally.understood = True


def _parts(reading: Reading, record: Record) -> list[Part]:
    """What a reader finds; a record it gives nothing for was not understood."""
    try:
        found = list(reading.parts(record))
    except GroundwireError:
        raise
    except Exception as error:  # noqa: BLE001 a reader may stumble over anything
        told = f"{type(error).__name__}: {error}."
        return [Unread(f" cannot be read in this trace format: {told}")]
    if not found and not record.is_field and not is_header(record.value):
        kind = record.value.get("type") if isinstance(record.value, Mapping) else None
        return [Unknown(str(kind or "record"))]
    return found


def _spooled_input() -> BinaryIO:
    """Standard input as a file that can be read twice, on disk rather than in memory."""
    spooled = cast("BinaryIO", TemporaryFile())  # noqa: SIM115
    copyfileobj(sys.stdin.buffer, spooled)
    return spooled


def _recognised(record: Record) -> tuple[str, TraceReader] | None:
    """The first that knows the record; those of other packages see whole JSON objects only."""
    is_object = isinstance(record.value, Mapping) and not record.is_field
    for name in _names() if is_object else TRACES.own_names():
        reader = _usable(name)
        is_fitting = reader is not None and reader.is_text == (record.name == TEXT)
        if reader is not None and is_fitting and _knows(reader, record):
            return name, reader
    return None


@cache
def _names() -> tuple[str, ...]:
    return (*TRACES.added_names(), *TRACES.own_names())


@cache
def _usable(name: str) -> TraceReader | None:
    """A format of another package that cannot be used is told, and recognises nothing."""
    try:
        return TRACES.get(name)
    except GroundwireError as error:
        _log.warn("trace_format_unusable", format=name, error=str(error))
        return None


def _knows(reader: TraceReader, record: Record) -> bool:
    """A reader of another package that stumbles over a record has not recognised it."""
    try:
        return reader.recognises(record)
    except Exception as error:  # noqa: BLE001 it may raise anything on what is not its format
        _log.warn("trace_format_failed", where=record.where, error=str(error))
        return False
