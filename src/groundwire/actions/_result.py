from typing import Literal

from pydantic import Field

from groundwire.actions._claims import Said
from groundwire.model import Model

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
