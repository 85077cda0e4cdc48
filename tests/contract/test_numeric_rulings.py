"""Every number that the rulings and the five documents fix, in one table.

Each row names its clause and asks the code itself, at the number and right beside it, so that a
number that moves, or a "less" that becomes a "less or equal", shows here by its clause. The numbers
of S4 stand with their clauses in `test_spec08.py` as well, those of S3's confidence in
`test_s3_confidence.py`: there as behaviour, here as numbers.
"""

import asyncio
from collections.abc import Callable
from contextlib import nullcontext, suppress
from datetime import timedelta
from typing import NamedTuple

import pytest

from groundwire.config import Config, load_config
from groundwire.diagnose import DiagnosisAgent, Retriever
from groundwire.errors import BackendMalformed, CircuitOpen
from groundwire.gate import is_low, judge_confidence
from groundwire.ground import EdgeReader, Hypothesis, VariableNames
from groundwire.ground._belief import Acceptance
from groundwire.ground._graph import summary
from groundwire.ground._types import EdgeOutcome, LoopState, Passage, VerificationVerdict
from groundwire.guard import CircuitBreaker
from groundwire.judge import (
    MAX_QUOTED,
    Estimate,
    Evidence,
    Judged,
    LLMBackend,
    budget,
    clamped,
)
from groundwire.judge._prompt import from_samples
from groundwire.llm import LLMClient
from groundwire.model import (
    Abstention,
    CausalEdge,
    Claim,
    ClaimResult,
    CoverageReport,
    EdgeStatus,
    EvidenceBundle,
    Interval,
    RetrievalQuality,
    Span,
    Variable,
)
from groundwire.observe import Metrics
from groundwire.terms import SKOSMOSClient
from groundwire.testing import Answer, Asked, ScriptedModel, SkosmosStandIn
from groundwire.verify import Rules, decide
from groundwire.verify._case import Case
from groundwire.verify._result import Standard, result_of
from tests.diagnose.make import CKG
from tests.vocabularies import HALDEN

DEFAULTS: Config = load_config(environ={}).config
RULES = Rules(threshold=0.5)
KNOWING = Rules(threshold=0.5, has_knowledge=True)


class Ruling(NamedTuple):
    clause: str
    says: str
    asked: Callable[[], object]
    ruled: object


def status(p0: float, p1: float, target: float = 0.75, rules: Rules = KNOWING) -> tuple[str, str]:
    decision = decide(Estimate(p=p0), Estimate(p=p1), target, rules)
    return decision.status, decision.reason


def status_of_interval(low: float, high: float, p0: float = 0.1) -> str:
    p1 = Estimate(p=(low + high) / 2, interval=Interval(low=low, high=high))
    return decide(Estimate(p=p0), p1, 0.75, RULES).status


def judged(p0: float, p1: float, stated: float | None = None) -> ClaimResult:
    """A claim with these estimates through the whole of `verify`, with the settings as shipped."""
    content = "The mast is high."
    claim = Claim(content=content, source=Span(start=0, end=len(content)), confidence=stated)
    evidence = Evidence([EvidenceBundle.of(content, name) for name in "abcde"])
    case = Case(claim, evidence, 100, None)
    case.p0, case.p1 = Judged(Estimate(p=p0), cached=False), Judged(Estimate(p=p1), cached=False)
    case.quoted = case.places[:1]
    section = DEFAULTS.hallucination
    standard = Standard(section.target_confidence, section.output_verification.flag_threshold_bits)
    return result_of(case, "given", RULES, standard)


def is_malformed(received: int, asked: int) -> bool:
    try:
        from_samples(["YES"] * received, asked=asked, three_way=False)
    except BackendMalformed:
        return True
    return False


def samples_taken(yes_of_five: int) -> int:
    """How often a model is asked that says YES so often in five, with the settings as shipped."""
    asked: list[Asked] = []

    def answer(one: Asked) -> Answer:
        asked.append(one)
        return Answer("YES" if len(asked) % 5 < yes_of_five else "NO")

    model = ScriptedModel(answer, logprobs=False, native_schema=False)
    llm = DEFAULTS.llm
    backend = LLMBackend(LLMClient(model), samples=llm.samples, max_samples=llm.max_samples)
    asyncio.run(backend.estimate_probability("The mast is high.", "evidence"))
    return len(asked)


