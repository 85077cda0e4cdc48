"""What was done: transcripts, command lines and test reports become one model of events."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.traces._answers import outcome_of, result_text, with_exit_code
    from groundwire.traces._checks import (
        CheckName,
        CheckRun,
        RunOutcome,
        checks_in,
        outcome_of_run,
        own_exit_code,
        plain_runner,
    )
    from groundwire.traces._effects import (
        Effects,
        FileEffect,
        Replacement,
        changes_folder,
        only_reads,
    )
    from groundwire.traces._messages import (
        TRACES,
        Answer,
        Call,
        Part,
        TraceReader,
        open_trace,
        trace_from_anthropic,
        trace_from_mcp,
        trace_from_openai,
    )
    from groundwire.traces._shell import NotUnderstood, SimpleCommand, parse
    from groundwire.traces._stream import Record, read_records
    from groundwire.traces._tools import command_of, effects_of, text_shown
    from groundwire.traces._trace import (
        Events,
        Given,
        RecordedWrite,
        Sha256,
        ToolTrace,
        TraceEvent,
        read_event,
    )

__all__ = [
    "TRACES",
    "Answer",
    "Call",
    "CheckName",
    "CheckRun",
    "Effects",
    "Events",
    "FileEffect",
    "Given",
    "NotUnderstood",
    "Part",
    "Record",
    "RecordedWrite",
    "Replacement",
    "RunOutcome",
    "Sha256",
    "SimpleCommand",
    "ToolTrace",
    "TraceEvent",
    "TraceReader",
    "changes_folder",
    "checks_in",
    "command_of",
    "effects_of",
    "only_reads",
    "open_trace",
    "outcome_of",
    "outcome_of_run",
    "own_exit_code",
    "parse",
    "plain_runner",
    "read_event",
    "read_records",
    "result_text",
    "text_shown",
    "trace_from_anthropic",
    "trace_from_mcp",
    "trace_from_openai",
    "with_exit_code",
]

__getattr__ = door(
    __name__,
    {
        "_answers": "outcome_of result_text with_exit_code",
        "_checks": """
            CheckName CheckRun RunOutcome checks_in outcome_of_run own_exit_code
            plain_runner
        """,
        "_effects": "Effects FileEffect Replacement changes_folder only_reads",
        "_messages": """
            TRACES Answer Call Part TraceReader open_trace trace_from_anthropic
            trace_from_mcp trace_from_openai
        """,
        "_shell": "NotUnderstood SimpleCommand parse",
        "_stream": "Record read_records",
        "_tools": "command_of effects_of text_shown",
        "_trace": "Events Given RecordedWrite Sha256 ToolTrace TraceEvent read_event",
    },
)
