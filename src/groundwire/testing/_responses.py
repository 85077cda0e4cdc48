import json
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

from groundwire.testing._openai import OpenAIServer
from groundwire.testing._script import Answer, Asked, ToolUse
from groundwire.testing._server import Body, event


class ResponsesServer(OpenAIServer):
    """Speaks the Responses API, as Codex does; faults are those of chat completions."""

    def read(self, path: str, body: Body, headers: Mapping[str, str]) -> Asked:
        del path
        items = body.get("input") or ()
        items = [items] if isinstance(items, str) else list(items)
        return Asked(
            prompt=str(items[-1]) if items else "",
            system=body.get("instructions"),
            model=body.get("model", ""),
            max_tokens=body.get("max_output_tokens") or 0,
            temperature=body.get("temperature"),
            stream=bool(body.get("stream")),
            headers=headers,
            tools=tuple(str(tool.get("name", "")) for tool in body.get("tools") or ()),
            results=tuple(
                str(item.get("output"))
                for item in items[-1:]
                if isinstance(item, dict) and "output" in item
            ),
        )

    def write(self, asked: Asked, answer: Answer) -> Body:
        items = [_call(use) for use in answer.uses]
        if answer.text or not items:
            items.insert(0, _message(answer.text))
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 0,
            "model": asked.model,
            "status": "completed",
            "output": items,
            "usage": {
                "input_tokens": answer.input_tokens,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": answer.output_tokens,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": answer.input_tokens + answer.output_tokens,
            },
        }

    def write_events(self, asked: Asked, answer: Answer) -> Iterator[str]:
        whole = self.write(asked, answer)
        begun = {**whole, "status": "in_progress", "output": []}
        yield _named("response.created", {"response": begun})
        for index, item in enumerate(whole["output"]):
            data = {"output_index": index, "item": item}
            begun_item = {**item, "content": []} if item["type"] == "message" else item
            yield _named("response.output_item.added", {**data, "item": begun_item})
            if item["type"] == "message":
                yield from _written(item, index)
            yield _named("response.output_item.done", data)
        yield _named("response.completed", {"response": whole})


def _named(kind: str, data: Mapping[str, Any]) -> str:
    return event({"type": kind, **data}, kind)


def _written(item: Mapping[str, Any], index: int) -> Iterator[str]:
    """A message as it is written: its one part, word by word."""
    (part,) = item["content"]
    place = {"item_id": item["id"], "output_index": index, "content_index": 0}
    yield _named("response.content_part.added", {**place, "part": {**part, "text": ""}})
    for number, word in enumerate(part["text"].split(" ")):
        piece = f" {word}" if number else word
        yield _named("response.output_text.delta", {**place, "delta": piece, "logprobs": []})
    yield _named("response.output_text.done", {**place, "text": part["text"], "logprobs": []})
    yield _named("response.content_part.done", {**place, "part": part})


def _message(text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {
        "type": "message",
        "id": f"msg_{uuid4().hex[:24]}",
        "role": "assistant",
        "status": "completed",
        "content": content,
    }


def _call(use: ToolUse) -> dict[str, Any]:
    call_id = f"call_{uuid4().hex[:24]}"
    if use.text is not None:
        kind = {"type": "custom_tool_call", "input": use.text}
    else:
        kind = {"type": "function_call", "arguments": json.dumps(dict(use.arguments))}
    return {**kind, "id": f"item_{call_id}", "call_id": call_id, "name": use.name}
