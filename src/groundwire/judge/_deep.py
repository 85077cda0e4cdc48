"""The deep judge: a local language model with the adapter that ships in the package."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from groundwire.errors import (
    BackendError,
    BackendMalformed,
    BackendRefused,
    BackendTimeout,
    GroundwireError,
)
from groundwire.guard import remaining_s
from groundwire.judge._deep_prompt import ANSWERS, REFUTED, SUPPORTED, deep_prompt
from groundwire.judge._protocol import Backend, Estimate, Question
from groundwire.observe import span

_LISTED_TOKENS = 20
_LEAST_ANSWERED = 0.5
_LOAD_TIMEOUT_S = 300.0
_PATIENCE = 2
"""After so many timeouts in a row the rest of a call is not asked."""


class TextReader(Protocol):
    """What a model says may follow a text. Blocking; called from one thread at a time."""

    def load(self) -> None: ...

    def next_tokens(self, text: str, count: int) -> dict[str, float]: ...

    def close(self) -> None: ...


class DeepBackend(Backend):
    """Judges claims one after the other, those about the same evidence together.

    A question has `timeout_s`. One that takes longer is left to end by itself, which it does: a
    prompt has a largest size. The same question asked in the same company gets the same answer;
    in other company the last digits may differ, because sums are made in another order.
    """

    name = "deep"

    def __init__(
        self,
        reader: TextReader,
        *,
        context_words: int,
        threshold: float,
        timeout_s: float = 30.0,
        least_answered: float = _LEAST_ANSWERED,
    ) -> None:
        self.context_words = context_words
        self.threshold = threshold
        self._reader = reader
        self._timeout_s = timeout_s
        self._least_answered = least_answered
        self._thread = ThreadPoolExecutor(1, "groundwire-deep")
        self._loaded = False
        self._unusable: BackendRefused | None = None

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        answers: list[Estimate | BackendError] = [BackendTimeout("Not asked.")] * len(questions)
        if not questions:
            return answers
        with span("judge.estimate", backend=self.name, questions=len(questions)):
            try:
                await self._load()
            except BackendError as error:
                return [error] * len(questions)
            prompts = [deep_prompt(one.claim, one.context) for one in questions]
            timeouts = 0
            for place in _in_reading_order(prompts):
                answers[place] = answer = await self._judge(prompts[place])
                timeouts = timeouts + 1 if isinstance(answer, BackendTimeout) else 0
                if timeouts >= _PATIENCE:
                    break
        return answers

    async def aclose(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self._reader.close)

    async def _load(self) -> None:
        """A model that cannot be loaded is not tried again."""
        if self._unusable is not None:
            raise self._unusable
        if self._loaded:
            return
        try:
            await self._in_thread(_LOAD_TIMEOUT_S, self._reader.load)
        except BackendError:
            raise
        except GroundwireError as error:
            self._unusable = BackendRefused(str(error), hint=error.hint)
            raise self._unusable from error
        self._loaded = True

    async def _judge(self, prompt: str) -> Estimate | BackendError:
        try:
            listed = await self._in_thread(
                self._timeout_s, self._reader.next_tokens, prompt, _LISTED_TOKENS
            )
            return self._estimate_of(listed)
        except BackendError as error:
            return error

    async def _in_thread(self, limit_s: float, call: Any, *arguments: Any) -> Any:
        left_s = remaining_s()
        limit_s = limit_s if left_s is None else min(limit_s, left_s)
        try:
            running = asyncio.wrap_future(self._thread.submit(call, *arguments))
            return await asyncio.wait_for(running, limit_s)
        except TimeoutError:
            raise BackendTimeout(
                f"The deep judge did not answer within {limit_s:.0f} s.",
                hint="Raise hallucination.timeout, or set judge.depth to fast.",
            ) from None
        except GroundwireError:
            raise
        except RuntimeError as error:
            raise BackendError(f"The deep judge failed: {error}") from error

    def _estimate_of(self, listed: Mapping[str, float]) -> Estimate:
        if not listed:
            raise BackendMalformed("The deep judge said nothing.")
        lowest = min(listed.values())
        said = {answer: math.exp(min(listed.get(answer, lowest), 0.0)) for answer in ANSWERS}
        total = sum(said.values())
        if not total >= self._least_answered:
            raise BackendMalformed(
                "The deep judge answers none of Yes, No and Maybe.",
                hint="judge.deep_model must be the model that the adapter was made for.",
            )
        return Estimate(p=said[SUPPORTED] / total, refute=said[REFUTED] / total)


def _in_reading_order(prompts: Sequence[str]) -> list[int]:
    """Places of prompts, those that begin alike after each other.

    Sorted, so that as little as possible is read twice, and the same questions are always read in
    the same order.
    """
    return sorted(range(len(prompts)), key=lambda place: prompts[place])
