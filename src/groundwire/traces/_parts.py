"""What a reader finds in a transcript, before calls and answers are paired."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from groundwire.traces._stream import Record
from groundwire.traces._trace import RecordedWrite, RefusedBy, TraceEvent

GapKind = Literal[
    "cut_head",
    "cut_tail",
    "sub_agent",
    "user_command",
    "outside_change",
    "other_file",
    "not_listed",
]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool was asked to do something. An empty `id` says that the format gave none."""

    id: str
    tool: str
    arguments: Any
    cwd: str | None = None
    at: str | None = None
    is_sidechain: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """A tool answered. `is_error` is None where the format does not say.

    `refused_by` says that nothing was done at all, and who would not have it. `tool` helps to find
    the call where there is no `id`. `outcome_is_known` is false for one that was broken off.
    """

    id: str
    result: Any
    is_error: bool | None = None
    exit_code: int | None = None
    refused_by: RefusedBy | None = None
    tool: str = ""
    writes: tuple[RecordedWrite, ...] | None = None
    outcome_is_known: bool = True


@dataclass(frozen=True, slots=True)
class Silent:
    """A record, or a part of one, of a kind that carries no call, no result and no write."""

    kind: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """A record, or a part of one, of a kind nobody told the reader about."""

    kind: str


@dataclass(frozen=True, slots=True)
class Unread:
    """A record that should have been readable and was not."""

    reason: str


@dataclass(frozen=True, slots=True)
class Setting:
    """Where the tools worked, and what the session is called; the first that is said stands."""

    cwd: str | None = None
    trace_id: str | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that happened and is not in the file."""

    kind: GapKind


@dataclass(frozen=True, slots=True)
class Note:
    """A compaction or an interruption by the user; `end` where a stream says that it is over."""

    what: Literal["compaction", "interruption", "end"]


Part = Call | Answer | TraceEvent | Silent | Unknown | Unread | Setting | Gap | Note


class Reading:
    """One pass over one file, for formats whose records need what stood before them."""

    def parts(self, record: Record) -> Iterable[Part]:
        raise NotImplementedError

    def end(self) -> Iterable[Part]:
        return ()


class _Stateless(Reading):
    def __init__(self, parts: Callable[[Record], Iterable[Part]]) -> None:
        self._parts = parts

    def parts(self, record: Record) -> Iterable[Part]:
        return self._parts(record)


@dataclass(frozen=True)
class TraceReader:
    """What stands in the registry of trace formats (entry points `groundwire.traces`).

    `parts` gives what is in one record of a file, or `reading` makes an object that does and that
    remembers; a record of which nothing is given counts as not understood. `recognises` says
    whether a record is of this format, for files whose format nobody named. `leaves_out` says what
    the format never holds: a trace in it is never complete.
    """

    parts: Callable[[Record], Iterable[Part]] | None = None
    recognises: Callable[[Record], bool] = lambda _: False
    reading: Callable[[], Reading] | None = None
    leaves_out: str = ""
    is_text: bool = False
    """The records are lines of text, not JSON."""

    def begin(self) -> Reading:
        if self.reading is not None:
            return self.reading()
        return _Stateless(self.parts or (lambda _: ()))
