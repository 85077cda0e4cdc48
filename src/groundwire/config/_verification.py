"""Settings of verification: edges, actions, diagnoses, the circuit breaker."""

from pathlib import Path
from typing import Literal

from groundwire.config._section import Duration, Section, Share, duration, nested, setting


class BreakerSection(Section):
    failure_threshold: int = setting(
        5, "Failures in a row before the circuit opens.", ge=1, loosens="never"
    )
    success_threshold: int = setting(
        2, "Successes in a row that close a half-open circuit.", ge=1, loosens="never"
    )
    timeout_seconds: float = setting(
        30, "Time an open circuit waits before it lets one call through.", gt=0, loosens="never"
    )


class CircuitBreakerSection(Section):
    """When a failing service is left alone [S3 Gap D]."""

    embeddings: BreakerSection = nested()


class VerificationConfig(Section):
    """The grounding loop and the calls it makes [S1 step 7]."""

    max_judge_iterations: int = setting(3, "Loop cap per edge.", ge=1, loosens="never")
    grounding_confidence_threshold: Share = setting(
        0.6, "The least confidence with which an edge is accepted.", loosens="lower"
    )
    enable_adversarial_pass: bool = setting(
        True, "Let a devil's advocate attack strong edges.", loosens="off"
    )
    judge_model: str = setting(
        "gemini-2.5-pro",
        "Judges edges where `llm.provider` is gemini, or where you set it yourself.",
    )
    llm_semaphore_limit: int = setting(
        8, "Model calls under way at once, whoever makes them.", ge=1, le=1024, loosens="never"
    )
    max_retries: int = setting(
        5, "How often a failed call is tried again.", ge=0, le=20, loosens="never"
    )
    backoff_base: float = setting(
        2, "Each wait before a retry is this many times the last.", ge=1, loosens="never"
    )
    backoff_jitter_max: float = setting(
        5, "Up to this many seconds are added to a wait, at random.", ge=0, loosens="never"
    )
    passages_per_side: int = setting(
        4, "Passages taken from each of an edge's searches.", ge=1, le=50, loosens="never"
    )
    canaries: bool = setting(
        True, "Plant false edges in every run, to see whether the judge works.", loosens="off"
    )
    max_canaries: int = setting(
        30, "The most false edges that are planted in one run.", ge=3, le=1000, loosens="lower"
    )
    max_canary_acceptance: Share = setting(
        0.03,
        "A larger share of canaries accepted means that the judge is broken.",
        loosens="higher",
    )
    acceptance_warning: Share = setting(
        0.9, "From this share of edges grounded, a run warns.", loosens="higher"
    )


class ActionsSection(Section):
    """What an agent says it did: the three levels of S2."""

    assume_current: bool = setting(
        True,
        "The caller verifies right after the work, so that with neither trace nor "
        "snapshot a mismatch refutes the claim.",
        loosens="off",
    )
    max_claims: int = setting(
        100_000, "Outputs with more claims are refused.", ge=1, loosens="higher"
    )
    time_limit: Duration = duration(
        "5m", "Claims not looked at by then end unverified.", loosens="never"
    )
    max_text_mb: float = setting(
        20, "Anchors are not searched in files larger than this.", gt=0, loosens="higher"
    )
    max_hash_mb: float = setting(
        2_000, "Files larger than this are not hashed.", gt=0, loosens="higher"
    )
    max_trace_mb: float = setting(
        1_000, "Traces larger than this are refused; they are streamed.", gt=0, loosens="higher"
    )
    max_event_mb: float = setting(
        32, "One event of a trace may not be larger than this.", gt=0, loosens="higher"
    )
    max_snapshot_files: int = setting(
        500_000, "Folders with more files are not recorded.", ge=1, loosens="higher"
    )
    signature_max_age: Duration = duration(
        "10m", "Signed verdicts older than this are refused.", loosens="higher"
    )
    snapshot_key: Path | None = setting(
        None,
        "Snapshots are signed with this key file, and no others are believed.",
        loosens="never",
    )
    stop_hook_max_blocks: int = setting(
        3, "How often in a row the stop hook may hold one session back.", ge=0, loosens="lower"
    )


class DiagnosisSection(Section):
    """Diagnosis over a causal graph: when it abstains and what it may use [S0].

    The spec's own variables, such as `ENABLE_ABSTAIN_GATE`, set these too.
    """

    enable_abstain_gate: bool = setting(
        True,
        "Abstain, before any model is asked, when the graph knows too little.",
        env=["ENABLE_ABSTAIN_GATE"],
        loosens="off",
    )
    enable_low_coverage_verifier: bool = setting(
        True,
        "Have a draft verified when the graph knows little.",
        env=["ENABLE_LOW_COVERAGE_VERIFIER"],
        loosens="off",
    )
    on_verifier_failure: Literal["pass", "degrade", "abstain", "block"] = setting(
        "abstain",
        "What becomes of a draft whose verifier fails: shown and marked (`pass`), with "
        "low confidence (`degrade`), or not at all.",
        loosens=("block", "abstain", "degrade", "pass"),
    )
    abstain_min_root_causes: int = setting(
        1,
        "Fewer possible root causes than this abstain.",
        ge=0,
        env=["ABSTAIN_MIN_ROOT_CAUSES"],
        loosens="lower",
    )
    abstain_min_chains: int = setting(
        1,
        "Fewer causal chains than this abstain.",
        ge=0,
        env=["ABSTAIN_MIN_CHAINS"],
        loosens="lower",
    )
    abstain_min_input_coverage: Share = setting(
        0.5,
        "A smaller share of the report's metrics and symptoms in the graph abstains.",
        env=["ABSTAIN_MIN_INPUT_COVERAGE"],
        loosens="lower",
    )
    abstain_when_undecided: bool = setting(
        True,
        "Abstain when several causes explain the same, or only one of several "
        "observations points to a cause.",
        loosens="off",
    )
    min_required_nodes: int = setting(
        3,
        "Fewer different nodes in the causal chains than this is low coverage.",
        ge=0,
        env=["MIN_REQUIRED_NODES"],
        loosens="lower",
    )
    similarity_floor: float | None = setting(
        None,
        "How like a name of a variable the words of a report must be, by vectors; "
        "unset: the calibrated one.",
        ge=0,
        le=1,
        loosens="lower",
    )
    lexical_link: float | None = setting(
        None,
        "The share of a variable's name that must stand in a report, by words; unset: "
        "the calibrated one.",
        gt=0,
        le=1,
        loosens="lower",
    )
    max_chain_length: int = setting(12, "Edges in one causal chain.", ge=1, loosens="higher")
    max_chains: int = setting(50, "Causal chains that are followed.", ge=1, loosens="never")
    drafting: Literal["template", "llm"] = setting(
        "template",
        "Who words the report: quotes put in order, or the configured model.",
        loosens=("template", "llm"),
    )
