"""The account of a reading: what was seen, what was not understood, and so what may be concluded.

Absence proves something only where everything was read. Each reader tells the kinds of records it
knows; what is left makes the trace incomplete, never wrong.
"""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Literal

from pydantic import Field

from groundwire.model import Model
from groundwire.traces._parts import (
    Answer,
    Call,
    Gap,
    GapKind,
    Note,
    Part,
    Setting,
    Silent,
    Unknown,
    Unread,
)
from groundwire.traces._trace import TraceEvent, printable

MAX_OPEN_CALLS = 10_000
MAX_NAMED = 50
"""Calls, records and kinds that are named in an account; all are counted."""
MAX_EARLY = 16
"""Answers that may stand before their calls, and are held for them."""
MAX_IDS = 1_000_000
MAX_NAME_CHARS = 120

Kind = Literal["calls", "results", "writes"]
_EVERY: tuple[Kind, ...] = ("calls", "results", "writes")
_GAPS: Mapping[GapKind, tuple[str, tuple[Kind, ...]]] = {
    "cut_head": ("the beginning is not in the file", _EVERY),
    "cut_tail": ("the end is not in the file", _EVERY),
    "sub_agent": ("work of a sub-agent stands in another file", _EVERY),
    "other_file": ("it is one file of several", _EVERY),
    "not_listed": ("a script called tools that are not listed", _EVERY),
    "user_command": ("the user ran commands of their own", ("writes",)),
    "outside_change": ("files were changed by something that is no tool call", ("writes",)),
}


class NamedCall(Model):
    id: str
    tool: str


class UnreadRecord(Model):
    where: str
    reason: str


