from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from groundwire.model import ClaimResult, Clamp, Quote, VerifierInfo
from groundwire.observe import AuditTrail


def result(claim: str, status: str = "grounded", doc_id: str = "doc") -> ClaimResult:
    return ClaimResult.model_validate(
        {
            "claim": claim,
            "status": status,
            "flagged": False,
            "reason": "supported",
            "message": "",
            "target": 0.75,
            "clamp": Clamp(low=0.01, high=0.99),
            "evidence": (Quote(doc_id=doc_id, quote="q", start=0, end=1),),
            "verifier": VerifierInfo(backend="embedded", ran=True),
        }
    )


@pytest.fixture
def trail(tmp_path: Path) -> AuditTrail:
    return AuditTrail(tmp_path / "audit.sqlite", retention=timedelta(days=1), max_rows=1000)


def test_rows_come_back_newest_first_with_their_detail(trail: AuditTrail) -> None:
    trail.record("check", "req-1", [result("first"), result("second", "contradicted")])
    rows = trail.query()
    assert [row.claim for row in rows] == ["second", "first"]
    assert rows[0].detail["evidence"][0]["doc_id"] == "doc"
    trail.close()


def test_rows_can_be_found_by_what_people_ask_for(trail: AuditTrail) -> None:
    trail.record("check", "req-1", [result("The bridge opened in 1990", doc_id="a")])
    trail.record("memory", "req-2", [result("The tunnel is closed", "contradicted", "b")])
    assert [row.request_id for row in trail.query(status="contradicted")] == ["req-2"]
    assert [row.request_id for row in trail.query(source="a")] == ["req-1"]
    assert [row.request_id for row in trail.query(contains="BRIDGE")] == ["req-1"]
    assert [row.request_id for row in trail.query(operation="memory")] == ["req-2"]
    assert trail.query(since=datetime.now(UTC) + timedelta(hours=1)) == []
    assert len(trail.query(limit=1)) == 1
    trail.close()


def test_deleting_a_source_deletes_every_verdict_that_consulted_it(trail: AuditTrail) -> None:
    trail.record("check", "req-1", [result("x", doc_id="a")], doc_ids=["a", "b"])
    trail.record("check", "req-2", [result("y", doc_id="c")])
    assert trail.delete_source("b") == 1
    assert [row.claim for row in trail.query()] == ["y"]
    assert trail.query(source="a") == []
    trail.close()


def test_old_and_surplus_rows_are_pruned(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    trail = AuditTrail(path, retention=timedelta(days=1), max_rows=3)
    trail.record("check", "req", [result(str(number)) for number in range(5)])
    assert trail.prune() == 2
    assert [row.claim for row in trail.query()] == ["4", "3", "2"]
    trail.close()
    forgetful = AuditTrail(path, retention=timedelta(0), max_rows=3)
    assert forgetful.prune() == 3
    forgetful.close()


def test_secrets_are_not_written(trail: AuditTrail) -> None:
    trail.record("check", "req", [result("The key is sk-abcdefghijklmnopqrstuvwx")])
    row = trail.query()[0]
    assert "sk-abc" not in row.claim
    assert "sk-abc" not in str(row.detail)
    trail.close()
