"""The two gates of a diagnosis: whether the graph knows enough, and whether a draft may stand."""

import pytest

from groundwire.config import DiagnosisSection
from groundwire.diagnose import Retriever, abstention
from groundwire.errors import BackendTimeout
from groundwire.gate import (
    coverage_gate,
    is_low,
    judge_coverage,
    judge_draft,
    leading,
    low_coverage_gate,
    the_root_cause,
)
from groundwire.graph import CausalKnowledgeGraph, coverage_of
from groundwire.model import (
    Abstention,
    CausalChain,
    CausalGraphFile,
    CoverageReport,
    Decision,
    DiagnosisContext,
    MatchedEntity,
    RootCause,
    Span,
    Symptom,
    VerifierVerdict,
)
from tests.diagnose.make import CKG, DRAW_ONLY, HOT, UNSEEN

ON = DiagnosisSection()
SPAN = Span(start=0, end=1)


def decided(
    report: str, settings: DiagnosisSection = ON, graph: CausalKnowledgeGraph = CKG
) -> Decision:
    context = Retriever(graph).retrieve(report)
    return judge_coverage(context, coverage_of(context), settings)


def abstained(report: str) -> Abstention:
    context = Retriever(CKG).retrieve(report)
    coverage = coverage_of(context)
    return abstention(judge_coverage(context, coverage, ON), context, coverage)


def test_enough_coverage_passes() -> None:
    """A report that the graph explains is let by, without a reason."""
    decision = decided(HOT)
    assert (decision.effect, decision.reason, decision.message) == ("pass", None, None)
    assert (decision.gate, decision.check) == ("coverage", "made")
    assert decision.looked_at["input_coverage"] == 1


@pytest.mark.parametrize(
    ("report", "reason", "message"),
    [
        (
            UNSEEN,
            "insufficient_coverage",
            "Insufficient CKG coverage to support grounded diagnosis",
        ),
        (
            "Hello, this is a report.",
            "nothing_observed",
            "The report states no metric and no symptom, so there is nothing to explain.",
        ),
        (
            "PowerHal boost is on for 3 s.",
            "insufficient_coverage",
            "Insufficient CKG coverage to support grounded diagnosis",
        ),
        (
            f"{HOT} Noise is 60 dB. Dust is 4 mg. Sound is 7 Hz.",
            "input_not_covered",
            "The graph knows too little of what the report says to support a diagnosis.",
        ),
        (
            DRAW_ONLY,
            "ambiguous_root_cause",
            "What was observed has several possible root causes and does not tell them apart.",
        ),
        (
            "VCORE 725mV usage is 29 %. The fan noise is 60 dB.",
            "uncorroborated_root_cause",
            "One thing observed points to a cause, and others nobody can explain do not.",
        ),
    ],
)
def test_too_little_abstains_and_says_which_way(report: str, reason: str, message: str) -> None:
    """Each way of knowing too little has a code and a sentence of its own [S0 1, RULINGS S0]."""
    decision = decided(report)
    assert (decision.gate, decision.effect) == ("coverage", "abstain")
    assert (decision.reason, decision.message) == (reason, message)
    assert "root_causes_count" in decision.looked_at


def test_an_empty_graph_knows_nothing() -> None:
    """Without edges no report is diagnosed."""
    decision = decided(HOT, graph=CausalKnowledgeGraph(CausalGraphFile()))
    assert decision.reason == "insufficient_coverage"


def test_an_abstention_quotes_what_was_seen_and_says_what_is_missing() -> None:
    """An abstention holds the report's own words and what would have to be known."""
    outcome = abstained(f"{UNSEEN} SoC power draw is 5 W.")
    assert outcome.observations == (
        "The oven shows 230 °C.",
        "The dough is 2 °C too cold.",
        "SoC power draw is 5 W.",
    )
    assert outcome.missing_knowledge[0] == (
        "Nothing in the graph is about: “The oven shows 230 °C.”"
    )
    assert outcome.coverage is not None
    assert outcome.coverage["input_coverage"] == pytest.approx(1 / 3, abs=1e-4)
    wanted = outcome.action.model_dump()
    assert wanted["next_step"] == "REQUEST_MORE_DATA_OR_AUGMENT_CKG"
    assert wanted["ground_documents_about"][0] == "The oven shows 230 °C."
    assert wanted["suggested_command"].startswith("gw ground")


