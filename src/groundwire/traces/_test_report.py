"""What a run of tests reports, whatever its format."""

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["passed", "failed", "nothing"]


@dataclass(frozen=True, slots=True)
class Counts:
    passed: int = 0
    failed: int = 0
    errors: int = 0
    skipped: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.passed + other.passed,
            self.failed + other.failed,
            self.errors + other.errors,
            self.skipped + other.skipped,
        )


@dataclass(frozen=True, slots=True)
class Report:
    """`nothing`: the tool ran, and found no test to run. Without counts if it told none."""

    verdict: Verdict
    counts: Counts | None = None
    is_structured: bool = False
    most: int | None = None
    """As many tests as all summaries in it speak of together; None where one may be cut off."""

    @classmethod
    def of(
        cls, counts: Counts, *, is_structured: bool = False, most: int | None = None
    ) -> "Report":
        ran = counts.passed + counts.failed + counts.errors
        verdict: Verdict = "failed" if counts.failed + counts.errors else "passed"
        most = ran + counts.skipped if is_structured else most
        return cls(verdict if ran else "nothing", counts, is_structured, most)