S4 = [
    Ruling(
        "Second edition, no quote, no verdict",
        "at most three sentences",
        lambda: MAX_QUOTED,
        3,
    ),
    Ruling("S4 [SPEC-08.17]", "clamped to 0.01 from below", lambda: clamped(0.0099), 0.01),
    Ruling("S4 [SPEC-08.17]", "0.0101 stays", lambda: clamped(0.0101), 0.0101),
    Ruling("S4 [SPEC-08.17]", "clamped to 0.99 from above", lambda: clamped(0.9901), 0.99),
    Ruling("S4 [SPEC-08.17]", "0.9899 stays", lambda: clamped(0.9899), 0.9899),
    Ruling(
        "S4 [SPEC-08.17]",
        "the clamp is part of the result",
        lambda: (judged(0.0, 1.0).clamp.low, judged(0.0, 1.0).clamp.high),
        (0.01, 0.99),
    ),
    Ruling(
        "S4 [SPEC-08.17]",
        "p0, p1 and the target are clamped",
        lambda: (judged(0.0, 1.0, 1.0).p0, judged(0.0, 1.0, 1.0).p1, judged(0, 1, 1.0).target),
        (0.01, 0.99, 0.99),
    ),
    Ruling("S4 target", "0.75 where nobody says", lambda: judged(0.5, 0.9).target, 0.75),
    Ruling("S4 target", "the stated one else", lambda: judged(0.5, 0.9, 0.6).target, 0.6),
    Ruling(
        "S4 bits",
        "log2: a fair coin settled at 0.99",
        lambda: round(budget(0.5, 0.99, 0.99)[1], 3),
        0.919,
    ),
    Ruling("S4 contradicted", "p1 = 0.2 below p0", lambda: status(0.5, 0.2)[0], "contradicted"),
    Ruling("S4 contradicted", "p1 = 0.2001", lambda: status(0.5, 0.2001)[0], "unsupported"),
    Ruling("S4 contradicted", "p1 = p0", lambda: status(0.15, 0.15)[0], "unsupported"),
    Ruling("S4 contradicted", "p1 just below p0", lambda: status(0.1501, 0.15)[0], "contradicted"),
    Ruling(
        "S4 example 1",
        "p0 .5, p1 .05, target .9",
        lambda: status(0.5, 0.05, 0.9)[0],
        "contradicted",
    ),
    Ruling(
        "S4 example 2",
        "p0 .95, p1 .05, target .9",
        lambda: status(0.95, 0.05, 0.9)[0],
        "contradicted",
    ),
    Ruling("S4 example 3", "p0 .5, p1 .49", lambda: status(0.5, 0.49)[0], "unsupported"),
    Ruling(
        "S4 example 4",
        "p0 = p1 = .99, target .95",
        lambda: status(0.99, 0.99, 0.95),
        ("grounded", "prior_known"),
    ),
    Ruling("S4 prior_known", "p0 at the target", lambda: status(0.75, 0.8)[1], "prior_known"),
    Ruling("S4 prior_known", "p0 below the target", lambda: status(0.7499, 0.8)[1], "supported"),
    Ruling("S4 grounded", "p1 at the threshold", lambda: status(0.1, 0.5)[0], "grounded"),
    Ruling("S4 grounded", "p1 below the threshold", lambda: status(0.1, 0.4999)[0], "unsupported"),
    Ruling(
        "S4 interval",
        "both ends at the threshold",
        lambda: status_of_interval(0.5, 0.9),
        "grounded",
    ),
    Ruling(
        "S4 interval", "one end below it", lambda: status_of_interval(0.4999, 0.9), "unverifiable"
    ),
    Ruling(
        "Second edition S4 a",
        "below the threshold, opposed or not",
        lambda: status_of_interval(0.0, 0.4999, p0=0.9),
        "unsupported",
    ),
    Ruling(
        "Second edition S4 a",
        "both ends at 0.2 oppose",
        lambda: status_of_interval(0.0, 0.2, p0=0.9),
        "contradicted",
    ),
    Ruling(
        "Second edition S4 a",
        "five equal answers decide, four of five do not",
        lambda: (samples_taken(5), samples_taken(4), samples_taken(1), samples_taken(0)),
        (5, 20, 20, 5),
    ),
    Ruling(
        "Second edition S4 b",
        "p0 at the target is noise without knowledge",
        lambda: status(0.75, 0.8, rules=RULES)[1],
        "supported",
    ),
    Ruling(
        "S4 [SPEC-08.05]",
        "a gap of 0 bits is not flagged",
        lambda: (judged(0.5, 0.75).budget_gap, judged(0.5, 0.75).flagged),
        (0, False),
    ),
    Ruling("S4 [SPEC-08.05]", "a larger gap is", lambda: judged(0.5, 0.7499).flagged, True),
    Ruling(
        "S4 [SPEC-08.05]",
        "a supported claim stated too surely",
        lambda: (judged(0.5, 0.7499).status, judged(0.5, 0.7499).reason),
        ("grounded", "overconfident"),
    ),
    Ruling(
        "S4 required bits", "0 when target ≤ p0", lambda: budget(0.75, 0.9, 0.75).required_bits, 0
    ),
    Ruling(
        "S4 required bits",
        "more when target > p0",
        lambda: budget(0.7499, 0.9, 0.75).required_bits > 0,
        True,
    ),
    Ruling(
        "S4 adjusted confidence",
        "nothing where p1 < p0",
        lambda: budget(0.5, 0.4999, 0.9).adjusted_confidence,
        0,
    ),
    Ruling(
        "S4 adjusted confidence",
        "min(stated, p1) with none required",
        lambda: budget(0.9, 0.85, 0.8).adjusted_confidence,
        0.8,
    ),
    Ruling("S4 sampling", "half of the samples are enough", lambda: is_malformed(5, 10), False),
    Ruling("S4 sampling", "fewer than half are an error", lambda: is_malformed(4, 10), True),
    Ruling(
        "S4 memory gate",
        "rejects above 2.0 bits",
        lambda: DEFAULTS.hallucination.memory_gate.max_budget_gap_bits,
        2.0,
    ),
    Ruling(
        "S4 memory gate",
        "rejects below 0.5",
        lambda: DEFAULTS.hallucination.memory_gate.min_confidence,
        0.5,
    ),
    Ruling("S4 [SPEC-08.35]", "off by default", lambda: DEFAULTS.hallucination.enabled, False),
]