def test_tied_causes_are_offered_with_what_would_tell_them_apart() -> None:
    """Where two causes explain the same, both are offered and neither is claimed."""
    outcome = abstained(DRAW_ONLY)
    causes = [one for one in outcome.suggestions if one.kind == "possible_root_cause"]
    assert {one.label for one in causes} == {"CM voting", "PowerHal boost"}
    assert all(one.detail for one in causes)


def test_thresholds_can_be_moved() -> None:
    """Every threshold of the settings decides."""
    noisy = f"{HOT} Noise is 60 dB. Dust is 4 mg. Sound is 7 Hz."
    assert not decided(HOT, DiagnosisSection(abstain_min_root_causes=3)).lets_through
    assert not decided(HOT, DiagnosisSection(abstain_min_chains=4)).lets_through
    assert decided(noisy, DiagnosisSection(abstain_min_input_coverage=0.3)).lets_through
    assert not decided(noisy, DiagnosisSection(abstain_min_input_coverage=0.5)).lets_through
    assert decided(DRAW_ONLY, DiagnosisSection(abstain_when_undecided=False)).lets_through


def context_of(
    *causes: RootCause, chains: tuple[tuple[str, ...], ...] = (), said: dict[str, str] | None = None
) -> DiagnosisContext:
    """Causes, chains as ids of variables, and which statement names which variable."""
    return DiagnosisContext(
        input_text="x",
        symptoms=(Symptom(statement="x", span=SPAN),),
        root_causes=causes,
        causal_chains=tuple(
            CausalChain(nodes=nodes, edges=("e",) * (len(nodes) - 1), belief=1) for nodes in chains
        ),
        matched_entities=tuple(
            MatchedEntity(id=one, label=one, score=1, mention=one, statement=text, span=SPAN)
            for one, text in (said or {}).items()
        ),
    )


ROOT = RootCause(id="root", label="Root", explains=("a", "b"))
ENOUGH = {
    "root_causes_count": 2,
    "causal_chains_count": 3,
    "matched_entities_count": 1,
    "required_nodes_count": 3,
    "input_coverage": 1.0,
}


def coverage_with(**counts: float) -> CoverageReport:
    return CoverageReport.model_validate(ENOUGH | counts)


@pytest.mark.parametrize(
    ("counts", "effect"),
    [
        ({"root_causes_count": 2, "causal_chains_count": 3}, "pass"),
        ({"root_causes_count": 1, "causal_chains_count": 3}, "abstain"),
        ({"root_causes_count": 2, "causal_chains_count": 2}, "abstain"),
        ({"input_coverage": 0.5}, "pass"),
        ({"input_coverage": 0.4999}, "abstain"),
    ],
)
def test_a_count_at_its_threshold_is_enough(counts: dict[str, float], effect: str) -> None:
    """The least that is asked for is enough; one less, or any share less, abstains."""
    settings = DiagnosisSection(
        abstain_min_root_causes=2, abstain_min_chains=3, abstain_when_undecided=False
    )
    assert judge_coverage(context_of(ROOT), coverage_with(**counts), settings).effect == effect


TWO_SAID = {"a": "first", "b": "second"}
NEXT = (("root", "a"), ("root", "m", "b"))
FAR = (("root", "m", "a"), ("root", "m", "b"))


@pytest.mark.parametrize(
    ("causes", "chains", "said", "share", "effect"),
    [
        pytest.param((ROOT,), NEXT, TWO_SAID, 0.75, "pass", id="close, and little unexplained"),
        pytest.param((ROOT,), NEXT, TWO_SAID, 0.749, "abstain", id="too much unexplained"),
        pytest.param((ROOT,), FAR, TWO_SAID, 0.99, "abstain", id="not next to what is seen"),
        pytest.param((ROOT,), FAR, TWO_SAID, 1.0, "pass", id="all is explained"),
        pytest.param(
            (ROOT,), NEXT, {"a": "one", "b": "one"}, 0.99, "abstain", id="one statement, twice"
        ),
        pytest.param((ROOT,), NEXT, {"a": "first"}, 0.99, "abstain", id="one of two observed"),
        pytest.param(
            (RootCause(id="root", label="Root", explains=("root", "b")),),
            FAR,
            {"root": "first", "b": "second"},
            0.5,
            "pass",
            id="the cause itself is seen",
        ),
        pytest.param(
            (ROOT, RootCause(id="rival", label="Rival", explains=("a",))),
            FAR,
            TWO_SAID,
            0.5,
            "pass",
            id="it beats a rival",
        ),
        pytest.param(
            (ROOT,),
            (("other", "a"), *FAR),
            TWO_SAID,
            0.99,
            "abstain",
            id="next to the chain of another cause",
        ),
    ],
)
def test_a_cause_that_leaves_something_unexplained_must_be_corroborated(
    causes: tuple[RootCause, ...],
    chains: tuple[tuple[str, ...], ...],
    said: dict[str, str],
    share: float,
    effect: str,
) -> None:
    """Two statements must point to it, and it is seen, beats a rival, or is near enough."""
    context = context_of(*causes, chains=chains, said=said)
    assert judge_coverage(context, coverage_with(input_coverage=share), ON).effect == effect


