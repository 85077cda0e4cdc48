"""Messages of OpenAI, Anthropic and MCP, and our own format."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from groundwire.traces._parts import (
    Answer,
    Call,
    Part,
    Setting,
    Silent,
    TraceReader,
    Unknown,
    Unread,
)
from groundwire.traces._stream import Record
from groundwire.traces._tally import Tally
from groundwire.traces._tool_trace import LISTS, ToolTrace
from groundwire.traces._trace import TraceEvent, read_event

_ROLES = {"user", "assistant", "system", "developer", "model", "tool", "function"}
_SILENT_ITEMS = {
    "message", "reasoning", "web_search_call", "file_search_call", "image_generation_call",
    "item_reference", "mcp_list_tools", "compaction",
}  # fmt: skip
_OPENAI_ITEMS = {"function_call", "custom_tool_call", "local_shell_call", "shell_call"}
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
    kind = str(record.get("type"))
    if kind in {"function_call", "custom_tool_call"}:
        arguments = record.get("arguments", record.get("input"))
        # a custom tool takes bare text, such as a patch
        if kind == "custom_tool_call" and isinstance(arguments, str):
            arguments = {"input": arguments}
        yield Call(_id(record), str(record.get("name", "")), arguments)
    elif kind in {"local_shell_call", "shell_call"}:
        action = record.get("action")
        command = action.get("command") if isinstance(action, Mapping) else None
        yield Call(_id(record), "shell", {"command": command})
    elif kind in _ANSWERS:
        yield _answer(_id(record), record.get("output"))
    elif kind in _SILENT_ITEMS:
        yield Silent(kind)
    else:
        yield from _chat(record)


def _chat(message: Mapping[str, Any]) -> Iterator[Part]:
    for call in message.get("tool_calls") or ():
        if isinstance(call, Mapping) and isinstance(call.get("function"), Mapping):
            function = call["function"]
            yield Call(text_id(call), str(function.get("name")), function.get("arguments"))
        elif isinstance(call, Mapping) and isinstance(call.get("custom"), Mapping):
            custom = call["custom"]
            yield Call(text_id(call), str(custom.get("name")), {"input": custom.get("input")})
        else:
            yield Unknown("tool call of another kind")
    legacy = message.get("function_call")
    if isinstance(legacy, Mapping):
        yield Call("", str(legacy.get("name")), legacy.get("arguments"))
    role = str(message.get("role"))
    if role == "tool":
        several = message.get("tool_call_ids")
        first = several[0] if isinstance(several, list) and several else None
        identity = message.get("tool_call_id") or first
        yield _answer(str(identity or ""), message.get("content"))
    elif role == "function":
        answer = _answer("", message.get("content"))
        yield Answer("", answer.result, exit_code=answer.exit_code, tool=str(message.get("name")))
    elif role in _ROLES:
        yield Silent(f"{role} message")


def text_id(record: Mapping[str, Any], *names: str) -> str:
    """An id as text, "" where there is none."""
    for name in names or ("id",):
        if record.get(name) not in (None, ""):
            return str(record[name])
    return ""


def _id(record: Mapping[str, Any]) -> str:
    return text_id(record, "call_id", "id")


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


_CALLS = {"tool_use", "server_tool_use", "mcp_tool_use"}
_SILENT_BLOCKS = {
    "text", "thinking", "redacted_thinking", "image", "document", "reasoning", "input_text",
    "output_text", "input_image", "image_url", "refusal", "search_result", "input_audio", "file",
    "audio", "container_upload",
}  # fmt: skip


def anthropic_parts(message: Mapping[str, Any]) -> Iterator[Part]:
    """The calls and answers among the blocks of a message."""
    blocks = message.get("content")
    role = str(message.get("role", "plain"))
    if not isinstance(blocks, list):
        if role in _ROLES or isinstance(blocks, str):
            yield Silent(f"{role} message")
        return
    if not blocks:
        yield Silent("empty message")
    for block in blocks:
        yield block_part(block)


def block_part(block: Any) -> Call | Answer | Silent | Unknown:
    if not isinstance(block, Mapping):
        return Silent("text") if isinstance(block, str) else Unknown("block that is no object")
    kind = str(block.get("type"))
    if kind in _CALLS:
        return Call(text_id(block), str(block.get("name")), block.get("input"))
    if kind.endswith("tool_result"):
        error = block.get("is_error")
        return Answer(
            text_id(block, "tool_use_id"),
            block.get("content"),
            is_error=error if isinstance(error, bool) else None,
        )
    return Silent(kind) if kind in _SILENT_BLOCKS else Unknown(f"block {kind}")


def mcp_parts(message: Mapping[str, Any]) -> Iterator[Part]:
    if "jsonrpc" not in message:
        return
    identity = text_id(message)
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
        else:
            yield Silent("answer to another request")
    elif "method" in message:
        yield Silent(str(message["method"]))


def trace_from_openai(
    messages: Iterable[Mapping[str, Any]], *, trace_id: str | None = None, cwd: str | None = None
) -> ToolTrace:
    """A trace from the messages of a chat, or the items of a response."""
    return _from_messages(messages, OPENAI, "openai", trace_id, cwd)


def trace_from_anthropic(
    messages: Iterable[Mapping[str, Any]], *, trace_id: str | None = None, cwd: str | None = None
) -> ToolTrace:
    return _from_messages(messages, ANTHROPIC, "anthropic", trace_id, cwd)


def trace_from_mcp(
    messages: Iterable[Mapping[str, Any]], *, trace_id: str | None = None, cwd: str | None = None
) -> ToolTrace:
    return _from_messages(messages, MCP, "mcp", trace_id, cwd)


def _from_messages(
    messages: Iterable[Mapping[str, Any]],
    reader: TraceReader,
    name: str,
    trace_id: str | None,
    cwd: str | None,
) -> ToolTrace:
    tally = Tally(name, reader.leaves_out)
    reading = reader.begin()
    events: list[TraceEvent] = []
    for number, message in enumerate(messages, start=1):
        tally.add_record()
        for part in reading.parts(Record(message, f"message {number}")):
            events += tally.add(part)
    events += tally.finish()
    return ToolTrace(events, trace_id=trace_id, cwd=cwd, account=tally.account())


HEADER = {"groundwire_trace", "trace_id", "traceId", "cwd", "complete", "base_path", "run_id"}
_OURS = {"tool", "writes", "arguments", "toolName", "tool_name"}
_OTHERS = {"role", "jsonrpc", "sessionID", "callID", "part", "parts", "payload", "item", "state"}


def is_header(value: Any) -> bool:
    """Whether a record is the first of a trace of our own, which holds no event."""
    if not isinstance(value, Mapping):
        return False
    return "groundwire_trace" in value or (not value.keys() - HEADER and bool(value))


def _is_ours(record: Record) -> bool:
    value = record.value
    if record.is_field:
        return record.name in {"invocations", "groundwire_trace"}
    if is_header(value):
        return True
    if not isinstance(value, Mapping) or value.keys() & _OTHERS or not value.keys() & _OURS:
        return False
    return "tool" in value or "writes" in value or record.name in LISTS


def _our_parts(record: Record) -> Iterator[Part]:
    if record.is_field:
        return
    if not isinstance(record.value, Mapping):
        yield Unread("an event must be an object")
    elif not is_header(record.value):
        yield read_event(record.value, record.where)


def _unwrapped(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Transcripts put each message into an envelope."""
    for name in ("message", "payload", "item"):
        if isinstance(value.get(name), Mapping) and "jsonrpc" not in value:
            return _unwrapped(value[name])
    return value


