from collections.abc import Iterator, Mapping
from typing import Any

from groundwire.testing._models import positions
from groundwire.testing._script import Answer, Asked, Fault
from groundwire.testing._server import Body, LoopbackServer, event

_FAULTS: dict[str, tuple[int, str, str]] = {
    "rate_limited": (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota."),
    "no_credit": (402, "FAILED_PRECONDITION", "Billing is not enabled for this project."),
    "server_error": (500, "INTERNAL", "An internal error has occurred."),
    "overloaded": (503, "UNAVAILABLE", "The model is overloaded."),
    "wrong_key": (400, "INVALID_ARGUMENT", "API key not valid: {key}."),
    "unknown_model": (404, "NOT_FOUND", "models/{model} is not found for API version v1."),
    "too_long": (400, "INVALID_ARGUMENT", "The input token count (5000) exceeds the maximum."),
    "no_logprobs": (400, "INVALID_ARGUMENT", "Logprobs is not supported for the current model."),
    "no_schema": (400, "INVALID_ARGUMENT", "response_schema is not supported for this model."),
    "no_temperature": (400, "INVALID_ARGUMENT", "Thinking budget 0 is invalid for this model."),
}
_STOPS = {"stop": "STOP", "length": "MAX_TOKENS", "refused": "SAFETY"}
_ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo"
_RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo"


class GeminiServer(LoopbackServer):
    """Speaks `generateContent` and `streamGenerateContent`."""

    def read(self, path: str, body: Body, headers: Mapping[str, str]) -> Asked:
        settings = body.get("generationConfig", {})
        return Asked(
            prompt=_text(body.get("contents", [{}])[-1]),
            system=_text(body["systemInstruction"]) if "systemInstruction" in body else None,
            model=path.partition("models/")[2].partition(":")[0],
            max_tokens=settings.get("maxOutputTokens", 0),
            temperature=settings.get("temperature"),
            output_schema=settings.get("responseSchema"),
            top_logprobs=settings.get("logprobs", 0) if settings.get("responseLogprobs") else 0,
            stream="streamGenerateContent" in path,
            headers=headers,
            tools=tuple(
                function.get("name", "")
                for tool in body.get("tools") or ()
                for function in tool.get("functionDeclarations") or ()
            ),
            results=tuple(
                str(part["functionResponse"].get("response"))
                for part in body.get("contents", [{}])[-1].get("parts", ())
                if "functionResponse" in part
            ),
        )

    def key_of(self, headers: Mapping[str, str]) -> str | None:
        return headers.get("x-goog-api-key")

    def write(self, asked: Asked, answer: Answer) -> Body:
        candidate: dict[str, Any] = {
            "content": {"role": "model", "parts": _parts(answer, answer.text)},
            "finishReason": _STOPS[answer.finish],
            "index": 0,
        }
        if asked.top_logprobs:
            found = positions(answer)
            candidate["logprobsResult"] = {
                "chosenCandidates": [
                    {"token": token, "logProbability": top[token]} for token, top in found
                ],
                "topCandidates": [
                    {
                        "candidates": [
                            {"token": other, "logProbability": p} for other, p in top.items()
                        ]
                    }
                    for _, top in found
                ],
            }
        return {
            "candidates": [candidate],
            "modelVersion": asked.model,
            "usageMetadata": {
                "promptTokenCount": answer.input_tokens,
                "candidatesTokenCount": answer.output_tokens,
                "totalTokenCount": answer.input_tokens + answer.output_tokens,
            },
        }

    def write_events(self, asked: Asked, answer: Answer) -> Iterator[str]:
        words = answer.text.split(" ")
        for word in words[:-1]:
            content = {"role": "model", "parts": [{"text": f"{word} "}]}
            yield event({"candidates": [{"content": content, "index": 0}]})
        whole = self.write(asked, answer)
        parts = _parts(answer, words[-1])
        last = {**whole["candidates"][0], "content": {"role": "model", "parts": parts}}
        yield event({**whole, "candidates": [last]})

    def write_fault(self, asked: Asked, fault: Fault) -> tuple[int, Body]:
        status, kind, words = _FAULTS[fault.kind]
        details: list[dict[str, Any]] = []
        if fault.kind == "wrong_key":
            details.append({"@type": _ERROR_INFO, "reason": "API_KEY_INVALID"})
        if fault.retry_after_s is not None:
            details.append({"@type": _RETRY_INFO, "retryDelay": f"{fault.retry_after_s:g}s"})
        message = words.format(model=asked.model, key=self.key_of(asked.headers))
        error = {"code": status, "message": message, "status": kind, "details": details}
        return status, {"error": error}


def _text(content: Mapping[str, Any]) -> str:
    return "".join(part.get("text", "") for part in content.get("parts", ()))


def _parts(answer: Answer, words: str) -> list[dict[str, Any]]:
    """Words and calls; a call without words has no empty text beside it."""
    calls: list[dict[str, Any]] = [
        {"functionCall": {"name": use.name, "args": dict(use.arguments)}} for use in answer.uses
    ]
    return [{"text": words}, *calls] if words or not calls else calls
