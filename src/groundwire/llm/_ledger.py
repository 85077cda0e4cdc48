"""What calls used: in the metrics, and of what may be spent."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing
from dataclasses import replace

from groundwire.errors import BackendError, BackendMalformed, BackendRefused
from groundwire.llm._caller import Caller
from groundwire.llm._spending import Amount, Spending, most_input_tokens
from groundwire.llm._types import Call, Completion, Provider, Usage
from groundwire.observe import metrics


def _count(provider: str, model: str, usage: Usage) -> None:
    counted = metrics()
    for direction, tokens in (("in", usage.input_tokens), ("out", usage.output_tokens)):
        counted.count(
            "llm_tokens_total", tokens, provider=provider, model=model, direction=direction
        )
    if usage.cost:
        counted.count("llm_cost_total", usage.cost, provider=provider, model=model)


class LedgeredProvider:
    """A provider whose calls are counted, and kept within a cap on spending."""

    def __init__(self, provider: Provider, spending: Spending | None) -> None:
        self._provider = provider
        self._spending = spending

    async def complete(self, call: Call) -> Completion:
        reserved = await self._reserve(call)
        try:
            completion = await self._provider.complete(call)
        except BackendError as error:
            await self._release(reserved, error)
            raise
        return await self.settle(call, completion, reserved)

    async def begin(
        self, call: Call, caller: Caller, ends_at: float, stack: AsyncExitStack
    ) -> "Stream":
        """A stream whose first piece has come; its place in line is given up with `stack`."""
        async with AsyncExitStack() as own:
            await own.enter_async_context(caller.limiter)
            reserved = await self._reserve(call)
            source = await own.enter_async_context(aclosing(self._provider.stream(call)))
            try:
                first = await caller.in_time(_next_piece(source), ends_at)
            except BackendError as error:
                await self._release(reserved, error)
                raise
            await stack.enter_async_context(own.pop_all())
        return Stream(
            first,
            more=lambda: caller.in_time(_next_piece(source), ends_at),
            settle=lambda completion: self.settle(call, completion, reserved),
        )

    async def _reserve(self, call: Call) -> Amount:
        return Amount() if self._spending is None else await self._spending.reserve(call)

    async def _release(self, reserved: Amount, error: BackendError) -> None:
        if self._spending is not None:
            await self._spending.release(reserved, error)

    async def settle(self, call: Call, completion: Completion, reserved: Amount) -> Completion:
        usage = completion.usage or Usage(
            most_input_tokens(call), len(completion.text.encode()), estimated=True
        )
        if self._spending is not None:
            usage = replace(usage, cost=self._spending.cost(call.model, usage))
            await self._spending.settle(reserved, call.model, usage)
        _count(self._provider.name, call.model, usage)
        if completion.finish == "refused":
            raise BackendRefused(
                f"The model {call.model!r} declined to answer.",
                hint="Its provider's content filter may have stepped in; ask another model.",
            )
        return replace(completion, usage=usage)


class Stream:
    """Iterate for the pieces; `completion` is the whole once the last one has come."""

    def __init__(
        self,
        first: str | Completion,
        more: Callable[[], Awaitable[str | Completion]],
        settle: Callable[[Completion], Awaitable[Completion]],
    ) -> None:
        self.completion: Completion | None = None
        self._next = first
        self._more = more
        self._settle = settle

    async def __aiter__(self) -> AsyncIterator[str]:
        while isinstance(self._next, str):
            yield self._next
            self._next = await self._more()
        self.completion = await self._settle(self._next)


async def _next_piece(source: AsyncIterator[str | Completion]) -> str | Completion:
    try:
        return await anext(source)
    except StopAsyncIteration:
        raise BackendMalformed("The stream ended without saying that it was complete.") from None
