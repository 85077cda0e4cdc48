"""Judgements made once and reused while they are fresh [SPEC-08.30]."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

from groundwire.errors import BackendError
from groundwire.guard import Cache
from groundwire.judge._protocol import Estimate, Question, VerifierBackend
from groundwire.observe import metrics

Result = TypeVar("Result")


async def together(coroutines: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """All results in order. The first error cancels the rest and is raised as itself."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(coroutine) for coroutine in coroutines]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]


MAX_CACHED = 50_000


class Judged(NamedTuple):
    answer: Estimate | BackendError
    cached: bool


class CachedJudge:
    """Asks a backend only what it has not answered lately, and each question once per call.

    Errors and makeshift estimates are not kept: the next call tries again.
    """

    def __init__(
        self,
        backend: VerifierBackend,
        *,
        ttl_s: float,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        self.backend = backend
        self._cache: Cache[Estimate] = Cache(max_entries=MAX_CACHED, ttl_s=ttl_s, timer=timer)

    async def ask(self, questions: Sequence[Question]) -> list[Judged]:
        keys = [_key(question) for question in questions]
        judged = {
            key: Judged(known, cached=True)
            for key in keys
            if (known := self._cache.get(key)) is not None
        }
        missing = {
            key: question
            for key, question in zip(keys, questions, strict=True)
            if key not in judged
        }
        answers = await self.backend.estimate(list(missing.values())) if missing else []
        for key, answer in zip(missing, answers, strict=True):
            judged[key] = Judged(answer, cached=False)
            if isinstance(answer, Estimate) and not answer.degraded:
                self._cache.put(key, answer)
        metrics().count("verification_cache_hit_total", len(keys) - len(missing))
        metrics().count("verification_cache_miss_total", len(missing))
        return [judged[key] for key in keys]


def _key(question: Question) -> bytes:
    """By content, in a size that does not grow with it."""
    claim = question.claim.encode("utf-8", "surrogatepass")
    context = question.context.encode("utf-8", "surrogatepass")
    return sha256(len(claim).to_bytes(8, "big") + claim + context).digest()
