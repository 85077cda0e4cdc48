from collections.abc import Sequence
from typing import Protocol

from pydantic import Field

from groundwire.errors import BackendError
from groundwire.model import Interval, Model


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

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]: ...

    async def estimate_probability(self, claim: str, context: str) -> Estimate: ...

    async def batch_estimate(self, claims: Sequence[str], context: str) -> list[Estimate]: ...


class Backend:
    """The specification's two calls, for backends that implement `estimate`."""

    languages: frozenset[str] | None = None

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
