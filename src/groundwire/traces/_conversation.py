"""What was said and thought in a transcript: messages for the response check, steps for the audit.

One walk over JSON serves all formats: messages of OpenAI and Anthropic, sessions of coding agents
(Claude Code, Codex, Gemini CLI and others that keep such messages), events of a recursive language
model, and the plain form `{"context", "steps", "answer"}`. What is no message is left alone.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Literal, NamedTuple

from groundwire.config import ActionsSection
from groundwire.errors import InputError
from groundwire.model import Message, Role
from groundwire.text import sentence_ranges
from groundwire.traces._stream import read_records

Kind = Literal["context", "step", "answer"]
_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "model": "assistant",
    "ai": "assistant",
    "gemini": "assistant",
    "tool": "tool",
    "function": "tool",
    "toolresult": "tool",
    "retrieved": "retrieved",
    "context": "retrieved",
    "document": "retrieved",
}
_EVENTS: dict[str, Kind] = {
    **dict.fromkeys(("step", "thought", "reasoning", "think", "analysis", "subcall"), "step"),
    **dict.fromkeys(("context", "prompt", "observation", "document", "retrieval"), "context"),
    **dict.fromkeys(("tool_result", "tool_output", "repl_output", "execution", "query"), "context"),
    **dict.fromkeys(("answer", "final", "final_answer", "conclusion"), "answer"),
}
"""What the events of a recursive language model are called."""
_REASONING = frozenset({"thinking", "reasoning", "thought", "summary_text", "reasoning_text"})
_RESULTS = frozenset({"tool_result", "function_call_output", "functionresponse"})
_TEXTS = ("text", "content", "thinking", "output", "result", "summary", "parts", "response")
_FEWEST_STEPS = 2
_MEGABYTE = 1_000_000


class Reasoning(NamedTuple):
    """A reasoning trace: what was given, what was thought, and what came of it."""

    context: tuple[str, ...]
    steps: tuple[str, ...]
    answer: str | None


def read_conversation(file: BinaryIO, where: str, settings: ActionsSection) -> list[Message]:
    """The messages of a transcript in order."""
    found = [one for value in _values(file, where, settings) for one in _messages(value)]
    if not found:
        raise InputError(
            f"{where} holds no messages.",
            hint='Give messages with "role" and "content", as OpenAI and Anthropic have them.',
        )
    return found


def read_reasoning(file: BinaryIO, where: str, settings: ActionsSection) -> Reasoning:
    """The steps of a trace, with what they may rest on and the answer they are to lead to."""
    values = list(_values(file, where, settings))
    for value in values:
        if isinstance(value, Mapping) and isinstance(value.get("steps"), list):
            return _plain(value, where)
    events = [one for value in values for one in _events(value)]
    if any(kind == "step" for kind, _ in events):
        return _of_events(events)
    messages = [one for value in values for one in _messages(value)]
    found = reasoning_of(messages)
    if not found.steps:
        raise InputError(
            f"{where} holds no steps of a reasoning.",
            hint='Give {"context", "steps": [text, …], "answer"}, or a known transcript.',
        )
    return found


def reasoning_of(messages: Sequence[Message]) -> Reasoning:
    """The last turn of a conversation: what the assistant thought, and what it then said."""
    turn = next((n for n in range(len(messages), 0, -1) if messages[n - 1].role == "user"), 0)
    context = [one.content for one in messages[:turn] if one.role != "assistant"]
    context += [one.content for one in messages[turn:] if one.role not in ("assistant", "user")]
    said = [one for one in messages[turn:] if one.role == "assistant" and one.content.strip()]
    if not said:
        return Reasoning(tuple(context), (), None)
    thought = [one.content for one in said if one.is_reasoning]
    spoken = [one.content for one in said if not one.is_reasoning]
    answer = spoken.pop() if spoken else None
    steps = [step for text in (*thought, *spoken) for step in _steps_in(text)]
    if not steps and answer is not None:
        *steps, answer = _steps_in(answer)
    return Reasoning(tuple(context), tuple(steps), answer)


def _values(file: BinaryIO, where: str, settings: ActionsSection) -> Iterator[Any]:
    """Whole objects; the fields of one that has a list of records are put together again."""
    fields: dict[str, Any] = {}
    limit = int(settings.max_event_mb * _MEGABYTE)
    for record in read_records(file, where=where, max_record_chars=limit):
        if record.is_field:
            fields[str(record.name)] = record.value
        elif record.name == "steps":
            fields.setdefault("steps", []).append(record.value)
        else:
            yield record.value
    if fields:
        yield fields


def _plain(value: Mapping[str, Any], where: str) -> Reasoning:
    read = (_told(one, f'Step {n} of "steps"', where) for n, one in enumerate(value["steps"], 1))
    steps = tuple(text for text in read if text)
    if not steps:
        raise InputError(f"{where} has no steps.", hint="Give at least one step of text.")
    context = value.get("context")
    given = context if isinstance(context, list) else [] if context is None else [context]
    texts = tuple(text for one in given if (text := _told(one, '"context"', where)))
    answer = value.get("answer")
    # an answer may be a bare number
    return Reasoning(texts, steps, None if answer is None else _text(answer).strip() or None)


def _told(value: Any, name: str, where: str) -> str:
    """The text of a field; what holds no text is refused, so that nothing is lost unseen."""
    if not isinstance(value, str | Mapping | list):
        raise InputError(
            f"{name} in {where} is no text: {json.dumps(value)}.",
            hint='Give {"context": text, "steps": [text, \u2026], "answer": text}.',
        )
    return _text(value).strip()


def _events(value: Any) -> Iterator[tuple[Kind, str]]:
    """Of a recursive language model: `{"type": "step", "content": …}`, also nested."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        for one in value:
            yield from _events(one)
    if not isinstance(value, Mapping):
        return
    kind = _EVENTS.get(str(value.get("type") or value.get("event") or "").lower())
    if kind is not None and "role" not in value and (text := _text(value).strip()):
        yield kind, text
    for name in ("events", "trace", "children", "iterations"):
        yield from _events(value.get(name))


