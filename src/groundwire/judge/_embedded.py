"""The embedded cross-encoder as judge: no key, no GPU, no download."""

from collections.abc import Sequence

import anyio.to_thread

from groundwire.config import Config
from groundwire.encoder import PairScorer, judge_calibration
from groundwire.errors import BackendError
from groundwire.judge._protocol import Backend, Estimate, Question
from groundwire.judge._scoring_inputs import Views, estimate

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
        self._calibration = judge_calibration().support
        self.context_words = self._calibration.context_words
        self.threshold = threshold or self._calibration.threshold
        self.languages = languages
        self._scorer = PairScorer(threads)

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        return await anyio.to_thread.run_sync(self._estimate, questions)

    def _estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        shown = [Views.of(one, self._calibration.part_context_words) for one in questions]
        pairs = list(dict.fromkeys(pair for views in shown for pair in views.pairs))
        scores = dict(zip(pairs, self._scorer.score(pairs), strict=True))
        return [estimate(views, scores, self._calibration) for views in shown]


def embedded_backend(config: Config) -> EmbeddedBackend:
    """The judge that needs no key."""
    section = config.judge
    languages = None if "any" in section.languages else frozenset(section.languages)
    return EmbeddedBackend(
        threshold=section.threshold, languages=languages, threads=section.threads
    )
