"""The client against a server on this machine that speaks the service's JSON."""

import json
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr, ValidationError

from groundwire.config import EmbeddingServiceSection, parse_duration
from groundwire.errors import EmbeddingFailed
from groundwire.evidence import EmbeddingService


class Service:
    """Answers each request with the next reply, or as a service would."""

    def __init__(self) -> None:
        self.replies: list[tuple[int, bytes]] = []
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.hold: Event | None = None

    def answer(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, bytes]:
        assert path == "/v1/embeddings"
        asked = json.loads(body)
        self.requests.append(asked)
        self.headers.append(headers)
        if self.hold is not None:
            self.hold.wait(5)
        if self.replies:
            return self.replies.pop(0)
        rows = [
            {"object": "embedding", "index": place, "embedding": [float(len(text)), 1.0, 2.0]}
            for place, text in enumerate(asked["input"])
        ]
        reply = {"object": "list", "data": rows[::-1], "model": asked["model"]}
        return 200, json.dumps(reply).encode()


@contextmanager
def serving(service: Service) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, reply = service.answer(self.path, dict(self.headers), body)
            self.send_response(status)
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def client(url: str, **settings: Any) -> EmbeddingService:
    return EmbeddingService(EmbeddingServiceSection(url=url, **settings))


def test_rows_come_back_in_order_and_with_length_one() -> None:
    service = Service()
    with serving(service) as url, closing(client(url, model="m", batch_size=2)) as embedder:
        rows = embedder.embed(["a", "bbb", "cc"])
        assert np.allclose(np.linalg.norm(rows, axis=1), 1)
        assert rows[1][0] > rows[2][0] > rows[0][0]
        assert embedder.dimension == 3
        assert embedder.embed([]).shape == (0, 3)
    assert [asked["input"] for asked in service.requests] == [["a", "bbb"], ["cc"]]
    assert service.requests[0]["model"] == "m"
    assert "Authorization" not in service.headers[0]


def test_the_dimension_is_asked_for_when_it_is_not_known() -> None:
    with serving(Service()) as url, closing(client(url)) as embedder:
        assert embedder.dimension == 3


def test_the_key_is_sent_and_never_shown() -> None:
    service = Service()
    service.replies = [(401, b'{"error": "bad key: Bearer sk-secret-0123456789abcdef"}')]
    with (
        serving(service) as url,
        closing(client(url, key=SecretStr("sk-secret-0123456789abcdef"))) as one,
    ):
        with pytest.raises(EmbeddingFailed) as caught:
            one.embed(["a"])
        assert service.headers[0]["Authorization"] == "Bearer sk-secret-0123456789abcdef"
        assert "401" in str(caught.value)
        assert "sk-secret" not in str(caught.value) + repr(one._settings)


@pytest.mark.parametrize(
    ("status", "reply", "problem"),
    [
        (503, b"overloaded", "answered 503: overloaded"),
        (200, b"<html>", "no JSON"),
        (200, b"[" * 100_000, "no JSON"),
        (200, b"{}", "no vectors"),
        (200, b'{"data": [{"index": 0, "embedding": ["x"]}]}', "no vectors"),
        (200, b'{"data": []}', "0 vectors for 1 texts"),
        (200, b'{"data": [{"index": 0, "embedding": []}]}', "without direction"),
        (200, b'{"data": [{"index": 0, "embedding": [0, 0]}]}', "without direction"),
        (200, b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}', "without direction"),
    ],
)
def test_a_wrong_answer_is_a_failure_and_never_a_vector(
    status: int, reply: bytes, problem: str
) -> None:
    service = Service()
    service.replies = [(status, reply)]
    with serving(service) as url, closing(client(url)) as embedder:
        with pytest.raises(EmbeddingFailed, match=problem):
            embedder.embed(["a"])
        assert embedder.embed(["a"]).shape == (1, 3)


def test_a_service_that_does_not_answer_is_given_up() -> None:
    service = Service()
    service.hold = Event()
    with serving(service) as url, closing(client(url, timeout=parse_duration("100ms"))) as embedder:
        with pytest.raises(EmbeddingFailed, match="did not answer in time"):
            embedder.embed(["a"])
        service.hold.set()


def test_a_service_that_is_not_there_is_named() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with (
        closing(client(url)) as embedder,
        pytest.raises(EmbeddingFailed, match="cannot be reached"),
    ):
        embedder.embed(["a"])


@pytest.mark.parametrize("url", ["nonsense", "ftp://x", "http://[::1", "http://127.0.0.1:99999"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ValidationError, match="url"):
        client(url)
