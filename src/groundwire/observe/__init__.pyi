from groundwire.observe._audit import (
    AuditEntry as AuditEntry,
    AuditRow as AuditRow,
    AuditTrail as AuditTrail,
)
from groundwire.observe._build_reports import (
    ReportedCase as ReportedCase,
    ReportedFinding as ReportedFinding,
    junit_xml as junit_xml,
    sarif_json as sarif_json,
)
from groundwire.observe._logs import Log as Log, configure_logs as configure_logs
from groundwire.observe._metrics import (
    METRICS as METRICS,
    Metrics as Metrics,
    MetricsStore as MetricsStore,
    metrics as metrics,
)
from groundwire.observe._request import (
    RequestContext as RequestContext,
    Route as Route,
    current_request as current_request,
    request as request,
    span as span,
)
from groundwire.observe._secrets import (
    keep_secret as keep_secret,
    redact as redact,
    redact_tree as redact_tree,
)
from groundwire.observe._spans import export_spans as export_spans
