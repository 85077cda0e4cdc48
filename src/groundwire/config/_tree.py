"""Every setting there is. `_load` fills this tree; `docs/reference/config.md` is made from it."""

from pathlib import Path
from typing import Annotated, Literal

from groundwire.config._documents import AnswerSection, EvidenceSection, TermsSection
from groundwire.config._llm import ExternalSection, LLMSection
from groundwire.config._section import (
    Address,
    Duration,
    OneIsAList,
    Section,
    Share,
    address,
    duration,
    nested,
    registered,
    setting,
)
from groundwire.config._serve import ProxySection, ServeSection
from groundwire.config._verification import (
    ActionsSection,
    CircuitBreakerSection,
    DiagnosisSection,
    VerificationConfig,
)

JUDGE_ENTRY_POINTS = "groundwire.judges"
"""The entry points by which other packages add judges."""
_JUDGES = ("embedded", "self", "haiku", "external")
BackendName = Annotated[str, registered(JUDGE_ENTRY_POINTS, _JUDGES)]
BackendType = Annotated[str, registered(JUDGE_ENTRY_POINTS, (*_JUDGES, "configurable"))]
Operation = Literal["check", "memory", "output", "trace", "edge"]


class BackendSection(Section):
    type: BackendType = setting("embedded", "Which judge estimates probabilities [SPEC-08.27].")
    default: BackendName = setting(
        "embedded", "With `type: configurable`: the judge of operations not named otherwise."
    )
    operations: dict[Operation, BackendName] = setting(
        {},
        "With `type: configurable`: judges by operation, as in {edge: haiku}.",
    )


class MemoryGateSection(Section):
    enabled: bool = setting(
        False,
        "Verify facts that are stored inside other operations; `remember` always does.",
        loosens="off",
    )
    min_confidence: Share = setting(
        0.5, "Facts whose adjusted confidence is lower are refused.", loosens="lower"
    )
    reject_unsupported: bool = setting(
        True,
        "Refuse facts that the evidence does not support; off: those that pass the two "
        "other bounds are kept in the task tier as `unsupported`.",
        loosens="off",
    )
    max_budget_gap_bits: float = setting(
        2.0, "Facts with a larger budget gap are refused [SPEC-08.16].", loosens="higher"
    )
    on_failure: Literal["block", "queue", "degrade", "pass"] = setting(
        "queue",
        "A fact that could not be checked is not stored (`block`), or stored as unverified in "
        "the task tier: with half its confidence and queued (`queue`), with half its confidence "
        "(`degrade`), or with all of it (`pass`).",
        loosens=("block", "queue", "degrade", "pass"),
    )


class OutputVerificationSection(Section):
    enabled: bool = setting(
        False, "Verify the answers of `gw chat` as they are given.", loosens="off"
    )
    flag_threshold_bits: float = setting(
        0.0, "A claim whose budget gap is larger is flagged [SPEC-08.05].", loosens="higher"
    )
    max_waiting: int = setting(
        8,
        "With so many responses under way, the next is not checked, and says so.",
        ge=1,
        loosens="never",
    )
    max_wait: Duration = duration(
        "20s",
        "A response that would wait longer for its check is not checked, and says so.",
        loosens="never",
    )


class TraceAuditingSection(Section):
    enabled: bool = setting(
        False, "Audit the reasoning that a response brings with it.", loosens="off"
    )
    check_post_hoc: bool = setting(
        True, "Check that the answer follows from the steps [SPEC-08.25].", loosens="off"
    )


class HallucinationSection(Section):
    """Detection as SPEC-08 configures it."""

    enabled: bool = setting(
        False,
        "Detection inside other operations. Explicit calls and commands always work.",
        loosens="off",
    )
    target_confidence: Share = setting(
        0.75,
        "The confidence a claim must justify when neither caller nor wording says one.",
        loosens="lower",
    )
    on_interval: Literal["unverifiable", "middle"] = setting(
        "unverifiable",
        "When the ends of a probability interval disagree about the status.",
        loosens=("unverifiable", "middle"),
    )
    backend: BackendSection = nested()
    memory_gate: MemoryGateSection = nested()
    output_verification: OutputVerificationSection = nested()
    trace_auditing: TraceAuditingSection = nested()
    batch_size: int = setting(32, "Claims judged in one call.", ge=1, le=1024, loosens="never")
    timeout: Duration = duration("30s", "The longest one judge call may take.", loosens="never")
    cache_ttl: Duration = duration(
        "10m", "How long a judgement is reused [SPEC-08.30].", loosens="higher"
    )
    cache_disk_mb: int = setting(
        50,
        "Judgements kept on disk, as digests and numbers, in this many megabytes; 0: none.",
        ge=0,
        loosens="never",
    )


