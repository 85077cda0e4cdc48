"""With agents: retry with feedback, message formats, the stop hook."""

from groundwire.agents._traces import (
    TraceFormat,
    open_trace,
    trace_from_anthropic,
    trace_from_mcp,
    trace_from_openai,
)

__all__ = [
    "TraceFormat",
    "open_trace",
    "trace_from_anthropic",
    "trace_from_mcp",
    "trace_from_openai",
]
