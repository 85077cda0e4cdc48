from collections.abc import Iterator, Mapping

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
        )

    def key_of(self, headers: Mapping[str, str]) -> str | None:
        return headers.get("x-api-key") or super().key_of(headers)

    def write(self, asked: Asked, answer: Answer) -> Body:
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": asked.model,
            "content": [{"type": "text", "text": answer.text}],
            "stop_reason": _STOPS[answer.finish],
            "stop_sequence": None,
            "usage": {"input_tokens": answer.input_tokens, "output_tokens": answer.output_tokens},
        }

    def write_events(self, asked: Asked, answer: Answer) -> Iterator[str]:
        message = {**self.write(asked, answer), "content": [], "stop_reason": None}
        start = {"type": "message_start", "message": message}
        block = {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "text", "text": ""},
        }
        yield event(start, "message_start")
        yield event(block, "content_block_start")
        for word in answer.text.split(" "):
            delta = {"type": "text_delta", "text": f"{word} "}
            data = {"type": "content_block_delta", "index": 0, "delta": delta}
            yield event(data, "content_block_delta")
        yield event({"type": "content_block_stop", "index": 0}, "content_block_stop")
        end = {
            "type": "message_delta",
            "delta": {"stop_reason": _STOPS[answer.finish], "stop_sequence": None},
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
