"""Server-sent events on their way: they pass as they come, but the last wait for the verdict."""

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import httpx2

from groundwire._patterns import lazy_pattern
from groundwire.serve._proxy_check import Finding, Following, skipped
from groundwire.serve._wire import Json, Wire

_LARGEST_EVENT = 8_000_000
# other marks that end a line in some texts may stand in a string of JSON
_LINE_END = lazy_pattern(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Event:
    """`raw` is what came, its end included; `data` what it says, where that is JSON."""

    raw: bytes
    name: str = ""
    data: Json | None = None

    @classmethod
    def of(cls, raw: bytes) -> "Event":
        lines = _LINE_END.split(raw.decode("utf-8", "replace"))
        name = next((one[6:].strip() for one in lines if one.startswith("event:")), "")
        text = "\n".join(one[5:].strip() for one in lines if one.startswith("data:"))
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            data = None
        return cls(raw, name, data if isinstance(data, dict) else None)

    @classmethod
    def made(cls, data: Json, name: str) -> "Event":
        head = f"event: {name}\n" if name else ""
        return cls(f"{head}data: {json.dumps(data)}\n\n".encode(), name, data)


def is_stream(upstream: httpx2.Response) -> bool:
    return upstream.headers.get("content-type", "").startswith("text/event-stream")


async def events_of(upstream: httpx2.Response) -> AsyncIterator[Event]:
    """Whole events; what is left when a stream breaks off comes as it is."""
    kept = b""
    async for piece in upstream.aiter_raw():
        kept += piece
        while (end := _end_of_event(kept)) is not None:
            yield Event.of(kept[:end])
            kept = kept[end:]
        if len(kept) > _LARGEST_EVENT:
            yield Event(kept)
            kept = b""
    if kept:
        yield Event(kept)


def _end_of_event(kept: bytes) -> int | None:
    ends = [kept.find(end) + len(end) for end in (b"\n\n", b"\r\n\r\n") if end in kept]
    return min(ends, default=None)


class Streamed:
    """Passes events on and follows what they say, each choice by itself.

    Where there are several choices none is marked: the end of one has passed long before the last
    word of another.
    """

    def __init__(
        self, wire: Wire, follow: Callable[[], Following], *, choices: int, has_marks: bool
    ) -> None:
        self._wire = wire
        self._following = defaultdict[int, Following](follow)
        self._choices = choices
        self._has_marks = has_marks and choices == 1
        self._calling: set[int] = set()
        self._ended: set[int] = set()
        self._index = 0
        self._has_names = False

    @property
    def text(self) -> str:
        return self._following[0].text

    async def gather(self, events: AsyncIterator[Event]) -> tuple[list[Event], Finding]:
        """All events of a stream, and what was found in it."""
        try:
            gathered = []
            async for event in events:
                self._read(event)
                gathered.append(event)
            return gathered, await self._found()
        finally:
            self._stop()

    async def _found(self) -> Finding:
        places = (self._found_in(place) for place in range(self._choices))
        return Finding.of(await asyncio.gather(*places))

    async def _found_in(self, place: int) -> Finding:
        is_call = place in self._calling
        return skipped("tools") if is_call else await self._following[place].finish()

    async def pass_on(self, events: AsyncIterator[Event]) -> AsyncIterator[bytes]:
        held: list[Event] = []
        try:
            async for event in events:
                self._read(event)
                if len(self._ended) >= self._choices:
                    held.append(event)
                else:
                    yield event.raw
            found = await self._found()
            for event in self.told(held, found):
                yield event.raw
        except httpx2.TransportError:
            for event in held:  # it broke off: what came passes, and no more
                yield event.raw
            raise
        finally:
            self._stop()

    def _stop(self) -> None:
        for one in self._following.values():
            one.stop()

    def _read(self, event: Event) -> None:
        data = event.data
        if data is None:
            return
        self._has_names = self._has_names or bool(event.name)
        if isinstance(data.get("index"), int):
            self._index = max(self._index, data["index"] + 1)
        self._calling |= self._wire.calling(data)
        self._ended |= self._wire.ended(data)
        for place, piece in self._wire.deltas(data):
            if piece and 0 <= place < self._choices:
                self._following[place].add(piece)

    def told(self, held: list[Event], found: Finding) -> list[Event]:
        """The events that waited, with the note in one of them."""
        note = found.field()
        mark = found.mark() if self._has_marks and not self._calling else ""
        bodies = [one.data for one in held if one.data is not None]
        told = []
        if mark:
            told += [
                Event.made(one, str(one.get("type", "")) if self._has_names else "")
                for one in self._wire.mark_events(bodies, mark, self._index)
            ]
        for event in held:
            is_noted = event.data is not None and self._wire.noted(event.data, note)
            if event.data is not None and (is_noted or mark):
                told.append(Event.made(event.data, event.name))
            else:
                told.append(event)
        return told
