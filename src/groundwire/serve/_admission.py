"""What stands before every route: a request is named, let in, measured, and ends in time."""

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire._patterns import lazy_pattern
from groundwire.config import ServeSection
from groundwire.errors import GroundwireError
from groundwire.guard import deadline
from groundwire.observe import Log, metrics, request
from groundwire.serve._access import Access, Caller, part_of
from groundwire.serve._limits import RateLimiter, Slots
from groundwire.serve._problems import CONTENT_TYPE, Problem, as_json, problem_of

_MEGABYTE = 1_000_000
_RESTART_S = 5
_log = Log("serve")
# such as "order-17.3", or an id of ours
_REQUEST_ID = lazy_pattern(r"[A-Za-z0-9._-]{1,64}")
# what a server further on might read otherwise: "/a/%2e%2e/b", "//b", "/a\\b", "%00"
_TRICKS = re.compile(rb"(?i)%2f|%5c|%00|%2e%2e|\.\.|//|\\|[\x00-\x20\x7f-\xff]")
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_WITH_BODY = frozenset({"POST", "PUT", "PATCH", "DELETE"})
ErrorPage = Callable[[Problem, Headers], tuple[int, dict[str, str], str]]
"""A problem for people: status, headers and a page."""


class Admission:
    def __init__(
        self, app: ASGIApp, settings: ServeSection, access: Access, error_page: ErrorPage
    ) -> None:
        self._app = app
        self._settings = settings
        self._access = access
        self._error_page = error_page
        self._rates = RateLimiter()
        self._slots = Slots(settings.max_active, settings.max_waiting)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, send)
        try:
            with request(request_id=exchange.request_id):
                await self._handle(exchange, scope, receive)
        except Problem as problem:
            await self._refuse(exchange, problem)
        except GroundwireError as error:
            await self._refuse(exchange, problem_of(error))
        except asyncio.CancelledError:  # by the end of the server, whose grace is over
            metrics().count("http_shed_total", reason="stopping")
            told = "The service is being stopped."
            await self._refuse(exchange, Problem(503, "stopping", told, retry_after_s=_RESTART_S))
        except Exception as error:  # noqa: BLE001 -- whatever it is, the caller gets an answer
            _log.error("request_failed", error=f"{type(error).__name__}: {error}")
            await self._refuse(exchange, Problem(500, "error", "Something went wrong here."))
        finally:
            exchange.count()

    async def _handle(self, exchange: "_Exchange", scope: Scope, receive: Receive) -> None:
        headers, method, path = exchange.headers, scope["method"], scope["path"]
        if _TRICKS.search(scope.get("raw_path") or path.encode()):
            raise Problem(400, "path", "The path is not one of ours.")
        address = (scope.get("client") or ("unknown", 0))[0]
        named = {name: headers.get(name, "") for name in headers}
        # a look into a small file of ours: not worth a thread
        caller = self._access.admit(method, path, named, address)
        self._within_rate(caller, address)
        scope["state"]["caller"] = caller
        body = receive
        if method in _WITH_BODY:
            body = await self._read(receive, headers, caller, path)
        if method != "POST" or part_of(path) in ("sign-in", "jobs"):
            await self._app(scope, body, exchange.send)
            return
        await self._in_time(scope, body, exchange)

    async def _in_time(self, scope: Scope, receive: Receive, exchange: "_Exchange") -> None:
        """Half of the time may be spent in line, and all of it is over at the deadline."""
        limit_s = self._settings.deadline.total_seconds()
        try:
            async with asyncio.timeout(limit_s):
                async with self._slots.hold(limit_s / 2):
                    with deadline(limit_s):
                        await self._app(scope, receive, exchange.send)
        except TimeoutError:
            metrics().count("http_shed_total", reason="deadline")
            raise Problem(
                *(503, "deadline", f"It would have taken longer than {limit_s:g} s."),
                hint="Send less at once, or have it done as a job: Prefer: respond-async",
                retry_after_s=limit_s,
            ) from None

    def _within_rate(self, caller: Caller, address: str) -> None:
        who = address if caller.id == "open" else caller.id
        wait_s = self._rates.take(who, caller.rate_per_minute or self._settings.rate_per_minute)
        if wait_s is not None:
            metrics().count("http_shed_total", reason="rate")
            raise Problem(
                *(429, "rate", "More requests came than this caller may send in a minute."),
                retry_after_s=wait_s,
            )

    async def _read(self, receive: Receive, headers: Headers, caller: Caller, path: str) -> Receive:
        """The whole body, in time and within bounds, before any work is done for it."""
        limit = int((caller.max_body_mb or self._settings.max_body_mb) * _MEGABYTE)
        told = headers.get("content-length", "")
        if told.isdigit() and len(told) < 20 and int(told) > limit:  # noqa: PLR2004
            raise _too_large(limit)
        is_sent = told not in ("", "0") or "transfer-encoding" in headers
        if path.startswith("/v1/") and is_sent and not _is_json(headers):
            raise Problem(
                *(415, "content_type", "A request to /v1 is JSON."),
                hint="Send `Content-Type: application/json`.",
            )
        try:
            async with asyncio.timeout(self._settings.read_timeout.total_seconds()):
                body = await _whole(receive, limit)
        except TimeoutError:
            raise Problem(
                *(408, "slow", "The request came too slowly."), headers={"Connection": "close"}
            ) from None
        return _replayed(body, receive)

    async def _refuse(self, exchange: "_Exchange", problem: Problem) -> None:
        if exchange.status:  # it has begun, and can only be cut off
            return
        status, headers = problem.status, problem.headers | {"Content-Type": CONTENT_TYPE}
        body = as_json(problem.document(exchange.request_id))
        if exchange.is_for_people:
            status, headers, page = self._error_page(problem, exchange.headers)
            body = page.encode("utf-8", "replace")
        sent = MutableHeaders(headers | {"Content-Length": str(len(body))})
        await exchange.send({"type": "http.response.start", "status": status, "headers": sent.raw})
        await exchange.send({"type": "http.response.body", "body": body})


