import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from uuid import uuid4

from groundwire.testing._models import positions
from groundwire.testing._script import Answer, Asked, Fault
from groundwire.testing._server import Body, LoopbackServer, event


class _Refusal(NamedTuple):
    status: int
    message: str
    type: str = "invalid_request_error"
    code: str | None = None
    param: str | None = None


_FAULTS = {
    "rate_limited": _Refusal(
        429, "Rate limit reached.", type="requests", code="rate_limit_exceeded"
    ),
    "no_credit": _Refusal(
        429, "You have no credits left.", type="insufficient_quota", code="credit_balance_exhausted"
    ),
    "server_error": _Refusal(500, "The server had an error.", type="server_error"),
    "overloaded": _Refusal(
        503, "Overloaded.", type="service_unavailable_error", code="server_is_overloaded"
    ),
    "wrong_key": _Refusal(401, "Incorrect API key provided: {key}.", code="invalid_api_key"),
    "unknown_model": _Refusal(
        404,
        "The model `{model}` does not exist or you do not have access to it.",
        code="model_not_found",
    ),
    "too_long": _Refusal(
        400,
        "This model's maximum context length is 4096 tokens.",
        code="context_length_exceeded",
        param="messages",
    ),
    "no_logprobs": _Refusal(
        400, "This model does not support the 'logprobs' parameter.", param="logprobs"
    ),
    "no_schema": _Refusal(
        400,
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported.",
        param="response_format",
    ),
    "no_temperature": _Refusal(
        400,
        "Unsupported value: 'temperature' does not support 0 with this model.",
        code="unsupported_value",
        param="temperature",
    ),
}


class OpenAIServer(LoopbackServer):
    """Speaks chat completions."""

    prefix = "/v1"

    def read(self, path: str, body: Body, headers: Mapping[str, str]) -> Asked:
        del path
        said = {message["role"]: message.get("content") for message in body.get("messages", ())}
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
            tools=tuple(tool["function"]["name"] for tool in body.get("tools") or ()),
            results=(str(said["tool"]),) if "tool" in said else (),
        )

    def write(self, asked: Asked, answer: Answer) -> Body:
        choice: dict[str, Any] = {
            "index": 0,
            "finish_reason": _finish(answer),
            "message": {"role": "assistant", "content": answer.text, **_calls(answer)},
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
        if answer.uses:
            called = {"index": 0, "delta": _calls(answer), "finish_reason": None}
            yield event({**base, "model": asked.model, "choices": [called]})
        end = {"index": 0, "delta": {}, "finish_reason": _finish(answer)}
        yield event({**base, "model": asked.model, "choices": [end]})
        yield event({**base, "model": asked.model, "choices": [], "usage": _usage(answer)})
        yield event("[DONE]")

    def write_fault(self, asked: Asked, fault: Fault) -> tuple[int, Body]:
        refusal = _FAULTS[fault.kind]._asdict()
        status, words = refusal.pop("status"), refusal.pop("message")
        message = words.format(model=asked.model, key=self.key_of(asked.headers))
        return status, {"error": {"message": message, **refusal}}


def _calls(answer: Answer) -> dict[str, Any]:
    calls = [
        {
            "index": index,
            "id": f"call_{uuid4().hex[:24]}",
            "type": "function",
            "function": {"name": use.name, "arguments": json.dumps(dict(use.arguments))},
        }
        for index, use in enumerate(answer.uses)
    ]
    return {"tool_calls": calls} if calls else {}


def _finish(answer: Answer) -> str:
    if answer.uses:
        return "tool_calls"
    return {"refused": "content_filter"}.get(answer.finish, answer.finish)


def _usage(answer: Answer) -> dict[str, int]:
    return {
        "prompt_tokens": answer.input_tokens,
        "completion_tokens": answer.output_tokens,
        "total_tokens": answer.input_tokens + answer.output_tokens,
    }