def test_leading_are_those_that_explain_most() -> None:
    """Only a cause that explains more than every other is the root cause."""
    less = RootCause(id="less", label="Less", explains=("a",))
    tie = RootCause(id="tie", label="Tie", explains=("c", "d"))
    assert leading(context_of()) == ()
    assert the_root_cause(context_of()) is None
    assert leading(context_of(ROOT, less)) == (ROOT,)
    assert the_root_cause(context_of(ROOT, less)) == ROOT
    assert leading(context_of(ROOT, tie, less)) == (ROOT, tie)
    assert the_root_cause(context_of(ROOT, tie, less)) is None


@pytest.mark.parametrize(
    ("counts", "low"),
    [
        ({}, False),
        ({"root_causes_count": 0}, True),
        ({"causal_chains_count": 0}, True),
        ({"matched_entities_count": 0}, True),
        ({"required_nodes_count": 2}, True),
        ({"required_nodes_count": 3}, False),
    ],
)
def test_the_verifier_is_called_for_when_coverage_is_low(
    counts: dict[str, int], low: object
) -> None:
    """None of anything, or fewer nodes than are required, needs the verifier [S0 3]."""
    coverage = coverage_with(**counts)
    assert is_low(coverage, ON) is low


def test_the_settings_say_how_many_nodes_are_few() -> None:
    """`min_required_nodes` is the least number that is not low."""
    settings = DiagnosisSection(min_required_nodes=2)
    assert not is_low(coverage_with(required_nodes_count=2), settings)
    assert is_low(coverage_with(required_nodes_count=1), settings)


@pytest.mark.parametrize("status", ["OK", "NEEDS_REWRITE"])
def test_a_verifier_that_does_not_abstain_lets_the_draft_by(status: str) -> None:
    """A draft that was rewritten is shown as rewritten."""
    verdict = VerifierVerdict.model_validate({"status": status})
    decision = judge_draft(verdict, coverage_with())
    assert (decision.gate, decision.effect) == ("low_coverage_verifier", "pass")
    assert decision.looked_at["root_causes_count"] == 2


def test_a_verifier_that_abstains_holds_the_draft_back() -> None:
    """What the verifier lets no draft say is not said."""
    decision = judge_draft(VerifierVerdict(status="ABSTAIN"), coverage_with())
    assert (decision.gate, decision.effect) == ("low_coverage_verifier", "abstain")
    assert decision.reason == "verifier_abstained"
    assert decision.message == "Little is known of this case, and the verifier let no draft stand."
    assert decision.looked_at["root_causes_count"] == 2


@pytest.mark.parametrize("is_on", [True, False])
def test_the_flags_switch_the_gates(*, is_on: bool) -> None:
    """Each flag of the specification switches its own gate and no other."""
    one = DiagnosisSection(enable_abstain_gate=is_on, enable_low_coverage_verifier=not is_on)
    assert (coverage_gate(one).enabled, low_coverage_gate(one).enabled) == (is_on, not is_on)
    assert (coverage_gate(one).name, low_coverage_gate(one).name) == (
        "coverage",
        "low_coverage_verifier",
    )


def test_both_abstain_when_their_check_fails_unless_set_otherwise() -> None:
    """The posture of the verifier's gate is a setting; the default shows nothing unverified."""
    assert coverage_gate(ON).on_failure == low_coverage_gate(ON).on_failure == "abstain"
    assert low_coverage_gate(DiagnosisSection(on_verifier_failure="pass")).on_failure == "pass"


def test_a_verifier_that_fails_is_named_as_the_reason() -> None:
    """[S0 3] Whoever reads the abstention knows that nobody verified the draft."""

    def broken() -> Decision:
        raise BackendTimeout("The model took too long.")

    assert low_coverage_gate(ON).run(broken).reason == "verifier_failed"
