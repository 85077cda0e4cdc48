"""Anthropic's messages."""

from collections.abc import Iterator, Sequence

from groundwire.serve._wire import Conversation, Json, called_tools, dicts, parts_of


class Messages:
    """`POST /v1/messages`, as Anthropic has it."""

    def conversation(self, body: Json) -> Conversation:
        found = Conversation()
        found.add("system", parts_of(body.get("system"), found.unread))
        names = called_tools(body.get("messages"))
        for message in dicts(body.get("messages")):
            if message.get("role") != "user":
                continue
            content = message.get("content")
            results = [one for one in dicts(content) if one.get("type") == "tool_result"]
            for one in results:
                told = parts_of(one.get("content"), found.unread)
                called = str(one.get("tool_use_id", ""))
                found.add("tool", told, names.get(called, called))
            if isinstance(content, list):
                content = [one for one in content if one not in results]
            found.add("user", parts_of(content, found.unread))
        return found

    def wants_structure(self, body: Json) -> bool:
        return bool((body.get("output_config") or {}).get("format"))

    def again(self, body: Json, said: str, told: str) -> Json:
        more = [{"role": "assistant", "content": said}, {"role": "user", "content": told}]
        return {**body, "messages": [*body["messages"], *more]}

    def choices(self, body: Json) -> int:
        del body
        return 1

    def words(self, answer: Json) -> list[str | None]:
        blocks = dicts(answer.get("content"))
        if any(str(block.get("type", "")).endswith("tool_use") for block in blocks):
            return [None]
        texts = [block["text"] for block in blocks if isinstance(block.get("text"), str)]
        return ["".join(texts) if texts else None]

    def marked(self, answer: Json, marks: Sequence[str]) -> Json:
        added = {"type": "text", "text": "".join(marks).strip()}
        return {**answer, "content": [*answer["content"], added]}

    def deltas(self, event: Json) -> list[tuple[int, str]]:
        delta = event.get("delta")
        is_text = isinstance(delta, dict) and delta.get("type") == "text_delta"
        return [(0, str(delta.get("text") or ""))] if is_text and isinstance(delta, dict) else []

    def ended(self, event: Json) -> set[int]:
        return {0} if event.get("type") == "message_delta" else set()

    def calling(self, event: Json) -> set[int]:
        block = event.get("content_block")
        is_call = isinstance(block, dict) and str(block.get("type", "")).endswith("tool_use")
        return {0} if is_call else set()

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
