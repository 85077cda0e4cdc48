"""What was verified, counted in the process and in Prometheus [S2 Metrics]."""

from collections import Counter
from threading import Lock
from typing import Literal

from pydantic import Field

from groundwire.actions._claims import Said
from groundwire.model import Model
from groundwire.observe import metrics

ClaimStatus = Literal["verified", "superseded", "failed", "unverified"]
Level = Literal[1, 2, 3]

Category = Literal[
    "missing_field",
    "invalid_type",
    "schema_mismatch",
    "hash_mismatch",
    "anchor_mismatch",
    "file_not_found",
    "filesystem_mismatch",
    "unknown",
]
CATEGORIES: tuple[Category, ...] = (
    "missing_field",
    "invalid_type",
    "schema_mismatch",
    "hash_mismatch",
    "anchor_mismatch",
    "file_not_found",
    "filesystem_mismatch",
    "unknown",
)


class ClaimVerdict(Model):
    """How one claim ended. `category` says what did not fit, also where nobody is accused of it."""

    type: str
    file_path: str | None = None
    command: str | None = None
    status: ClaimStatus
    category: Category | None = None
    detail: str
    said: Said | None = None


class VerificationError(Model):
    level: Level
    category: Category
    message: str


WarningCategory = Literal["unclaimed_write", "unrecorded_write"]


class VerificationWarning(Model):
    """Worth a look, and nobody's fault yet."""

    category: WarningCategory
    file_path: str
    message: str


class ClaimCounts(Model):
    """`unverified_commands` is the part of `unverified` that only a trace could have told."""

    verified: int = 0
    superseded: int = 0
    failed: int = 0
    unverified: int = 0
    unverified_commands: int = 0


class VerificationResult(Model):
    """The outcome of one verification.

    `valid` means that nothing was refuted. `level` is the first level that failed, else the
    highest that ran.
    """

    valid: bool
    level: Level
    claims: tuple[ClaimVerdict, ...] = ()
    errors: tuple[VerificationError, ...] = ()
    warnings: tuple[VerificationWarning, ...] = ()
    summary: ClaimCounts = ClaimCounts()
    levels_run: tuple[Level, ...] = ()
    durations_ms: dict[int, float] = Field(default_factory=dict)
    state_hash: str | None = Field(
        default=None, description="Hash of the state of all files that were looked at."
    )
    request_id: str | None = None

    @property
    def exit_code(self) -> int:
        """0 all told, 1 something refuted, 3 nothing to tell or not everything could be told."""
        if not self.valid:
            return 1
        return 3 if self.summary.unverified or not self.claims else 0


MAX_SPECIALISTS = 500
OTHERS = "(others)"
"""Specialists beyond the first few hundred names are counted together: memory stays bounded."""


class LevelMetrics(Model):
    total: int = 0
    passed: int = 0
    failed: int = 0
    avg_duration_ms: float = 0.0


class SpecialistMetrics(Model):
    total: int = 0
    passed: int = 0
    failed: int = 0


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
        _count_in_prometheus(result, self._known(specialist_id), self.pass_rate or 0.0)

    def _add(self, result: VerificationResult, specialist_id: str) -> None:
        outcome = "passed" if result.valid else "failed"
        self._total += 1
        self._passed += result.valid
        self._specialists.setdefault(self._known(specialist_id), Counter())[outcome] += 1
        self._categories.update(error.category for error in result.errors)
        self._claims.update(result.summary.model_dump())
        failed_levels = {error.level for error in result.errors}
        for level in result.levels_run:
            self._levels[level]["failed" if level in failed_levels else "passed"] += 1
            self._duration_ms[level] += result.durations_ms.get(level, 0.0)

    def _known(self, specialist_id: str) -> str:
        full = len(self._specialists) >= MAX_SPECIALISTS
        return OTHERS if full and specialist_id not in self._specialists else specialist_id

    @property
    def pass_rate(self) -> float | None:
        return self._passed / self._total if self._total else None

    def read(self) -> VerificationMetrics:
        with self._lock:
            return VerificationMetrics(
                total_checks=self._total,
                pass_rate=self.pass_rate,
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


def _count_in_prometheus(result: VerificationResult, specialist: str, pass_rate: float) -> None:
    counted = metrics()
    outcome = "passed" if result.valid else "failed"
    counted.count("action_verifications_total", specialist=specialist, outcome=outcome)
    counted.set("action_pass_rate", pass_rate)
    failed_levels = {error.level for error in result.errors}
    for level in result.levels_run:
        ended = "failed" if level in failed_levels else "passed"
        counted.count("action_checks_total", level=str(level), outcome=ended)
        duration_ms = result.durations_ms.get(level, 0.0)
        counted.observe("action_check_duration_ms", duration_ms, level=str(level))
    for category, amount in Counter(error.category for error in result.errors).items():
        counted.count("action_errors_total", amount, category=category)
    for (kind, status), amount in Counter((c.type, c.status) for c in result.claims).items():
        counted.count("action_claims_total", amount, type=kind, status=status)
