"""One JSON Schema that every provider accepts, and answers read by it."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from groundwire.errors import BackendMalformed, BackendUnsupported
from groundwire.llm._faults import Place
from groundwire.llm._types import Capabilities
from groundwire.observe import Log

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


journal = Log("llm")

# leaving these out changes how well a model is asked, not what it is asked
DISPENSABLE = frozenset({"temperature", "reasoning_effort", "thinking", "stream_options"})
# leaving these out would change what comes back: the caller has to know
NEEDED = {"logprobs": "logprobs", "output_schema": "native_schema"}


class Negotiation:
    """What a server has refused so far, and what its models have shown they can do."""

    def __init__(self, declared: Capabilities) -> None:
        self._declared = declared
        self._refused: defaultdict[str, set[str]] = defaultdict(set)
        self._learned: dict[tuple[str, str], bool] = {}

    def capabilities(self, model: str) -> Capabilities:
        return Capabilities(
            logprobs=self._learned.get((model, "logprobs"), self._declared.logprobs),
            native_schema=self._learned.get((model, "native_schema"), self._declared.native_schema),
            max_top_logprobs=self._declared.max_top_logprobs,
        )

    def learn(self, model: str, capability: str, *, offered: bool) -> None:
        self._learned[model, capability] = offered

    def refused(self, model: str) -> set[str]:
        return self._refused[model]

    def give_way(self, place: Place, wording: str, sent: Iterable[str]) -> bool:
        """Whether a 400 names something we can do without; raises when we cannot."""
        names = list(sent)
        for name in (each for each in names if _names(wording, each)):
            if name in NEEDED:
                # a server may offer both and yet not both at once: nothing is learned from that
                raise self.missing(place, NEEDED[name], learn=not NEEDED.keys() <= set(names))
            if name in DISPENSABLE or name == "max_tokens":
                self._refused[place.model].add(name)
                journal.warn("llm_parameter_dropped", model=place.model, parameter=name)
                return True
        return False

    def missing(self, place: Place, capability: str, *, learn: bool = True) -> BackendUnsupported:
        """The model does not offer something; from now on that is known."""
        if learn:
            self.learn(place.model, capability, offered=False)
        what, instead = {
            "logprobs": ("gives no log probabilities", "Set llm.estimation to sampling."),
            "native_schema": ("cannot be held to a JSON Schema", "Use another model."),
        }[capability]
        return BackendUnsupported(
            f"The model {place.model!r} of {place} {what}.", capability=capability, hint=instead
        )


_SPELLINGS = {
    "logprobs": r"log_?prob",
    "output_schema": r"response_(?:format|schema)|json_schema|output_config|structured output",
    "thinking": r"thinking",
    "max_tokens": r"max_(?:completion_)?tokens",
}


def _names(wording: str, parameter: str) -> bool:
    return re.search(_SPELLINGS.get(parameter, parameter), wording, re.IGNORECASE) is not None