def quality(base_score: float, *fallbacks: str) -> float:
    return RetrievalQuality.from_retrieval(base_score, fallbacks).confidence_score


def is_answered(base_score: float, *fallbacks: str) -> bool:
    return judge_confidence(base_score, fallbacks, DEFAULTS.evidence.abstain_below).lets_through


def level(score: float) -> str:
    return RetrievalQuality.from_retrieval(score, ()).confidence_level


class Wire:
    """A circuit breaker as it is shipped, with a clock that is moved by hand."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.counted = Metrics()
        self.breaker = CircuitBreaker(
            "embeddings",
            timer=lambda: self.now_s,
            counted=self.counted,
            **DEFAULTS.circuit_breaker.embeddings.model_dump(),
        )

    def after(self, *events: str | float) -> float:
        """The gauge after calls that fail or work, and seconds that pass."""
        for event in events:
            if isinstance(event, str):
                self._call(works=event == "works")
            else:
                self.now_s += event
        return self.counted.value("circuit_breaker_state", service="embeddings")

    def _call(self, *, works: bool) -> None:
        call = nullcontext() if works else pytest.raises(ConnectionError)
        with suppress(CircuitOpen), call, self.breaker.attempt():
            if not works:
                raise ConnectionError


def lookups_of(term: str, *at_s: float) -> int:
    """How often the server is asked for a term that is looked up at these seconds."""
    now_s = [0.0]
    with SkosmosStandIn([HALDEN], vocabulary="halden") as server:
        client = SKOSMOSClient(
            server.url, timeout_ms=5_000, vocabulary="halden", timer=lambda: now_s[0]
        )
        try:
            for now_s[0] in at_s:
                client.lookup(term)
        finally:
            client.close()
        return len([path for path in server.requests if term in path])


FAILS = "fails"
FIVE = (FAILS,) * 5
S3 = [
    Ruling("S3 CONF-01", "no fallback, no penalty", lambda: quality(0.85), 0.85),
    Ruling("S3 CONF-02", "× 0.8", lambda: quality(0.85, "bm25_only"), 0.68),
    Ruling("S3 CONF-03", "× 0.8", lambda: quality(0.9, "circuit_open"), 0.72),
    Ruling("S3 CONF-04", "× 0.8 once", lambda: quality(0.8, "bm25_only", "circuit_open"), 0.64),
    Ruling(
        "S3 CONF-05", "0.40, below any setting above it", lambda: quality(0.5, "bm25_only"), 0.4
    ),
    Ruling("S3 CONF-05", "which abstains", lambda: is_answered(0.5, "bm25_only"), False),
    Ruling("S3 abstain_below", "0.6 answers", lambda: is_answered(0.6), True),
    Ruling("S3 abstain_below", "0.5999 abstains", lambda: is_answered(0.5999), False),
    Ruling("S3 levels", "0.85 is high", lambda: level(0.85), "high"),
    Ruling("S3 levels", "0.8499 is medium", lambda: level(0.8499), "medium"),
    Ruling("S3 levels", "0.60 is medium", lambda: level(0.6), "medium"),
    Ruling("S3 levels", "0.5999 is low", lambda: level(0.5999), "low"),
    Ruling("S3 breaker", "4 failures: closed, 0", lambda: Wire().after(*FIVE[:4]), 0),
    Ruling("S3 breaker", "5 failures: open, 2", lambda: Wire().after(*FIVE), 2),
    Ruling("S3 breaker", "29.9 s later: open, 2", lambda: Wire().after(*FIVE, 29.9, "works"), 2),
    Ruling("S3 breaker", "30 s later: half-open, 1", lambda: Wire().after(*FIVE, 30.0, "works"), 1),
    Ruling(
        "S3 breaker",
        "2 successes: closed, 0",
        lambda: Wire().after(*FIVE, 30.0, "works", "works"),
        0,
    ),
    Ruling(
        "S3 Gap A", "300 ms", lambda: DEFAULTS.terms.skosmos.timeout, timedelta(milliseconds=300)
    ),
    Ruling("S3 Gap A", "cached for 10 minutes", lambda: lookups_of("CIMXML", 0, 599.9), 1),
    Ruling("S3 Gap A", "and no longer", lambda: lookups_of("CIMXML", 0, 600), 2),
    Ruling("S3 Gap A", "5000 terms", lambda: DEFAULTS.terms.skosmos.cache_max_size, 5_000),
    Ruling("S3 misses", "cached for a tenth of it", lambda: lookups_of("FooBarBaz", 0, 59.9), 1),
    Ruling("S3 misses", "and no longer", lambda: lookups_of("FooBarBaz", 0, 60), 2),
]


def hypothesis(cause: str = "full disk", effect: str = "write errors") -> Hypothesis:
    first, second = Variable(id="a", label=cause), Variable(id="b", label=effect)
    return Hypothesis(CausalEdge(id="a->b", from_var="a", to_var="b"), first, second)


def is_accepted(confidence: float) -> bool:
    """An edge whose judge is so sure of the sentence that says it, with the settings as shipped."""
    said = "The full disk caused write errors."
    state = LoopState(max_iterations=3)
    state.collect([Passage(EvidenceBundle.of(said, "a"), "support")])
    edge = hypothesis()
    reader = EdgeReader(VariableNames([edge.cause, edge.effect]))
    verdict = VerificationVerdict(
        is_grounded=True,
        support_type="direct_causal",
        supporting_quote=said,
        confidence=confidence,
    )
    threshold = DEFAULTS.verification.grounding_confidence_threshold
    return Acceptance(reader, threshold).checked(verdict, edge, state).is_grounded


def outcome(edge_status: EdgeStatus) -> EdgeOutcome:
    edge = hypothesis().edge.model_copy(update={"edge_status": edge_status})
    return EdgeOutcome(edge=edge, judge="given")


def warned(
    *, canaries: int = 0, accepted: int = 0, edges: int = 10, grounded: int = 1
) -> list[str]:
    """The codes a run warns with."""
    ends = [outcome("grounded")] * accepted + [outcome("rejected")] * (canaries - accepted)
    statuses = ["grounded"] * grounded + ["rejected"] * (edges - grounded)
    run = summary([], statuses, ends, DEFAULTS.verification, "given")
    return [warning.split(":")[0] for warning in run.warnings]


S1 = [
    Ruling("S1 threshold", "confidence 0.6 grounds", lambda: is_accepted(0.6), True),
    Ruling("S1 threshold", "0.5999 does not", lambda: is_accepted(0.5999), False),
    Ruling("S1 canaries", "3 % accepted is borne", lambda: warned(canaries=100, accepted=3), []),
    Ruling(
        "S1 canaries",
        "more is a broken judge",
        lambda: warned(canaries=100, accepted=4),
        ["judge_broken"],
    ),
    Ruling(
        "S1 acceptance", "0.9 warns", lambda: warned(edges=10, grounded=9), ["accepts_nearly_all"]
    ),
    Ruling("S1 acceptance", "0.8999 does not", lambda: warned(edges=10_000, grounded=8_999), []),
    Ruling(
        "S1 table", "max_judge_iterations", lambda: DEFAULTS.verification.max_judge_iterations, 3
    ),
    Ruling(
        "S1 table",
        "enable_adversarial_pass",
        lambda: DEFAULTS.verification.enable_adversarial_pass,
        True,
    ),
    Ruling("S1 table", "llm_semaphore_limit", lambda: DEFAULTS.verification.llm_semaphore_limit, 8),
    Ruling("S1 table", "max_retries", lambda: DEFAULTS.verification.max_retries, 5),
    Ruling("S1 table", "backoff_base", lambda: DEFAULTS.verification.backoff_base, 2),
    Ruling("S1 table", "backoff_jitter_max", lambda: DEFAULTS.verification.backoff_jitter_max, 5),
]

BOUND = "VCORE 725mV usage is 29.32 %. SoC power draw is 5.7 W."
UNBOUND = "Noise is 60 dB.", "Dust is 4 mg.", "Sound is 7 Hz."


def abstained(report: str, **flags: str) -> str | None:
    """Why a diagnosis over a small graph abstains; the flags are the environment's."""
    environ = {"GROUNDWIRE_DIAGNOSIS__ABSTAIN_WHEN_UNDECIDED": "false", **flags}
    settings = load_config(environ=environ).config.diagnosis
    agent = DiagnosisAgent(Retriever(CKG, settings=settings), settings)
    found = asyncio.run(agent.diagnose(report))
    return found.reason if isinstance(found, Abstention) else None


