from typing import Literal

import pytest
from pydantic import BaseModel, Field

from groundwire.errors import BackendMalformed
from groundwire.llm import portable_schema
from groundwire.llm._types import asking_for, read_output


class Part(BaseModel):
    kind: Literal["only"]


class Whole(BaseModel):
    name: str = Field(default="x", max_length=5, description="Its name.")
    score: float = Field(ge=0, le=1)
    note: str | None
    parts: list[Part]


def test_a_schema_has_no_references_no_options_and_no_words_some_provider_lacks() -> None:
    assert portable_schema(Whole) == {
        "type": "object",
        "additionalProperties": False,
        "required": ["name", "score", "note", "parts"],
        "properties": {
            "name": {"type": "string", "description": "Its name."},
            "score": {"type": "number"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "parts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["kind"],
                    "properties": {"kind": {"type": "string", "enum": ["only"]}},
                },
            },
        },
    }


GOOD = '{"name": "a", "score": 0.5, "note": null, "parts": []}'


@pytest.mark.parametrize("text", [GOOD, f"\n {GOOD}\n", f"Sure!\n```json\n{GOOD}\n```\nBye."])
def test_an_object_is_read_plain_or_fenced(text: str) -> None:
    assert read_output(text, Whole).score == 0.5


@pytest.mark.parametrize(
    "text", ["", "yes", "{", GOOD + GOOD, GOOD.replace("0.5", "7"), GOOD.replace('"a"', '"longer"')]
)
def test_anything_else_is_malformed(text: str) -> None:
    with pytest.raises(BackendMalformed):
        read_output(text, Whole)


def test_a_model_without_schema_mode_is_shown_the_schema() -> None:
    assert '"additionalProperties": false' in asking_for("Describe it.", portable_schema(Whole))