def _of_events(events: Sequence[tuple[Kind, str]]) -> Reasoning:
    by_kind: dict[Kind, list[str]] = {"context": [], "step": [], "answer": []}
    for kind, text in events:
        by_kind[kind].append(text)
    answer = by_kind["answer"][-1] if by_kind["answer"] else None
    return Reasoning(tuple(by_kind["context"]), tuple(by_kind["step"]), answer)


def _messages(value: Any) -> Iterator[Message]:
    """Every message in a record, however deep: sessions keep them under `message` or `payload`."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        for one in value:
            yield from _messages(one)
    if not isinstance(value, Mapping):
        return
    role = _ROLES.get(str(value.get("role") or value.get("type") or "").lower())
    inner = next(
        (value[n] for n in ("message", "payload") if isinstance(value.get(n), Mapping)), None
    )
    if inner is not None:
        yield from _messages({"type": value.get("type"), **inner})
    elif role is not None and any(name in value for name in _TEXTS):
        yield from _parts(value, role)
    elif str(value.get("type", "")).lower() in _REASONING | _RESULTS:
        yield from _parts({"content": [value]}, "assistant")
    else:
        for name in ("messages", "input", "output", "history", "choices"):
            yield from _messages(value.get(name))


def _parts(value: Mapping[str, Any], role: Role) -> Iterator[Message]:
    """A message as one text, but for what was thought and what a tool gave."""
    name = str(value.get("name") or value.get("tool_name") or "")
    thought = value.get("reasoning_content") or value.get("reasoning") or value.get("thoughts")
    if thought and role == "assistant" and (text := _text(thought).strip()):
        yield Message(role=role, content=text, is_reasoning=True)
    content = next((value[one] for one in _TEXTS if value.get(one) is not None), "")
    spoken: list[str] = []
    for part in content if isinstance(content, list) else [content]:
        kind = str(part.get("type", "")).lower() if isinstance(part, Mapping) else ""
        text = _text(part).strip()
        if not text or kind in ("tool_use", "function_call", "tool_call"):
            continue
        if kind in _REASONING or (isinstance(part, Mapping) and part.get("thought") is True):
            yield Message(role="assistant", content=text, is_reasoning=True)
        elif kind in _RESULTS:
            yield Message(role="tool", content=text, name=name)
        else:
            spoken.append(text)
    if spoken:
        yield Message(role=role, content="\n\n".join(spoken), name=name)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        given = next((value[name] for name in _TEXTS if value.get(name) is not None), "")
        return _text(given)
    if isinstance(value, Sequence):
        return "\n".join(text for one in value if (text := _text(one)))
    return "" if value is None else str(value)


def _steps_in(text: str) -> list[str]:
    """The lines of a text that was written as steps, or else its sentences."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) >= _FEWEST_STEPS:
        return lines
    return [text[start:end].strip() for start, end in sentence_ranges(text)]
