import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

from groundwire.testing._script import Answer, Asked, Fault
from groundwire.testing._server import Body, LoopbackServer, event

_FAULTS: dict[str, tuple[int, str, str]] = {
    "rate_limited": (429, "rate_limit_error", "This request would exceed your rate limit."),
    "no_credit": (429, "rate_limit_error", "You have reached your spend limit."),
    "server_error": (500, "api_error", "Internal server error"),
    "overloaded": (529, "overloaded_error", "Overloaded"),
    "wrong_key": (401, "authentication_error", "invalid API key: {key}"),
    "unknown_model": (404, "not_found_error", "model: {model}"),
    "too_long": (400, "invalid_request_error", "prompt is too long: 5000 tokens > 4096"),
    "no_schema": (
        400,
        "invalid_request_error",
        "output_config.format: this model does not support structured outputs",
    ),
    "no_temperature": (
        400,
        "invalid_request_error",
        "thinking: this model cannot have thinking disabled",
    ),
}
_STOPS = {"stop": "end_turn", "length": "max_tokens", "refused": "refusal"}


class AnthropicServer(LoopbackServer):
    """Speaks the Messages API."""

    def read(self, path: str, body: Body, headers: Mapping[str, str]) -> Asked:
        del path
        held_to = (body.get("output_config") or {}).get("format", {})
        messages = body.get("messages") or [{"content": ""}]
        return Asked(
            prompt=str(messages[-1]["content"]),
            system=body.get("system"),
            model=body.get("model", ""),
            max_tokens=body.get("max_tokens", 0),
            temperature=body.get("temperature"),
            output_schema=held_to.get("schema"),
            stream=bool(body.get("stream")),
            headers=headers,
            tools=tuple(tool.get("name", "") for tool in body.get("tools") or ()),
            results=tuple(_results(messages[-1])),
        )

    def key_of(self, headers: Mapping[str, str]) -> str | None:
        return headers.get("x-api-key") or super().key_of(headers)

    def write(self, asked: Asked, answer: Answer) -> Body:
        uses = [
            {"type": "tool_use", "id": f"toolu_{uuid4().hex[:24]}", "name": use.name,
             "input": dict(use.arguments)}
            for use in answer.uses
        ]  # fmt: skip
        words = [{"type": "text", "text": answer.text}] if answer.text or not uses else []
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": asked.model,
            "content": [*words, *uses],
            "stop_reason": "tool_use" if uses else _STOPS[answer.finish],
            "stop_sequence": None,
            "usage": {"input_tokens": answer.input_tokens, "output_tokens": answer.output_tokens},
        }

    def write_events(self, asked: Asked, answer: Answer) -> Iterator[str]:
        whole = self.write(asked, answer)
        message = {**whole, "content": [], "stop_reason": None}
        yield event({"type": "message_start", "message": message}, "message_start")
        for index, block in enumerate(whole["content"]):
            empty, deltas = _parts(block)
            start = {"type": "content_block_start", "index": index, "content_block": empty}
            yield event(start, "content_block_start")
            for delta in deltas:
                data = {"type": "content_block_delta", "index": index, "delta": delta}
                yield event(data, "content_block_delta")
            yield event({"type": "content_block_stop", "index": index}, "content_block_stop")
        end = {
            "type": "message_delta",
            "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None},
            "usage": {"output_tokens": answer.output_tokens},
        }
        yield event(end, "message_delta")
        yield event({"type": "message_stop"}, "message_stop")

    def write_fault(self, asked: Asked, fault: Fault) -> tuple[int, Body]:
        status, kind, words = _FAULTS[fault.kind]
        error: dict[str, object] = {
            "type": kind,
            "message": words.format(model=asked.model, key=self.key_of(asked.headers)),
        }
        if fault.kind == "no_credit":
            error["details"] = {"error_code": "enforced_spend_limit_reached"}
        return status, {"type": "error", "error": error, "request_id": "req_1"}


def _parts(block: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
    """A block as a stream begins it, and what is added to it."""
    if block["type"] == "tool_use":
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        return {**block, "input": {}}, [delta]
    words = block["text"].split(" ")
    return {**block, "text": ""}, [{"type": "text_delta", "text": f"{word} "} for word in words]


def _results(message: Mapping[str, Any]) -> Iterator[str]:
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        if block.get("type") == "tool_result":
            yield str(block.get("content"))
