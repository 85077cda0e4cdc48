from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.testing._models import positions
from groundwire.testing._script import Answer, Asked, Fault
from groundwire.testing._server import Body, LoopbackServer, event

_FAULTS: dict[str, tuple[int, str, str | None, str | None, str]] = {
    "rate_limited": (429, "requests", "rate_limit_exceeded", None, "Rate limit reached."),
    "no_credit": (
        429,
        "insufficient_quota",
        "credit_balance_exhausted",
        None,
        "You have no credits left.",
    ),
    "server_error": (500, "server_error", None, None, "The server had an error."),
    "overloaded": (503, "service_unavailable_error", "server_is_overloaded", None, "Overloaded."),
    "wrong_key": (
        401,
        "invalid_request_error",
        "invalid_api_key",
        None,
        "Incorrect API key provided: {key}.",
    ),
    "unknown_model": (
        404,
        "invalid_request_error",
        "model_not_found",
        None,
        "The model `{model}` does not exist or you do not have access to it.",
    ),
    "too_long": (
        400,
        "invalid_request_error",
        "context_length_exceeded",
        "messages",
        "This model's maximum context length is 4096 tokens.",
    ),
    "no_logprobs": (
        400,
        "invalid_request_error",
        None,
        "logprobs",
        "This model does not support the 'logprobs' parameter.",
    ),
    "no_schema": (
        400,
        "invalid_request_error",
        None,
        "response_format",
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported.",
    ),
    "no_temperature": (
        400,
        "invalid_request_error",
        "unsupported_value",
        "temperature",
        "Unsupported value: 'temperature' does not support 0 with this model.",
    ),
}


class OpenAIServer(LoopbackServer):
    """Speaks chat completions."""

    prefix = "/v1"

    def read(self, path: str, body: Body, headers: Mapping[str, str]) -> Asked:
        del path
        said = {message["role"]: message["content"] for message in body.get("messages", ())}
        held_to = body.get("response_format", {}).get("json_schema", {})
        return Asked(
            prompt=said.get("user", ""),
            system=said.get("system"),
            model=body.get("model", ""),
            max_tokens=body.get("max_completion_tokens") or body.get("max_tokens") or 0,
            temperature=body.get("temperature"),
            output_schema=held_to.get("schema"),
            top_logprobs=body.get("top_logprobs", 0) if body.get("logprobs") else 0,
            stream=bool(body.get("stream")),
            headers=headers,
        )

    def write(self, asked: Asked, answer: Answer) -> Body:
        choice: dict[str, Any] = {
            "index": 0,
            "finish_reason": _finish(answer),
            "message": {"role": "assistant", "content": answer.text},
        }
        if asked.top_logprobs:
            choice["logprobs"] = {
                "content": [
                    {
                        "token": token,
                        "logprob": top[token],
                        "bytes": list(token.encode()),
                        "top_logprobs": [
                            {"token": other, "logprob": p, "bytes": list(other.encode())}
                            for other, p in top.items()
                        ],
                    }
                    for token, top in positions(answer)
                ]
            }
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": asked.model,
            "choices": [choice],
            "usage": _usage(answer),
        }

    def write_events(self, asked: Asked, answer: Answer) -> Iterator[str]:
        base = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0}
        for word in answer.text.split(" "):
            delta = {"index": 0, "delta": {"content": f"{word} "}, "finish_reason": None}
            yield event({**base, "model": asked.model, "choices": [delta]})
        end = {"index": 0, "delta": {}, "finish_reason": _finish(answer)}
        yield event({**base, "model": asked.model, "choices": [end]})
        yield event({**base, "model": asked.model, "choices": [], "usage": _usage(answer)})
        yield event("[DONE]")

    def write_fault(self, asked: Asked, fault: Fault) -> tuple[int, Body]:
        status, kind, code, param, words = _FAULTS[fault.kind]
        message = words.format(model=asked.model, key=self.key_of(asked.headers))
        return status, {"error": {"message": message, "type": kind, "param": param, "code": code}}


def _finish(answer: Answer) -> str:
    return {"refused": "content_filter"}.get(answer.finish, answer.finish)


def _usage(answer: Answer) -> dict[str, int]:
    return {
        "prompt_tokens": answer.input_tokens,
        "completion_tokens": answer.output_tokens,
        "total_tokens": answer.input_tokens + answer.output_tokens,
    }
