"""What Skosmos answers about a vocabulary, in the shapes of its REST interface."""

import json
from collections.abc import Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any, Literal, NamedTuple, Self
from urllib.parse import parse_qs, unquote, urlsplit

from groundwire.testing._skosmos_data import CONTEXT, SkosmosData

Misbehaviour = Literal["fail", "hang_up", "drip", "html", "nonsense", "flood", "not_modified"]

REST_ROOT = "/rest/v1"
FORMATS = ("application/rdf+xml", "text/turtle", "application/ld+json", "application/json")
FLOOD_BYTES = 8_000_000


class _Answer(NamedTuple):
    status: HTTPStatus
    content_type: str = ""
    body: bytes = b""


class SkosmosStandIn:
    """Serves SKOS files as Skosmos would, until it is closed.

        with SkosmosStandIn([Path("halden-grid.ttl")], vocabulary="halden") as server:
            client = SKOSMOSClient(server.url, vocabulary="halden")

    A miss is a 404 in plain text, `data` is JSON-LD in which a definition may be a string, a list,
    `{lang, value}` or a node of its own, and a known `If-Modified-Since` is answered 304.
    `delay_ms` slows every answer; `misbehave` makes each of them wrong:

    - `fail`: status 500, in plain text
    - `hang_up`: the connection is closed without an answer
    - `drip`: one byte at a time, without end
    - `html`, `nonsense`: a page or broken JSON instead of an answer
    - `flood`: megabytes
    - `not_modified`: 304 although nobody named a date

    Both may be changed while it runs. `requests` lists what was asked, in order.
    """

    def __init__(
        self,
        files: Sequence[Path],
        *,
        vocabulary: str = "vocabulary",
        default_language: str = "en",
        delay_ms: float = 0,
        misbehave: Misbehaviour | None = None,
        last_modified: str | None = None,
    ) -> None:
        self.vocabulary = vocabulary
        self.delay_ms = delay_ms
        self.misbehave = misbehave
        self.last_modified = last_modified
        self.requests: list[str] = []
        self._data = SkosmosData(files, vocabulary=vocabulary, default_language=default_language)
        self._closing = Event()
        self._server = _Server(self)
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The base of the REST interface."""
        return f"http://127.0.0.1:{self._server.server_address[1]}{REST_ROOT}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def pause(self, seconds: float) -> bool:
        """Wait, or stop waiting because the server is being closed: then true."""
        return self._closing.wait(seconds)

    def answer(self, target: str, if_modified_since: str | None = None) -> _Answer:
        """What the real server would say."""
        parts = urlsplit(target)
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        scope, _, method = parts.path.removeprefix(REST_ROOT).strip("/").rpartition("/")
        if scope and unquote(scope) != self.vocabulary:
            return _plain(HTTPStatus.NOT_FOUND, f"Vocabulary id '{scope}' not found.")
        if method == "lookup" and scope:
            return self._lookup(given)
        if method == "search":
            return self._search(given)
        if method == "data":
            return self._concept(given, if_modified_since)
        return _plain(HTTPStatus.NOT_FOUND, f"Invalid method {method!r}")

    def _lookup(self, given: dict[str, str]) -> _Answer:
        label = given.get("label")
        if not label:
            return _plain(HTTPStatus.BAD_REQUEST, "label parameter missing")
        hits = self._data.lookup(label, given.get("lang"))
        if not hits:
            return _plain(HTTPStatus.NOT_FOUND, f"Could not find label '{label}'")
        return _json({"@context": CONTEXT, "result": hits})

    def _search(self, given: dict[str, str]) -> _Answer:
        query = given.get("query", "").strip()
        limit = given.get("maxhits", "100")
        if not query:
            return _plain(HTTPStatus.BAD_REQUEST, "query parameter missing")
        if not limit.isdecimal() or int(limit) == 0:
            return _plain(HTTPStatus.BAD_REQUEST, "maxhits parameter is invalid")
        hits = self._data.search(query, given.get("lang"), int(limit))
        return _json({"@context": CONTEXT, "uri": "", "results": hits})

    def _concept(self, given: dict[str, str], if_modified_since: str | None) -> _Answer:
        if self.last_modified is not None and if_modified_since == self.last_modified:
            return _Answer(HTTPStatus.NOT_MODIFIED)
        if not given.get("uri"):
            return _plain(HTTPStatus.BAD_REQUEST, "uri parameter missing")
        if given.get("format", FORMATS[-1]) not in FORMATS:
            supported = f"Unsupported format. Supported MIME types are: {' '.join(FORMATS)}"
            return _plain(HTTPStatus.NOT_ACCEPTABLE, supported)
        nodes = self._data.graph(given["uri"])
        if not nodes:
            return _plain(HTTPStatus.NOT_FOUND, "no concept found with given uri")
        return _json({"@context": CONTEXT, "graph": nodes})


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, stand_in: SkosmosStandIn) -> None:
        self.stand_in = stand_in
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gave up is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 10
    server: _Server

    def do_GET(self) -> None:
        stand_in = self.server.stand_in
        stand_in.requests.append(self.path)
        stand_in.pause(stand_in.delay_ms / 1000)
        if stand_in.misbehave == "hang_up":
            self.close_connection = True
        elif stand_in.misbehave == "drip":
            self._drip(stand_in)
        else:
            known_date = self.headers.get("If-Modified-Since")
            answer = _wrong(stand_in.misbehave) or stand_in.answer(self.path, known_date)
            self._send(answer, stand_in.last_modified)

    def log_message(self, *_: Any) -> None:
        """Quiet: `requests` is the log."""

    def _send(self, answer: _Answer, last_modified: str | None) -> None:
        self.send_response(answer.status)
        if answer.content_type:
            self.send_header("Content-Type", f"{answer.content_type}; charset=utf-8")
        if last_modified is not None:
            self.send_header("Last-Modified", last_modified)
        if answer.status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def _drip(self, stand_in: SkosmosStandIn) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        while not stand_in.pause(0.01):
            self.wfile.write(b" ")


def _wrong(misbehaviour: Misbehaviour | None) -> _Answer | None:
    if misbehaviour == "fail":
        return _plain(HTTPStatus.INTERNAL_SERVER_ERROR, "the triple store is down")
    if misbehaviour == "html":
        return _Answer(HTTPStatus.NOT_FOUND, "text/html", b"<html>Nothing here</html>")
    if misbehaviour == "nonsense":
        return _Answer(HTTPStatus.OK, "application/json", b'{"result": [')
    if misbehaviour == "flood":
        return _Answer(HTTPStatus.OK, "application/json", b" " * FLOOD_BYTES)
    if misbehaviour == "not_modified":
        return _Answer(HTTPStatus.NOT_MODIFIED)
    return None


def _plain(status: HTTPStatus, message: str) -> _Answer:
    """Skosmos says errors in plain text."""
    return _Answer(status, "text/plain", f"{status} {status.phrase} : {message}".encode())


def _json(document: dict[str, Any]) -> _Answer:
    return _Answer(HTTPStatus.OK, "application/json", json.dumps(document).encode())
