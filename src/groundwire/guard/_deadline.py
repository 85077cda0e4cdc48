"""How long the present operation may still take, known to everything inside it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_ends_at: ContextVar[float | None] = ContextVar("groundwire_deadline", default=None)


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Whatever is called inside has at most this long; an earlier deadline around it stays."""
    ends_at = time.monotonic() + seconds
    outer = _ends_at.get()
    token = _ends_at.set(ends_at if outer is None else min(outer, ends_at))
    try:
        yield
    finally:
        _ends_at.reset(token)


def remaining_s() -> float | None:
    """Seconds until the deadline, 0 once it has passed, `None` where there is none."""
    ends_at = _ends_at.get()
    return None if ends_at is None else max(0.0, ends_at - time.monotonic())
