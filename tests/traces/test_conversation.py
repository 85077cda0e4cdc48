"""Conversations and reasoning, read from what products write."""

import json
from io import BytesIO
from typing import Any

import pytest

from groundwire.config import ActionsSection
from groundwire.errors import InputError
from groundwire.traces import read_conversation, read_reasoning

LIMIT = ActionsSection()


def conversation(*records: Any) -> list[tuple[str, str, bool]]:
    found = read_conversation(_file(*records), "here", LIMIT)
    return [(one.role, one.content, one.is_reasoning) for one in found]


def _file(*records: Any) -> BytesIO:
    return BytesIO("\n".join(map(json.dumps, records)).encode())


OPENAI = {
    "messages": [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "How high?"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
        {"role": "tool", "tool_call_id": "1", "content": "40 m."},
        {"role": "assistant", "reasoning_content": "The tool says 40.", "content": "It is 40 m."},
    ]
}


def test_messages_of_openai() -> None:
    """Developer messages are the system's; reasoning is told apart; empty ones are left out."""
    assert conversation(OPENAI) == [
        ("system", "Be brief.", False),
        ("user", "How high?", False),
        ("tool", "40 m.", False),
        ("assistant", "The tool says 40.", True),
        ("assistant", "It is 40 m.", False),
    ]


def test_messages_of_anthropic() -> None:
    """Results come in user messages and are the tool's; thinking is reasoning."""
    user = {"role": "user", "content": "How high?"}
    thought = {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "I look it up."},
            {"type": "tool_use", "id": "1", "name": "search", "input": {"content": "mast"}},
        ],
    }
    result = {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "1", "content": "40 m."}],
    }
    assert conversation([user, thought, result]) == [
        ("user", "How high?", False),
        ("assistant", "I look it up.", True),
        ("tool", "40 m.", False),
    ]


def test_sessions_keep_messages_within_records() -> None:
    """Claude Code under `message`, Codex under `payload`; other records are left alone."""
    claude = {"type": "user", "message": {"role": "user", "content": "How high?"}}
    other = {"type": "file-history-snapshot", "snapshot": {}}
    codex = {
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "It is 40 m."}],
        },
    }
    thought = {
        "type": "response_item",
        "payload": {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]},
    }
    assert conversation(claude, other, thought, codex) == [
        ("user", "How high?", False),
        ("assistant", "Hm.", True),
        ("assistant", "It is 40 m.", False),
    ]


def test_the_plain_form_is_read_as_it_stands() -> None:
    """Steps are texts, or objects with a text."""
    plain = {"context": "A. B.", "steps": ["One.", {"text": "Two.", "label": 1}], "answer": 7}
    found = read_reasoning(_file(plain), "here", LIMIT)
    assert found == (("A. B.",), ("One.", "Two."), "7")


def test_events_of_a_recursive_model() -> None:
    """Steps, observations and the answer, by the type of the event."""
    events = [
        {"type": "context", "content": "The mast is 40 m high."},
        {"type": "step", "content": "The mast is 40 m high."},
        {"type": "observation", "text": "It stands in Vik."},
        {"type": "thought", "text": "So it is in Vik."},
        {"type": "final_answer", "content": "Vik."},
    ]
    found = read_reasoning(_file(*events), "here", LIMIT)
    assert found.context == ("The mast is 40 m high.", "It stands in Vik.")
    assert found.steps == ("The mast is 40 m high.", "So it is in Vik.")
    assert found.answer == "Vik."


def test_the_last_turn_of_a_log_is_its_reasoning() -> None:
    """What was thought are the steps, what was said last the answer, the rest the context."""
    found = read_reasoning(_file(OPENAI), "here", LIMIT)
    assert found.steps == ("The tool says 40.",)
    assert found.answer == "It is 40 m."
    assert found.context == ("Be brief.", "How high?", "40 m.")


def test_an_answer_written_as_steps_is_taken_apart() -> None:
    """Without separate reasoning, the lines before the last are the steps."""
    said = {"role": "assistant", "content": "12 pumps.\n40 each.\nSo 480."}
    found = read_reasoning(_file([{"role": "user", "content": "Cost?"}, said]), "here", LIMIT)
    assert (found.steps, found.answer) == (("12 pumps.", "40 each."), "So 480.")


@pytest.mark.parametrize("given", [{"steps": []}, {"note": "nothing"}, [1, 2]])
def test_what_holds_no_steps_is_refused_with_a_hint(given: Any) -> None:
    """The message says which form is understood."""
    with pytest.raises(InputError, match="steps"):
        read_reasoning(_file(given), "here", LIMIT)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"context": 5, "steps": ["a is 1."], "answer": None}, '"context" in here is no text: 5'),
        ({"context": ["a", True], "steps": ["a is 1."]}, '"context" in here is no text: true'),
        ({"steps": ["2 + 2 = 4.", 7, None]}, 'Step 2 of "steps" in here is no text: 7'),
        ({"steps": ["2 + 2 = 4.", None]}, 'Step 2 of "steps" in here is no text: null'),
    ],
)
def test_what_is_no_text_is_refused_by_its_place(given: Any, told: str) -> None:
    """No step and no context is lost without a word."""
    with pytest.raises(InputError, match=told):
        read_reasoning(_file(given), "here", LIMIT)


@pytest.mark.parametrize("context", [None, "", []])
def test_a_context_may_be_missing_and_a_step_empty(context: Any) -> None:
    """Nothing is lost where nothing was said."""
    given = {"context": context, "steps": ["One.", " "]}
    assert read_reasoning(_file(given), "here", LIMIT) == ((), ("One.",), None)
