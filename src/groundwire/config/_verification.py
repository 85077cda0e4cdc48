from pydantic import Field

from groundwire.config._section import Section


class VerificationConfig(Section):
    """The grounding loop and the calls it makes [S1 step 7]."""

    max_judge_iterations: int = Field(default=3, ge=1, description="Loop cap per edge.")
    grounding_confidence_threshold: float = Field(
        default=0.6, ge=0, le=1, description="The least confidence with which an edge is accepted."
    )
    enable_adversarial_pass: bool = Field(
        default=True, description="Let a devil's advocate attack strong edges."
    )
    judge_model: str = Field(
        default="gemini-2.5-pro",
        description="Judges edges where `llm.provider` is gemini, or where you set it yourself.",
    )
    llm_semaphore_limit: int = Field(
        default=8, ge=1, le=1024, description="Model calls under way at once, whoever makes them."
    )
    max_retries: int = Field(
        default=5, ge=0, le=20, description="How often a failed call is tried again."
    )
    backoff_base: float = Field(
        default=2, ge=1, description="Each wait before a retry is this many times the last."
    )
    backoff_jitter_max: float = Field(
        default=5, ge=0, description="Up to this many seconds are added to a wait, at random."
    )
    passages_per_side: int = Field(
        default=4, ge=1, le=50, description="Passages taken from each of an edge's searches."
    )
    canaries: bool = Field(
        default=True, description="Plant false edges in every run, to see whether the judge works."
    )
    max_canaries: int = Field(
        default=30, ge=3, le=1000, description="The most false edges that are planted in one run."
    )
    max_canary_acceptance: float = Field(
        default=0.03,
        ge=0,
        le=1,
        description="A larger share of canaries accepted means that the judge is broken.",
    )
    acceptance_warning: float = Field(
        default=0.9, ge=0, le=1, description="From this share of edges grounded, a run warns."
    )
