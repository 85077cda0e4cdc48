"""Judgements made once and reused while they are fresh [SPEC-08.30]."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, Protocol, TypeVar

from pydantic import Field

from groundwire.errors import BackendError, BackendMalformed, GroundwireError
from groundwire.guard import Cache
from groundwire.model import Interval, Model
from groundwire.observe import metrics


class Question(Model):
    """Is the claim true, given the context?"""

    claim: str
    context: str


class Estimate(Model):
    """A backend's answer: the probability that the claim is true given its context.

    `interval` is there when the probability is only known to lie within it (missing log
    probabilities, a handful of samples). `refute` is the probability that the context says the
    opposite, where an engine tells "opposed" from "not mentioned". `judged_by` is who judged, where
    a backend has more than one engine; `degraded` that the one meant for the question could not.
    """

    p: float = Field(ge=0, le=1)
    interval: Interval | None = None
    refute: float | None = Field(default=None, ge=0, le=1)
    judged_by: str | None = None
    degraded: bool = False

    def __float__(self) -> float:
        return self.p


class HealthCheck(Protocol):
    """Whether a judge can be believed."""

    async def problem(self) -> BackendError | None: ...

    def doubt(self) -> None: ...


class VerifierBackend(Protocol):
    """Anything that estimates probabilities [SPEC-08.28].

    `estimate` answers every question in order, with an estimate or with the error that prevented
    one, so that a failure costs only the claim it belongs to.
    """

    name: str
    context_words: int
    """How much evidence one question may carry."""
    threshold: float
    """The calibrated p1 at and above which a claim is grounded."""
    languages: frozenset[str] | None
    """The languages it was calibrated for; None is any."""
    has_knowledge: bool
    """Whether it knows things of its own, as a language model does: a claim may then be
    `prior_known`."""
    model_id: str | None
    """What judges, so that what is known of it can be kept; None: nothing is."""
    is_pinned: bool
    """Whether what judges under that name is always the same, as a file named by its hash."""
    health: HealthCheck | None
    """Set by whoever builds it from settings: before it is believed, it is examined."""

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]: ...

    async def estimate_probability(self, claim: str, context: str) -> Estimate: ...

    async def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]: ...


class Backend:
    """The specification's two calls, for backends that implement `estimate`."""

    languages: frozenset[str] | None = None
    has_knowledge = False
    model_id: str | None = None
    is_pinned = False
    health: HealthCheck | None = None
    claims_at_once: int | None = None
    """So few claims at a time cost it no more than all at once; None: it is asked all at once."""

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        raise NotImplementedError

    async def estimate_probability(self, claim: str, context: str) -> Estimate:
        return (await self.batch_estimate([claim], context))[0]

    async def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]:
        """All estimates, or the first error."""
        questions = [Question(claim=claim, context=context) for claim in claims]
        estimates = []
        for answer in await self.estimate(questions):
            if isinstance(answer, BackendError):
                raise answer
            estimates.append(answer)
        return estimates


def languages_of(chosen: Sequence[str]) -> frozenset[str] | None:
    """As a setting lists them: `any` is all."""
    return None if "any" in chosen else frozenset(chosen)


async def close_all(backends: Iterable[VerifierBackend]) -> None:
    """Each once, those that can be closed."""
    for backend in {id(each): each for each in backends}.values():
        close = getattr(backend, "aclose", None)
        if close is not None:
            await close()


Result = TypeVar("Result")


async def together(coroutines: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """All results in order. The first error cancels the rest and is raised as itself."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(coroutine) for coroutine in coroutines]
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]


MAX_CACHED = 10_000
"""About 8 MB. What is older is on disk, where judgements are kept."""


class Judged(NamedTuple):
    answer: Estimate | BackendError
    cached: bool


class Kept(Protocol):
    """Where answers outlive the process."""

    def get(self, keys: Iterable[bytes]) -> Mapping[bytes, Estimate]: ...

    def put(self, estimates: Mapping[bytes, Estimate]) -> None: ...


class CachedJudge:
    """Asks a backend only what it has not answered lately, and each question once per call.

    Errors and makeshift estimates are not kept: the next call tries again. `kept` has the answers
    of earlier processes.
    """

    def __init__(
        self,
        backend: VerifierBackend,
        *,
        ttl_s: float,
        timer: Callable[[], float] = time.monotonic,
        kept: Kept | None = None,
    ) -> None:
        self.backend = backend
        self._kept = kept
        self._cache: Cache[Estimate] = Cache(max_entries=MAX_CACHED, ttl_s=ttl_s, timer=timer)

    async def _answers(self, questions: Sequence[Question]) -> Sequence[Estimate | BackendError]:
        """A judge may come from another package: what it does wrong costs its answers, no more.

        One that fails its known answers, before or by the way, is not believed."""
        health = getattr(self.backend, "health", None)
        try:
            if health and (problem := await health.problem()):
                return [problem] * len(questions)
            answers = list(await self.backend.estimate(questions))
            if health and (problem := await health.problem()):
                return [problem] * len(questions)
        except (GroundwireError, asyncio.CancelledError):
            raise
        except Exception as error:  # noqa: BLE001 -- whatever another package raises
            broken = BackendMalformed(
                f"The judge {self.backend.name} failed: {type(error).__name__}: {error}.",
                hint="This is a fault of the judge; ask whoever made it.",
            )
            return [broken] * len(questions)
        if len(answers) != len(questions):
            short = BackendMalformed(
                f"The judge {self.backend.name} answered {len(answers)} of {len(questions)}"
                " questions, so that no answer belongs to a question."
            )
            return [short] * len(questions)
        return answers

    async def ask(self, questions: Sequence[Question]) -> list[Judged]:
        keys = [_key(question) for question in questions]
        judged = {
            key: Judged(known, cached=True)
            for key in keys
            if (known := self._cache.get(key)) is not None
        }
        if self._kept is not None:
            unknown = [key for key in keys if key not in judged]
            judged |= {
                key: Judged(known, cached=True) for key, known in self._kept.get(unknown).items()
            }
        missing = {
            key: question
            for key, question in zip(keys, questions, strict=True)
            if key not in judged
        }
        answers = await self._answers(list(missing.values())) if missing else []
        for key, answer in zip(missing, answers, strict=True):
            judged[key] = Judged(answer, cached=False)
        made = {
            key: answer
            for key in missing
            if isinstance(answer := judged[key].answer, Estimate) and not answer.degraded
        }
        for key, answer in made.items():
            self._cache.put(key, answer)
        if self._kept is not None:
            self._kept.put(made)
        metrics().count("verification_cache_hit_total", len(keys) - len(missing))
        metrics().count("verification_cache_miss_total", len(missing))
        return [judged[key] for key in keys]


def _key(question: Question) -> bytes:
    """By content, in a size that does not grow with it."""
    claim = question.claim.encode("utf-8", "surrogatepass")
    context = question.context.encode("utf-8", "surrogatepass")
    return sha256(len(claim).to_bytes(8, "big") + claim + context).digest()
