"""The request that entries, spans and verdicts belong to."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import uuid4

Route = Literal["tree", "direct"]


@dataclass
class RequestContext:
    """What every log entry of one request shares [S3 Gap F]."""

    request_id: str = field(default_factory=lambda: f"req-{uuid4().hex}")
    route: Route = "direct"
    fallback_flags: list[str] = field(default_factory=list)
    start_time: datetime = field(default_factory=lambda: datetime.now(UTC))

    def add_fallback(self, flag: str) -> None:
        if flag not in self.fallback_flags:
            self.fallback_flags.append(flag)

    def to_log_context(self) -> dict[str, Any]:
        elapsed = datetime.now(UTC) - self.start_time
        return {
            "request_id": self.request_id,
            "route": self.route,
            "fallback_flags": list(self.fallback_flags),
            "elapsed_ms": round(elapsed.total_seconds() * 1000, 3),
        }


_current: ContextVar[RequestContext | None] = ContextVar("groundwire_request", default=None)


def current_request() -> RequestContext | None:
    return _current.get()


@contextmanager
def request(route: Route = "direct", request_id: str | None = None) -> Iterator[RequestContext]:
    """The request that everything inside belongs to; one that is already running is joined."""
    running = _current.get()
    if running is not None:
        yield running
        return
    context = RequestContext(route=route)
    if request_id is not None:
        context.request_id = request_id
    token = _current.set(context)
    try:
        yield context
    finally:
        _current.reset(token)


@contextmanager
def span(name: str, **attributes: Any) -> Iterator[Any]:
    """An OpenTelemetry span; it goes nowhere until the application sets up an SDK."""
    from opentelemetry import trace  # 70 ms that only real work should pay

    with trace.get_tracer("groundwire").start_as_current_span(name, attributes=attributes) as open_:
        yield open_
