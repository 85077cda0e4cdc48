"""Too much, too large, too slow, too crooked: refused, counted, and everything else goes on."""

import socket
import threading
import time
from pathlib import Path

import pytest

from groundwire.observe import metrics
from groundwire.serve._limits import RateLimiter
from tests.serve.conftest import new_token
from tests.serve.running import Running, service

CHECK = {"text": "The mast is 42 m high.", "evidence": ["The mast is 42 m high."]}


def shed(reason: str) -> float:
    return metrics().value("http_shed_total", reason=reason)


def raw(run: Running, data: bytes, wait_s: float = 20) -> bytes:
    """What comes back to bytes that no client library would send."""
    with socket.create_connection(("127.0.0.1", run.port), timeout=wait_s) as opened:
        opened.sendall(data)
        answered = b""
        while chunk := opened.recv(65_536):
            answered += chunk
        return answered


def test_a_bucket_fills_evenly() -> None:
    """A quarter of a minute's worth at once, then one whenever its time has come."""
    now = [0.0]
    limiter = RateLimiter(lambda: now[0])
    assert [limiter.take("a", 60) for _ in range(15)] == [None] * 15
    assert limiter.take("a", 60) == pytest.approx(1.0)
    assert limiter.take("b", 60) is None
    now[0] = 1.01
    assert limiter.take("a", 60) is None
    assert limiter.take("a", 60) is not None


def test_a_token_has_its_own_rate_and_size(tmp_path: Path) -> None:
    """429 with Retry-After, counted; 413 by the token's limit."""
    home = tmp_path / "home"
    few = {"Authorization": f"Bearer {new_token(home, 'verify', rate_per_minute=8)}"}
    small = {"Authorization": f"Bearer {new_token(home, 'verify', max_body_mb=0.001)}"}
    with service(home) as run:
        before = shed("rate")
        answers = [run.call("GET", "/v1/jobs", headers=few) for _ in range(4)]
        assert [one.status_code for one in answers] == [200, 200, 429, 429]
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert shed("rate") == before + 2
        large = {"text": "a" * 2_000, "evidence": ["b"]}
        assert run.post("/v1/check", large, **small).status_code == 413
        assert run.post("/v1/check", CHECK, **small).status_code == 200


def test_oversized_bodies_are_refused_before_they_are_read(tmp_path: Path) -> None:
    """By what the head says, and by what comes where it says nothing or lies."""
    with service(tmp_path / "home", serve__max_body_mb=0.01) as run:
        assert run.post("/v1/check", {**CHECK, "text": "a" * 20_000}).status_code == 413
        head = b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        answered = raw(run, head + b"Content-Length: 99999999999\r\n\r\n{")
        assert b" 413 " in answered.splitlines()[0]
        chunk = b"%x\r\n" % 20_000 + b" " * 20_000 + b"\r\n"
        answered = raw(run, head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk)
        assert b" 413 " in answered.splitlines()[0]
        assert run.post("/v1/check", CHECK).status_code == 200


def test_slow_clients_are_not_waited_for(tmp_path: Path) -> None:
    """Neither for a head that never ends nor for a body; others are served meanwhile."""
    with service(tmp_path / "home", serve__read_timeout="500ms") as run:
        started_s = time.monotonic()
        assert raw(run, b"POST /v1/check HTTP/1.1\r\nHost: localh") == b""
        assert raw(run, b"") == b""
        body = b"POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n"
        answered = raw(run, body + b"Content-Type: application/json\r\n\r\n{")
        assert b" 408 " in answered.splitlines()[0]
        assert time.monotonic() - started_s < 8
        assert run.call("GET", "/healthz").status_code == 200


