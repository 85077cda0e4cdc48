"""What happened: request context, structured logs, metrics, spans, audit trail."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.observe._audit import AuditEntry, AuditRow, AuditTrail
    from groundwire.observe._context import RequestContext, Route, current_request, request, span
    from groundwire.observe._logs import JsonFormatter, Log, configure_logs, log_entry
    from groundwire.observe._metrics import METRICS, Metrics, MetricsStore, metrics
    from groundwire.observe._redact import keep_secret, redact, redact_tree

__all__ = [
    "METRICS",
    "AuditEntry",
    "AuditRow",
    "AuditTrail",
    "JsonFormatter",
    "Log",
    "Metrics",
    "MetricsStore",
    "RequestContext",
    "Route",
    "configure_logs",
    "current_request",
    "keep_secret",
    "log_entry",
    "metrics",
    "redact",
    "redact_tree",
    "request",
    "span",
]

__getattr__ = door(
    __name__,
    {
        "_audit": "AuditEntry AuditRow AuditTrail",
        "_context": "RequestContext Route current_request request span",
        "_logs": "JsonFormatter Log configure_logs log_entry",
        "_metrics": "METRICS Metrics MetricsStore metrics",
        "_redact": "keep_secret redact redact_tree",
    },
)
