from collections.abc import Sequence
from typing import Literal, Self

from pydantic import computed_field

from groundwire.model._base import Model

FALLBACK_PENALTY = 0.8
"""A fallback costs 20 %, once, however many are active [S3 Gap D]."""
HIGH_CONFIDENCE = 0.85
MEDIUM_CONFIDENCE = 0.60

ConfidenceLevel = Literal["high", "medium", "low"]


class RetrievalQuality(Model):
    """How far what was found can be trusted to be all there is [S3 Gap D]."""

    confidence_score: float
    confidence_level: ConfidenceLevel
    fallback_active: bool
    fallback_reasons: tuple[str, ...] = ()
    degraded: bool

    @computed_field  # type: ignore[prop-decorator]
    @property
    def fallback_mode(self) -> bool:
        return self.fallback_active

    @classmethod
    def from_retrieval(cls, base_score: float, fallback_flags: Sequence[str]) -> Self:
        active = len(fallback_flags) > 0
        adjusted = base_score * FALLBACK_PENALTY if active else base_score
        return cls(
            confidence_score=round(adjusted, 3),
            confidence_level=cls._score_to_level(adjusted),
            fallback_active=active,
            fallback_reasons=tuple(fallback_flags),
            degraded=active,
        )

    def is_below(self, abstain_below: float) -> bool:
        """Too little to answer on: the reason is then `low_confidence` [CONF-05]."""
        return self.confidence_score < abstain_below

    @staticmethod
    def _score_to_level(score: float) -> ConfidenceLevel:
        if score >= HIGH_CONFIDENCE:
            return "high"
        return "medium" if score >= MEDIUM_CONFIDENCE else "low"


class TransparencyStatement(Model):
    """What a person is told about the quality of an answer."""

    statement: str | None = None
    show_to_user: bool

    @classmethod
    def from_quality(cls, quality: RetrievalQuality) -> Self:
        if quality.degraded:
            reasons = ", ".join(quality.fallback_reasons)
            return cls(
                statement=f"This response uses simplified search ({reasons}). "
                "Results may be less comprehensive.",
                show_to_user=True,
            )
        if quality.confidence_level == "low":
            return cls(
                statement="Limited relevant information found. Consider rephrasing your question.",
                show_to_user=True,
            )
        return cls(statement=None, show_to_user=False)
