"""What goes to a model and what comes back, whoever serves it."""

import json
import re
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from groundwire.config import Config
from groundwire.errors import BackendMalformed, BackendUnsupported
from groundwire.llm._faults import Place
from groundwire.observe import Log

Finish = Literal["stop", "length", "refused"]


def sendable(text: str) -> str:
    """Half a surrogate pair, as broken files have them, is nothing that JSON can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a model, in no provider's terms.

    `thinking=False` asks models that reason before they answer not to; `None` leaves it to them.
    """

    prompt: str
    model: str
    max_tokens: int
    system: str | None = None
    temperature: float | None = None
    output_schema: Mapping[str, Any] | None = None
    top_logprobs: int = 0
    thinking: bool | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call. `estimated` where the server did not count them; `cost` by our prices."""

    input_tokens: int
    output_tokens: int
    estimated: bool = False
    cost: float | None = None

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class TokenPosition:
    """One token of an answer, and the likeliest tokens in its place with log probabilities."""

    token: str
    top: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Completion:
    text: str
    model: str
    finish: Finish
    usage: Usage | None
    logprobs: tuple[TokenPosition, ...] | None = None


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a model offers. `None`: it has not been tried yet."""

    logprobs: bool | None
    native_schema: bool | None
    max_top_logprobs: int = 20


class Provider(Protocol):
    """One way to reach models. Every failure it lets out is a `BackendError`.

    `stream` yields pieces of text and, last, the whole `Completion`. It ends without one only by
    raising: a stream that broke off is never mistaken for a short answer.
    """

    name: str
    model: str

    def capabilities(self, model: str) -> Capabilities: ...

    async def complete(self, call: Call) -> Completion: ...

    def stream(self, call: Call) -> AsyncGenerator[str | Completion, None]: ...

    async def aclose(self) -> None: ...


@dataclass(frozen=True)
class ProviderKind:
    """What stands in the registry of providers (entry points `groundwire.providers`).

    `build` makes one from the settings and the name of a model. `parallel_calls` is how many may
    be under way at once, where that is not the caller's choice; `is_free`: its tokens cost nothing.
    """

    build: Callable[[Config, str], Provider]
    parallel_calls: int | None = None
    is_free: bool = False


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


def looks_structured(text: str) -> bool:
    """Whether it begins as an object does: what does not is prose, not a slip in the JSON."""
    return _unfenced(text).startswith("{")


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
