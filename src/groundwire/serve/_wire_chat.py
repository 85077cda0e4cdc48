"""OpenAI's chat completions."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from groundwire.serve._wire import ROLES, Conversation, Json, called_tools, dicts, parts_of


class ChatCompletions:
    """`POST /v1/chat/completions`."""

    def conversation(self, body: Json) -> Conversation:
        found = Conversation()
        names = called_tools(body.get("messages"))
        for message in dicts(body.get("messages")):
            role = ROLES.get(str(message.get("role")))
            if role is not None:
                called = str(message.get("tool_call_id", ""))
                name = str(message.get("name") or names.get(called, called))
                found.add(role, parts_of(message.get("content"), found.unread), name)
        return found

    def wants_structure(self, body: Json) -> bool:
        return bool((body.get("response_format") or {}).get("type", "text") != "text")

    def again(self, body: Json, said: str, told: str) -> Json:
        more = [{"role": "assistant", "content": said}, {"role": "user", "content": told}]
        return {**body, "messages": [*body["messages"], *more]}

    def choices(self, body: Json) -> int:
        asked = body.get("n")
        return asked if isinstance(asked, int) and asked > 1 else 1

    def words(self, answer: Json) -> list[str | None]:
        return [self._said(one.get("message")) for one in dicts(answer.get("choices"))]

    def _said(self, message: Any) -> str | None:
        if not isinstance(message, dict) or message.get("tool_calls"):
            return None
        return message.get("content") if isinstance(message.get("content"), str) else None

    def marked(self, answer: Json, marks: Sequence[str]) -> Json:
        copied: Json = json.loads(json.dumps(answer))
        for choice, mark in zip(dicts(copied["choices"]), marks, strict=True):
            if mark:
                choice["message"]["content"] += mark
        return copied

    def deltas(self, event: Json) -> list[tuple[int, str]]:
        return [(place, str(one.get("content") or "")) for place, one in self._deltas(event)]

    def ended(self, event: Json) -> set[int]:
        choices = dicts(event.get("choices"))
        return {_place(one) for one in choices if one.get("finish_reason")}

    def calling(self, event: Json) -> set[int]:
        return {place for place, one in self._deltas(event) if one.get("tool_calls")}

    def mark_events(self, held: list[Json], mark: str, index: int) -> Iterator[Json]:
        del index
        end = next((one for one in held if self.ended(one)), None)
        if end is not None:
            choice = {"index": 0, "delta": {"content": mark}, "finish_reason": None}
            yield {**{k: v for k, v in end.items() if k != "usage"}, "choices": [choice]}

    def noted(self, event: Json, note: Json) -> bool:
        if self.ended(event):
            event["groundwire"] = note
            return True
        return False

    def _deltas(self, event: Json) -> list[tuple[int, Json]]:
        found = ((_place(one), one.get("delta")) for one in dicts(event.get("choices")))
        return [(place, one) for place, one in found if isinstance(one, dict)]


def _place(choice: Json) -> int:
    index = choice.get("index")
    return index if isinstance(index, int) else 0
