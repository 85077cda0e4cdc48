"""Pairs the calls of a trace with their answers as they are read, and counts for its account."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from groundwire.traces._account import NamedCall, TraceAccount, UnreadRecord
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
