from typing import Literal

from pydantic import ConfigDict, Field

from groundwire.model._base import Model

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
