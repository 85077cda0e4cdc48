"""Spans reach OpenTelemetry: its own SDK in a process of its own, since a provider is set once."""

import json
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

IN_MEMORY = """
import json
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from groundwire.observe import export_spans, request, span

kept = InMemorySpanExporter()
stop = export_spans(exporter=kept)
with span("outer", documents=3):
    with span("inner"):
        pass
try:
    with span("failing"):
        raise ValueError("no")
except ValueError:
    pass
stop()
print(json.dumps([
    [one.name, dict(one.attributes), one.parent is not None, one.status.status_code.name,
     one.resource.attributes["service.name"]]
    for one in kept.get_finished_spans()
]))
"""


def test_spans_reach_the_sdks_exporter() -> None:
    """With names, attributes, parents and failures; the service is named."""
    ran = subprocess.run(
        [sys.executable, "-c", IN_MEMORY], capture_output=True, text=True, check=True
    )
    assert json.loads(ran.stdout) == [
        ["inner", {}, True, "UNSET", "groundwire"],
        ["outer", {"documents": 3}, False, "UNSET", "groundwire"],
        ["failing", {}, False, "ERROR", "groundwire"],
    ]


def test_a_command_sends_its_spans_where_the_settings_say(tmp_path: Path) -> None:
    """Over OTLP, by `telemetry.endpoint`; no text of the user's is in them."""
    received: list[tuple[str, bytes]] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            received.append((self.path, body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing on standard error."""

    with HTTPServer(("127.0.0.1", 0), Collector) as collector:
        Thread(target=collector.serve_forever, daemon=True).start()
        endpoint = f"http://127.0.0.1:{collector.server_address[1]}"
        vocabulary = Path(__file__).parents[2] / "examples/vocabulary/halden-grid.ttl"
        settings = {
            "home": tmp_path,
            "telemetry.endpoint": endpoint,
            "terms.vocabulary": vocabulary,
        }
        given = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
        term = "a-word-of-the-users"
        command = [sys.executable, "-m", "groundwire", *given, "term", term]
        subprocess.run(command, capture_output=True, text=True, check=False)
        collector.shutdown()
    ((path, body),) = received
    assert path == "/v1/traces"
    sent = ExportTraceServiceRequest.FromString(body)
    spans = [
        one for each in sent.resource_spans for scope in each.scope_spans for one in scope.spans
    ]
    assert "term.define" in [one.name for one in spans]
    assert term.encode() not in body
