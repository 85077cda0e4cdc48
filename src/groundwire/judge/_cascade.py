"""Two judges in a row: the fast one for every claim, the deep one for those it is unsure of."""

import math
from collections.abc import Sequence

from groundwire.errors import BackendError
from groundwire.judge._protocol import Backend, Estimate, Question, VerifierBackend, close_all
from groundwire.observe import Log, metrics

journal = Log("judge")
_NEVER_CERTAIN = 1e-4


class CascadeBackend(Backend):
    """Claims whose fast p lies in the band are judged by both, and their log odds are mixed.

    Where the deep judge fails, the fast estimate stands, marked and counted: what was meant to be
    looked at twice never passes for looked at twice.
    """

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
        self.languages = fast.languages
        self._fast = fast
        self._deep = deep
        self._band = band
        self._deep_weight = deep_weight

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        answers = await self._fast.estimate(questions)
        unsure = {
            place: answer
            for place, answer in enumerate(answers)
            if isinstance(answer, BackendError) or self._is_unsure(answer)
        }
        if not unsure:
            return answers
        seconds = await self._deep.estimate([questions[place] for place in unsure])
        for (place, first), second in zip(unsure.items(), seconds, strict=True):
            answers[place] = self._settled(first, second)
        return answers

    async def aclose(self) -> None:
        await close_all((self._fast, self._deep))

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
