"""One question to a model and its answer, and what is done about the answer."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import httpx2
from starlette.responses import Response, StreamingResponse

from groundwire.observe import Log
from groundwire.serve._proxy_check import Checker, Finding, fewer_wrong, skipped
from groundwire.serve._proxy_stream import Streamed, events_of, is_stream
from groundwire.serve._wire import Conversation, Json, Wire

_log = Log("serve.proxy")
HEADER = "x-groundwire"
OF_THE_CONNECTION = frozenset(
    "connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding "
    "upgrade host content-length accept-encoding expect".split()
)
"""Headers that are each connection's own."""


class Exchange:
    """`send` asks the model again, with another body and the headers of the first request."""

    def __init__(
        self,
        wire: Wire,
        asked: Json,
        conversation: Conversation,
        checker: Checker,
        *,
        send: Callable[[bytes], Awaitable[httpx2.Response]],
        mode: str,
    ) -> None:
        self._wire = wire
        self._asked = asked
        self._conversation = conversation
        self._checker = checker
        self._send = send
        self._choices = wire.choices(asked)
        self._corrects = mode == "correct" and self._choices == 1
        self._marks = mode == "mark" and not wire.wants_structure(asked)

    async def whole(self, upstream: httpx2.Response) -> Response:
        raw = await _read(upstream)
        answer = read_json(raw)
        texts = [] if answer is None else self._words(answer)
        if answer is None or not any(texts):
            return _sent(upstream, raw, skipped("no_text"))
        found = await self._checker.check_all(texts, self._conversation)
        if self._corrects and found.wrong and len(texts) == 1 and texts[0]:
            better = await self._corrected(texts[0], found)
            if better is not None:
                return better
        marks = [one.mark() for one in found.choices or (found,)]
        if self._marks and any(marks):
            raw = json.dumps(self._wire.marked(answer, marks)).encode()
        return _sent(upstream, _with_field(raw, found.field()), found)

    async def _corrected(self, text: str, first: Finding) -> Response | None:
        """The second answer, where there is one and fewer of its statements are wrong."""
        upstream = await self._again(text, first)
        if upstream is None:
            return None
        raw = await _read(upstream)
        answer = read_json(raw)
        said = [] if answer is None else self._words(answer)
        if not any(said):
            return None
        found = await self._checker.check_all(said, self._conversation)
        if not fewer_wrong(found, first):
            return None
        found = replace(found, first=first)
        return _sent(upstream, _with_field(raw, found.field()), found)

    async def _again(self, text: str, first: Finding) -> httpx2.Response | None:
        body = self._wire.again(self._asked, text, first.feedback())
        try:
            upstream = await self._send(json.dumps(body).encode())
        except httpx2.TransportError as error:
            _log.warn("correction_failed", error=type(error).__name__)
            return None
        if upstream.status_code != httpx2.codes.OK:
            _log.warn("correction_failed", status=upstream.status_code)
            await upstream.aclose()
            return None
        return upstream

    async def stream(self, upstream: httpx2.Response) -> Response:
        if self._corrects:
            passing = self._corrected_stream(upstream)
        else:
            streamed = self._streamed()
            passing = streamed.pass_on(events_of(upstream))
        headers = {**_headers(upstream), HEADER: "streamed"}
        return StreamingResponse(_closing(passing, upstream), upstream.status_code, headers)

    async def _corrected_stream(self, upstream: httpx2.Response) -> AsyncIterator[bytes]:
        """Nothing passes before it is known which of the two answers will."""
        first = self._streamed()
        events, found = await first.gather(events_of(upstream))
        if found.wrong:
            again = await self._again(first.text, found)
            if again is not None and is_stream(again):
                second = self._streamed()
                try:
                    others, after = await second.gather(events_of(again))
                finally:
                    await again.aclose()
                if fewer_wrong(after, found):
                    first, events, found = second, others, replace(after, first=found)
        for event in first.told(events, found):
            yield event.raw

    def _streamed(self) -> Streamed:
        return Streamed(
            self._wire,
            lambda: self._checker.follow(self._conversation),
            choices=self._choices,
            has_marks=self._marks,
        )

    def _words(self, answer: Json) -> list[str | None]:
        try:
            return [text or None for text in self._wire.words(answer)]
        except Exception as error:  # noqa: BLE001  an answer of another shape passes
            _log.warn("answer_not_read", error=type(error).__name__)
            return []


async def _closing(
    passing: AsyncIterator[bytes], upstream: httpx2.Response
) -> AsyncIterator[bytes]:
    try:
        async for piece in passing:
            yield piece
    finally:
        with suppress(Exception):
            await upstream.aclose()


def unchanged(upstream: httpx2.Response) -> Response:
    async def pieces() -> AsyncIterator[bytes]:
        async for piece in upstream.aiter_raw():
            yield piece

    headers = _headers(upstream)
    if "content-length" in upstream.headers:
        headers["content-length"] = upstream.headers["content-length"]
    return StreamingResponse(_closing(pieces(), upstream), upstream.status_code, headers)


def _sent(upstream: httpx2.Response, raw: bytes, found: Finding) -> Response:
    headers = {**_headers(upstream), HEADER: found.header()}
    return Response(raw, upstream.status_code, headers)


async def _read(upstream: httpx2.Response) -> bytes:
    try:
        return b"".join([piece async for piece in upstream.aiter_raw()])
    finally:
        await upstream.aclose()


def _headers(upstream: httpx2.Response) -> dict[str, str]:
    kept: dict[str, str] = {}
    for name, value in upstream.headers.multi_items():
        if name.lower() not in OF_THE_CONNECTION:
            kept[name] = f"{kept[name]}, {value}" if name in kept else value
    return kept


def _with_field(raw: bytes, note: Json) -> bytes:
    """The bytes of a JSON object with one more field at its end: the rest stays as it was."""
    head = raw.rstrip()
    return head[:-1] + b', "groundwire": ' + json.dumps(note).encode() + b"}"


def read_json(raw: bytes) -> Json | None:
    try:
        found: Any = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
