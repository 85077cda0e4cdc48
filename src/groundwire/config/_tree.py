"""Every setting there is. `_load` fills this tree; `docs/reference/config.md` is made from it."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from groundwire.config._documents import AnswerSection, EvidenceSection, TermsSection
from groundwire.config._llm import ExternalSection, LLMSection
from groundwire.config._section import (
    Duration,
    OneIsAList,
    Section,
    parse_duration,
    planned,
    registered,
)
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
    type: BackendType = Field(
        default="embedded", description="Which judge estimates probabilities [SPEC-08.27]."
    )
    default: BackendName = Field(
        default="embedded",
        description="With `type: configurable`: the judge of operations not named otherwise.",
    )
    operations: dict[Operation, BackendName] = Field(
        default={},
        description="With `type: configurable`: judges by operation, as in {edge: haiku}; those of "
        "memory, output and trace are not in effect.",
    )


class MemoryGateSection(Section):
    enabled: bool = planned(False, "Verify facts before they are stored.")
    min_confidence: float = planned(
        0.5, "Facts whose adjusted confidence is lower are refused.", ge=0, le=1
    )
    reject_unsupported: bool = planned(True, "Refuse facts that the evidence does not support.")
    max_budget_gap_bits: float = planned(
        2.0, "Facts with a larger budget gap are refused [SPEC-08.16]."
    )


class OutputVerificationSection(Section):
    enabled: bool = planned(False, "Verify responses before they are returned.")
    flag_threshold_bits: float = Field(
        default=0.0, description="A claim whose budget gap is larger is flagged [SPEC-08.05]."
    )


class TraceAuditingSection(Section):
    enabled: bool = planned(False, "Audit reasoning traces.")
    check_post_hoc: bool = planned(
        True, "Check that the answer follows from the steps [SPEC-08.25]."
    )


class HallucinationSection(Section):
    """Detection as SPEC-08 configures it."""

    enabled: bool = planned(
        False, "Detection inside other operations. Explicit calls and commands always work."
    )
    target_confidence: float = Field(
        default=0.75,
        ge=0,
        le=1,
        description="The confidence a claim must justify when neither caller nor wording says one.",
    )
    on_interval: Literal["unverifiable", "middle"] = Field(
        default="unverifiable",
        description="When the ends of a probability interval disagree about the status.",
    )
    backend: BackendSection = BackendSection()
    memory_gate: MemoryGateSection = MemoryGateSection()
    output_verification: OutputVerificationSection = OutputVerificationSection()
    trace_auditing: TraceAuditingSection = TraceAuditingSection()
    batch_size: int = Field(default=32, ge=1, le=1024, description="Claims judged in one call.")
    timeout: Duration = Field(
        default=parse_duration("30s"), description="The longest one judge call may take."
    )
    cache_ttl: Duration = Field(
        default=parse_duration("10m"), description="How long a judgement is reused [SPEC-08.30]."
    )


class JudgeSection(Section):
    """The judge that needs no key."""

    threshold: float | None = Field(
        default=None,
        gt=0,
        lt=1,
        description="p1 at and above which a claim is grounded; unset: the judge's calibrated one.",
    )
    refute_threshold: float | None = Field(
        default=None,
        gt=0,
        lt=1,
        description="Probability of refutation at and above which a claim is contradicted; unset: "
        "the calibrated one.",
    )
    languages: Annotated[list[str], OneIsAList] = Field(
        default=["en"],
        description="Languages judged; claims in others are `unverifiable`. `any` judges all.",
    )
    threads: int = Field(default=2, ge=1, le=64, description="Threads of the embedded model.")
    depth: Literal["fast", "cascade", "deep"] = Field(
        default="fast",
        description="fast: the embedded model; cascade: a local language model judges with it what "
        "it is unsure of; deep: it judges everything with it.",
    )
    deep_model: Path | None = Field(
        default=None,
        description="The GGUF file of the deep judge (Qwen2.5-Coder-1.5B-Instruct, Q4_K_M); unset: "
        "`models/deep.gguf` in the home directory.",
    )
    band_low: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="cascade: claims whose p is lower are left to the embedded model; unset: the "
        "calibrated one.",
    )
    band_high: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="cascade: claims whose p is higher are left to the embedded model; unset: the "
        "calibrated one.",
    )


class LimitsSection(Section):
    """Bounds on what one call accepts."""

    max_file_mb: float = Field(
        default=50, gt=0, description="Files larger than this are refused before they are read."
    )
    max_text_chars: int = Field(
        default=1_000_000, ge=1, description="Longer texts to check are refused."
    )
    max_claims: int = Field(default=5_000, ge=1, description="Texts with more claims are refused.")
    max_document_chars: int = Field(
        default=20_000_000,
        ge=1,
        description="Documents that unfold to more characters of text than this are refused.",
    )
    max_pages: int = Field(default=5_000, ge=1, description="PDFs with more pages are refused.")
    parse_timeout: Duration = Field(
        default=parse_duration("60s"),
        description="The longest one HTML, PDF or DOCX file may take to read.",
    )
    parse_memory_mb: int = Field(
        default=2_048,
        ge=128,
        description="Memory the process that reads HTML, PDF and DOCX may use.",
    )


class AuditSection(Section):
    """The record of every verdict."""

    enabled: bool = Field(default=True, description="Write one row per verdict.")
    retention: Duration = Field(
        default=parse_duration("90d"), description="Rows older than this are deleted."
    )
    max_rows: int = Field(
        default=1_000_000, ge=1, description="The oldest rows beyond this count are deleted."
    )


class LogSection(Section):
    level: Literal["debug", "info", "warn", "error", "off"] = Field(
        default="warn", description="The least severe entry that is written."
    )
    format: Literal["json", "text"] = Field(
        default="json", description="One JSON object per line, or a line for people."
    )


class Config(Section):
    """The whole tree: defaults, then a YAML file, then the environment, then the command line."""

    home: Path = Field(
        default=Path("~/.groundwire"),
        description="Where Groundwire keeps its own files: audit trail, metrics, indexes.",
    )
    hallucination: HallucinationSection = HallucinationSection()
    judge: JudgeSection = JudgeSection()
    evidence: EvidenceSection = EvidenceSection()
    terms: TermsSection = TermsSection()
    answer: AnswerSection = AnswerSection()
    circuit_breaker: CircuitBreakerSection = CircuitBreakerSection()
    llm: LLMSection = LLMSection()
    external: ExternalSection = ExternalSection()
    diagnosis: DiagnosisSection = DiagnosisSection()
    verification: VerificationConfig = VerificationConfig()
    actions: ActionsSection = ActionsSection()
    limits: LimitsSection = LimitsSection()
    audit: AuditSection = AuditSection()
    log: LogSection = LogSection()
