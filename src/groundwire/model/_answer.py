from collections.abc import Sequence
from typing import Literal, Self

from pydantic import Field, computed_field

from groundwire.model._claim import Model
from groundwire.model._evidence import EvidenceBundle
from groundwire.model._outcome import Outcome
from groundwire.model._term import TermReason

FALLBACK_PENALTY = 0.8
"""A fallback costs 20 %, once, however many are active [S3 Gap D]."""
HIGH_CONFIDENCE = 0.85
MEDIUM_CONFIDENCE = 0.60

ConfidenceLevel = Literal["high", "medium", "low"]


def after_fallbacks(base_score: float, fallback_flags: Sequence[str]) -> float:
    return base_score * FALLBACK_PENALTY if fallback_flags else base_score


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
        adjusted = after_fallbacks(base_score, fallback_flags)
        return cls(
            confidence_score=round(adjusted, 3),
            confidence_level=cls._score_to_level(adjusted),
            fallback_active=active,
            fallback_reasons=tuple(fallback_flags),
            degraded=active,
        )

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
        said = None
        if quality.degraded:
            reasons = ", ".join(quality.fallback_reasons)
            said = f"This response uses simplified search ({reasons}). "
            said += "Results may be less comprehensive."
        elif quality.confidence_level == "low":
            said = "Limited relevant information found. Consider rephrasing your question."
        return cls(statement=said, show_to_user=said is not None)


SearchMethod = Literal["hybrid", "bm25"]


class SearchResult(Model):
    """What a search found. `hits` are best first, and all reach their collection's thresholds.

    `below_threshold` counts passages that were found but not near enough to count; `fallbacks` are
    what the request had to do without, such as vectors.
    """

    query: str
    method: SearchMethod
    collections: tuple[str, ...]
    hits: tuple[EvidenceBundle, ...] = ()
    below_threshold: int = 0
    fallbacks: tuple[str, ...] = ()


AnswerKind = Literal["term", "entity", "list", "decision", "semantic", "cross"]

AnswerReason = Literal[
    "no_results",
    "low_confidence",
    "entity_not_found",
    "entity_ambiguous",
    "not_in_evidence",
    "not_answered",
    TermReason,
]


class AnswerSource(Model):
    """Words an answer rests on; `start` and `end` are characters of the document `doc_id`."""

    doc_type: str
    doc_id: str
    title: str
    quote: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    number: int | None = None
    status: str | None = None
    name: str | None = None
    """Who keeps it, where that is not the corpus: `SKOSMOS`, `local vocabulary`."""


class Answer(Outcome):
    """What a question comes to: an answer with its sources, a choice, or an abstention [S3].

    `observations` are what a reader must know besides the answer: that a document is superseded,
    only proposed, or said to have another status elsewhere. `target_route` is `skosmos`, the one
    collection that was asked, or `tree` for several.
    """

    answer: str | None = None
    sources: tuple[AnswerSource, ...] = ()
    retrieval_quality: RetrievalQuality
    transparency: TransparencyStatement
    reason: AnswerReason | None = None
    kind: AnswerKind
    target_route: str
    drafted_by: str | None = None
    """The language model whose verified words these are; unset: they are quotes."""


class Turn(Model):
    """One question and its answer in a conversation, for the next question to go on from."""

    question: str
    answer: Answer
