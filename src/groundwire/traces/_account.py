"""The account of a reading: what was seen, what was not understood, and so what may be concluded.

Absence proves something only where everything was read. Each reader tells the kinds of records it
knows; what is left makes the trace incomplete, never wrong.
"""

from collections.abc import Iterator, Mapping

from pydantic import Field

from groundwire.model import Model
from groundwire.traces._parts import GapKind

MAX_NAMES_CHARS = 120
"""Of the names of unknown kinds in one reason."""

_GAPS: Mapping[GapKind, str] = {
    "cut_head": "the beginning is not in the file",
    "cut_tail": "the end is not in the file",
    "sub_agent": "work of a sub-agent stands in another file",
    "other_file": "it is one file of several",
    "not_listed": "a script called tools that are not listed",
    "user_command": "the user ran commands of their own",
    "outside_change": "files were changed by something that is no tool call",
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
        return not self.reasons

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the trace is not complete; empty if it is."""
        return tuple(self._reasons())

    def _reasons(self) -> Iterator[str]:
        if self.leaves_out:
            yield f"the format leaves out {self.leaves_out}"
        if self.declared_incomplete:
            yield "it says so itself"
        yield from (_GAPS[gap] for gap in self.gaps)
        if self.half_written:
            yield "the last record is broken off"
        if self.unread - self.half_written:
            yield f"{_some(self.unread - self.half_written, 'record')} could not be read"
        if self.unknown_kinds:
            count, names = sum(self.unknown_kinds.values()), ", ".join(self.unknown_kinds)
            told = names if len(names) <= MAX_NAMES_CHARS else f"{names[:MAX_NAMES_CHARS]} …"
            yield f"{_some(count, 'record')} of unknown kinds ({told})"
        if self.calls_without_result:
            yield f"{_some(self.calls_without_result, 'call')} without a result"
        if self.results_without_call:
            yield f"{_some(self.results_without_call, 'result')} without a call"
        if self.duplicate_ids:
            yield f"{_some(self.duplicate_ids, 'call')} with an id that was there before"
        if self.missing_ids:
            yield f"{_some(self.missing_ids, 'call')} without an id"


def _some(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
