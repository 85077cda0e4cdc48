"""The embedded cross-encoder as judge: no key, no GPU, no download."""

import math
from collections.abc import Sequence

import anyio.to_thread

from groundwire.encoder import PairScorer, Scores, card
from groundwire.errors import BackendError
from groundwire.judge._protocol import Backend, Estimate, Question
from groundwire.judge._scrub import EVIDENCE_REMOVED

CALIBRATED_LANGUAGES = frozenset({"en"})


class EmbeddedBackend(Backend):
    """Scores claims against their contexts with the shipped weights.

    The same question always gets the same answer, whatever it is asked together with.
    """

    name = "embedded"

    def __init__(
        self,
        *,
        threshold: float | None = None,
        languages: frozenset[str] | None = CALIBRATED_LANGUAGES,
        threads: int = 2,
    ) -> None:
        calibration = card()["calibration"]
        self.context_words: int = calibration["context_words"]
        self.threshold: float = threshold or calibration["threshold"]
        self.languages = languages
        self._temperature: float = calibration["temperature"]
        self._scorer = PairScorer(threads)

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        return await anyio.to_thread.run_sync(self._estimate, questions)

    def _estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        scores = self._scorer.score([(one.claim, _readable(one.context)) for one in questions])
        return [self._calibrated(one) for one in scores]

    def _calibrated(self, scores: Scores) -> Estimate:
        """Temperature-scaled, as the card's reliability curve was measured."""
        weights = [math.pow(max(one, 1e-9), 1 / self._temperature) for one in scores]
        total = sum(weights)
        return Estimate(p=weights[0] / total, refute=weights[1] / total)


def _readable(context: str) -> str:
    """The marker is a word to people; to the model it would be a sign that says "unsupported"."""
    return context.replace(EVIDENCE_REMOVED, "...")
