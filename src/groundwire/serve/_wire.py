"""What a wire of the proxy is: what a request holds as evidence, where an answer has its words.

Pure: bodies in, bodies out. What a wire does not know it leaves alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from groundwire.agents import is_verdict
from groundwire.model import Message, Role

Json = dict[str, Any]
ROLES: dict[str, Role] = {
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


class Wire(Protocol):
    """One way of asking a model."""

    def conversation(self, body: Json) -> Conversation: ...

    def wants_structure(self, body: Json) -> bool:
        """Whether the answer is to be JSON, in which no mark may stand."""
        ...

    def again(self, body: Json, said: str, told: str) -> Json:
        """The request once more, with the answer and what is wrong with it."""
        ...

    def choices(self, body: Json) -> int:
        """How many answers are asked for at once."""
        ...

    def words(self, answer: Json) -> list[str | None]:
        """The text of each choice; None where one has none or calls tools."""
        ...

    def marked(self, answer: Json, marks: Sequence[str]) -> Json:
        """With a mark at the end of each choice; one that is empty changes nothing."""
        ...

    def deltas(self, event: Json) -> list[tuple[int, str]]:
        """What an event of a stream adds, and to which choice."""
        ...

    def ended(self, event: Json) -> set[int]:
        """The choices whose text is over. Once all are, events wait for the verdict."""
        ...

    def calling(self, event: Json) -> set[int]:
        """The choices that call tools."""
        ...

    def mark_events(self, held: list[Json], mark: str, index: int) -> Iterator[Json]:
        """Events that add a mark, before those that were held; these are changed to fit.

        `index` is the first that no event had."""
        ...

    def noted(self, event: Json, note: Json) -> bool:
        """Put the note into an event, if this is the one that carries it."""
        ...


def called_tools(items: Any) -> dict[str, str]:
    """The names of tools by the ids of their calls."""
    names = {}
    for item in dicts(items):
        calls = [item, *dicts(item.get("tool_calls")), *dicts(item.get("content"))]
        for call in calls:
            name = call.get("name") or (call.get("function") or {}).get("name")
            key = call.get("call_id") or call.get("id")
            if name and key:
                names[str(key)] = str(name)
    return names


def parts_of(content: Any, unread: list[str]) -> str:
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
        return parts_of(part.get("content"), unread)
    return None


def dicts(value: Any) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