class JudgeSection(Section):
    """The judge that needs no key."""

    calibration_file: Path | None = setting(
        None, "What `gw eval tune` wrote of labelled claims, for the judge that it names."
    )
    threshold: float | None = setting(
        None,
        "p1 at and above which a claim is grounded; unset: the judge's calibrated one.",
        gt=0,
        lt=1,
        loosens="lower",
    )
    refute_threshold: float | None = setting(
        None,
        "Probability of refutation at and above which a claim is contradicted; unset: "
        "the calibrated one.",
        gt=0,
        lt=1,
    )
    languages: Annotated[list[str], OneIsAList] = setting(
        ["en"],
        "Languages the embedded model judges; claims in others are `unverifiable`. `any` is all.",
        loosens="longer",
    )
    deep_languages: Annotated[list[str], OneIsAList] = setting(
        ["en"],
        "Languages the deep judge judges; those that the embedded model does not, it judges alone.",
        loosens="longer",
    )
    health_ttl: Duration = duration(
        "1h",
        "How long a judge that answered questions with known answers rightly is believed.",
        loosens="higher",
    )
    threads: int = setting(2, "Threads of the embedded model.", ge=1, le=64, loosens="never")
    depth: Literal["fast", "cascade", "deep"] = setting(
        "fast",
        "fast: the embedded model; cascade: a local language model judges with it what "
        "it is unsure of; deep: it judges everything with it.",
        loosens="never",
    )
    deep_model: Path | None = setting(
        None,
        "The GGUF file of the deep judge (Qwen2.5-Coder-1.5B-Instruct, Q4_K_M); unset: "
        "`models/deep.gguf` in the home directory.",
    )
    band_low: float | None = setting(
        None,
        "cascade: claims whose p is lower are left to the embedded model; unset: the "
        "calibrated one.",
        ge=0,
        le=1,
    )
    band_high: float | None = setting(
        None,
        "cascade: claims whose p is higher are left to the embedded model; unset: the "
        "calibrated one.",
        ge=0,
        le=1,
    )


class LimitsSection(Section):
    """Bounds on what one call accepts."""

    max_file_mb: float = setting(
        50, "Files larger than this are refused before they are read.", gt=0, loosens="higher"
    )
    max_text_chars: int = setting(
        1_000_000, "Longer texts to check are refused.", ge=1, loosens="higher"
    )
    max_claims: int = setting(5_000, "Texts with more claims are refused.", ge=1, loosens="higher")
    max_document_chars: int = setting(
        20_000_000,
        "Documents that unfold to more characters of text than this are refused.",
        ge=1,
        loosens="higher",
    )
    max_pages: int = setting(5_000, "PDFs with more pages are refused.", ge=1, loosens="higher")
    parse_timeout: Duration = duration(
        "60s", "The longest one HTML, PDF or DOCX file may take to read.", loosens="higher"
    )
    parse_memory_mb: int = setting(
        2_048, "Memory the process that reads HTML, PDF and DOCX may use.", ge=128, loosens="higher"
    )


class MemorySection(Section):
    """How facts move between tiers: each recall strengthens a fact, and time weakens it."""

    half_life: Duration = duration(
        "30d", "The time in which the strength of a fact that is not used halves.", loosens="never"
    )
    promote_at: float = setting(
        3.0, "From this strength a verified fact of a session is long-term.", gt=0, loosens="lower"
    )
    contradicts_from: float | None = setting(
        None,
        "Two facts contradict each other from this probability on; unset: the calibrated one.",
        gt=0,
        lt=1,
    )
    archive_below: float = setting(
        0.05,
        "Below this strength a fact is archived; one that was never recalled begins with 1.",
        gt=0,
        lt=1,
        loosens="never",
    )


class AuditSection(Section):
    """The record of every verdict."""

    enabled: bool = setting(True, "Write one row per verdict.", loosens="off")
    retention: Duration = duration("90d", "Rows older than this are deleted.", loosens="lower")
    max_rows: int = setting(
        1_000_000, "The oldest rows beyond this count are deleted.", ge=1, loosens="lower"
    )


class LogSection(Section):
    level: Literal["debug", "info", "warn", "error", "off"] = setting(
        "warn",
        "The least severe entry that is written.",
        loosens=("debug", "info", "warn", "error", "off"),
    )
    format: Literal["auto", "json", "text"] = setting(
        "auto",
        "One JSON object per line, or a line for people; auto is JSON beside JSON output alone.",
        loosens="never",
    )


class TelemetrySection(Section):
    """Spans for OpenTelemetry: names, counts and times, never texts."""

    endpoint: Address | None = address(
        "Where spans are sent (OTLP over HTTP), as in http://127.0.0.1:4318; unset: nowhere."
    )


class Config(Section):
    """The whole tree: defaults, then a YAML file, then the environment, then the command line."""

    home: Path = setting(
        Path("~/.groundwire"),
        "Where Groundwire keeps its own files: audit trail, metrics, indexes.",
    )
    hallucination: HallucinationSection = nested()
    judge: JudgeSection = nested()
    evidence: EvidenceSection = nested()
    terms: TermsSection = nested()
    answer: AnswerSection = nested()
    circuit_breaker: CircuitBreakerSection = nested()
    llm: LLMSection = nested()
    external: ExternalSection = nested()
    diagnosis: DiagnosisSection = nested()
    verification: VerificationConfig = nested()
    actions: ActionsSection = nested()
    memory: MemorySection = nested()
    limits: LimitsSection = nested()
    serve: ServeSection = nested()
    proxy: ProxySection = nested()
    audit: AuditSection = nested()
    log: LogSection = nested()
    telemetry: TelemetrySection = nested()
