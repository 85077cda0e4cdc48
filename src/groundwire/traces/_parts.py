from dataclasses import dataclass
from typing import Any

from groundwire.traces._trace import TraceEvent


@dataclass(frozen=True, slots=True)
class Call:
    """A tool was asked to do something."""

    id: str
    tool: str
    arguments: Any


@dataclass(frozen=True, slots=True)
class Answer:
    """A tool answered. `is_error` is None where the format does not say."""

    id: str
    result: Any
    is_error: bool | None = None
    exit_code: int | None = None


Part = Call | Answer | TraceEvent


def event_of(call: Call, answer: Answer | None) -> TraceEvent:
    """One event of a trace; a call nobody answered may have been carried out or not."""
    raw: dict[str, Any] = {"id": call.id, "tool": call.tool, "arguments": call.arguments}
    if answer is None:
        raw["outcome"] = "unknown"
    else:
        raw |= {"result": answer.result, "exit_code": answer.exit_code}
        if answer.is_error is not None:
            raw["is_error"] = answer.is_error
    return TraceEvent.model_validate(raw)
