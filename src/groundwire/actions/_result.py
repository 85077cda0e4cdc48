"""What was verified, counted in the process and in Prometheus [S2 Metrics]."""

from collections import Counter
from threading import Lock
from typing import Literal, get_args

from pydantic import Field

from groundwire.actions._claims import ReportCoverage, Said
from groundwire.model import Model
from groundwire.observe import metrics

ClaimStatus = Literal["verified", "superseded", "failed", "unverified"]
Level = Literal[1, 2, 3]

ErrorCategory = Literal[
    "missing_field",
    "invalid_type",
    "schema_mismatch",
    "hash_mismatch",
    "anchor_mismatch",
    "file_not_found",
    "filesystem_mismatch",
    "unknown",
]
Category = ErrorCategory | Literal["whitespace_only", "not_looked_at"]
"""What did not fit; the last two accuse nobody, so that no error has them."""
CATEGORIES: tuple[ErrorCategory, ...] = get_args(ErrorCategory)


class ClaimVerdict(Model):
    """How one claim ended. `category` says what did not fit, also where nobody is accused of it."""

    type: str
    file_path: str | None = None
    command: str | None = None
    status: ClaimStatus
    category: Category | None = None
    detail: str
    said: Said | None = None

    @property
    def named(self) -> str:
        return f"{self.type} {self.file_path or self.command or ''}".strip()


class VerificationError(Model):
    level: Level
    category: ErrorCategory
    message: str


WarningCategory = Literal["unclaimed_write", "unrecorded_write"]


class VerificationWarning(Model):
    """Worth a look, and nobody's fault yet."""

    category: WarningCategory
    file_path: str
    message: str


class ClaimCounts(Model):
    """Two parts of `unverified` are counted apart.

    `unverified_commands` only a trace could have told; `not_looked_at` was left when the time or
    the room for it had run out.
    """

    verified: int = 0
    superseded: int = 0
    failed: int = 0
    unverified: int = 0
    unverified_commands: int = 0
    not_looked_at: int = 0


class VerificationResult(Model):
    """The outcome of one verification.

    `valid` means that every claim was looked at and nothing was refuted. `level` is the first
    level that failed, else the highest that ran. `coverage` accounts for the report's sentences.
    """

    valid: bool
    level: Level
    claims: tuple[ClaimVerdict, ...] = ()
    errors: tuple[VerificationError, ...] = ()
    warnings: tuple[VerificationWarning, ...] = ()
    summary: ClaimCounts = ClaimCounts()
    coverage: ReportCoverage = ReportCoverage()
    levels_run: tuple[Level, ...] = ()
    durations_ms: dict[int, float] = Field(default_factory=dict)
    state_hash: str | None = Field(
        default=None, description="Hash of the state of all files that were looked at."
    )
    request_id: str | None = None

    @property
    def exit_code(self) -> int:
        """0 all told, 1 something refuted, 3 nothing to tell or not everything could be told."""
        if self.errors:
            return 1
        return 0 if self.valid and self.claims and not self.summary.unverified else 3


MAX_SPECIALISTS = 500
OTHERS = "(others)"
"""Specialists beyond the first few hundred names are counted together: memory stays bounded."""


class SpecialistMetrics(Model):
    total: int = 0
    passed: int = 0
    failed: int = 0


class LevelMetrics(SpecialistMetrics):
    avg_duration_ms: float = 0.0


class VerificationMetrics(Model):
    """`pass_rate` is None while nothing was checked: no score is made out of an absence."""

    total_checks: int
    pass_rate: float | None
    by_level: dict[Level, LevelMetrics]
    by_specialist: dict[str, SpecialistMetrics]
    errors_by_category: dict[str, int]
    claims: ClaimCounts


class MetricsCollector:
    def __init__(self) -> None:
        self._lock = Lock()
        self.clear()

    def clear(self) -> None:
        with self._lock:
            self._levels: dict[Level, Counter[str]] = {1: Counter(), 2: Counter(), 3: Counter()}
            self._duration_ms = dict.fromkeys(self._levels, 0.0)
            self._specialists: dict[str, Counter[str]] = {}
            self._categories: Counter[str] = Counter()
            self._claims: Counter[str] = Counter()
            self._total = self._passed = 0

    def add(self, result: VerificationResult, specialist_id: str) -> None:
        with self._lock:
            self._add(result, specialist_id)

    def _add(self, result: VerificationResult, specialist_id: str) -> None:
        counted = metrics()
        outcome = "passed" if result.valid else "failed"
        specialist = self._known(specialist_id)
        self._total += 1
        self._passed += result.valid
        self._specialists.setdefault(specialist, Counter())[outcome] += 1
        counted.count("action_verifications_total", specialist=specialist, outcome=outcome)
        counted.set("action_pass_rate", self._passed / self._total)
        failed_levels = {error.level for error in result.errors}
        for level in result.levels_run:
            ended = "failed" if level in failed_levels else "passed"
            duration_ms = result.durations_ms.get(level, 0.0)
            self._levels[level][ended] += 1
            self._duration_ms[level] += duration_ms
            counted.count("action_checks_total", level=str(level), outcome=ended)
            counted.observe("action_check_duration_ms", duration_ms, level=str(level))
        categories = Counter(error.category for error in result.errors)
        self._categories.update(categories)
        for category, amount in categories.items():
            counted.count("action_errors_total", amount, category=category)
        self._claims.update(result.summary.model_dump())
        for (kind, status), amount in Counter((c.type, c.status) for c in result.claims).items():
            counted.count("action_claims_total", amount, type=kind, status=status)

    def _known(self, specialist_id: str) -> str:
        full = len(self._specialists) >= MAX_SPECIALISTS
        return OTHERS if full and specialist_id not in self._specialists else specialist_id

    def read(self) -> VerificationMetrics:
        with self._lock:
            return VerificationMetrics(
                total_checks=self._total,
                pass_rate=self._passed / self._total if self._total else None,
                by_level={level: self._level(level) for level in self._levels},
                by_specialist={
                    name: SpecialistMetrics(total=count.total(), **count)
                    for name, count in self._specialists.items()
                },
                errors_by_category={name: self._categories[name] for name in CATEGORIES},
                claims=ClaimCounts(**self._claims),
            )

    def _level(self, level: Level) -> LevelMetrics:
        count = self._levels[level]
        total = count.total()
        average = self._duration_ms[level] / total if total else 0.0
        return LevelMetrics(total=total, avg_duration_ms=average, **count)
