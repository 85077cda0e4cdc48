"""A real HTTP server on this machine that speaks a provider's wire format, faults included."""

import contextlib
import json
import select
import socket
import struct
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any, Self

from groundwire.testing._script import Answer, Asked, Fault, Reply, Responder, always

Body = Mapping[str, Any]


class LoopbackServer:
    """Subclasses know one wire: how a request reads, how an answer and a failure are written.

    `with OpenAIServer("YES") as server:` serves at `server.base_url` until the block ends.
    `asked` holds every request, `most_in_flight` the most that were under way at once.
    """

    prefix = ""
    redirect_to = "http://127.0.0.2:9/"

    def __init__(
        self, responder: Responder | Reply | str = "YES", *, key: str | None = None
    ) -> None:
        self.asked: list[Asked] = []
        self.most_in_flight = 0
        self._responder = responder if callable(responder) else always(responder)
        self._key = key
        self._in_flight = 0
        self._lock = Lock()
        self._http = _Listener(self)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}{self.prefix}"

    def __enter__(self) -> Self:
        Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.close_all()

    def read(self, path: str, body: Body, headers: Mapping[str, str]) -> Asked:
        raise NotImplementedError

    def key_of(self, headers: Mapping[str, str]) -> str | None:
        """Where this wire carries its key."""
        return headers.get("authorization", "").removeprefix("Bearer ") or None

    def write(self, asked: Asked, answer: Answer) -> Body:
        raise NotImplementedError

    def write_events(self, asked: Asked, answer: Answer) -> Iterator[str]:
        raise NotImplementedError

    def write_fault(self, asked: Asked, fault: Fault) -> tuple[int, Body]:
        raise NotImplementedError

    def handle(self, request: "_Request", path: str, body: Body) -> None:
        headers = {name.lower(): value for name, value in request.headers.items()}
        asked = self.read(path, body, headers)
        with self._lock:
            self.asked.append(asked)
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            known = self._key is None or self.key_of(headers) == self._key
            reply = self._responder(asked) if known else Fault("wrong_key")
            request.wait(reply.delay_s)
        finally:
            with self._lock:
                self._in_flight -= 1
        if isinstance(reply, Fault):
            self._fail(request, asked, reply)
        elif asked.stream:
            request.send_text("text/event-stream", "".join(self.write_events(asked, reply)))
        else:
            request.send_json(200, self.write(asked, reply))

    def _fail(self, request: "_Request", asked: Asked, fault: Fault) -> None:
        if fault.kind == "reset":
            request.reset()
        elif fault.kind == "truncated":
            whole = Answer("a whole answer that never arrives whole")
            if asked.stream:
                events = list(self.write_events(asked, whole))
                request.send_part("text/event-stream", "".join(events[: len(events) // 2]))
            else:
                text = json.dumps(self.write(asked, whole))
                request.send_part("application/json", text[: len(text) // 2])
        elif fault.kind == "not_json":
            request.send_text("text/html", "<html><body>Welcome to nginx!</body></html>")
        elif fault.kind == "broken_json":
            request.send_text("application/json", '{"choices": [')
        elif fault.kind == "wrong_shape":
            request.send_json(200, {"greeting": "hello"})
        elif fault.kind == "redirect":
            request.send_json(302, {}, {"Location": self.redirect_to})
        else:
            status, body = self.write_fault(asked, fault)
            after = fault.retry_after_s
            request.send_json(status, body, {} if after is None else {"Retry-After": f"{after:g}"})


def event(data: Any, name: str | None = None) -> str:
    """One server-sent event."""
    text = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "") + f"data: {text}\n\n"


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, owner: LoopbackServer) -> None:
        self.owner = owner
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Request)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def close_request(self, request: Any) -> None:
        self._open.discard(request)
        super().close_request(request)

    def close_all(self) -> None:
        self.server_close()
        for connection in list(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Listener

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length", 0))
        body = json.loads(self.rfile.read(length) or b"{}")
        self.server.owner.handle(self, self.path, body)

    def do_GET(self) -> None:
        self.server.owner.handle(self, self.path, {})

    def log_message(self, *_: object) -> None:
        """Nothing on standard error."""

    def wait(self, seconds: float) -> None:
        """Until the time is over or the client has hung up, which is no longer in flight then."""
        if seconds > 0:
            select.select([self.connection], [], [], seconds)

    def send_json(self, status: int, body: Body, headers: Mapping[str, str] | None = None) -> None:
        self._send(status, "application/json", json.dumps(body).encode(), headers or {})

    def send_text(self, kind: str, text: str) -> None:
        self._send(200, kind, text.encode(), {})

    def send_part(self, kind: str, text: str) -> None:
        """Half an answer: less than announced, then the connection ends."""
        self._send(200, kind, text.encode(), {}, missing_bytes=100)
        self.close_connection = True

    def reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def _send(
        self,
        status: int,
        kind: str,
        body: bytes,
        headers: Mapping[str, str],
        missing_bytes: int = 0,
    ) -> None:
        """In one write: two would wait for each other's acknowledgement."""
        lines = [
            f"HTTP/1.1 {status} {self.responses.get(status, ('Error',))[0]}",
            f"Content-Type: {kind}",
            f"Content-Length: {len(body) + missing_bytes}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        self.connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
