"""Spans leave for OpenTelemetry where somebody asks for that."""

from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from groundwire.errors import MissingExtra


def export_spans(endpoint: str | None = None, *, exporter: Any = None) -> Callable[[], None]:
    """Send spans to a collector (OTLP over HTTP at `endpoint`), or to an exporter of the SDK.

    It becomes this process's tracer provider, so an application that has one of its own needs
    none of this. Calling what is returned sends what is left.
    """
    if find_spec("opentelemetry.sdk") is None:
        raise MissingExtra("otel", needed_for="Sending spans")
    from opentelemetry import trace
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    if exporter is None:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        where = None if endpoint is None else f"{endpoint.rstrip('/')}/v1/traces"
        exporter = OTLPSpanExporter(endpoint=where)
    named = {"service.name": "groundwire", "service.version": version("groundwire")}
    provider = TracerProvider(resource=Resource.create(named))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return provider.shutdown
