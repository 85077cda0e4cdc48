from groundwire.traces._account import (
    NamedCall as NamedCall,
    TraceAccount as TraceAccount,
    UnreadRecord as UnreadRecord,
)
from groundwire.traces._checks import (
    CheckName as CheckName,
    check_of as check_of,
    plain_runner as plain_runner,
)
from groundwire.traces._commands import Script as Script, Status as Status, parse as parse
from groundwire.traces._conversation import (
    Reasoning as Reasoning,
    read_conversation as read_conversation,
    read_reasoning as read_reasoning,
    reasoning_of as reasoning_of,
)
from groundwire.traces._effects import (
    Effects as Effects,
    FileEffect as FileEffect,
    Replacement as Replacement,
    changes_folder as changes_folder,
    only_reads as only_reads,
)
from groundwire.traces._inner import (
    may_run_tests as may_run_tests,
    writes_after_checks as writes_after_checks,
)
from groundwire.traces._messages import (
    trace_from_anthropic as trace_from_anthropic,
    trace_from_mcp as trace_from_mcp,
    trace_from_openai as trace_from_openai,
)
from groundwire.traces._open import TRACES as TRACES, open_trace as open_trace
from groundwire.traces._parts import (
    Answer as Answer,
    Call as Call,
    Gap as Gap,
    Note as Note,
    Part as Part,
    Reading as Reading,
    Setting as Setting,
    Silent as Silent,
    TraceReader as TraceReader,
    Unknown as Unknown,
    Unread as Unread,
)
from groundwire.traces._results import (
    outcome_of as outcome_of,
    result_text as result_text,
    task_ended as task_ended,
    task_started as task_started,
    was_not_run as was_not_run,
    with_exit_code as with_exit_code,
)
from groundwire.traces._shell_words import (
    NotUnderstood as NotUnderstood,
    SimpleCommand as SimpleCommand,
)
from groundwire.traces._stream import Record as Record, read_records as read_records
from groundwire.traces._test_options import mode_of as mode_of
from groundwire.traces._test_report import Counts as Counts, Report as Report
from groundwire.traces._test_runs import (
    RunOutcome as RunOutcome,
    TestRun as TestRun,
    checks_in as checks_in,
)
from groundwire.traces._tool_trace import ToolTrace as ToolTrace
from groundwire.traces._tools import (
    command_of as command_of,
    effects_of as effects_of,
    text_shown as text_shown,
)
from groundwire.traces._trace import (
    Events as Events,
    Given as Given,
    Sha256 as Sha256,
    TraceEvent as TraceEvent,
    printable as printable,
)
