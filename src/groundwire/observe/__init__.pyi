from groundwire.observe._audit import (
    AuditEntry as AuditEntry,
    AuditRow as AuditRow,
    AuditTrail as AuditTrail,
)
from groundwire.observe._context import (
    RequestContext as RequestContext,
    Route as Route,
    current_request as current_request,
    request as request,
    span as span,
)
from groundwire.observe._logs import (
    JsonFormatter as JsonFormatter,
    Log as Log,
    configure_logs as configure_logs,
    log_entry as log_entry,
)
from groundwire.observe._metrics import (
    METRICS as METRICS,
    Metrics as Metrics,
    MetricsStore as MetricsStore,
    metrics as metrics,
)
from groundwire.observe._redact import (
    keep_secret as keep_secret,
    redact as redact,
    redact_tree as redact_tree,
)
