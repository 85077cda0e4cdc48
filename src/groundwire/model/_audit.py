"""A reasoning trace, judged step by step, and whether its answer follows from it [SPEC-08.24]."""

from typing import Literal

from pydantic import Field

from groundwire.model._claim import Model
from groundwire.model._evidence import Quote

StepStatus = Literal["ENTAILED", "CONTRADICTED", "NOT_IN_CONTEXT", "UNVERIFIABLE"]
AuditStatus = Literal["VALID", "WARNING", "INVALID", "UNAUDITABLE"]


class StepAudit(Model):
    """One step. `index` counts from 1, and so do the steps it `rests_on`.

    `reason` is a code and `message` the sentence; `evidence` is what shows the status, from the
    context or from an earlier step (`step 2`).
    """

    index: int = Field(ge=1)
    text: str
    status: StepStatus
    reason: str
    message: str
    rests_on: tuple[int, ...] = ()
    evidence: tuple[Quote, ...] = ()


class AnswerAudit(Model):
    """Whether an executor that sees the steps alone arrives at the answer [SPEC-08.26].

    `derivable` is None where that could not be told; `score` is how surely the answer follows.
    """

    text: str
    derivable: bool | None
    score: float | None = Field(default=None, ge=0, le=1)
    reason: str
    message: str
    rests_on: tuple[int, ...] = ()
    evidence: tuple[Quote, ...] = ()
    executor: str = "embedded"


class TraceAudit(Model):
    """What became of a reasoning: each step, the answer, and the whole."""

    status: AuditStatus
    message: str
    steps: tuple[StepAudit, ...] = ()
    answer: AnswerAudit | None = None
    recommendations: tuple[str, ...] = ()
    request_id: str = ""

    def counted(self, status: StepStatus) -> int:
        """How many steps ended so."""
        return sum(step.status == status for step in self.steps)

    @property
    def failed(self) -> tuple[StepAudit, ...]:
        """The steps that are opposed, or that assert what nothing says."""
        return tuple(one for one in self.steps if one.status in ("CONTRADICTED", "NOT_IN_CONTEXT"))
