"""One JSON Schema that every provider accepts, and answers read by it."""

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from groundwire.errors import BackendMalformed

Output = TypeVar("Output", bound=BaseModel)

# the words all three providers and llama.cpp's grammars know; ranges, lengths and patterns are
# checked by the pydantic model afterwards
_KEPT = {"type", "enum", "const", "description", "properties", "required", "items", "anyOf"}
_FENCE = "```"


def portable_schema(output: type[BaseModel]) -> dict[str, Any]:
    """References resolved, every property required, nothing else allowed."""
    schema = output.model_json_schema()
    return _portable(schema, schema.get("$defs", {}))


def _portable(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        return _portable(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
    kept: dict[str, Any] = {}
    for word, value in node.items():
        if word not in _KEPT:
            continue
        if word == "properties":
            kept[word] = {name: _portable(part, definitions) for name, part in value.items()}
        elif word == "items":
            kept[word] = _portable(value, definitions)
        elif word == "anyOf":
            kept[word] = [_portable(part, definitions) for part in value]
        else:
            kept[word] = value
    if "const" in kept:
        kept["enum"] = [kept.pop("const")]
    if kept.get("type") == "object":
        kept["required"] = list(kept.get("properties", {}))
        kept["additionalProperties"] = False
    return kept


def asking_for(prompt: str, schema: Mapping[str, Any]) -> str:
    """A prompt that asks for JSON, for models that cannot be held to a schema."""
    return (
        f"{prompt}\n\nAnswer with one JSON object that fits this JSON Schema, and nothing else:\n"
        f"{json.dumps(schema)}"
    )


def read_output(text: str, output: type[Output]) -> Output:
    """The object a model wrote. Text around a code fence is cut; anything else is refused."""
    try:
        return output.model_validate_json(_unfenced(text))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the answer"
        raise BackendMalformed(
            f"The model's answer does not fit what was asked for: {where}: {first['msg']}.",
            hint="Use a model that can be held to a schema, or a larger one.",
        ) from None


def _unfenced(text: str) -> str:
    _, fence, rest = text.partition(_FENCE)
    if not fence:
        return text.strip()
    return rest.removeprefix("json").partition(_FENCE)[0].strip()
