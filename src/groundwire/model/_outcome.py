from typing import Literal

from pydantic import ConfigDict, Field, computed_field

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
        return Abstention(**{name: getattr(self, name) for name in Abstention.model_fields})


Posture = Literal["pass", "degrade", "queue", "abstain", "block"]
"""What a gate may do. Each gate is set to one of them for when its check fails:

`pass` lets through what is then marked unverified, `degrade` lowers its confidence, `queue` has it
verified later, `abstain` says "I don't know", `block` refuses.
"""

GateName = Literal["coverage", "low_coverage_verifier", "confidence", "memory", "response"]


class Decision(Model):
    """What a gate made of a verdict. `reason` is a code, and there is one unless all was well.

    `looked_at` holds the figures the gate decided on. `check` says whether its check was made:
    a check that failed decided nothing, and then the gate's posture did.
    """

    gate: GateName
    effect: Posture = "pass"
    reason: str | None = None
    message: str | None = None
    looked_at: dict[str, int | float] = Field(default_factory=dict)
    check: Literal["made", "failed", "skipped"] = "made"

    @property
    def lets_through(self) -> bool:
        return self.effect not in ("abstain", "block")


class GateHealth(Model):
    """How a gate has fared. `runs` are its decisions, those of failed checks (`errors`) included;
    `skips` are the times when its check was not made, as it was switched off or not needed.
    """

    gate: GateName
    enabled: bool
    on_failure: Posture
    passed: int = 0
    degraded: int = 0
    queued: int = 0
    abstained: int = 0
    blocked: int = 0
    errors: int = 0
    skips: int = 0

    @computed_field  # type: ignore[prop-decorator]
    @property
    def runs(self) -> int:
        return self.passed + self.degraded + self.queued + self.abstained + self.blocked

    @computed_field  # type: ignore[prop-decorator]
    @property
    def never_ran(self) -> bool:
        """Enabled, and yet nothing has ever come by it."""
        return self.enabled and self.runs == 0

    @computed_field  # type: ignore[prop-decorator]
    @property
    def error_share(self) -> float | None:
        """Failed checks among the runs; unknown where there was none."""
        return _share(self.errors, self.runs)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def skip_share(self) -> float | None:
        """Skips among all that came to the gate; unknown where nothing did."""
        return _share(self.skips, self.runs + self.skips)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
