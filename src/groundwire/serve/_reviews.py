"""A person's word on a verdict: it becomes a labelled case that the judge is measured with."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from groundwire.config import Config
from groundwire.evaluate import LabelledClaim
from groundwire.model import Model
from groundwire.observe import AuditRow
from groundwire.serve._bodies import ReviewBody
from groundwire.serve._problems import Problem
from groundwire.store import Database, Migration

_REVIEWS: Migration = (
    """CREATE TABLE review (
        verdict_id INTEGER PRIMARY KEY,
        moment REAL NOT NULL,
        claim TEXT NOT NULL,
        evidence TEXT NOT NULL,
        verdict TEXT NOT NULL,
        status TEXT NOT NULL,
        p1 REAL,
        backend TEXT NOT NULL,
        reviewer TEXT NOT NULL,
        note TEXT NOT NULL
    ) STRICT""",
)
CLAIM_STATUSES = ("grounded", "unsupported", "contradicted", "unverifiable")


class Review(Model):
    """`verdict` is what the judge said, `status` what the person says."""

    verdict_id: int
    moment: datetime
    claim: str
    evidence: str
    verdict: str
    status: str
    p1: float | None = None
    backend: str
    reviewer: str = ""
    note: str = ""

    @property
    def is_confirmed(self) -> bool:
        return self.verdict == self.status


class ReviewStore(Database):
    """The words of claim and evidence are kept here, beyond the retention of the trail."""

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        super().__init__(path, [_REVIEWS])
        self._clock = clock

    @classmethod
    def of(cls, config: Config) -> Self:
        return cls(config.home.expanduser() / "reviews.sqlite")

    def add(self, row: AuditRow, body: ReviewBody) -> Review:
        """The last word on a verdict counts."""
        if row.status not in CLAIM_STATUSES:
            raise Problem(409, "not_a_claim", "Only verdicts on claims are reviewed.")
        quotes = [*row.detail.get("evidence", ()), *filter(None, [row.detail.get("nearest")])]
        evidence = "\n\n".join(str(one["quote"]) for one in quotes if isinstance(one, dict))
        status = body.status or row.status
        with self.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO review VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(row.id, self._clock(), row.claim, evidence, row.status, status),
                    *(row.detail.get("p1"), row.backend, body.reviewer, body.note),
                ),
            )
        return self.all(row.id)[0]

    def all(self, verdict_id: int | None = None, limit: int = 1_000) -> list[Review]:
        rows = self.read(
            "SELECT * FROM review WHERE ? IS NULL OR verdict_id = ? ORDER BY moment DESC LIMIT ?",
            [verdict_id, verdict_id, limit],
        )
        return [
            Review(**{**dict(row), "moment": datetime.fromtimestamp(row["moment"], UTC)})
            for row in rows
        ]

    def reviewed(self) -> set[int]:
        return {row["verdict_id"] for row in self.read("SELECT verdict_id FROM review")}

    def cases(self) -> list[dict[str, Any]]:
        """Rows for `gw bench claims`, and p1 beside each label for calibration.

        A verdict without a quote left no evidence to judge by, and "cannot be told" is no label.
        """
        return [
            LabelledClaim(
                id=f"review-{one.verdict_id}",
                set="reviewed",
                evidence=one.evidence,
                claim=one.claim,
                label=int(one.status == "grounded"),
            ).model_dump()
            | {"status": one.status, "verdict": one.verdict, "p1": one.p1, "judge": one.backend}
            for one in self.all(limit=1_000_000)
            if one.evidence and one.status != "unverifiable"
        ]
