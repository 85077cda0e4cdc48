"""An answer of an assistant, checked against its own conversation [SPEC-08.20 … 08.22]."""

from typing import Literal

from pydantic import Field

from groundwire.model._audit import TraceAudit
from groundwire.model._claim import Model, Span
from groundwire.model._evidence import Quote
from groundwire.model._outcome import Decision
from groundwire.model._verdict import CheckReport, ClaimResult, Reason, Status

Role = Literal["system", "user", "assistant", "tool", "retrieved"]
Change = Literal["correct", "cut", "cite", "soften"]


class Message(Model):
    """What somebody said in a conversation. What the assistant said before is no evidence."""

    role: Role
    content: str
    name: str = ""
    """Which tool, or which document."""
    is_reasoning: bool = False
    """Whether the assistant thought it rather than said it."""


class CorrectionNote(Model):
    """What an agent can act on: what is wrong, why, what shows it, and the smallest change."""

    claim: str
    span: Span | None = None
    status: Status
    reason: Reason
    why: str
    quote: Quote | None = None
    change: Change
    replacement: str | None = None
    """What to write instead, where that is known; None with `cut` and `cite`."""
    facts: tuple[str, ...] = ()
    """What follows from the values of the conversation, worked out."""


class ResponseReport(CheckReport):
    """A check of a response. It is never refused: `decision` passes it, marked where it is risky.

    `risk` is the share of its claims that are opposed, unsupported or flagged; unknown where none
    was verified. `skipped` says why nothing was checked.
    """

    notes: tuple[CorrectionNote, ...] = ()
    risk: float | None = Field(default=None, ge=0, le=1)
    is_risky: bool = False
    rewritten: str | None = None
    skipped: str | None = None
    decision: Decision
    audit: TraceAudit | None = None


class SentenceReport(Model):
    """One sentence of a response that is still being written, with its claims judged."""

    index: int
    """Counted from 0, in the order of the text."""
    text: str
    span: Span
    claims: tuple[ClaimResult, ...] = ()
    notes: tuple[CorrectionNote, ...] = ()
    skipped: str | None = None
