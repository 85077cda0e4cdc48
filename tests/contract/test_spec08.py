"""SPEC-08.03 to .11, .29, .32, .34, .35, .40, .41: the wire, by what a caller sees."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from groundwire.claims import extract_claims
from groundwire.config import Config, load_config
from groundwire.engine import Engine
from groundwire.errors import BackendError
from groundwire.judge import CachedJudge, Estimate, Evidence, Question, kl_bits
from groundwire.judge._protocol import Backend
from groundwire.model import EvidenceBundle, Source
from groundwire.observe import METRICS
from groundwire.verify import ClaimVerifier, Rules, Standard

EVIDENCE = "The mast is 40 m high. It stands in Vik."


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    home = tmp_path_factory.mktemp("home")
    with Engine(load_config(overrides={"home": str(home)}).config) as made:
        yield made


def test_spec_08_03_and_32_a_result_has_both_probabilities_and_the_bits(engine: Engine) -> None:
    result = engine.verify_claim_sync("The mast is 40 m high.", EVIDENCE, 0.9)
    assert result.p0 is not None
    assert result.p1 is not None
    assert result.p0 < 0.5 < result.p1
    assert None not in (result.required_bits, result.observed_bits, result.budget_gap)
    assert result.status == "grounded"


def test_spec_08_05_flagged_is_more_bits_required_than_observed(engine: Engine) -> None:
    held = engine.verify_claim_sync("The mast is 40 m high.", EVIDENCE, 0.9)
    invented = engine.verify_claim_sync("The mast was a gift of the king.", EVIDENCE, 0.9)
    for result in (held, invented):
        assert result.required_bits is not None
        assert result.observed_bits is not None
        assert result.flagged == (result.required_bits > result.observed_bits)
    assert (held.flagged, invented.flagged) == (False, True)


@pytest.mark.parametrize(("p", "q"), [(0.9, 0.5), (0.2, 0.7), (0.99, 0.01)])
def test_spec_08_06_the_divergence_is_bernoullis_in_bits(p: float, q: float) -> None:
    nats = p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))
    assert kl_bits(p, q) == pytest.approx(nats / math.log(2))


def test_spec_08_07_and_08_a_claim_is_atomic_and_has_its_four_parts() -> None:
    text = "Ada founded the yard in 1990 and sold it in 2001 [1]."
    claims = extract_claims(text, [Source(doc_id="yard.md")]).claims
    assert [claim.content for claim in claims] == [
        "Ada founded the yard in 1990",
        "Ada sold it in 2001.",
    ]
    for claim in claims:
        assert claim.source.of(text) in text
        assert [citation.doc_id for citation in claim.citations] == ["yard.md"]
    (certain,) = extract_claims("The yard certainly closed in 2001.").claims
    assert certain.confidence is not None
    assert certain.confidence > 0.9


@pytest.mark.parametrize(
    "text", ["Is it high?", "Please measure it.", "It might be high.", "Hello!"]
)
def test_spec_08_09_what_asserts_nothing_is_left_out_with_its_reason(text: str) -> None:
    extraction = extract_claims(text)
    assert extraction.claims == ()
    assert [excluded.reason for excluded in extraction.excluded] != []


class Counting(Backend):
    name, context_words, threshold = "counting", 100, 0.5

    def __init__(self) -> None:
        self.calls: list[int] = []

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        self.calls.append(len(questions))
        return [Estimate(p=0.9)] * len(questions)


@pytest.mark.anyio
async def test_spec_08_29_claims_are_judged_together() -> None:
    backend = Counting()
    verifier = ClaimVerifier(CachedJudge(backend, ttl_s=60), Rules(0.5), Standard())
    claims = extract_claims(" ".join(f"Mast {n} is red." for n in range(20))).claims
    await verifier.verify(claims, Evidence([EvidenceBundle.of(EVIDENCE, "d")]))
    assert len(backend.calls) == 1
    assert backend.calls[0] <= 2 * len(claims)


def test_spec_08_34_every_setting_of_the_specification_exists() -> None:
    tree = Config().hallucination.model_dump()
    assert {"enabled", "backend", "batch_size", "timeout", "cache_ttl"} <= set(tree)
    assert {"type", "default"} <= set(tree["backend"])
    assert {"enabled", "min_confidence", "reject_unsupported"} <= set(tree["memory_gate"])
    assert {"enabled", "flag_threshold_bits"} <= set(tree["output_verification"])
    assert {"enabled", "check_post_hoc"} <= set(tree["trace_auditing"])


def test_spec_08_35_detection_is_off_until_it_is_asked_for() -> None:
    section = Config().hallucination
    assert not section.enabled
    assert not section.memory_gate.enabled
    assert not section.output_verification.enabled
    assert not section.trace_auditing.enabled


def test_spec_08_40_the_metrics_of_the_specification_are_declared() -> None:
    assert METRICS["hallucinations_detected_total"].labels == ("status",)
    assert METRICS["verification_latency_ms"].kind == "histogram"
    assert {
        "claims_verified_total",
        "verification_cache_hit_total",
        "verification_cache_miss_total",
        "facts_rejected_total",
    } <= set(METRICS)


def test_spec_08_41_a_verdict_is_logged_with_what_is_needed_to_understand_it(
    engine: Engine, captured_logs: Callable[[], list[dict[str, Any]]]
) -> None:
    report = engine.verify_claims_sync("The mast is 40 m high.", EVIDENCE)
    (entry,) = [one for one in captured_logs() if one["event"] == "claim_verified"]
    assert entry["request_id"] == report.request_id
    assert {"status", "reason", "flagged", "budget_gap", "backend"} <= set(entry)
