"""What an agent said last: its final message, and the structured output it may carry."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from groundwire.traces import Record

_JSON_BLOCK = re.compile(r"```(?:json)?\s*\n(\{.*?\})\s*\n```", re.DOTALL)
_FIELDS = {"trace_ref", "traceRef"}


def final_message(records: Iterable[Record]) -> str | None:
    """The text of the last assistant message that has any."""
    last = None
    for record in records:
        message = record.value
        while isinstance(message, Mapping) and isinstance(message.get("message"), Mapping):
            message = message["message"]
        if isinstance(message, Mapping) and message.get("role") == "assistant":
            last = _text(message.get("content")) or last
    return last


def _text(content: Any) -> str | None:
    if isinstance(content, str):
        return content.strip() or None
    if not isinstance(content, list):
        return None
    texts = [
        str(block.get("text", ""))
        for block in content
        if isinstance(block, Mapping) and block.get("type") in {"text", "output_text"}
    ]
    return "\n".join(texts).strip() or None


def output_in(text: str) -> dict[str, Any] | None:
    """The structured output a message is, or carries in a JSON block."""
    for candidate in (text, *_JSON_BLOCK.findall(text)):
        try:
            value = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and "summary" in value and value.keys() & _FIELDS:
            return value
    return None