_ANSWERED = {"response", "choices"}
"""Fields beside a list of messages that hold the last one of them."""


def _of_messages(parts: Callable[[Mapping[str, Any]], Iterable[Part]]) -> TraceReader:
    def read(record: Record) -> Iterator[Part]:
        value = record.value
        if record.is_field:
            value = {"choices": value} if record.name == "choices" else value
            if record.name not in _ANSWERED or not isinstance(value, Mapping):
                return
        if not isinstance(value, Mapping):
            yield Unread("an event must be an object")
            return
        if isinstance(value.get("cwd"), str):
            yield Setting(value["cwd"])
        yield from parts(_unwrapped(value))

    return TraceReader(read)


GROUNDWIRE = TraceReader(_our_parts, _is_ours)
OPENAI = _of_messages(openai_parts)
ANTHROPIC = _of_messages(anthropic_parts)
MCP = TraceReader(
    _of_messages(mcp_parts).parts,
    lambda record: isinstance(record.value, Mapping) and "jsonrpc" in _unwrapped(record.value),
)


def message_format(record: Record) -> str | None:
    """Whose messages these are, where a record tells."""
    if record.is_field or not isinstance(record.value, Mapping):
        return None
    message = _unwrapped(record.value)
    blocks = message.get("content")
    given = blocks if isinstance(blocks, list) else ()
    kinds = {str(block.get("type")) for block in given if isinstance(block, Mapping)}
    if kinds & {*_CALLS, "tool_result", "thinking"}:
        return "anthropic"
    is_openai = message.get("tool_calls") or str(message.get("role")) in {"tool", "function"}
    return "openai" if is_openai or str(message.get("type")) in _OPENAI_ITEMS else None


def _any_parts(record: Record) -> Iterator[Part]:
    """What each of the message formats finds: they do not overlap, and some files mix them."""
    value = record.value
    if not record.is_field and GROUNDWIRE.recognises(record):
        yield from _our_parts(record)
        return
    if MCP.recognises(record):
        yield from _parts_of(MCP, record)
        return
    found = [*_parts_of(ANTHROPIC, record), *_parts_of(OPENAI, record)]
    telling = [part for part in found if not isinstance(part, Silent)]
    kinds = {part for part in found if isinstance(part, Silent)}
    if not telling and not kinds and not record.is_field:
        kind = value.get("type") if isinstance(value, Mapping) else None
        yield Unknown(str(kind or "record without a role"))
    yield from dict.fromkeys(kinds)
    seen: set[Unread] = set()
    for part in telling:
        if not (isinstance(part, Unread) and part in seen):
            yield part
        if isinstance(part, Unread):
            seen.add(part)


def _parts_of(reader: TraceReader, record: Record) -> Iterable[Part]:
    return () if reader.parts is None else reader.parts(record)


MESSAGES = TraceReader(_any_parts)
