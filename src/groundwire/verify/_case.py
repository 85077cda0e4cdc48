"""One claim on its way to a verdict."""

from collections.abc import Collection
from dataclasses import dataclass, field

from groundwire.judge import Evidence, Judged, Question, scrubbed_context, supporting
from groundwire.model import Check, Claim, Quote, Reason

MAX_QUOTES = 2


@dataclass
class Case:
    """What is asked about a claim and what was answered, filled in step by step."""

    claim: Claim
    evidence: Evidence
    context_words: int
    scope: Collection[int] | None
    """The sentences it may be judged by: those of the documents it cites, or None for all."""
    cannot_judge: Reason | None = None
    miscited: bool = False
    checks: tuple[Check, ...] = ()
    p1: Judged | None = None
    p0: Judged | None = None
    places: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.places = self._narrowed()

    def widened(self) -> "Case":
        """The same claim, judged by all of the evidence and not only by what it cites."""
        return Case(self.claim, self.evidence, self.context_words, scope=None)

    def adopt(self, widened: "Case") -> None:
        """Take over what other documents than the cited ones gave."""
        self.places, self.p1, self.p0 = widened.places, widened.p1, widened.p0
        self.miscited = True

    @property
    def question(self) -> Question:
        return Question(claim=self.claim.content, context=self.evidence.text(self.places))

    @property
    def question_without_support(self) -> Question:
        removed = supporting(self.evidence, self.claim.content, self.places)
        context = scrubbed_context(self.evidence, self.places, removed)
        return Question(claim=self.claim.content, context=context)

    @property
    def contradiction(self) -> Check | None:
        """A value of the claim that the evidence has otherwise."""
        return next((one for one in self.checks if one.relation == "contradicted"), None)

    def quotes(self) -> tuple[Quote, ...]:
        """The sentences that speak most of what the claim says, the closest first."""
        near = self.evidence.matches(self.claim.content, self.places)
        closest = sorted(
            supporting(self.evidence, self.claim.content, self.places),
            key=lambda place: (-sum(near[place].values()), place),
        )
        return tuple(self.evidence.quote(place) for place in closest[:MAX_QUOTES])

    def _narrowed(self) -> tuple[int, ...]:
        return self.evidence.narrow(self.claim.content, self.context_words, self.scope)


def cited_scope(claim: Claim, evidence: Evidence) -> Collection[int] | None:
    doc_ids = {one.doc_id for one in claim.citations if one.doc_id is not None}
    places = evidence.places_of(doc_ids) if doc_ids else frozenset()
    return places or None
