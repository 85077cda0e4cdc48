"""What an agent is told when its report does not hold, in the form its framework wants."""

from collections.abc import Sequence
from typing import Any

from groundwire.actions import VerificationResult
from groundwire.model import CorrectionNote

MAX_ITEMS = 20
MAX_ITEM_CHARS = 400


def feedback_text(result: VerificationResult) -> str:
    """The errors as plain sentences. What they quote is data, so it stands between fences."""
    errors = [_one_line(error.message) for error in result.errors]
    shown = errors[:MAX_ITEMS]
    if len(errors) > MAX_ITEMS:
        shown.append(f"and {len(errors) - MAX_ITEMS} more")
    listed = "\n".join(f"- {message}" for message in shown)
    return (
        f"Your report did not pass verification (level {result.level}). These statements do not"
        " fit the files or the trace:\n"
        f"```\n{listed}\n```\n"
        "Do the work that is missing, or correct the report. Do not repeat a claim that is false."
    )


def correction_text(notes: Sequence[CorrectionNote]) -> str:
    """What a model is told about its answer, to write it again."""
    lines = []
    for note in notes[:MAX_ITEMS]:
        quote = f" The conversation says: “{_one_line(note.quote.quote)}”" if note.quote else ""
        lines.append(f"- “{_one_line(note.claim)}”: {_one_line(note.why)}{quote}")
    listed = "\n".join(lines)
    return (
        "These statements of your last answer do not stand against this conversation:\n"
        f"```\n{listed}\n```\n"
        "Write the whole answer again with them corrected or left out, and nothing else."
    )


def _one_line(text: str) -> str:
    return " ".join(text.replace("`", "'").split())[:MAX_ITEM_CHARS]


def openai_feedback(result: VerificationResult) -> dict[str, Any]:
    """A message to append to a chat."""
    return {"role": "user", "content": feedback_text(result)}


def anthropic_feedback(result: VerificationResult) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": feedback_text(result)}]}


def mcp_feedback(result: VerificationResult, request_id: int | str) -> dict[str, Any]:
    """The answer to a `tools/call` that asked for the verification."""
    return {
        "jsonrpc": "2.0",
        "id": request_id,
        "result": {
            "content": [{"type": "text", "text": feedback_text(result)}],
            "structuredContent": result.model_dump(mode="json"),
            "isError": not result.valid,
        },
    }
