from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, Self

from pydantic import Field

from groundwire.model._claim import Citation, Coverage, Excluded, Model, Span
from groundwire.model._evidence import Quote

Status = Literal["grounded", "unsupported", "contradicted", "unverifiable"]

Reason = Literal[
    # grounded
    "supported",
    "prior_known",
    "overconfident",
    "miscited",
    # contradicted
    "refuted",
    "number_mismatch",
    "date_mismatch",
    "name_mismatch",
    "identifier_mismatch",
    # unsupported
    "not_in_evidence",
    "not_asserted",
    "phantom_citation",
    # unverifiable
    "no_evidence",
    "language",
    "uncertain",
    "backend_error",
    "backend_timeout",
    "backend_unavailable",
    "backend_rate_limited",
    "backend_refused",
    "backend_malformed",
    "judge_unhealthy",
    "spending_cap",
]

CheckKind = Literal["number", "date", "name", "identifier"]


class Check(Model):
    """What the deterministic tier found for one value of a claim."""

    kind: CheckKind
    claimed: str
    relation: Literal["confirmed", "contradicted"]
    found: str
    quote: Quote
    also: tuple[Quote, ...] = ()
    """Further sentences it rests on: those a sum was taken from."""
    is_whole: bool = False
    """Whether a confirmation carries the whole claim, not only this value of it."""


class Interval(Model):
    """Between what a probability is known to lie."""

    low: float = Field(ge=0, le=1)
    high: float = Field(ge=0, le=1)


class Clamp(Model):
    """The bounds a probability was kept within before bits were counted."""

    low: float
    high: float


class VerifierInfo(Model):
    """Who judged. `ran` is false when no judge saw the claim: such a claim is never `grounded`."""

    backend: str
    ran: bool
    cached: bool = False
    latency_ms: float = 0.0


class ClaimResult(Model):
    """The verdict on one claim: what the evidence says, and whether it justifies the confidence."""

    claim: str
    status: Status
    flagged: bool
    reason: Reason
    message: str
    p0: float | None = None
    p1: float | None = None
    p0_interval: Interval | None = None
    p1_interval: Interval | None = None
    target: float
    stated_confidence: float | None = None
    required_bits: float | None = None
    observed_bits: float | None = None
    budget_gap: float | None = None
    clamp: Clamp
    adjusted_confidence: float | None = None
    span: Span | None = None
    citations: tuple[Citation, ...] = ()
    evidence: tuple[Quote, ...] = ()
    """What shows the verdict: sentences that, judged by themselves, give the same one."""
    nearest: Quote | None = None
    """Where nothing shows one: the sentence that comes nearest, as no more than that."""
    checks: tuple[Check, ...] = ()
    verifier: VerifierInfo

    @property
    def has_phantom_citation(self) -> bool:
        """Whether it cites what leads to no evidence."""
        return any(one.is_phantom for one in self.citations)


class CheckSummary(Model):
    """How many claims came to what, and the one score of the text."""

    claims: int
    grounded: int
    unsupported: int
    contradicted: int
    unverifiable: int
    flagged: int
    phantom_citations: int
    excluded: int
    score: float | None = None
    """The share of the claims that are grounded without a flag; None where none was judged."""

    @classmethod
    def of(cls, claims: Sequence[ClaimResult], *, excluded: int) -> Self:
        """Counted: of one text, or of several together."""
        statuses = Counter(claim.status for claim in claims)
        held = sum(claim.status == "grounded" and not claim.flagged for claim in claims)
        was_judged = len(claims) > statuses["unverifiable"]
        return cls(
            claims=len(claims),
            grounded=statuses["grounded"],
            unsupported=statuses["unsupported"],
            contradicted=statuses["contradicted"],
            unverifiable=statuses["unverifiable"],
            flagged=sum(claim.flagged for claim in claims),
            phantom_citations=sum(claim.has_phantom_citation for claim in claims),
            excluded=excluded,
            score=held / len(claims) if was_judged else None,
        )


class CheckReport(Model):
    """The outcome of checking a text: `ABSTAIN` when nothing in it could be verified.

    It has the length of its claims and iterates over them: `for claim in report: …`.
    """

    mode: Literal["ANSWER", "ABSTAIN"]
    reason: str | None = None
    message: str
    claims: tuple[ClaimResult, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    coverage: Coverage = Coverage()
    summary: CheckSummary
    request_id: str

    @property
    def score(self) -> float | None:
        """The share of the claims that are grounded without a flag; None where none was judged."""
        return self.summary.score

    def __iter__(self) -> Iterator[ClaimResult]:  # type: ignore[override]
        return iter(self.claims)

    def __len__(self) -> int:
        return len(self.claims)

    def __getitem__(self, place: int) -> ClaimResult:
        return self.claims[place]

    def __bool__(self) -> bool:
        """A report is one even where it has no claims."""
        return True


class QueueReport(Model):
    """What became of verifications that were put off: `given_up` were tried often enough.

    Of the facts of memory among them, `promoted` held and `evicted` did not."""

    verified: int
    waiting: int
    given_up: int
    promoted: int = 0
    evicted: int = 0
