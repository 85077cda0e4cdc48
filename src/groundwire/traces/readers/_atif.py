"""ATIF, the trajectory format of Harbor: steps with their calls and what was observed."""

from collections.abc import Iterator

from groundwire.traces._messages import text_id
from groundwire.traces._parts import (
    Answer,
    Call,
    Gap,
    Part,
    Setting,
    Silent,
    TraceReader,
    Unread,
)
from groundwire.traces._stream import Record
from groundwire.traces.readers._common import fields, mapping, objects, text_or_none


def _parts(record: Record) -> Iterator[Part]:
    if record.is_field:
        if record.name == "session_id":
            yield Setting(trace_id=text_or_none(record.value))
        elif record.name == "continued_trajectory_ref" and record.value:
            yield Gap("cut_tail")
        elif record.name == "subagent_trajectories" and record.value:
            yield Gap("sub_agent")
        return
    step = fields(record)
    if not step:
        yield Unread("a step must be an object")
        return
    yield Silent(f"step of {step.get('source')}")
    for call in objects(step.get("tool_calls")):
        identity, tool = text_id(call, "tool_call_id"), str(call.get("function_name"))
        yield Call(identity, tool, call.get("arguments"), at=text_or_none(step.get("timestamp")))
    for result in objects(mapping(step.get("observation")).get("results")):
        if result.get("subagent_trajectory_ref"):
            yield Gap("sub_agent")
        if "source_call_id" in result:
            yield Answer(text_id(result, "source_call_id"), result.get("content"))
        else:
            yield Silent("observation without a call")


def _recognises(record: Record) -> bool:
    if record.is_field:
        return record.name == "schema_version" and str(record.value).startswith("ATIF")
    return record.name == "steps" and "step_id" in fields(record) and "source" in fields(record)


ATIF = TraceReader(_parts, _recognises)
