"""What goes to a model and what comes back, whoever serves it."""

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from groundwire.config import Config

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
