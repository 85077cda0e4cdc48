"""A proxy between a program and its language model: what passes is verified.

Bytes pass as they are wherever nothing is to be added; keys pass and are kept nowhere.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx2
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from groundwire.config import ProxySection, ServeSection, is_loopback
from groundwire.engine import Engine
from groundwire.errors import ConfigError, GroundwireError
from groundwire.observe import Log
from groundwire.serve._access import LOOPBACK_NAMES
from groundwire.serve._proxy_check import Checker
from groundwire.serve._proxy_exchange import (
    HEADER,
    OF_THE_CONNECTION,
    Exchange,
    read_json,
    unchanged,
)
from groundwire.serve._proxy_stream import is_stream
from groundwire.serve._server import run_plain
from groundwire.serve._wires import wire_of

_log = Log("serve.proxy")
_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]


def run_proxy(engine: Engine, tell: Callable[[str], None]) -> None:
    """Pass requests on until a signal comes."""
    settings = engine.config.proxy
    app = proxy_app(engine)
    if not (is_loopback(f"http://{settings.host}") or settings.allow_others):
        raise ConfigError(
            f"Others reach {settings.host}, and whoever reaches a proxy may use it.",
            hint="Listen at 127.0.0.1, or say --set proxy.allow_others=true.",
        )
    place = ServeSection(
        host=settings.host, port=settings.port, max_connections=engine.config.serve.max_connections
    )
    run_plain(app, place, tell)


def proxy_app(engine: Engine) -> Starlette:
    settings = engine.config.proxy
    if settings.upstream is None:
        raise ConfigError(
            "The proxy does not know where to pass requests on to.",
            hint="gw proxy --upstream https://api.openai.com/v1",
        )
    proxy = Proxy(engine, settings, settings.upstream)
    return Starlette(
        routes=[Route("/{path:path}", proxy.answer, methods=_METHODS)], lifespan=proxy.lifespan
    )


class Proxy:
    def __init__(self, engine: Engine, settings: ProxySection, upstream: str) -> None:
        self._engine = engine
        self._settings = settings
        self._upstream = httpx2.URL(upstream)
        self._checker = Checker(engine, settings.budget.total_seconds())
        self._client = httpx2.AsyncClient(
            timeout=httpx2.Timeout(settings.timeout.total_seconds(), connect=30),
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=64),
            trust_env=not is_loopback(upstream),
        )

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        warming = None
        if self._settings.mode != "off":
            warming = asyncio.create_task(self._warm())
        yield
        if warming is not None:
            warming.cancel()
        await self._client.aclose()

    async def _warm(self) -> None:
        """The judge is loaded before an answer's budget is spent on that."""
        try:
            await self._engine.load()
        except GroundwireError as error:
            _log.error("judge_not_loaded", error=str(error))

    async def answer(self, request: Request) -> Response:
        refusal = self._refusal(request)
        if refusal is not None:
            return refusal
        try:
            body = await self._body(request)
        except ClientDisconnect:
            return Response(status_code=499)
        if body is None:
            return _error(413, "request_too_large", "The request is larger than proxy.max_body_mb.")
        try:
            return await self._passed(request, body)
        except httpx2.TransportError as error:
            kind = "timeout" if isinstance(error, httpx2.TimeoutException) else "unreachable"
            status = 504 if kind == "timeout" else 502
            where = self._upstream.host
            told = f"{where} did not answer ({type(error).__name__}), says the proxy before it."
            return _error(status, f"upstream_{kind}", told)

    def _refusal(self, request: Request) -> Response | None:
        """A page in a browser is no program of yours, and names that lead here are not ours."""
        name = request.headers.get("host", "").rpartition(":")[0]
        is_named = self._settings.allow_others or name.lower() in LOOPBACK_NAMES
        if not is_named or "origin" in request.headers:
            return _error(403, "forbidden", "This proxy answers programs on this machine only.")
        return None

    async def _body(self, request: Request) -> bytes | None:
        most = self._settings.max_body_mb * 1_000_000
        pieces, size = [], 0
        async for piece in request.stream():
            size += len(piece)
            if size > most:
                return None
            pieces.append(piece)
        return b"".join(pieces)

    async def _passed(self, request: Request, body: bytes) -> Response:
        wire = None
        if self._settings.mode != "off":
            wire = wire_of(request.method, request.url.path)
        asked = read_json(body) if wire is not None else None
        upstream = await self._send(request, body)
        if wire is None or asked is None or upstream.status_code != httpx2.codes.OK:
            return unchanged(upstream)
        try:
            conversation = wire.conversation(asked)
        except Exception as error:  # noqa: BLE001  what we cannot read is not ours to refuse
            _log.warn("request_not_read", error=type(error).__name__)
            return unchanged(upstream)
        exchange = Exchange(
            *(wire, asked, conversation, self._checker),
            send=lambda again: self._send(request, again),
            mode=self._settings.mode,
        )
        if is_stream(upstream):
            return await exchange.stream(upstream)
        return await exchange.whole(upstream)

    async def _send(self, request: Request, body: bytes) -> httpx2.Response:
        headers = [
            (name, value)
            for name, value in request.headers.raw
            if name.decode("latin-1") not in OF_THE_CONNECTION
        ]
        headers.append((b"accept-encoding", b"identity"))
        made = self._client.build_request(
            request.method, self._address(request), headers=headers, content=body
        )
        return await self._client.send(made, stream=True)

    def _address(self, request: Request) -> httpx2.URL:
        """`/v1` may stand in the upstream's address, in the caller's, or in both."""
        path = request.scope.get("raw_path") or request.url.path.encode()
        base = self._upstream.raw_path.rstrip(b"/")
        if base.endswith(b"/v1") and path.startswith(b"/v1/"):
            base = base.removesuffix(b"/v1")
        query = request.scope["query_string"]
        return self._upstream.copy_with(raw_path=base + path + (b"?" + query if query else b""))


def _error(status: int, kind: str, message: str) -> Response:
    """In the words of both families of clients."""
    error = {"type": kind, "code": kind, "message": message, "param": None}
    raw = json.dumps({"type": "error", "error": error}).encode()
    return Response(raw, status, {HEADER: f"refused={kind}"}, "application/json")
