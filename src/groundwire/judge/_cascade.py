"""Two judges in a row: the fast one for every claim, the deep one for those it is unsure of."""

import math
from collections.abc import Sequence

from groundwire.errors import BackendError, BackendMalformed, DeepModelUnfit, JudgeUnhealthy
from groundwire.judge._protocol import Backend, Estimate, Question, VerifierBackend, close_all
from groundwire.observe import Log, metrics
from groundwire.text import detect_language

journal = Log("judge")
_NEVER_CERTAIN = 1e-4


class CascadeBackend(Backend):
    """Claims whose fast p lies in the band are judged by both, and their log odds are mixed.

    Where the deep judge fails, the fast estimate stands, marked and counted: what was meant to be
    looked at twice never passes for looked at twice.
    """

    claims_at_once = 2

    def __init__(
        self,
        fast: VerifierBackend,
        deep: VerifierBackend,
        *,
        name: str = "cascade",
        band: tuple[float, float],
        deep_weight: float,
    ) -> None:
        self.name = name
        self.context_words = max(fast.context_words, deep.context_words)
        self.threshold = fast.threshold  # claims outside the band carry its p
        self.languages = _covered(fast.languages, deep.languages)
        self._fast = fast
        self._deep = deep
        self._band = band
        self._deep_weight = deep_weight

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        answers = await self._fast.estimate(questions)
        foreign = {place for place, question in enumerate(questions) if self._is_foreign(question)}
        unsure = {
            place: answer
            for place, answer in enumerate(answers)
            if place in foreign or isinstance(answer, BackendError) or self._is_unsure(answer)
        }
        if not unsure:
            return answers
        seconds = await self._second([questions[place] for place in unsure])
        for (place, first), second in zip(unsure.items(), seconds, strict=True):
            answers[place] = second if place in foreign else self._settled(first, second)
        return answers

    async def withholds(self, questions: Sequence[Question]) -> list[bool]:
        """As the fast one reads it, in the languages that it reads."""
        withholds = getattr(self._fast, "withholds", None)
        said = await withholds(questions) if withholds else [False] * len(questions)
        pairs = zip(questions, said, strict=True)
        return [is_so and not self._is_foreign(question) for question, is_so in pairs]

    async def aclose(self) -> None:
        await close_all((self._fast, self._deep))

    async def _second(self, questions: Sequence[Question]) -> Sequence[Estimate | BackendError]:
        """The deep judge's answers. One that answers nothing or wrongly what has known answers
        does not go with its adapter, and that is an error and not a reason to do without it."""
        problem = await self._deep.health.problem() if self._deep.health else None
        if isinstance(problem, JudgeUnhealthy | BackendMalformed):
            raise DeepModelUnfit(
                f"The deep judge's model does not go with its adapter. {problem.message}",
                hint="Point judge.deep_model to the model that `gw deep-model install` gets.",
            ) from problem
        if problem is not None:
            return [problem] * len(questions)
        return await self._deep.estimate(questions)

    def _is_foreign(self, question: Question) -> bool:
        """In a language that only the deep judge covers: the fast one's word is noise there."""
        if self._fast.languages is None or self.languages == self._fast.languages:
            return False
        return detect_language(question.context) not in {None, *self._fast.languages}

    def _is_unsure(self, estimate: Estimate) -> bool:
        low, high = self._band
        return low <= estimate.p <= high

    def _settled(
        self, first: Estimate | BackendError, second: Estimate | BackendError
    ) -> Estimate | BackendError:
        if isinstance(first, Estimate) and isinstance(second, Estimate):
            mixed = mix(first, second, self._deep_weight)
            return mixed.model_copy(update={"judged_by": f"{self.name}(deep)"})
        missing, kept = ("deep", first) if isinstance(first, Estimate) else ("fast", second)
        error = second if missing == "deep" else first
        assert isinstance(error, BackendError)  # noqa: S101
        metrics().count("judge_fallback_total", backend=self.name, reason=f"{missing}_{error.code}")
        journal.warn("judge_tier_failed", backend=self.name, tier=missing, error=str(error))
        if isinstance(kept, BackendError):
            return kept
        by = "fast" if missing == "deep" else "deep only"
        return kept.model_copy(update={"judged_by": f"{self.name}({by})", "degraded": True})


def _covered(fast: frozenset[str] | None, deep: frozenset[str] | None) -> frozenset[str] | None:
    return None if fast is None or deep is None else fast | deep


def mix(fast: Estimate, deep: Estimate, deep_weight: float) -> Estimate:
    """The weighted mean of their log odds, for support; of their shares, for refutation."""
    odds = deep_weight * log_odds(deep.p) + (1 - deep_weight) * log_odds(fast.p)
    p = 1 / (1 + math.exp(-odds))
    return Estimate(p=p, refute=_mixed_refutation(fast, deep, deep_weight, p))


def log_odds(p: float) -> float:
    bounded = min(max(p, _NEVER_CERTAIN), 1 - _NEVER_CERTAIN)
    return math.log(bounded / (1 - bounded))


def _mixed_refutation(fast: Estimate, deep: Estimate, deep_weight: float, p: float) -> float | None:
    """The part of what is not support that is refutation; support and it never pass one."""
    shares = [
        (weight, one.refute / (1 - one.p) if one.p < 1 else 0.0)
        for weight, one in ((deep_weight, deep), (1 - deep_weight, fast))
        if one.refute is not None
    ]
    total = sum(weight for weight, _ in shares)
    if not total:
        return None
    return min(1.0, (1 - p) * sum(weight * share for weight, share in shares) / total)