def test_more_connections_than_there_is_room_for_are_told_so(tmp_path: Path) -> None:
    """503 with Retry-After, counted."""
    before = shed("connections")
    with service(tmp_path / "home", serve__max_connections=3) as run:
        held = [socket.create_connection(("127.0.0.1", run.port)) for _ in range(3)]
        time.sleep(0.2)
        answered = raw(run, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for one in held:
            one.close()
    assert answered.startswith(b"HTTP/1.1 503")
    assert b"Retry-After" in answered
    assert shed("connections") > before


def test_what_there_is_no_room_for_is_shed_and_the_rest_is_answered(tmp_path: Path) -> None:
    """503 with Retry-After, counted; nobody is lost and nothing fails."""
    statuses: list[int] = []
    waits: list[str] = []
    before = shed("overloaded")
    with service(tmp_path / "home", serve__max_active=1, serve__max_waiting=1) as run:

        def call(number: int) -> None:
            text = " ".join(f"The mast number {number} is {n} m high." for n in range(12))
            answered = run.post("/v1/check", {"text": text, "evidence": ["The mast is 42 m high."]})
            statuses.append(answered.status_code)
            waits.append(answered.headers.get("retry-after", "none"))

        threads = [threading.Thread(target=call, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(set(statuses)) == [200, 503]
    assert [wait.isdigit() for wait in waits] == [status == 503 for status in statuses]
    assert shed("overloaded") - before == statuses.count(503)


def test_a_request_ends_at_its_deadline(tmp_path: Path) -> None:
    """503, counted, with the way to have it done all the same; the service goes on."""
    text = " ".join(f"The mast {n} is {n} m high and was built in {1900 + n}." for n in range(90))
    body = {"text": text, "evidence": ["The masts are high.", "They were built long ago."]}
    before = shed("deadline")
    with service(tmp_path / "home", serve__deadline="300ms") as run:
        started_s = time.monotonic()
        answered = run.post("/v1/check", body)
        assert (answered.status_code, answered.json()["code"]) == (503, "deadline")
        assert "respond-async" in answered.json()["hint"]
        assert time.monotonic() - started_s < 5
        assert shed("deadline") == before + 1
        assert run.call("GET", "/healthz").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        *("/static/../page.py", "/static/..%2f..%2fpage.py", "/static/%2e%2e/_page.py"),
        *("//etc/passwd", "/v1/graphs/..%5c..%5csecret", "/v1/jobs/%00", "/static/a\\b"),
        *("/v1/graphs/..", "/v1//check", "/%2e%2e/%2e%2e/etc/passwd"),
    ],
)
def test_crooked_paths_lead_nowhere(open_service: Running, path: str) -> None:
    """400 or 404, whatever the spelling."""
    head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    status = raw(open_service, head.encode()).split(b" ")[1]
    assert status in (b"400", b"404")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b'{"text": "\\ud800", "evidence": ["x"]}',
        b'{"text": "a", "evidence": []}',
        b'{"text": "a", "evidence": ["x"], "more": 1}',
        b'{"text": 1, "evidence": ["x"]}',
        b'{"text": "a", "evidence": [{"doc_id": "x"}]}',
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"text": "a", "evidence": ' + b"9" * 5_000 + b"}",
    ],
    ids=lambda body: repr(body[:30]),
)
def test_what_does_not_fit_is_told_field_by_field(open_service: Running, body: bytes) -> None:
    """A problem document of 400 or 422, and never the value that was sent."""
    headers = {"Content-Type": "application/json"}
    answered = open_service.call("POST", "/v1/check", content=body, headers=headers)
    assert answered.status_code in (400, 415, 422), answered.text
    assert answered.headers["content-type"] == "application/problem+json"
    assert answered.json()["code"]


def test_only_json_is_taken(open_service: Running) -> None:
    """A form of another site cannot send it."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answered = open_service.call(
            "POST", "/v1/check", content=b"{}", headers={"Content-Type": kind}
        )
        assert (answered.status_code, answered.json()["code"]) == (415, "content_type")


def test_every_answer_carries_the_headers_that_keep_browsers_safe(open_service: Running) -> None:
    """Pages, JSON and refusals alike."""
    for path in ("/", "/healthz", "/nothing", "/v1/nothing", "/static/page.js"):
        headers = open_service.call("GET", path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "server" not in headers


def test_an_unknown_address_or_method_is_a_problem_document(open_service: Running) -> None:
    """404 and 405 in the same shape as everything else."""
    assert open_service.call("GET", "/v1/nothing").json()["code"] == "not_found"
    assert open_service.call("GET", "/v1/check").json()["code"] == "method"
