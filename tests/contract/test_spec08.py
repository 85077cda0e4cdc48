"""S4 by what a caller sees: detection, its settings, its functions and how long it takes."""

import math
import sys
from collections.abc import Callable, Sequence
from inspect import signature
from os import environ
from subprocess import PIPE, Popen
from typing import Any

import pytest

import groundwire
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


def test_spec_08_01_evidence_that_was_there_and_was_not_used_is_found(engine: Engine) -> None:
    """[SPEC-08.01] The height stands in the evidence, the text gives another: the bits say so."""
    used, ignored = (
        engine.verify_claim_sync(f"The mast is {metres} m high.", EVIDENCE) for metres in (40, 70)
    )
    assert (used.status, ignored.status) == ("grounded", "contradicted")
    assert used.observed_bits is not None
    assert ignored.observed_bits is not None
    assert used.observed_bits > 0 >= ignored.observed_bits
    assert (used.flagged, ignored.flagged) == (False, True)


@pytest.mark.parametrize("alone", ["memory_gate", "output_verification", "trace_auditing"])
def test_spec_08_02_each_use_is_switched_on_by_itself(alone: str) -> None:
    """[SPEC-08.02] Switching one on leaves the two others as they were: off."""
    loaded = load_config(
        environ={},
        overrides={"hallucination.enabled": True, f"hallucination.{alone}.enabled": True},
    )
    section = loaded.config.hallucination
    uses = ("memory_gate", "output_verification", "trace_auditing")
    assert {use for use in uses if getattr(section, use).enabled} == {alone}
    assert section.enabled


def test_spec_08_03_and_32_a_result_has_both_probabilities_and_the_bits(engine: Engine) -> None:
    """[SPEC-08.03, SPEC-08.32] p0, p1 and all bits come with every verdict."""
    result = engine.verify_claim_sync("The mast is 40 m high.", EVIDENCE, 0.9)
    assert result.p0 is not None
    assert result.p1 is not None
    assert result.p0 < 0.5 < result.p1
    assert None not in (result.required_bits, result.observed_bits, result.budget_gap)
    assert result.status == "grounded"


def test_spec_08_05_flagged_is_more_bits_required_than_observed(engine: Engine) -> None:
    """[SPEC-08.04, SPEC-08.05] A claim is flagged exactly when its evidence gives too few bits."""
    held = engine.verify_claim_sync("The mast is 40 m high.", EVIDENCE, 0.9)
    invented = engine.verify_claim_sync("The mast was a gift of the king.", EVIDENCE, 0.9)
    for result in (held, invented):
        assert result.required_bits is not None
        assert result.observed_bits is not None
        assert result.flagged == (result.required_bits > result.observed_bits)
    assert (held.flagged, invented.flagged) == (False, True)


@pytest.mark.parametrize(("p", "q"), [(0.9, 0.5), (0.2, 0.7), (0.99, 0.01)])
def test_spec_08_06_the_divergence_is_bernoullis_in_bits(p: float, q: float) -> None:
    """[SPEC-08.06] The document's formula, in bits."""
    nats = p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))
    assert kl_bits(p, q) == pytest.approx(nats / math.log(2))


def test_spec_08_07_and_08_a_claim_is_atomic_and_has_its_four_parts() -> None:
    """[SPEC-08.07, SPEC-08.08] Content, citations, confidence and source of each assertion."""
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
    """[SPEC-08.09] Questions, orders, guesses and greetings are no claims."""
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
    """[SPEC-08.29] Twenty claims cost as many calls as one: to judge, and to judge the quotes."""
    backend = Counting()
    verifier = ClaimVerifier(CachedJudge(backend, ttl_s=60), Rules(0.5), Standard())
    claims = extract_claims(" ".join(f"Mast {n} is red." for n in range(20))).claims
    await verifier.verify(claims, Evidence([EvidenceBundle.of(EVIDENCE, "d")]))
    assert len(backend.calls) <= 3
    assert backend.calls[0] <= 2 * len(claims)


