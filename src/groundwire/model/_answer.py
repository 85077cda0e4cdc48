from typing import Literal

from pydantic import Field

from groundwire.model._base import Model
from groundwire.model._outcome import Outcome
from groundwire.model._quality import RetrievalQuality, TransparencyStatement

AnswerKind = Literal["term", "entity", "list", "decision", "semantic", "cross"]

AnswerReason = Literal[
    "no_results",
    "low_confidence",
    "entity_not_found",
    "entity_ambiguous",
    "not_in_evidence",
    "terminology_ambiguous",
    "terminology_no_definition",
    "terminology_not_found",
    "terminology_timeout",
    "terminology_error",
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