def needs_verifier(required_nodes: int) -> bool:
    coverage = CoverageReport(
        matched_entities_count=1,
        root_causes_count=1,
        causal_chains_count=1,
        required_nodes_count=required_nodes,
    )
    return is_low(coverage, DEFAULTS.diagnosis)


def half_known() -> str:
    return f"{BOUND} {UNBOUND[0]} {UNBOUND[1]}"


S0 = [
    Ruling(
        "S0 ABSTAIN_MIN_INPUT_COVERAGE",
        "0.5 of the input is enough",
        lambda: abstained(half_known()),
        None,
    ),
    Ruling(
        "S0 ABSTAIN_MIN_INPUT_COVERAGE",
        "0.4 is not",
        lambda: abstained(f"{half_known()} {UNBOUND[2]}"),
        "input_not_covered",
    ),
    Ruling(
        "S0 ABSTAIN_MIN_INPUT_COVERAGE",
        "it is a real flag",
        lambda: abstained(half_known(), ABSTAIN_MIN_INPUT_COVERAGE="0.51"),
        "input_not_covered",
    ),
    Ruling(
        "S0 ABSTAIN_MIN_ROOT_CAUSES", "1", lambda: DEFAULTS.diagnosis.abstain_min_root_causes, 1
    ),
    Ruling(
        "S0 ABSTAIN_MIN_ROOT_CAUSES",
        "it is a real flag",
        lambda: abstained(BOUND, ABSTAIN_MIN_ROOT_CAUSES="9"),
        "insufficient_coverage",
    ),
    Ruling("S0 ABSTAIN_MIN_CHAINS", "1", lambda: DEFAULTS.diagnosis.abstain_min_chains, 1),
    Ruling(
        "S0 ABSTAIN_MIN_CHAINS",
        "it is a real flag",
        lambda: abstained(BOUND, ABSTAIN_MIN_CHAINS="9"),
        "insufficient_coverage",
    ),
    Ruling(
        "S0 ABSTAIN_MIN_CHAINS",
        "none at all abstains",
        lambda: abstained(UNBOUND[0]),
        "insufficient_coverage",
    ),
    Ruling("S0 MIN_REQUIRED_NODES", "3 are enough", lambda: needs_verifier(3), False),
    Ruling("S0 MIN_REQUIRED_NODES", "2 are low coverage", lambda: needs_verifier(2), True),
    Ruling("S0 flags", "the gate is on", lambda: DEFAULTS.diagnosis.enable_abstain_gate, True),
    Ruling(
        "S0 flags",
        "the verifier is on",
        lambda: DEFAULTS.diagnosis.enable_low_coverage_verifier,
        True,
    ),
    Ruling(
        "S0 flags",
        "the gate can be put off",
        lambda: abstained(f"{half_known()} {UNBOUND[2]}", ENABLE_ABSTAIN_GATE="false"),
        None,
    ),
]
S2 = [
    Ruling("S2 assume_current", "true", lambda: DEFAULTS.actions.assume_current, True),
]


@pytest.mark.parametrize(
    "ruling",
    [pytest.param(one, id=f"{one.clause}: {one.says}") for one in (*S0, *S1, *S2, *S3, *S4)],
)
def test_the_code_holds_to_the_number(ruling: Ruling) -> None:
    """One row of the table: what the clause says is what the code does."""
    assert ruling.asked() == ruling.ruled
