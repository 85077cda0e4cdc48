"""What is kept in memory, and what became of what was to be kept."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from groundwire.model._claim import Model
from groundwire.model._evidence import Quote
from groundwire.model._verdict import ClaimResult

MemoryKind = Literal["entity", "fact", "experience", "decision", "snippet"]
MemoryTier = Literal["task", "session", "longterm", "archive"]
FactStatus = Literal["verified", "contested", "unsupported", "unverified", "rejected"]
"""`contested`: verified, and so is a stored fact that says otherwise. `unsupported` is kept only
where `memory_gate.reject_unsupported` is off. `rejected` is in the log alone."""


class FactSource(Model):
    """What a fact was verified by. `path` is there where it came from a file, which may change."""

    doc_id: str
    title: str | None = None
    path: str | None = None
    sha256: str
    changed: bool = False


class ConflictingFact(Model):
    """A stored fact that cannot be true together with another; neither of them has won."""

    id: str
    content: str
    status: FactStatus
    confidence: float
    said_by: str = ""
    said_at: datetime
    evidence: tuple[Quote, ...] = ()


class Link(Model):
    """A hyperedge: what stands in it, each in its role."""

    relation: str
    members: tuple[tuple[str, str], ...]
    """(role, id) pairs."""


class StoredFact(Model):
    """A fact with its evidence and its status, as memory gives it back."""

    id: str
    kind: MemoryKind
    content: str
    tier: MemoryTier | None
    status: FactStatus
    confidence: float | None
    reason: str | None
    evidence: tuple[Quote, ...] = ()
    sources: tuple[FactSource, ...] = ()
    contradicts: tuple[ConflictingFact, ...] = ()
    links: tuple[Link, ...] = ()
    said_by: str = ""
    said_at: datetime
    request_id: str = ""
    session: str = ""
    accesses: int = 0
    queued: bool = False
    """Whether it waits to be verified."""
    score: float | None = None
    result: ClaimResult | None = None
    """The verdict that let it in or kept it out; given where one fact or the log is shown."""


class MemoryOutcome(Model):
    """What became of a fact at the gate [SPEC-08.15 … 08.18]."""

    stored: bool
    id: str | None
    tier: MemoryTier | None
    status: FactStatus
    confidence: float | None
    reason: str
    message: str
    result: ClaimResult | None = None
    contradicts: tuple[ConflictingFact, ...] = ()
    queued: bool = False
    request_id: str


class Recollection(Model):
    """Facts, best first. `fallbacks` says what of the search could not be had."""

    facts: tuple[StoredFact, ...]
    fallbacks: tuple[str, ...] = ()


class WaitingReport(Model):
    """What became of facts that were verified later, or again."""

    promoted: tuple[str, ...] = ()
    evicted: tuple[str, ...] = ()
    put_back: int = 0


class MemoryCounts(Model):
    facts: dict[str, int] = Field(default_factory=dict)
    """By tier."""
    unverified: int = 0
    contested: int = 0
    rejected: int = 0
