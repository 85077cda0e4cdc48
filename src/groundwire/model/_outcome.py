from typing import Literal

from pydantic import ConfigDict, Field

from groundwire.model._claim import Model

Mode = Literal["ANSWER", "CLARIFY", "ABSTAIN"]


class Suggestion(Model):
    """Something the person may have meant. `id` picks it without retyping."""

    id: str
    label: str
    kind: str
    detail: str | None = None
    score: float | None = Field(default=None, ge=0, le=1)


class Action(Model):
    """What would help next; further keys belong to the kind of step."""

    model_config = ConfigDict(frozen=True, extra="allow")

    next_step: str


class Abstention(Model):
    """No answer, and why: one shape wherever Groundwire says that it does not know.

    `reason` is a code, `message` the sentence for a person, `observations` what was seen in the
    input, `missing_knowledge` what would have been needed.
    """

    mode: Literal["ABSTAIN"] = "ABSTAIN"
    reason: str
    message: str
    observations: tuple[str, ...] = ()
    missing_knowledge: tuple[str, ...] = ()
    coverage: dict[str, int | float] | None = None
    suggestions: tuple[Suggestion, ...] = ()
    action: Action


class Outcome(Model):
    """What is said to a person who asked: an answer, a choice, or an abstention."""

    mode: Mode
    reason: str | None = None
    message: str
    observations: tuple[str, ...] = ()
    missing_knowledge: tuple[str, ...] = ()
    coverage: dict[str, int | float] | None = None
    suggestions: tuple[Suggestion, ...] = ()
    action: Action | None = None
    request_id: str

    def abstention(self) -> Abstention | None:
        """The one type every abstention has; none when there is an answer or a choice."""
        if self.mode != "ABSTAIN" or self.reason is None or self.action is None:
            return None
        return Abstention(
            reason=self.reason,
            message=self.message,
            observations=self.observations,
            missing_knowledge=self.missing_knowledge,
            coverage=self.coverage,
            suggestions=self.suggestions,
            action=self.action,
        )
