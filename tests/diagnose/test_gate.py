import pytest

from groundwire.config import DiagnosisSection
from groundwire.diagnose import Retriever, gate, is_low
from groundwire.graph import CausalKnowledgeGraph, coverage_of
from groundwire.model import Abstention, CausalGraphFile, CoverageReport
from tests.diagnose.make import CKG, DRAW_ONLY, HOT, UNSEEN

ON = DiagnosisSection()


def gated(
    report: str, settings: DiagnosisSection = ON, graph: CausalKnowledgeGraph = CKG
) -> Abstention | None:
    context = Retriever(graph).retrieve(report)
    return gate(context, coverage_of(context), settings)


def test_enough_coverage_passes() -> None:
    assert gated(HOT) is None


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        (UNSEEN, "insufficient_coverage"),
        ("Hello, this is a report.", "nothing_observed"),
        ("PowerHal boost is on for 3 s.", "insufficient_coverage"),
        (f"{HOT} Noise is 60 dB. Dust is 4 mg. Sound is 7 Hz.", "input_not_covered"),
        (DRAW_ONLY, "ambiguous_root_cause"),
        (
            "VCORE 725mV usage is 29 %. The fan noise is 60 dB.",
            "uncorroborated_root_cause",
        ),
    ],
)
def test_too_little_abstains_and_says_which_way(report: str, reason: str) -> None:
    """[S0 1, RULINGS S0]"""
    abstention = gated(report)
    assert abstention is not None
    assert abstention.reason == reason


def test_an_empty_graph_knows_nothing() -> None:
    abstention = gated(HOT, graph=CausalKnowledgeGraph(CausalGraphFile()))
    assert abstention is not None
    assert abstention.reason == "insufficient_coverage"


def test_an_abstention_quotes_what_was_seen_and_says_what_is_missing() -> None:
    abstention = gated(f"{UNSEEN} SoC power draw is 5 W.")
    assert abstention is not None
    assert abstention.observations == (
        "The oven shows 230 °C.",
        "The dough is 2 °C too cold.",
        "SoC power draw is 5 W.",
    )
    assert abstention.missing_knowledge[0] == (
        "Nothing in the graph is about: “The oven shows 230 °C.”"
    )
    assert abstention.coverage is not None
    assert abstention.coverage["input_coverage"] == pytest.approx(1 / 3, abs=1e-4)
    wanted = abstention.action.model_dump()
    assert wanted["next_step"] == "REQUEST_MORE_DATA_OR_AUGMENT_CKG"
    assert wanted["ground_documents_about"][0] == "The oven shows 230 °C."
    assert wanted["suggested_command"].startswith("gw ground")


def test_tied_causes_are_offered_with_what_would_tell_them_apart() -> None:
    abstention = gated(DRAW_ONLY)
    assert abstention is not None
    assert {one.label for one in abstention.suggestions} == {"CM voting", "PowerHal boost"}
    assert all(one.detail for one in abstention.suggestions)


def test_thresholds_can_be_moved() -> None:
    assert gated(HOT, DiagnosisSection(abstain_min_root_causes=3)) is not None
    assert gated(HOT, DiagnosisSection(abstain_min_chains=4)) is not None
    noisy = f"{HOT} Noise is 60 dB. Dust is 4 mg. Sound is 7 Hz."
    assert gated(noisy, DiagnosisSection(abstain_min_input_coverage=0.3)) is None
    assert gated(noisy, DiagnosisSection(abstain_min_input_coverage=0.5)) is not None
    assert gated(DRAW_ONLY, DiagnosisSection(abstain_when_undecided=False)) is None
    assert gated(UNSEEN, DiagnosisSection(enable_abstain_gate=False)) is None


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
    """[S0 3] the trigger, row by row."""
    enough = {
        "root_causes_count": 1,
        "causal_chains_count": 1,
        "matched_entities_count": 1,
        "required_nodes_count": 3,
    }
    coverage = CoverageReport.model_validate(enough | counts)
    assert is_low(coverage, ON) is low
