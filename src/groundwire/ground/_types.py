"""What passes between the stations of the grounding loop."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, Self

from pydantic import Field

from groundwire.model import (
    CausalEdge,
    EdgeSign,
    EvidenceBundle,
    EvidenceSide,
    Model,
    Quote,
    Span,
    SupportType,
    Variable,
    edge_id,
    evidence_id,
)


class VerificationVerdict(Model):
    """What a judge says of an edge, given the passages found for and against it [S1 step 3]."""

    is_grounded: bool
    support_type: SupportType
    supporting_quote: str | None = None
    rejection_reason: str | None = None
    confidence: float = Field(ge=0, le=1)
    suggested_refinement_query: str | None = None


class AdversarialVerdict(VerificationVerdict):
    """What the devil's advocate says of a strong edge [S1 step 5]."""

    alternative_explanations: list[str] = Field(default_factory=list)
    still_grounded: bool


_VERBS: dict[EdgeSign, str] = {"raises": "leads to", "lowers": "reduces", "prevents": "prevents"}


def worded(cause: str, sign: EdgeSign, effect: str) -> str:
    """`leads to`, since the embedded judge takes `causes` for more than most sources say."""
    return f"{cause} {_VERBS[sign]} {effect}"


class Stated(NamedTuple):
    """Where a draft was read: the number of the reading in its document."""

    doc_id: str
    number: int


@dataclass(frozen=True)
class Hypothesis:
    """An edge as the loop sees it: with its variables instead of their ids, and with the places
    where it was read, if it was."""

    edge: CausalEdge
    cause: Variable
    effect: Variable
    stated: tuple[Stated, ...] = ()

    @classmethod
    def of(
        cls, cause: Variable, effect: Variable, mechanism: str = "", sign: EdgeSign = "raises"
    ) -> Self:
        edge = CausalEdge(
            id=edge_id(cause.id, effect.id),
            from_var=cause.id,
            to_var=effect.id,
            mechanism=mechanism,
            sign=sign,
        )
        return cls(edge, cause, effect)

    @property
    def statement(self) -> str:
        return worded(self.cause.label, self.edge.sign, self.effect.label)


@dataclass(frozen=True)
class Passage:
    """A passage, and with which intent it was looked for."""

    bundle: EvidenceBundle
    side: EvidenceSide

    @property
    def id(self) -> str:
        return evidence_id(self.bundle)

    def quote(self, span: Span) -> Quote:
        """What stands there, by its place in the document."""
        start = self.bundle.location.start
        return Quote(
            doc_id=self.bundle.source.doc_id,
            quote=span.of(self.bundle.content),
            start=start + span.start,
            end=start + span.end,
        )


@dataclass
class LoopState:
    """One edge on its way through the loop [S1 step 3].

    `attempted_queries` holds normal forms, `asked` the queries as they were put.
    """

    max_iterations: int
    attempted_queries: set[str] = field(default_factory=set)
    iteration: int = 0
    verdicts: list[VerificationVerdict] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    passages: dict[str, Passage] = field(default_factory=dict)

    def collect(self, found: Sequence[Passage]) -> None:
        for passage in found:
            self.passages.setdefault(passage.id, passage)


class EdgeJudge(Protocol):
    """Says whether passages ground an edge. Raises a `BackendError` when it cannot."""

    name: str

    async def judge(self, hypothesis: Hypothesis, state: LoopState) -> VerificationVerdict: ...

    async def attack(
        self, hypothesis: Hypothesis, passages: Sequence[Passage]
    ) -> AdversarialVerdict: ...


class EdgeOutcome(Model):
    """An edge after the loop, the passages it rests on and how it got there."""

    edge: CausalEdge
    evidence: tuple[EvidenceBundle, ...] = ()
    verdicts: tuple[VerificationVerdict, ...] = ()
    adversarial: AdversarialVerdict | None = None
    iterations: int = 0
    judge: str
