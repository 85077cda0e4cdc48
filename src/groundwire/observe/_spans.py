from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def span(name: str, **attributes: Any) -> Iterator[Any]:
    """An OpenTelemetry span; it goes nowhere until the application sets up an SDK."""
    from opentelemetry import trace  # 70 ms that only real work should pay

    with trace.get_tracer("groundwire").start_as_current_span(name, attributes=attributes) as open_:
        yield open_
