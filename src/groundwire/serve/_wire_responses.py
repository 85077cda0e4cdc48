"""OpenAI's responses."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from groundwire.serve._wire import ROLES, Conversation, Json, called_tools, dicts, parts_of


class Responses:
    """`POST /v1/responses`."""

    def conversation(self, body: Json) -> Conversation:
        found = Conversation()
        found.unread += [key for key in ("previous_response_id", "conversation") if body.get(key)]
        found.add("system", parts_of(body.get("instructions"), found.unread))
        given = body.get("input")
        names = called_tools(given)
        if isinstance(given, str):
            found.add("user", given)
        for item in dicts(given):
            if "output" in item:
                output = parts_of(item["output"], found.unread)
                called = str(item.get("call_id", ""))
                found.add("tool", output, names.get(called, called))
            role = ROLES.get(str(item.get("role")))
            if role is not None:
                found.add(role, parts_of(item.get("content"), found.unread))
        return found

    def wants_structure(self, body: Json) -> bool:
        how = (body.get("text") or {}).get("format") or {}
        return bool(how.get("type", "text") != "text")

    def again(self, body: Json, said: str, told: str) -> Json:
        given = body.get("input")
        asked = [{"role": "user", "content": given}] if isinstance(given, str) else given
        more = [{"role": "assistant", "content": said}, {"role": "user", "content": told}]
        return {**body, "input": [*(asked or ()), *more]}

    def choices(self, body: Json) -> int:
        del body
        return 1

    def words(self, answer: Json) -> list[str | None]:
        items = dicts(answer.get("output"))
        if any(self._is_call(item) for item in items):
            return [None]
        texts = [part["text"] for part in self._texts(answer)]
        return ["".join(texts) if texts else None]

    def marked(self, answer: Json, marks: Sequence[str]) -> Json:
        copied: Json = json.loads(json.dumps(answer))
        parts = list(self._texts(copied))
        parts[-1]["text"] += "".join(marks)
        return copied

    def deltas(self, event: Json) -> list[tuple[int, str]]:
        is_text = event.get("type") == "response.output_text.delta"
        return [(0, str(event.get("delta") or ""))] if is_text else []

    def ended(self, event: Json) -> set[int]:
        is_end = event.get("type") in ("response.output_text.done", *_RESPONSE_ENDS)
        return {0} if is_end else set()

    def calling(self, event: Json) -> set[int]:
        item = event.get("item")
        return {0} if isinstance(item, dict) and self._is_call(item) else set()

    def mark_events(self, held: list[Json], mark: str, index: int) -> Iterator[Json]:
        del index
        done = next((one for one in held if one.get("type") == "response.output_text.done"), None)
        if done is None:
            return
        place = {key: value for key, value in done.items() if key not in ("type", "text")}
        yield {**place, "type": "response.output_text.delta", "delta": mark, "logprobs": []}
        done["text"] = str(done.get("text", "")) + mark
        for event in held:
            if "sequence_number" in event:
                event["sequence_number"] += 1
            if event.get("type") == "response.content_part.done":
                self._lengthen([event.get("part")], mark)
            elif event.get("type") == "response.output_item.done":
                self._lengthen((event.get("item") or {}).get("content"), mark)
            elif event.get("type") in _RESPONSE_ENDS and event.get("response"):
                event["response"] = self.marked(event["response"], [mark])

    def noted(self, event: Json, note: Json) -> bool:
        if event.get("type") in _RESPONSE_ENDS and isinstance(event.get("response"), dict):
            event["response"]["groundwire"] = note
            return True
        return False

    def _lengthen(self, parts: Any, mark: str) -> None:
        texts = [part for part in dicts(parts) if part.get("type") == "output_text"]
        if texts:
            texts[-1]["text"] = str(texts[-1].get("text", "")) + mark

    def _texts(self, answer: Json) -> Iterator[Json]:
        for item in dicts(answer.get("output")):
            if item.get("type") == "message":
                for part in dicts(item.get("content")):
                    if isinstance(part.get("text"), str):
                        yield part

    def _is_call(self, item: Json) -> bool:
        return str(item.get("type", "")).endswith("_call")


_RESPONSE_ENDS = ("response.completed", "response.incomplete")
