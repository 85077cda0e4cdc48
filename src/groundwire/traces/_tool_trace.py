"""`ToolTrace`: the events of a transcript, and the account of what was read of it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self

from groundwire.errors import InputError
from groundwire.traces._account import TraceAccount
from groundwire.traces._tally import Tally
from groundwire.traces._trace import Events, TraceEvent, read_event

VERSION = 1
LISTS = ("events", "invocations")


class ToolTrace:
    """Events in order. They may be read anew from a file each time, so that none need be held.

    `cwd` is the folder the tools worked in, as they called it. Fields of a file's header are known
    once it was read. `complete` says that all calls, results and writes are in here; it is earned
    by what was read, and nothing a file says of itself can make it true.
    """

    def __init__(
        self,
        events: Events | Callable[["ToolTrace"], Iterator[TraceEvent]] = (),
        *,
        trace_id: str | None = None,
        cwd: str | None = None,
        complete: bool = True,
        account: TraceAccount | None = None,
    ) -> None:
        self._events = events
        self._account = account
        self._may_be_complete = complete
        self.trace_id = trace_id
        self.cwd = cwd

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Self:
        """A trace from a document in our format: the header's fields and a list `events`."""
        events = next((document[name] for name in LISTS if name in document), None)
        if not isinstance(events, list):
            raise InputError("The trace has no list of events.", hint="Put them under `events`.")
        trace = cls(events)
        trace.accept_header(document, "The trace")
        return trace

    @property
    def account(self) -> TraceAccount:
        """What a whole reading saw; the trace is read for it if it was not yet."""
        if self._account is None:
            for _ in self:
                pass
        account = self._account or TraceAccount(format="groundwire")
        if self._may_be_complete:
            return account
        return account.model_copy(update={"declared_incomplete": True})

    @property
    def complete(self) -> bool:
        return self._may_be_complete and self.account.complete

    def __iter__(self) -> Iterator[TraceEvent]:
        if callable(self._events):
            yield from self._events(self)
            return
        tally = Tally("groundwire")
        for number, raw in enumerate(self._events, start=1):
            event = raw if isinstance(raw, TraceEvent) else read_event(raw, f"event {number}")
            tally.add_record()
            yield from tally.add(event)
        self._account = self._account or tally.account()

    def accept_account(self, account: TraceAccount) -> None:
        """What a reading of the file saw, once it came to the end."""
        self._account = account

    def accept_header(self, header: Mapping[str, Any], where: str) -> None:
        """Take what a file's header says, unless the caller already said otherwise."""
        version = header.get("groundwire_trace", VERSION)
        if version != VERSION:
            raise InputError(
                f"{where} is a trace of version {version!r}; this Groundwire reads {VERSION}.",
                hint="Upgrade Groundwire.",
            )
        self.trace_id = self.trace_id or _text(header, "trace_id", "traceId", "id", "run_id")
        self.cwd = self.cwd or _text(header, "cwd", "base_path", "working_dir")
        if header.get("complete") is False:
            self._may_be_complete = False


def _text(header: Mapping[str, Any], *names: str) -> str | None:
    return next((str(header[name]) for name in names if header.get(name)), None)
