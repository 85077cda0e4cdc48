"""With agents: retry with feedback, message formats, the stop hook."""

from groundwire.agents._feedback import (
    anthropic_feedback,
    feedback_text,
    mcp_feedback,
    openai_feedback,
)
from groundwire.agents._retry import (
    Attempt,
    Feedback,
    RetryPolicy,
    VerifiedRun,
    Work,
    with_verification,
)
from groundwire.agents._traces import (
    TraceFormat,
    open_trace,
    trace_from_anthropic,
    trace_from_mcp,
    trace_from_openai,
)

__all__ = [
    "Attempt",
    "Feedback",
    "RetryPolicy",
    "TraceFormat",
    "VerifiedRun",
    "Work",
    "anthropic_feedback",
    "feedback_text",
    "mcp_feedback",
    "open_trace",
    "openai_feedback",
    "trace_from_anthropic",
    "trace_from_mcp",
    "trace_from_openai",
    "with_verification",
]