def test_spec_08_31_the_functions_have_the_documents_parameters() -> None:
    """[SPEC-08.31] At the top level and in the shell; what Groundwire adds goes by keyword alone.

    `audit_trace` comes with issue G.
    """

    def parameters(function: Callable[..., object]) -> list[str]:
        found = signature(function).parameters.values()
        positional = [one.name for one in found if one.kind is not one.KEYWORD_ONLY]
        return [name for name in positional if name != "self"]

    for one in (groundwire.verify_claim, Engine.verify_claim_sync):
        assert parameters(one) == ["claim", "evidence", "confidence"]
    for many in (groundwire.verify_claims, Engine.verify_claims_sync):
        assert parameters(many) == ["text", "context"]


def test_spec_08_33_an_agent_verifies_itself_in_the_shell_while_it_works() -> None:
    """[SPEC-08.33] It writes a claim into the pipe, reads the verdict, and corrects the claim."""
    buffered = {name: value for name, value in environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-m", "groundwire", "repl"]
    with Popen(command, stdin=PIPE, stdout=PIPE, text=True, env=buffered) as shell:
        assert shell.stdin is not None
        assert shell.stdout is not None
        verdicts = []
        for claim in ("The mast is 70 m high.", "The mast is 40 m high."):
            shell.stdin.write(f"print(verify_claim({claim!r}, {EVIDENCE!r}, 0.9).status)\n")
            shell.stdin.flush()
            verdicts.append(shell.stdout.readline().strip())
        shell.stdin.close()
        assert shell.wait(timeout=60) == 0
    assert verdicts == ["contradicted", "grounded"]


class _Counting(Backend):
    """Agrees with everything, and counts how often it is asked."""

    name, context_words, threshold = "counting", 180, 0.5

    def __init__(self) -> None:
        self.calls = 0

    async def estimate(self, questions: Sequence[Question]) -> list[Estimate | BackendError]:
        self.calls += 1
        return [Estimate(p=0.9) for _ in questions]


@pytest.mark.parametrize(
    ("claims", "spec"),
    [pytest.param(1, 500, id="SPEC-08.36"), pytest.param(10, 1_500, id="SPEC-08.37")],
)
def test_a_check_asks_its_judge_at_most_three_times(claims: int, spec: int) -> None:
    """[SPEC-08.36] [SPEC-08.37] One claim or ten: three batches, so the ceilings hold.

    How long they take is measured by `benchmarks/check_speed.py`, whose ceilings are the
    specification's.
    """
    judge = _Counting()
    text = " ".join(f"Mast {number} stands in Vik." for number in range(claims))
    with Engine(load_config(overrides={"audit.enabled": False}).config, judge=judge) as engine:
        assert len(engine.verify_claims_sync(text, EVIDENCE).claims) == claims
    assert 1 <= judge.calls <= 3
    assert 500 + (100 * claims if claims > 1 else 0) == spec


def test_spec_08_34_every_setting_of_the_specification_exists() -> None:
    """[SPEC-08.34] The tree has every key the document writes down."""
    tree = Config().hallucination.model_dump()
    assert {"enabled", "backend", "batch_size", "timeout", "cache_ttl"} <= set(tree)
    assert {"type", "default"} <= set(tree["backend"])
    assert {"enabled", "min_confidence", "reject_unsupported"} <= set(tree["memory_gate"])
    assert {"enabled", "flag_threshold_bits"} <= set(tree["output_verification"])
    assert {"enabled", "check_post_hoc"} <= set(tree["trace_auditing"])


def test_spec_08_35_detection_is_off_until_it_is_asked_for() -> None:
    """[SPEC-08.35] Nothing inside other operations is on by default."""
    section = Config().hallucination
    assert not section.enabled
    assert not section.memory_gate.enabled
    assert not section.output_verification.enabled
    assert not section.trace_auditing.enabled


def test_spec_08_40_the_metrics_of_the_specification_are_declared() -> None:
    """[SPEC-08.40] Each of them can be read under its own name."""
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
    """[SPEC-08.41] Status, reason, gap and judge stand in the log, under the request."""
    report = engine.verify_claims_sync("The mast is 40 m high.", EVIDENCE)
    (entry,) = [one for one in captured_logs() if one["event"] == "claim_verified"]
    assert entry["request_id"] == report.request_id
    assert {"status", "reason", "flagged", "budget_gap", "backend"} <= set(entry)
