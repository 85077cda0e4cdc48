"""Anthropic's message format: `tool_use` and `tool_result` blocks."""

from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.traces._parts import Answer, Call, Part

_CALLS = {"tool_use", "server_tool_use", "mcp_tool_use"}


def anthropic_parts(message: Mapping[str, Any]) -> Iterator[Part]:
    blocks = message.get("content")
    for block in blocks if isinstance(blocks, list) else ():
        if not isinstance(block, Mapping):
            continue
        kind = str(block.get("type"))
        if kind in _CALLS:
            yield Call(str(block.get("id")), str(block.get("name")), block.get("input"))
        elif kind.endswith("tool_result"):
            error = block.get("is_error")
            yield Answer(
                str(block.get("tool_use_id")),
                block.get("content"),
                is_error=error if isinstance(error, bool) else None,
            )
