from typing import Literal

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
    low: float = Field(ge=0, le=1)
    high: float = Field(ge=0, le=1)


class Clamp(Model):
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


class CheckSummary(Model):
    claims: int
    grounded: int
    unsupported: int
    contradicted: int
    unverifiable: int
    flagged: int
    phantom_citations: int
    excluded: int


class CheckReport(Model):
    """The outcome of checking a text: `ABSTAIN` when nothing in it could be verified."""

    mode: Literal["ANSWER", "ABSTAIN"]
    reason: str | None = None
    message: str
    claims: tuple[ClaimResult, ...] = ()
    excluded: tuple[Excluded, ...] = ()
    coverage: Coverage = Coverage()
    summary: CheckSummary
    request_id: str


class QueueReport(Model):
    """What became of verifications that were put off: `given_up` were tried often enough.

    Of the facts of memory among them, `promoted` held and `evicted` did not."""

    verified: int
    waiting: int
    given_up: int
    promoted: int = 0
    evicted: int = 0
