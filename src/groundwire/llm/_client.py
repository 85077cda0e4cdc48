"""The one client through which everybody talks to a language model."""

import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import Any, Generic, Self

from groundwire.errors import BackendMalformed, BackendUnsupported, GroundwireError
from groundwire.llm._caller import Caller, CallPolicy, Limiter
from groundwire.llm._faults import prose_instead
from groundwire.llm._ledger import LedgeredProvider, Stream
from groundwire.llm._spending import Spending
from groundwire.llm._types import (
    Call,
    Capabilities,
    Completion,
    Output,
    Provider,
    asking_for,
    looks_structured,
    portable_schema,
    read_output,
    sendable,
)
from groundwire.observe import metrics, span


@dataclass(frozen=True, slots=True)
class Structured(Generic[Output]):
    value: Output
    completion: Completion


class LLMClient:
    """Calls one provider: in turn, with retries, within caps, counted and traced.

    Every method answers or raises a `BackendError`. `deadline_s` bounds one call with all its
    retries; without it `llm.deadline` does. `options` are fields of `Call`: system, model,
    max_tokens, temperature, thinking.
    """

    def __init__(
        self,
        provider: Provider,
        *,
        policy: CallPolicy | None = None,
        spending: Spending | None = None,
        limiter: Limiter | None = None,
        max_output_tokens: int = 1024,
    ) -> None:
        self.provider = provider
        self.spending = spending
        self.max_output_tokens = max_output_tokens
        self._caller = Caller(provider.name, policy or CallPolicy(), limiter)
        self._ledgered = LedgeredProvider(provider, spending)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self.provider.aclose()
        if self.spending is not None:
            self.spending.close()

    @property
    def model(self) -> str:
        return self.provider.model

    @property
    def limiter(self) -> Limiter:
        return self._caller.limiter

    def capabilities(self, model: str | None = None) -> Capabilities:
        return self.provider.capabilities(model or self.model)

    async def generate(
        self, prompt: str, *, deadline_s: float | None = None, **options: Any
    ) -> Completion:
        """Plain text."""
        return await self._run(self._call(prompt, **options), deadline_s)

    async def generate_structured(
        self, prompt: str, output: type[Output], *, deadline_s: float | None = None, **options: Any
    ) -> Structured[Output]:
        """JSON asked for in words, for models that have no schema mode. Never for verdicts."""
        call = self._call(asking_for(prompt, portable_schema(output)), **options)
        return await self._run_structured(call, output, deadline_s)

    async def generate_structured_native(
        self,
        prompt: str,
        output: type[Output],
        *,
        deadline_s: float | None = None,
        retry_prose: bool = True,
        **options: Any,
    ) -> Structured[Output]:
        """JSON that the provider itself holds to the schema; `BackendUnsupported` without that."""
        call = self._call(prompt, output_schema=portable_schema(output), **options)
        if self.capabilities(call.model).native_schema is False:
            raise BackendUnsupported(
                f"The model {call.model!r} cannot be held to a JSON Schema.",
                capability="native_schema",
                hint="Use a model with structured output.",
            )
        return await self._run_structured(call, output, deadline_s, retry_prose=retry_prose)

    async def token_logprobs(
        self, prompt: str, *, top: int = 20, deadline_s: float | None = None, **options: Any
    ) -> Completion:
        """An answer with the likeliest tokens at each place; `BackendUnsupported` without them."""
        call = self._call(prompt, temperature=0.0, **options)
        offered = self.capabilities(call.model)
        if offered.logprobs is False:
            raise BackendUnsupported(
                f"The model {call.model!r} gives no log probabilities.",
                capability="logprobs",
                hint="Set llm.estimation to sampling.",
            )
        top = min(top, offered.max_top_logprobs)
        return await self._run(replace(call, top_logprobs=top), deadline_s)

    @asynccontextmanager
    async def stream(
        self, prompt: str, *, deadline_s: float | None = None, **options: Any
    ) -> AsyncIterator[Stream]:
        """Pieces of text as they are written: `async with client.stream(…) as pieces`.

        Its beginning is tried again as often as any call; a stream that broke off half-way is
        not, since its first half has been used.
        """
        call = self._call(prompt, **options)
        with self._observed(call) as describe:
            async with AsyncExitStack() as stack:
                stream = await self._caller.retried(
                    lambda ends_at: self._ledgered.begin(call, self._caller, ends_at, stack),
                    deadline_s=deadline_s,
                )
                yield stream
            if stream.completion is not None:
                describe(stream.completion)

    def _call(self, prompt: str, **options: Any) -> Call:
        options["max_tokens"] = options.get("max_tokens") or self.max_output_tokens
        options["model"] = options.get("model") or self.model
        return Call(prompt=sendable(prompt), **options)

    async def _run(self, call: Call, deadline_s: float | None) -> Completion:
        with self._observed(call) as describe:
            completion = await self._caller.run(
                lambda: self._ledgered.complete(call), deadline_s=deadline_s
            )
            describe(completion)
            return completion

    async def _run_structured(
        self,
        call: Call,
        output: type[Output],
        deadline_s: float | None,
        *,
        retry_prose: bool = True,
    ) -> Structured[Output]:
        async def attempt() -> Structured[Output]:
            completion = await self._ledgered.complete(call)
            if completion.finish == "length":
                raise BackendMalformed(
                    f"The answer was cut off at {call.max_tokens} tokens.",
                    hint="Raise llm.max_output_tokens.",
                )
            if call.output_schema is not None and not looks_structured(completion.text):
                raise prose_instead(call.model, completion.text, again=retry_prose)
            return Structured(read_output(completion.text, output), completion)

        with self._observed(call) as describe:
            structured = await self._caller.run(attempt, deadline_s=deadline_s)
            describe(structured.completion)
            return structured

    @contextmanager
    def _observed(self, call: Call) -> Iterator[Callable[[Completion], None]]:
        """A span around the call, its outcome counted and its time measured."""
        provider = self.provider.name
        outcome = "cancelled"
        started = time.perf_counter()
        attributes = {"gen_ai.provider.name": provider, "gen_ai.request.model": call.model}
        with span("llm.call", **attributes) as open_:

            def describe(completion: Completion) -> None:
                open_.set_attribute("gen_ai.response.finish_reasons", (completion.finish,))
                if completion.usage is not None:
                    open_.set_attribute("gen_ai.usage.input_tokens", completion.usage.input_tokens)
                    open_.set_attribute(
                        "gen_ai.usage.output_tokens", completion.usage.output_tokens
                    )

            try:
                yield describe
                outcome = "ok"
            except GroundwireError as error:
                outcome = error.code
                raise
            finally:
                counted = metrics()
                elapsed_ms = (time.perf_counter() - started) * 1000
                counted.observe("llm_latency_ms", elapsed_ms, provider=provider)
                counted.count(
                    "llm_calls_total", provider=provider, model=call.model, outcome=outcome
                )