class TraceAccount(Model):
    """What a reading of a trace saw. Lists name the first few; their numbers count all."""

    format: str
    records: int = 0
    calls: int = 0
    paired: int = 0
    calls_without_result: int = 0
    unanswered: tuple[NamedCall, ...] = ()
    results_without_call: int = 0
    unread: int = 0
    unread_records: tuple[UnreadRecord, ...] = ()
    unknown_kinds: Mapping[str, int] = Field(default_factory=dict)
    silent_kinds: Mapping[str, int] = Field(default_factory=dict)
    """Kinds that are known to carry no call, no result and no write."""
    cwd: str | None = None
    """The folder of the project: where the tools worked first."""
    folders: int = 0
    """In how many folders the tools worked, as far as that is recorded."""
    refused_by_tool: int = 0
    refused_by_user: int = 0
    exit_codes: int = 0
    duplicate_ids: int = 0
    missing_ids: int = 0
    sidechain_calls: int = 0
    compactions: int = 0
    interruptions: int = 0
    half_written: bool = False
    """The last record is broken off."""
    gaps: tuple[GapKind, ...] = ()
    leaves_out: str = ""
    declared_incomplete: bool = False

    @property
    def complete(self) -> bool:
        return not any(self._reasons())

    def complete_for(self, kind: Kind) -> bool:
        """Whether absence proves something about this kind of event."""
        return not any(kind in kinds for _, kinds in self._reasons())

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the trace is not complete; empty if it is."""
        return tuple(reason for reason, _ in self._reasons())

    def _reasons(self) -> Iterator[tuple[str, tuple[Kind, ...]]]:
        if self.leaves_out:
            yield f"the format leaves out {self.leaves_out}", _EVERY
        if self.declared_incomplete:
            yield "it says so itself", _EVERY
        yield from (_GAPS[gap] for gap in self.gaps)
        yield from self._unread_reasons()
        yield from self._unpaired_reasons()

    def _unread_reasons(self) -> Iterator[tuple[str, tuple[Kind, ...]]]:
        if self.half_written:
            yield "the last record is broken off", _EVERY
        if self.unread - self.half_written:
            yield f"{_some(self.unread - self.half_written, 'record')} could not be read", _EVERY
        if self.unknown_kinds:
            count, names = sum(self.unknown_kinds.values()), ", ".join(self.unknown_kinds)
            told = names if len(names) <= MAX_NAME_CHARS else f"{names[:MAX_NAME_CHARS]} …"
            yield f"{_some(count, 'record')} of unknown kinds ({told})", _EVERY

    def _unpaired_reasons(self) -> Iterator[tuple[str, tuple[Kind, ...]]]:
        if self.calls_without_result:
            open_calls = _some(self.calls_without_result, "call")
            yield f"{open_calls} without a result", ("results", "writes")
        if self.results_without_call:
            yield f"{_some(self.results_without_call, 'result')} without a call", _EVERY
        if self.duplicate_ids:
            yield f"{_some(self.duplicate_ids, 'call')} with an id that was there before", _EVERY
        if self.missing_ids:
            yield f"{_some(self.missing_ids, 'call')} without an id", ("results", "writes")


def _some(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def event_of(call: Call, answer: Answer | None) -> TraceEvent:
    """One event of a trace; a call nobody answered may have been carried out or not."""
    raw: dict[str, Any] = {
        "id": call.id or None,
        "tool": call.tool,
        "arguments": call.arguments,
        "cwd": call.cwd,
        "at": call.at,
        "is_sidechain": call.is_sidechain,
    }
    if answer is None:
        raw["outcome"] = "unknown"
        return TraceEvent.model_validate(raw)
    raw |= {"result": answer.result, "exit_code": answer.exit_code, "writes": answer.writes}
    raw |= {"is_error": answer.is_error, "refused_by": answer.refused_by}
    if not answer.outcome_is_known:
        raw["outcome"] = "unknown"
    elif answer.refused_by is not None:
        raw["outcome"] = "error"
    return TraceEvent.model_validate(raw)


class Tally:
    """Pairs calls with their answers as they come, and counts."""

    def __init__(self, trace_format: str, leaves_out: str = "") -> None:
        self.format = trace_format
        self.leaves_out = leaves_out
        self.understood = False
        self.cwd: str | None = None
        self.trace_id: str | None = None
        self.first_unread: UnreadRecord | None = None
        self._counts = dict.fromkeys(_COUNTS, 0)
        self._open: dict[str, Call] = {}
        self._nameless: list[Call] = []
        self._early: dict[str, Answer] = {}
        self._ids: set[int] = set()
        self._unanswered: list[NamedCall] = []
        self._unread: list[UnreadRecord] = []
        self._unknown: dict[str, int] = {}
        self._silent: dict[str, int] = {}
        self._gaps: dict[GapKind, None] = {}
        self._folders: set[str] = set()
        self._last_is_broken = False

    @property
    def records(self) -> int:
        return self._counts["records"]

    def add_record(self) -> None:
        self._counts["records"] += 1
        self._last_is_broken = False

    def add_unread(self, where: str, reason: str, *, is_broken: bool = False) -> None:
        self._counts["unread"] += 1
        self._last_is_broken = is_broken
        told = UnreadRecord(where=printable(where), reason=printable(reason))
        self.first_unread = self.first_unread or told
        if len(self._unread) < MAX_NAMED:
            self._unread.append(told)

    def add(self, part: Part, where: str = "") -> Iterator[TraceEvent]:
        """What a part completes: at most one event, two where a call is given up."""
        self.understood = self.understood or not isinstance(part, Unknown | Unread)
        if isinstance(part, TraceEvent):
            self._add_event(part)
            yield part
        elif isinstance(part, Call):
            yield from self._add_call(part)
        elif isinstance(part, Answer):
            yield from self._add_answer(part)
        elif isinstance(part, Unread):
            self.add_unread(where, part.reason)
        else:
            self._add_fact(part)

    def _add_fact(self, part: Silent | Unknown | Setting | Gap | Note) -> None:
        match part:
            case Silent(kind):
                _count(self._silent, kind)
            case Unknown(kind):
                _count(self._unknown, kind)
            case Gap(kind=gap):
                self._gaps[gap] = None
            case Note(what):
                self._counts[_NOTES[what]] += 1
            case Setting(cwd, trace_id):
                self.cwd = self.cwd or cwd
                self.trace_id = self.trace_id or trace_id
                self._add_folder(cwd)

    def _add_folder(self, folder: str | None) -> None:
        if folder and len(self._folders) < MAX_OPEN_CALLS:
            self._folders.add(folder)

    def _add_event(self, event: TraceEvent) -> None:
        self._counts["calls"] += 1
        if event.outcome == "unknown":
            self._add_unanswered(event.id or "", event.tool)
        else:
            self._count_answer(event)

    def _count_answer(self, event: TraceEvent) -> None:
        self._counts["paired"] += 1
        self._counts["exit_codes"] += event.exit_code is not None
        self._counts["refused_by_tool"] += event.refused_by == "tool"
        self._counts["refused_by_user"] += event.refused_by == "user"

    def _add_call(self, call: Call) -> Iterator[TraceEvent]:
        known = self._open.get(call.id) if call.id else None
        if known is not None and (known.tool, known.arguments) == (call.tool, call.arguments):
            self._counts["duplicate_ids"] += 1  # the same call told twice
            return
        self._counts["calls"] += 1
        self._counts["sidechain_calls"] += call.is_sidechain
        self._add_folder(call.cwd)
        if not call.id:
            self._counts["missing_ids"] += 1
            self._nameless.append(call)
            if len(self._nameless) > MAX_OPEN_CALLS:
                yield self._given_up(self._nameless.pop(0))
            return
        key = hash(call.id)
        self._counts["duplicate_ids"] += key in self._ids
        if len(self._ids) < MAX_IDS:
            self._ids.add(key)
        if known is not None:
            yield self._given_up(self._open.pop(call.id))
        if call.id in self._early:
            yield self._paired(call, self._early.pop(call.id))
            return
        self._open[call.id] = call
        if len(self._open) > MAX_OPEN_CALLS:
            yield self._given_up(self._open.pop(next(iter(self._open))))

    def _add_answer(self, answer: Answer) -> Iterator[TraceEvent]:
        call = self._open.pop(answer.id, None) if answer.id else self._nameless_call(answer)
        if call is not None:
            yield self._paired(call, answer)
        elif answer.id and hash(answer.id) not in self._ids and len(self._early) < MAX_EARLY:
            self._early[answer.id] = answer
        else:
            self._counts["results_without_call"] += 1

    def _paired(self, call: Call, answer: Answer) -> TraceEvent:
        event = event_of(call, answer)
        self._count_answer(event)
        return event

    def _nameless_call(self, answer: Answer) -> Call | None:
        """The oldest call without an id: of the tool that answers, where that is told."""
        for place, call in enumerate(self._nameless):
            if not answer.tool or answer.tool == call.tool:
                return self._nameless.pop(place)
        fitting = [one for one in self._open.values() if answer.tool in {"", one.tool}]
        if len(fitting) != 1:
            return None
        self._counts["missing_ids"] += 1
        return self._open.pop(fitting[0].id)

    def _given_up(self, call: Call) -> TraceEvent:
        self._add_unanswered(call.id, call.tool)
        return event_of(call, None)

    def _add_unanswered(self, identity: str, tool: str) -> None:
        self._counts["calls_without_result"] += 1
        if len(self._unanswered) < MAX_NAMED:
            named = NamedCall(id=_name(identity), tool=_name(tool))
            self._unanswered.append(named)

    def finish(self) -> Iterator[TraceEvent]:
        """The calls nobody answered."""
        self._counts["results_without_call"] += len(self._early)
        self._early = {}
        for call in chain(self._open.values(), self._nameless):
            yield self._given_up(call)
        self._open = {}
        self._nameless = []

    def account(self) -> TraceAccount:
        return TraceAccount(
            format=self.format,
            **self._counts,
            unanswered=tuple(self._unanswered),
            unread_records=tuple(self._unread),
            unknown_kinds=self._unknown,
            silent_kinds=self._silent,
            cwd=None if self.cwd is None else printable(self.cwd),
            folders=len(self._folders),
            half_written=self._last_is_broken,
            gaps=tuple(self._gaps),
            leaves_out=self.leaves_out,
        )


_COUNTS = (
    "records", "calls", "paired", "calls_without_result", "results_without_call", "unread",
    "refused_by_tool", "refused_by_user", "exit_codes", "duplicate_ids", "missing_ids",
    "sidechain_calls", "compactions", "interruptions",
)  # fmt: skip
_NOTES = {"compaction": "compactions", "interruption": "interruptions"}


def _count(kinds: dict[str, int], kind: str) -> None:
    name = _name(kind)
    if name not in kinds and len(kinds) >= MAX_NAMED:
        name = "others"
    kinds[name] = kinds.get(name, 0) + 1


def _name(text: str) -> str:
    return printable(text[:MAX_NAME_CHARS])
