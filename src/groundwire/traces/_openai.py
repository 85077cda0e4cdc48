"""OpenAI's two message formats: chat completions and responses."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.traces._parts import Answer, Call, Part

_ANSWERS = {
    "function_call_output",
    "custom_tool_call_output",
    "local_shell_call_output",
    "shell_call_output",
}


def openai_parts(record: Mapping[str, Any]) -> Iterator[Part]:
    """The calls and answers in one message, or in one item of a response."""
    for choice in record.get("choices") or ():
        if isinstance(choice, Mapping) and isinstance(choice.get("message"), Mapping):
            yield from openai_parts(choice["message"])
    kind = record.get("type")
    if kind in {"function_call", "custom_tool_call"}:
        arguments = record.get("arguments", record.get("input"))
        yield Call(_id(record), str(record.get("name", "")), _custom(record, arguments))
    elif kind in {"local_shell_call", "shell_call"}:
        action = record.get("action")
        command = action.get("command") if isinstance(action, Mapping) else None
        yield Call(_id(record), "shell", {"command": command})
    elif kind in _ANSWERS:
        yield _answer(_id(record), record.get("output"))
    else:
        yield from _chat(record)


def _chat(message: Mapping[str, Any]) -> Iterator[Part]:
    for call in message.get("tool_calls") or ():
        if isinstance(call, Mapping) and isinstance(call.get("function"), Mapping):
            function = call["function"]
            yield Call(str(call.get("id")), str(function.get("name")), function.get("arguments"))
    legacy = message.get("function_call")
    if isinstance(legacy, Mapping):
        name = str(legacy.get("name"))
        yield Call(f"function:{name}", name, legacy.get("arguments"))
    if message.get("role") == "tool":
        several = message.get("tool_call_ids")
        first = several[0] if isinstance(several, list) and several else None
        yield _answer(str(message.get("tool_call_id") or first), message.get("content"))
    elif message.get("role") == "function":
        yield _answer(f"function:{message.get('name')}", message.get("content"))


def _id(record: Mapping[str, Any]) -> str:
    return str(record.get("call_id") or record.get("id"))


def _custom(record: Mapping[str, Any], arguments: Any) -> Any:
    """A custom tool takes bare text, such as a patch."""
    is_text = record.get("type") == "custom_tool_call" and isinstance(arguments, str)
    return {"input": arguments} if is_text else arguments


def _answer(identity: str, output: Any) -> Answer:
    """Shell tools wrap what was printed and the exit code in a JSON string."""
    if isinstance(output, str) and output.startswith("{"):
        try:
            wrapped = json.loads(output)
        except (ValueError, RecursionError):
            return Answer(identity, output)
        metadata = wrapped.get("metadata") if isinstance(wrapped, dict) else None
        if isinstance(metadata, dict) and isinstance(wrapped.get("output"), str):
            code = metadata.get("exit_code")
            return Answer(
                identity, wrapped["output"], exit_code=code if type(code) is int else None
            )
    return Answer(identity, output)