class _Exchange:
    """One request and its answer: the headers all answers have, and what is counted of it."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._started_s = time.perf_counter()
        self.headers = Headers(scope=scope)
        given = self.headers.get("x-request-id", "")
        self.request_id = given if _REQUEST_ID.fullmatch(given) else f"req-{uuid4().hex}"
        self.status = 0
        scope.setdefault("state", {})["request_id"] = self.request_id

    @property
    def is_for_people(self) -> bool:
        """Whether a browser asked for a page, or for a part of one."""
        accepted = self.headers.get("accept", "")
        is_page = "text/html" in accepted or "hx-request" in self.headers
        return is_page and not self._scope["path"].startswith("/v1/")

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
            headers["X-Request-ID"] = self.request_id
        await self._send(message)

    def count(self) -> None:
        route: Any = self._scope.get("route")
        path = str(getattr(route, "path", "other"))
        method = self._scope["method"] if self._scope["method"] in _METHODS else "other"
        metrics().count(
            *("http_requests_total", 1), route=path, method=method, status=str(self.status or "cut")
        )
        taken_ms = (time.perf_counter() - self._started_s) * 1000
        metrics().observe("http_request_duration_ms", taken_ms, route=path)


_METHODS = _WITH_BODY | {"GET", "HEAD", "OPTIONS"}


def _is_json(headers: Headers) -> bool:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json"


async def _whole(receive: Receive, limit: int) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Problem(400, "gone", "The client went away.")
        body += message.get("body", b"")
        if len(body) > limit:
            raise _too_large(limit)
        if not message.get("more_body", False):
            return bytes(body)


def _replayed(body: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _too_large(limit: int) -> Problem:
    return Problem(
        *(413, "too_large", f"The request has more than {limit / _MEGABYTE:g} MB."),
        hint="Send less at once; the limit is serve.max_body_mb.",
        headers={"Connection": "close"},
    )
