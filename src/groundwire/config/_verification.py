"""Settings of verification: edges, actions, diagnoses, the circuit breaker."""

from typing import Literal

from pydantic import Field

from groundwire.config._section import Duration, Section, parse_duration


class BreakerSection(Section):
    failure_threshold: int = Field(
        default=5, ge=1, description="Failures in a row before the circuit opens."
    )
    success_threshold: int = Field(
        default=2, ge=1, description="Successes in a row that close a half-open circuit."
    )
    timeout_seconds: float = Field(
        default=30, gt=0, description="Time an open circuit waits before it lets one call through."
    )


class CircuitBreakerSection(Section):
    """When a failing service is left alone [S3 Gap D]."""

    embeddings: BreakerSection = BreakerSection()


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


class ActionsSection(Section):
    """What an agent says it did: the three levels of S2."""

    assume_current: bool = Field(
        default=True,
        description="The caller verifies right after the work, so that with neither trace nor "
        "snapshot a mismatch refutes the claim.",
    )
    max_claims: int = Field(
        default=100_000, ge=1, description="Outputs with more claims are refused."
    )
    time_limit: Duration = Field(
        default=parse_duration("5m"),
        description="Claims not looked at by then end unverified.",
    )
    max_text_mb: float = Field(
        default=20, gt=0, description="Anchors are not searched in files larger than this."
    )
    max_hash_mb: float = Field(
        default=2_000, gt=0, description="Files larger than this are not hashed."
    )
    max_trace_mb: float = Field(
        default=1_000, gt=0, description="Traces larger than this are refused; they are streamed."
    )
    max_event_mb: float = Field(
        default=32, gt=0, description="One event of a trace may not be larger than this."
    )
    max_snapshot_files: int = Field(
        default=500_000, ge=1, description="Folders with more files are not recorded."
    )
    signature_max_age: Duration = Field(
        default=parse_duration("10m"), description="Signed verdicts older than this are refused."
    )
    stop_hook_max_blocks: int = Field(
        default=3, ge=0, description="How often in a row the stop hook may hold one session back."
    )


class DiagnosisSection(Section):
    """Diagnosis over a causal graph: when it abstains and what it may use [S0].

    The spec's own variables, such as `ENABLE_ABSTAIN_GATE`, set these too.
    """

    enable_abstain_gate: bool = Field(
        default=True,
        description="Abstain, before any model is asked, when the graph knows too little.",
        json_schema_extra={"env": "ENABLE_ABSTAIN_GATE"},
    )
    enable_low_coverage_verifier: bool = Field(
        default=True,
        description="Have a draft verified when the graph knows little.",
        json_schema_extra={"env": "ENABLE_LOW_COVERAGE_VERIFIER"},
    )
    on_verifier_failure: Literal["pass", "degrade", "abstain", "block"] = Field(
        default="abstain",
        description="What becomes of a draft whose verifier fails: shown and marked (`pass`), with "
        "low confidence (`degrade`), or not at all.",
    )
    abstain_min_root_causes: int = Field(
        default=1,
        ge=0,
        description="Fewer possible root causes than this abstain.",
        json_schema_extra={"env": "ABSTAIN_MIN_ROOT_CAUSES"},
    )
    abstain_min_chains: int = Field(
        default=1,
        ge=0,
        description="Fewer causal chains than this abstain.",
        json_schema_extra={"env": "ABSTAIN_MIN_CHAINS"},
    )
    abstain_min_input_coverage: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="A smaller share of the report's metrics and symptoms in the graph abstains.",
        json_schema_extra={"env": "ABSTAIN_MIN_INPUT_COVERAGE"},
    )
    abstain_when_undecided: bool = Field(
        default=True,
        description="Abstain when several causes explain the same, or only one of several "
        "observations points to a cause.",
    )
    min_required_nodes: int = Field(
        default=3,
        ge=0,
        description="Fewer different nodes in the causal chains than this is low coverage.",
        json_schema_extra={"env": "MIN_REQUIRED_NODES"},
    )
    similarity_floor: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="How like a name of a variable the words of a report must be, by vectors; "
        "unset: the calibrated one.",
    )
    lexical_link: float | None = Field(
        default=None,
        gt=0,
        le=1,
        description="The share of a variable's name that must stand in a report, by words; unset: "
        "the calibrated one.",
    )
    max_chain_length: int = Field(default=8, ge=1, description="Edges in one causal chain.")
    max_chains: int = Field(default=50, ge=1, description="Causal chains that are followed.")
    drafting: Literal["template", "llm"] = Field(
        default="template",
        description="Who words the report: quotes put in order, or the configured model.",
    )
