"""A judge whose probabilities were calibrated on somebody's own claims (`gw eval tune`)."""

from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field, ValidationError

from groundwire.errors import BackendError, ConfigError
from groundwire.judge._protocol import Backend, Estimate, Question, VerifierBackend
from groundwire.model import Interval, Model


class JudgeMap(Model):
    """From a judge's probabilities to calibrated ones: points between which it runs straight."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    backend: str
    points: tuple[tuple[float, float], ...] = Field(min_length=2)

    def __call__(self, p: float) -> float:
        above = bisect_right(self.points, p, key=lambda point: point[0])
        if above in (0, len(self.points)):
            return self.points[min(above, len(self.points) - 1)][1]
        (x0, y0), (x1, y1) = self.points[above - 1 : above + 1]
        return y0 + (y1 - y0) * (p - x0) / (x1 - x0)


def load_map(path: Path) -> JudgeMap:
    try:
        found = JudgeMap.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise ConfigError(
            f"judge.calibration_file {path} is no calibration.",
            hint="Write one with: gw eval tune --data CLAIMS --output FILE",
        ) from error
    columns = [sorted(column) for column in zip(*found.points, strict=True)]
    if columns != [list(column) for column in zip(*found.points, strict=True)]:
        raise ConfigError(
            f"The points in {path} do not rise: another claim would be the surer one."
        )
    return found


class CalibratedBackend(Backend):
    """The same verdicts with other probabilities: the threshold is mapped as they are."""

    def __init__(self, judge: VerifierBackend, mapped: JudgeMap) -> None:
        self._judge = judge
        self._map = mapped
        self.name = judge.name
        self.context_words = judge.context_words
        self.threshold = mapped(judge.threshold)
        self.languages = judge.languages
        self.has_knowledge = judge.has_knowledge
        self.model_id = judge.model_id
        self.is_pinned = judge.is_pinned
        self.health = judge.health

    def __getattr__(self, name: str) -> Any:
        return getattr(self._judge, name)

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        return [self._mapped(one) for one in await self._judge.estimate(questions)]

    async def withholds(self, questions: Sequence[Question]) -> list[bool]:
        withholds = getattr(self._judge, "withholds", super().withholds)
        said: list[bool] = await withholds(questions)
        return said

    def _mapped(self, one: Estimate | BackendError) -> Estimate | BackendError:
        if isinstance(one, BackendError):
            return one
        ends: Interval | None = None
        if one.interval is not None:
            ends = Interval(low=self._map(one.interval.low), high=self._map(one.interval.high))
        return one.model_copy(update={"p": self._map(one.p), "interval": ends})
