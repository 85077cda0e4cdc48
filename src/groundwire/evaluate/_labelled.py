"""Claims with labels, a user's or our own, judged one by one."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BeforeValidator, ConfigDict, Field

from groundwire.engine import Engine
from groundwire.errors import InputError
from groundwire.evaluate._golden import read_bytes, records, validated
from groundwire.evaluate._results import CaseOutcome, Progress
from groundwire.model import EvidenceBundle, Model

Case = TypeVar("Case")

_STATUSES = {
    "supported": ("grounded",),
    "refuted": ("contradicted",),
    "neutral": ("unsupported", "unverifiable"),
    "1": ("grounded",),
    "0": ("unsupported", "unverifiable", "contradicted"),
}
"""What a label lets a status be; 0 leaves open whether the evidence opposes the claim."""


class NamedText(Model):
    name: str
    text: str


class ClaimCase(Model):
    """A claim with its evidence and label: 1 or 0, or supported, refuted, neutral."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    id: str
    claim: str = Field(min_length=1)
    evidence: str | tuple[NamedText, ...]
    label: Annotated[Literal["supported", "refuted", "neutral", "1", "0"], BeforeValidator(str)]
    kind: str = "claim"
    set: str = "any"
    split: Literal["open", "held"] = "open"

    @property
    def bundles(self) -> list[EvidenceBundle]:
        if isinstance(self.evidence, str):
            return [EvidenceBundle.of(self.evidence, "evidence")]
        return [EvidenceBundle.of(one.text, one.name) for one in self.evidence]


def read_claim_cases(path: Path) -> list[ClaimCase]:
    """Labelled claims from lines of JSON or a table; the first bad line is named."""
    rows = [
        validated(ClaimCase, {"id": f"{path.name}:{number}", **fields}, path, number)
        for number, fields in records(read_bytes(path), path)
    ]
    if not rows:
        raise InputError(f"{path} holds no claims.")
    return rows


def judge_claims(
    engine: Engine, rows: Sequence[ClaimCase], suite: str, progress: Progress | None = None
) -> list[CaseOutcome]:
    """A verdict is wanted of claims that are supported or refuted, and must be the right one; with
    labels 1 and 0 it is "grounded" that is wanted."""
    found = []
    for row in counted(rows, progress):
        started_s = time.perf_counter()
        result = engine.verify_claim_sync(row.claim, row.bundles)
        elapsed_ms = (time.perf_counter() - started_s) * 1000
        fine = result.status in _STATUSES[row.label]
        verdicts = ("grounded",) if row.label in ("0", "1") else ("grounded", "contradicted")
        found.append(
            CaseOutcome(
                id=row.id,
                suite=suite,
                category=row.kind,
                collection=row.set,
                split=row.split,
                wanted=row.label not in ("0", "neutral"),
                given=result.status in verdicts,
                right=fine,
                passed=fine,
                reason=None if fine else f"called_{result.status}",
                confidence=result.p1 if result.status == "grounded" else None,
                ended=result.status,
                wanted_end=_STATUSES[row.label][0],
                input=row.claim,
                expected={"label": row.label},
                actual={"status": result.status, "reason": result.reason},
                trace={"p0": result.p0, "p1": result.p1, "message": result.message}
                | {"quotes": [one.model_dump(mode="json") for one in result.evidence]},
                latency_ms=elapsed_ms,
            )
        )
    return found


def counted(cases: Sequence[Case], progress: Progress | None) -> Iterator[Case]:
    """Each case in turn; what was done is told."""
    for number, one in enumerate(cases, 1):
        yield one
        if progress is not None:
            progress(number, len(cases))
