"""The engine with a judge behind the real `external` wire, which answers as the test says."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from groundwire.config import load_config
from groundwire.engine import Engine
from groundwire.errors import InputError
from groundwire.judge import EVIDENCE_REMOVED, Estimate
from groundwire.model import EvidenceBundle
from groundwire.observe import AuditTrail, metrics
from groundwire.testing import ExternalJudgeServer, Fault
from tests.diagnose.make import GRAPH, HOT

Judge = Callable[[str, str], Estimate | None]
EVIDENCE = "The mast is 40 m high. It stands in Vik."


@contextmanager
def engine(
    judge: Judge, fault: Fault | None = None, settings: dict[str, object] | None = None
) -> Iterator[Engine]:
    with ExternalJudgeServer(judge, faults=fault) as server:
        overrides = {
            "hallucination.backend.type": "external",
            "external.url": server.base_url,
            "verification.max_retries": 0,
        }
        config = load_config(overrides=overrides | (settings or {})).config
        with Engine(config) as made:
            yield made


def fixed(p0: float, p1: float) -> Judge:
    return lambda _, context: Estimate(p=p0 if EVIDENCE_REMOVED in context else p1)


@pytest.mark.parametrize(
    ("p0", "p1", "target", "status", "reason"),
    [
        (0.5, 0.05, 0.9, "contradicted", "refuted"),
        (0.95, 0.05, 0.9, "contradicted", "refuted"),
        (0.5, 0.49, 0.9, "unsupported", "not_in_evidence"),
        (0.99, 0.99, 0.95, "grounded", "prior_known"),
        (0.5, 0.8, 0.95, "grounded", "overconfident"),
        (0.5, 0.97, 0.9, "grounded", "supported"),
    ],
)
def test_the_rulings_cases_hold_from_end_to_end(
    p0: float, p1: float, target: float, status: str, reason: str
) -> None:
    with engine(fixed(p0, p1)) as made:
        result = made.verify_claim_sync("The mast is high.", EVIDENCE, target)
    assert (result.status, result.reason) == (status, reason)
    assert result.flagged == (reason not in ("prior_known", "supported"))
    assert result.target == pytest.approx(target)
    assert result.budget_gap == pytest.approx(
        (result.required_bits or 0) - (result.observed_bits or 0)
    )
    assert 0 <= (result.adjusted_confidence or 0) <= target


def test_spec_08_10_the_judge_is_asked_with_the_evidence_and_without_it() -> None:
    """[SPEC-08.10] The second time a marker stands where the evidence stood; then the quote."""
    asked: list[str] = []

    def judge(_: str, context: str) -> Estimate:
        asked.append(context)
        return Estimate(p=0.9)

    with engine(judge) as made:
        made.verify_claim_sync("The mast is high.", EVIDENCE)
    assert asked[:2] == [EVIDENCE, f"{EVIDENCE_REMOVED} It stands in Vik."]
    assert asked[2:] == ["The mast is 40 m high."]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fault("overloaded"), "backend_unavailable"),
        (Fault("rate_limited"), "backend_rate_limited"),
        (Fault("wrong_key"), "backend_refused"),
    ],
)
def test_spec_08_42_a_failing_judge_leaves_a_claim_unverifiable(fault: Fault, reason: str) -> None:
    """[SPEC-08.42, SPEC-08.43] Timeout, error, rate limit: a reason, and no exception."""
    with engine(fixed(0.1, 0.9), fault) as made:
        report = made.verify_claims_sync("The mast is high.", EVIDENCE)
    (result,) = report.claims
    assert (report.mode, result.status, result.reason) == ("ABSTAIN", "unverifiable", reason)
    assert (result.p1, result.verifier.ran, result.flagged) == (None, False, True)


def test_a_claim_the_judge_has_no_answer_for_costs_only_itself() -> None:
    def judge(claim: str, _: str) -> Estimate | None:
        return None if "Vik" in claim else Estimate(p=0.9)

    with engine(judge) as made:
        report = made.verify_claims_sync("The mast is 40 m high. It stands in Vik.", EVIDENCE)
    assert [result.status for result in report.claims] == ["grounded", "unverifiable"]
    assert report.mode == "ANSWER"


def test_a_claim_supported_elsewhere_than_it_cites_is_miscited() -> None:
    with engine(lambda _, context: Estimate(p=0.9 if "40 m" in context else 0.05)) as made:
        report = made.verify_claims_sync(
            "The mast is 40 m high [1]. The mast is 40 m high [2].",
            {"a": "The mast is painted red.", "b": EVIDENCE},
        )
    miscited, cited = report.claims
    assert (miscited.status, miscited.reason, miscited.flagged) == ("grounded", "miscited", True)
    assert (cited.status, cited.reason, cited.flagged) == ("grounded", "supported", False)
    assert miscited.evidence[0].doc_id == "b"


def test_a_citation_that_leads_nowhere_is_told() -> None:
    with engine(fixed(0.1, 0.9)) as made:
        report = made.verify_claims_sync("The mast is 40 m high [7].", [EVIDENCE])
    (result,) = report.claims
    assert (result.status, result.reason, result.flagged) == ("grounded", "phantom_citation", True)
    assert "[7]" in result.message
    assert report.summary.phantom_citations == 1


def test_a_number_the_evidence_has_otherwise_outranks_the_judge() -> None:
    with engine(fixed(0.1, 0.97)) as made:
        result = made.verify_claim_sync("The mast is 50 m high.", EVIDENCE, 0.9)
    assert (result.status, result.reason) == ("contradicted", "number_mismatch")
    assert result.message == 'It says "50 m"; the evidence says "40 m".'
    assert [quote.quote for quote in result.evidence] == ["The mast is 40 m high."]
    assert (result.p1, result.adjusted_confidence, result.flagged) == (0.01, 0, True)
    assert (result.observed_bits or 0) < 0


def test_a_number_is_compared_even_when_the_judge_is_down() -> None:
    with engine(fixed(0.1, 0.9), Fault("overloaded")) as made:
        result = made.verify_claim_sync("The mast is 50 m high.", EVIDENCE)
    assert (result.status, result.p1) == ("contradicted", None)


def test_nothing_to_verify_is_its_own_outcome() -> None:
    with engine(fixed(0.1, 0.9)) as made:
        report = made.verify_claims_sync("How high is it? Please tell me.", EVIDENCE)
    assert (report.mode, report.reason) == ("ABSTAIN", "nothing_to_verify")
    assert report.summary.claims == 0
    assert report.summary.excluded == 2


def test_evidence_without_words_supports_nothing() -> None:
    with engine(fixed(0.1, 0.9)) as made:
        result = made.verify_claim_sync("The mast is 40 m high.", "  \n ")
    assert (result.status, result.reason, result.verifier.ran) == (
        "unverifiable",
        "no_evidence",
        False,
    )


@pytest.mark.parametrize("confidence", [7, -0.1, float("nan")])
def test_a_confidence_that_is_none_is_refused(confidence: float) -> None:
    with engine(fixed(0.1, 0.9)) as made, pytest.raises(InputError, match="not a probability"):
        made.verify_claim_sync("The mast is high.", EVIDENCE, confidence)


def test_too_much_is_refused_before_it_is_judged() -> None:
    limits: dict[str, object] = {"limits.max_text_chars": 100, "limits.max_claims": 2}
    with engine(fixed(0.1, 0.9), settings=limits) as made:
        with pytest.raises(InputError, match="100 can be checked at once"):
            made.verify_claims_sync("The mast is high. " * 20, EVIDENCE)
        with pytest.raises(InputError, match="makes 3 claims"):
            made.verify_claims_sync("The mast is high. The mast is red. The mast is new.", EVIDENCE)


def test_every_verdict_is_counted_and_written_down(own_home: Path) -> None:
    before = metrics().value("hallucinations_detected_total", status="unsupported")
    with engine(fixed(0.3, 0.3)) as made:
        report = made.verify_claims_sync("The mast is high.", {"tower.md": EVIDENCE})
        trail = AuditTrail(
            own_home / "audit.sqlite", retention=made.config.audit.retention, max_rows=100
        )
        (row,) = trail.query(source="tower.md")
        trail.close()
    assert metrics().value("hallucinations_detected_total", status="unsupported") == before + 1
    assert (row.request_id, row.operation, row.status) == (
        report.request_id,
        "check",
        "unsupported",
    )


def test_an_audit_trail_that_cannot_be_written_does_not_cost_the_verdict(own_home: Path) -> None:
    own_home.mkdir()
    (own_home / "audit.sqlite").write_bytes(b"not a database, and long enough to be read" * 30)
    with engine(fixed(0.1, 0.9)) as made:
        assert made.verify_claim_sync("The mast is high.", EVIDENCE).status == "grounded"


def test_one_engine_serves_several_loops_and_threads() -> None:
    found: list[str] = []
    with engine(lambda claim, _: Estimate(p=0.9 if "40" in claim else 0.1)) as made:

        async def verify(height: int) -> None:
            result = await made.verify_claim(f"The mast is {height} m high.", EVIDENCE)
            found.append(f"{height} {result.status}")

        threads = [
            threading.Thread(target=lambda each=height: asyncio.run(verify(each)))
            for height in (40, 50, 60)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(found) == ["40 grounded", "50 contradicted", "60 contradicted"]


def test_a_quote_is_placed_in_the_document_its_bundle_is_from() -> None:
    document = "Front page. The mast is 40 m high."
    bundle = EvidenceBundle.of(document[12:], "tower.md", start=12)
    with engine(fixed(0.1, 0.9)) as made:
        result = made.verify_claim_sync("The mast is 40 m high.", bundle)
    (quote,) = result.evidence
    assert document[quote.start : quote.end] == quote.quote == "The mast is 40 m high."


async def _diagnosed(made: Engine) -> str:
    return (await made.diagnose(HOT, GRAPH)).mode


def test_a_diagnosis_is_had_from_any_loop_and_without_one() -> None:
    with Engine(load_config(overrides={"evidence.embedder": "off"}).config) as made:
        assert asyncio.run(_diagnosed(made)) == "ANSWER"
        assert made.diagnose_sync("The oven shows 230 °C.", GRAPH).mode == "ABSTAIN"
