"""What the result of a call says: its text, whether it ran, how it ended, and what it began."""

import json
import re
from collections.abc import Mapping
from typing import Any

from groundwire._patterns import lazy_pattern
from groundwire.traces._trace import Outcome, TraceEvent

MAX_STATUS_CHARS = 80
# A refusal must be said in so many words: a text that merely begins with "Error" is no proof.
_REFUSAL = lazy_pattern(
    r"""\s*(?:<tool_use_error>
    |(?:\w+\s)?(?:error|exception|fatal|failure|failed)\s?[:!]
    |failed\sto\s|cannot\s|could\snot\s|unable\sto\s|no\sreplacement|no\ssuch\sfile
    |file\s(?:not\sfound|has\snot\sbeen\sread)|string\sto\sreplace\snot\sfound
    |old_str(?:ing)?\s(?:not\sfound|did\snot)|permission\sdenied
    |found\s\d+\smatches\sof\sthe\sstring\sto\sreplace,\sbut
    |the\suser\s(?:doesn't|does\snot|rejected|denied)|operation\s(?:was\s)?cancel+ed
    |your\sproposed\sedit\shas\sintroduced|patch\s(?:failed|does\snot\sapply))""",
    re.IGNORECASE | re.VERBOSE,
)
# such as "No replacement was performed", "error: patch failed: a.py:3"
_REFUSAL_LINE = lazy_pattern(
    r"^(?:your changes have not been applied|no replacement was performed"
    r"|error: patch failed|the edit was not applied|edit rejected)",
    re.IGNORECASE | re.MULTILINE,
)
# such as "The user doesn't want to proceed", "Command rejected by user", "Permission denied by"
_NOT_RUN = lazy_pattern(
    r"""\s*(?:<tool_use_error>|(?:the\s)?user\s(?:has\s)?(?:doesn't|does\snot|did\snot|didn't
    |rejected|denied|refused|declined|cancel+ed|blocked|disallowed|interrupted|skipped)
    |(?:the\s|this\s)?(?:tool\suse|tool\scall|command|operation|request|call)\s(?:was\s|is\s)?
    (?:rejected|denied|declined|blocked|refused|cancel+ed|not\sallowed|not\srun|not\sexecuted)
    |[^\n]{0,80}\b(?:rejected|denied|aborted|declined|refused|cancel+ed|blocked)\sby\s
    (?:the\s|a\s|your\s)?(?:user|policy|sandbox|operator|hook)
    |permission\sto\suse|this\scommand\srequires\sapproval)""",
    re.IGNORECASE | re.VERBOSE,
)
# a line of nothing else, such as "exit code: 1", "[Process exited with code 2]", "<returncode>0"
_EXIT_CODE = lazy_pattern(
    r"\W*(?:(?:the )?(?:process|command) )?(?:(?:finished with )?exit(?:ed)?(?: with)?"
    r"(?: status| code)?|return ?code)\W{0,3}(-?\d{1,5})\W*(?:/returncode>)?",
    re.IGNORECASE,
)


def result_text(event: TraceEvent) -> str:
    """What the tool answered, as text."""
    result = event.result
    if isinstance(result, Mapping):
        parts = [result.get(name) for name in ("stdout", "output", "text", "content", "stderr")]
        texts = [part for part in parts if isinstance(part, str)]
        return "\n".join(texts) if texts else json.dumps(result, default=str)
    if isinstance(result, list):
        return "\n".join(_block_text(block) for block in result)
    return result if isinstance(result, str) else "" if result is None else str(result)


def _block_text(block: Any) -> str:
    if isinstance(block, Mapping):
        return str(block.get("text", ""))
    return block if isinstance(block, str) else ""


def outcome_of(event: TraceEvent) -> Outcome:
    """Whether the tool did what it was asked. A plain answer without a word of error is `ok`."""
    if event.outcome is not None:
        return event.outcome
    if event.exit_code is not None:
        return "ok" if event.exit_code == 0 else "error"
    text = result_text(event)
    return "error" if _REFUSAL.match(text) or _REFUSAL_LINE.search(text) else "ok"


def was_not_run(event: TraceEvent) -> bool:
    """Whether a command was refused before it began: its record says so, or flag and words do."""
    if event.refused_by is not None:
        return True
    is_flagged = event.outcome == "error" and event.exit_code is None
    return is_flagged and bool(_NOT_RUN.match(result_text(event)))


def exit_code_of(event: TraceEvent) -> int | None:
    """The recorded exit code: a field, a key of the answer, or the runner's own line about it."""
    if event.exit_code is not None:
        return event.exit_code
    result = event.result
    if isinstance(result, Mapping):
        for name in ("exit_code", "exitCode", "returncode", "return_code", "code", "status"):
            if type(result.get(name)) is int:
                return int(result[name])
        return None
    text = result_text(event).strip()
    for line in (text.partition("\n")[0], text.rpartition("\n")[2]):
        match = _EXIT_CODE.fullmatch(line.strip()[:MAX_STATUS_CHARS])
        if match is not None:
            return int(match[1])
    return None


# such as "Command running in background with ID: b0db39a."
_STARTED = lazy_pattern(r"\brunning in (?:the )?background with ID: (\w+)")
# such as "<exit_code>1</exit_code>"
_ENDED = lazy_pattern(r"<exit_code>(\d+)</exit_code>")
# such as "<output>4 passed</output>"
_PRINTED = lazy_pattern(r"<(?:output|stdout)>\n?(.*?)\n?</(?:output|stdout)>", re.DOTALL)


def task_started(event: TraceEvent) -> str | None:
    """The name of the task that a command goes on as, where it was sent to the background."""
    match = _STARTED.search(result_text(event)[:MAX_STATUS_CHARS])
    return match[1] if match else None


def task_ended(event: TraceEvent) -> tuple[str, int, str] | None:
    """A task that is told to have ended: its name, its exit status, what it printed."""
    name = event.arguments.get("task_id") or event.arguments.get("bash_id")
    text = result_text(event)
    ended = _ENDED.search(text) if isinstance(name, str) else None
    if ended is None:
        return None
    return str(name), int(ended[1]), "\n".join(_PRINTED.findall(text))


def with_exit_code(event: TraceEvent) -> TraceEvent:
    code = exit_code_of(event)
    return event if code == event.exit_code else event.model_copy(update={"exit_code": code})
