"""The Model Context Protocol: JSON-RPC requests `tools/call` and their answers."""

from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.traces._parts import Answer, Call, Part


def mcp_parts(message: Mapping[str, Any]) -> Iterator[Part]:
    identity = str(message.get("id"))
    if message.get("method") == "tools/call" and isinstance(message.get("params"), Mapping):
        params = message["params"]
        yield Call(identity, str(params.get("name")), params.get("arguments"))
    elif isinstance(message.get("error"), Mapping):
        yield Answer(identity, str(message["error"].get("message")), is_error=True)
    elif isinstance(message.get("result"), Mapping):
        result = message["result"]
        answered = result.get("structuredContent", result.get("content"))
        if "content" in result or "structuredContent" in result:
            yield Answer(identity, answered, is_error=result.get("isError") is True)
