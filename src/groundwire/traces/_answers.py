"""How a tool's call ended: what it answered, whether it refused, its exit code."""

import json
import re
from collections.abc import Mapping
from typing import Any

from groundwire.traces._trace import Outcome, TraceEvent

MAX_STATUS_CHARS = 80

# A refusal must be said in so many words: a text that merely begins with "Error" is no proof.
_REFUSAL = re.compile(
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
_REFUSAL_LINE = re.compile(
    r"^(?:your changes have not been applied|no replacement was performed"
    r"|error: patch failed|the edit was not applied|edit rejected)",
    re.IGNORECASE | re.MULTILINE,
)
_EXIT_CODE = re.compile(
    r"(?:exit(?:ed)?(?: with)?(?: status| code)?|return ?code|<returncode>)\s*[:=]?\s*"
    r"(-?\d{1,5})\b",
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
    if _REFUSAL.match(text) or _REFUSAL_LINE.search(text):
        return "error"
    return "ok"


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
    text = result_text(event)
    lines = [line for line in text.strip().split("\n") if line.strip()]
    for line in (*lines[:1], *lines[-1:]):
        match = _EXIT_CODE.search(line)
        if match and len(line) < MAX_STATUS_CHARS:
            return int(match[1])
    return None


def with_exit_code(event: TraceEvent) -> TraceEvent:
    code = exit_code_of(event)
    return event if code == event.exit_code else event.model_copy(update={"exit_code": code})
