"""uvicorn with manners: who sends nothing is not waited for, and a stop loses nothing."""

import asyncio
import errno
import logging
import math
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from groundwire.config import ServeSection
from groundwire.engine import Engine
from groundwire.errors import ConfigError
from groundwire.observe import metrics
from groundwire.serve._app import build
from groundwire.serve._service import Service

_LINGER_S = 1
_KEEP_ALIVE_S = 75
"""Longer than clients keep a connection: who closes first must not be us, as a request may come."""
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\n"
    b"Content-Length: 0\r\nConnection: close\r\n\r\n"
)


def _protocol(settings: ServeSection) -> type[H11Protocol]:
    read_s = settings.read_timeout.total_seconds()

    class Patient(H11Protocol):
        """Waits a while for the head of a request, and takes so many connections."""

        _waits: asyncio.TimerHandle | None = None
        _is_refused = False

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if len(self.connections) > settings.max_connections:
                metrics().count("http_shed_total", reason="connections")
                self._is_refused = True
                transport.write(_FULL)
                transport.write_eof()
                # closed with something unread, the answer would be lost on its way
                self.loop.call_later(_LINGER_S, transport.close)
                return
            self._waits = self.loop.call_later(read_s, transport.close)

        def data_received(self, data: bytes) -> None:
            if self._is_refused:
                return
            super().data_received(data)
            if self.conn.their_state is not h11.IDLE:
                self._stop_waiting()
            elif self._waits is None:
                self._waits = self.loop.call_later(read_s, self.transport.close)

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_waiting()
            super().connection_lost(exc)

        def _stop_waiting(self) -> None:
            if self._waits is not None:
                self._waits.cancel()
                self._waits = None

    return Patient


class _Server(uvicorn.Server):
    def __init__(
        self, config: uvicorn.Config, started: Callable[[], None], stopping: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._started = started
        self._stopping = stopping

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._started()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Streams of events end first: they would be waited for."""
        self._stopping()
        super().handle_exit(sig, frame)
        self._captured_signals.clear()  # a stop that was asked for is no failure


def listening(settings: ServeSection) -> socket.socket:
    """Bound first, so that a port in use is told at once."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # named, since asyncio sends small answers at once (TCP_NODELAY) only where it is
    opened = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((settings.host, settings.port))
    except OSError as error:
        opened.close()
        is_port = error.errno in (errno.EADDRINUSE, errno.EACCES)
        raise ConfigError(
            f"{settings.host}:{settings.port} cannot be listened at: {error.strerror}.",
            hint="Choose another port: --port 0 takes a free one."
            if is_port
            else "Choose an address of this machine, such as 127.0.0.1.",
        ) from error
    return opened


def address_of(opened: socket.socket) -> str:
    host, port = opened.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run_server(engine: Engine, tell: Callable[[str], None]) -> None:
    """Serve until a signal comes, then end what was accepted."""
    with listening(engine.config.serve) as opened:
        address = address_of(opened)
        make_server(engine, lambda: tell(address)).run(sockets=[opened])


def make_server(engine: Engine, started: Callable[[], None]) -> uvicorn.Server:
    """The server of an engine; `should_exit` stops it."""
    service = Service(engine)
    service.claim()
    config = _uvicorn(build(service), engine.config.serve)
    return _Server(config, started, service.begin_stop)


def plain_server(app: ASGIApp, settings: ServeSection) -> uvicorn.Server:
    """For an app that has nothing to end before a stop."""
    return _Server(_uvicorn(app, settings), lambda: None, lambda: None)


def run_plain(app: ASGIApp, settings: ServeSection, tell: Callable[[str], None]) -> None:
    """Serve such an app until a signal comes."""
    with listening(settings) as opened:
        opened.listen()  # whoever is told the address may call at once
        tell(address_of(opened))
        plain_server(app, settings).run(sockets=[opened])


def _uvicorn(app: ASGIApp, settings: ServeSection) -> uvicorn.Config:
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    options: dict[str, Any] = {"log_config": None, "access_log": False, "server_header": False}
    return uvicorn.Config(
        app,
        http=_protocol(settings),
        ws="none",
        lifespan="on",
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=math.ceil(settings.shutdown_grace.total_seconds()),
        **options,
    )
