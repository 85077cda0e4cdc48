"""The wires of the proxy: what a request holds as evidence, and where an answer has its words.

Pure: bodies in, bodies out. What a wire does not know it leaves alone.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from groundwire.agents import is_verdict
from groundwire.model import Message, Role

Json = dict[str, Any]
_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "tool": "tool",
    "function": "tool",
}


@dataclass
class Conversation:
    """What may be evidence. `unread` names what a model sees and we cannot read, as images."""

    messages: list[Message] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def add(self, role: Role, text: str, name: str = "") -> None:
        is_echo = role == "tool" and is_verdict(name)
        if text.strip() and not is_echo:
            self.messages.append(Message(role=role, content=text, name=name))


def _called(items: Any) -> dict[str, str]:
    """The names of tools by the ids of their calls."""
    names = {}
    for item in _dicts(items):
        calls = [item, *_dicts(item.get("tool_calls")), *_dicts(item.get("content"))]
        for call in calls:
            name = call.get("name") or (call.get("function") or {}).get("name")
            key = call.get("call_id") or call.get("id")
            if name and key:
                names[str(key)] = str(name)
    return names


class Wire(Protocol):
    """One way of asking a model."""

    def conversation(self, body: Json) -> Conversation: ...

    def wants_structure(self, body: Json) -> bool:
        """Whether the answer is to be JSON, in which no mark may stand."""
        ...

    def again(self, body: Json, said: str, told: str) -> Json:
        """The request once more, with the answer and what is wrong with it."""
        ...

    def words(self, answer: Json) -> str | None:
        """The text of an answer; None where it has none, calls tools or has several."""
        ...

    def marked(self, answer: Json, mark: str) -> Json: ...

    def delta(self, event: Json) -> str:
        """What an event of a stream adds to the text."""
        ...

    def is_end(self, event: Json) -> bool:
        """Whether the text is over: from here on events wait for the verdict."""
        ...

    def calls_tools(self, event: Json) -> bool: ...

    def mark_events(self, held: list[Json], mark: str, index: int) -> Iterator[Json]:
        """Events that add a mark, before those that were held; these are changed to fit.

        `index` is the first that no event had."""
        ...

    def noted(self, event: Json, note: Json) -> bool:
        """Put the note into an event, if this is the one that carries it."""
        ...


def _parts(content: Any, unread: list[str]) -> str:
    """The text of a message; what is no text is named."""
    if isinstance(content, str):
        return content
    texts = []
    for part in content if isinstance(content, list) else []:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            text = _part(part, unread)
            if text is None:
                unread.append(str(part.get("type", "part")))
            else:
                texts.append(text)
    return "\n".join(texts)


def _part(part: Json, unread: list[str]) -> str | None:
    if isinstance(part.get("text"), str):
        return str(part["text"])
    source = part.get("source")
    if isinstance(source, dict) and source.get("type") == "text":  # a document in plain text
        return str(source.get("data", ""))
    if part.get("type") in ("search_result", "tool_result"):
        return _parts(part.get("content"), unread)
    return None


class ChatCompletions:
    """`POST /v1/chat/completions`."""

    def conversation(self, body: Json) -> Conversation:
        found = Conversation()
        names = _called(body.get("messages"))
        for message in _dicts(body.get("messages")):
            role = _ROLES.get(str(message.get("role")))
            if role is not None:
                called = str(message.get("tool_call_id", ""))
                name = str(message.get("name") or names.get(called, called))
                found.add(role, _parts(message.get("content"), found.unread), name)
        return found

    def wants_structure(self, body: Json) -> bool:
        return bool((body.get("response_format") or {}).get("type", "text") != "text")

    def again(self, body: Json, said: str, told: str) -> Json:
        more = [{"role": "assistant", "content": said}, {"role": "user", "content": told}]
        return {**body, "messages": [*body["messages"], *more]}

    def words(self, answer: Json) -> str | None:
        choices = _dicts(answer.get("choices"))
        message = choices[0].get("message") if len(choices) == 1 else None
        if not isinstance(message, dict) or message.get("tool_calls"):
            return None
        return message.get("content") if isinstance(message.get("content"), str) else None

    def marked(self, answer: Json, mark: str) -> Json:
        (choice,) = answer["choices"]
        message = {**choice["message"], "content": choice["message"]["content"] + mark}
        return {**answer, "choices": [{**choice, "message": message}]}

    def delta(self, event: Json) -> str:
        return "".join(str(one.get("content") or "") for one in self._deltas(event))

    def is_end(self, event: Json) -> bool:
        return any(choice.get("finish_reason") for choice in _dicts(event.get("choices")))

    def calls_tools(self, event: Json) -> bool:
        choices = _dicts(event.get("choices"))
        is_other = any(choice.get("index") for choice in choices)
        return is_other or any(one.get("tool_calls") for one in self._deltas(event))

    def mark_events(self, held: list[Json], mark: str, index: int) -> Iterator[Json]:
        del index
        end = next((one for one in held if self.is_end(one)), None)
        if end is not None:
            choice = {"index": 0, "delta": {"content": mark}, "finish_reason": None}
            yield {**{k: v for k, v in end.items() if k != "usage"}, "choices": [choice]}

    def noted(self, event: Json, note: Json) -> bool:
        if self.is_end(event):
            event["groundwire"] = note
            return True
        return False

    def _deltas(self, event: Json) -> Iterable[Json]:
        found = (choice.get("delta") for choice in _dicts(event.get("choices")))
        return [one for one in found if isinstance(one, dict)]


class Responses:
    """`POST /v1/responses`."""

    def conversation(self, body: Json) -> Conversation:
        found = Conversation()
        found.unread += [key for key in ("previous_response_id", "conversation") if body.get(key)]
        found.add("system", _parts(body.get("instructions"), found.unread))
        given = body.get("input")
        names = _called(given)
        if isinstance(given, str):
            found.add("user", given)
        for item in _dicts(given):
            if "output" in item:
                output = _parts(item["output"], found.unread)
                called = str(item.get("call_id", ""))
                found.add("tool", output, names.get(called, called))
            role = _ROLES.get(str(item.get("role")))
            if role is not None:
                found.add(role, _parts(item.get("content"), found.unread))
        return found

    def wants_structure(self, body: Json) -> bool:
        how = (body.get("text") or {}).get("format") or {}
        return bool(how.get("type", "text") != "text")

    def again(self, body: Json, said: str, told: str) -> Json:
        given = body.get("input")
        asked = [{"role": "user", "content": given}] if isinstance(given, str) else given
        more = [{"role": "assistant", "content": said}, {"role": "user", "content": told}]
        return {**body, "input": [*(asked or ()), *more]}

    def words(self, answer: Json) -> str | None:
        items = _dicts(answer.get("output"))
        if any(self._is_call(item) for item in items):
            return None
        texts = [part["text"] for part in self._texts(answer)]
        return "".join(texts) if texts else None

    def marked(self, answer: Json, mark: str) -> Json:
        copied: Json = json.loads(json.dumps(answer))
        parts = list(self._texts(copied))
        parts[-1]["text"] += mark
        return copied

    def delta(self, event: Json) -> str:
        is_text = event.get("type") == "response.output_text.delta"
        return str(event.get("delta") or "") if is_text else ""

    def is_end(self, event: Json) -> bool:
        return event.get("type") in ("response.output_text.done", *_RESPONSE_ENDS)

    def calls_tools(self, event: Json) -> bool:
        item = event.get("item")
        return isinstance(item, dict) and self._is_call(item)

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
                event["response"] = self.marked(event["response"], mark)

    def noted(self, event: Json, note: Json) -> bool:
        if event.get("type") in _RESPONSE_ENDS and isinstance(event.get("response"), dict):
            event["response"]["groundwire"] = note
            return True
        return False

    def _lengthen(self, parts: Any, mark: str) -> None:
        texts = [part for part in _dicts(parts) if part.get("type") == "output_text"]
        if texts:
            texts[-1]["text"] = str(texts[-1].get("text", "")) + mark

    def _texts(self, answer: Json) -> Iterator[Json]:
        for item in _dicts(answer.get("output")):
            if item.get("type") == "message":
                for part in _dicts(item.get("content")):
                    if isinstance(part.get("text"), str):
                        yield part

    def _is_call(self, item: Json) -> bool:
        return str(item.get("type", "")).endswith("_call")


_RESPONSE_ENDS = ("response.completed", "response.incomplete")


class Messages:
    """`POST /v1/messages`, as Anthropic has it."""

    def conversation(self, body: Json) -> Conversation:
        found = Conversation()
        found.add("system", _parts(body.get("system"), found.unread))
        names = _called(body.get("messages"))
        for message in _dicts(body.get("messages")):
            if message.get("role") != "user":
                continue
            content = message.get("content")
            results = [one for one in _dicts(content) if one.get("type") == "tool_result"]
            for one in results:
                told = _parts(one.get("content"), found.unread)
                called = str(one.get("tool_use_id", ""))
                found.add("tool", told, names.get(called, called))
            if isinstance(content, list):
                content = [one for one in content if one not in results]
            found.add("user", _parts(content, found.unread))
        return found

    def wants_structure(self, body: Json) -> bool:
        return bool((body.get("output_config") or {}).get("format"))

    def again(self, body: Json, said: str, told: str) -> Json:
        more = [{"role": "assistant", "content": said}, {"role": "user", "content": told}]
        return {**body, "messages": [*body["messages"], *more]}

    def words(self, answer: Json) -> str | None:
        blocks = _dicts(answer.get("content"))
        if any(str(block.get("type", "")).endswith("tool_use") for block in blocks):
            return None
        texts = [block["text"] for block in blocks if isinstance(block.get("text"), str)]
        return "".join(texts) if texts else None

    def marked(self, answer: Json, mark: str) -> Json:
        return {**answer, "content": [*answer["content"], {"type": "text", "text": mark.strip()}]}

    def delta(self, event: Json) -> str:
        delta = event.get("delta")
        is_text = isinstance(delta, dict) and delta.get("type") == "text_delta"
        return str(delta.get("text") or "") if is_text and isinstance(delta, dict) else ""

    def is_end(self, event: Json) -> bool:
        return event.get("type") == "message_delta"

    def calls_tools(self, event: Json) -> bool:
        block = event.get("content_block")
        return isinstance(block, dict) and str(block.get("type", "")).endswith("tool_use")

    def mark_events(self, held: list[Json], mark: str, index: int) -> Iterator[Json]:
        # a block of its own: those before it are closed already
        del held
        empty = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": mark.strip()}
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}

    def noted(self, event: Json, note: Json) -> bool:
        if event.get("type") == "message_delta":
            event["groundwire"] = note
            return True
        return False


def _dicts(value: Any) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


WIRES: Mapping[str, Wire] = {
    "chat/completions": ChatCompletions(),
    "responses": Responses(),
    "messages": Messages(),
}


def wire_of(method: str, path: str) -> Wire | None:
    """The wire of a request, by the end of its path; anything else passes as it is."""
    known = (wire for end, wire in WIRES.items() if path.rstrip("/").endswith(f"/{end}"))
    return next(known, None) if method == "POST" else None
