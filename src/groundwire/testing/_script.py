"""What a stand-in model is asked and what it replies: one language for fakes and servers."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Literal

FaultKind = Literal[
    "rate_limited",
    "no_credit",
    "server_error",
    "overloaded",
    "wrong_key",
    "unknown_model",
    "too_long",
    "no_logprobs",
    "no_schema",
    "no_temperature",
    "redirect",
    "reset",
    "truncated",
    "not_json",
    "broken_json",
    "wrong_shape",
]
TRANSIENT: tuple[FaultKind, ...] = ("rate_limited", "server_error", "overloaded", "reset")


@dataclass(frozen=True)
class Asked:
    """A request as the model saw it."""

    prompt: str
    model: str = ""
    system: str | None = None
    max_tokens: int = 0
    temperature: float | None = None
    output_schema: Mapping[str, Any] | None = None
    top_logprobs: int = 0
    stream: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)
    tools: tuple[str, ...] = ()
    """The names of the tools it may call."""
    results: tuple[str, ...] = ()
    """What its last calls of tools answered."""


@dataclass(frozen=True)
class ToolUse:
    """A tool the model calls; `text` is the whole argument of one that takes no JSON."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    text: str | None = None


@dataclass(frozen=True)
class Answer:
    """A model's words, and the tools it calls.

    `logprobs` has one mapping of tokens to log probabilities per token.

    Without it, and where the caller asks for some, every token of the text is near certain.
    """

    text: str = ""
    logprobs: Sequence[Mapping[str, float]] | None = None
    finish: Literal["stop", "length", "refused"] = "stop"
    input_tokens: int = 10
    output_tokens: int = 2
    delay_s: float = 0.0
    uses: tuple[ToolUse, ...] = ()


@dataclass(frozen=True)
class Fault:
    """A failure on purpose, in the provider's own format."""

    kind: FaultKind
    retry_after_s: float | None = None
    delay_s: float = 0.0


Reply = Answer | Fault
Responder = Callable[[Asked], Reply]


def always(reply: Reply | str) -> Responder:
    """A model that answers the same, whatever it is asked."""
    settled = Answer(reply) if isinstance(reply, str) else reply
    return lambda _: settled


def in_order(*replies: Reply | str) -> Responder:
    """Each reply once, then the last one for ever."""
    left = [Answer(reply) if isinstance(reply, str) else reply for reply in replies]
    lock = Lock()

    def respond(_: Asked) -> Reply:
        with lock:
            return left.pop(0) if len(left) > 1 else left[0]

    return respond


def agent_turns(*replies: Reply | str | ToolUse, aside: str = "A session") -> Responder:
    """What a coding agent's model does, turn after turn.

    Agents also ask for titles and summaries: requests without tools get `aside`.
    """
    turns = in_order(*(Answer(uses=(r,)) if isinstance(r, ToolUse) else r for r in replies))
    return lambda asked: turns(asked) if asked.tools else Answer(aside)


def failing(
    answer: Responder | str,
    *,
    share: float,
    kinds: Sequence[FaultKind] = TRANSIENT,
    seed: int = 0,
    retry_after_s: float | None = None,
) -> Responder:
    """Fails a share of the requests, the same ones for the same seed and order."""
    respond = always(answer) if isinstance(answer, str) else answer
    chance = random.Random(seed)  # noqa: S311  repeatable, not secret
    lock = Lock()

    def sometimes(asked: Asked) -> Reply:
        with lock:
            fails, kind = chance.random() < share, chance.choice(kinds)
        return Fault(kind, retry_after_s=retry_after_s) if fails else respond(asked)

    return sometimes
