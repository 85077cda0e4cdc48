import pytest

from groundwire.diagnose import Retriever
from groundwire.graph import coverage_of
from groundwire.model import DiagnosisContext
from tests.diagnose.make import CKG, DRAW_ONLY, FIX, HOT, UNSEEN

RETRIEVER = Retriever(CKG)


def _ids(context: DiagnosisContext) -> list[str]:
    return [one.id for one in context.matched_entities if not one.is_absent]


def test_metrics_are_typed_numbers_with_their_verbatim_span() -> None:
    context = RETRIEVER.retrieve(HOT)
    usage = next(one for one in context.metrics if one.text == "29.32 %")
    assert usage.value == pytest.approx(0.2932)
    assert usage.dimension == "ratio"
    assert usage.span.of(HOT) == "29.32 %"
    assert usage.statement == "VCORE 725mV usage is 29.32 %."
    assert usage.bound_to == "high_vcore_725_mv_usage"


def test_the_root_cause_that_explains_most_comes_first() -> None:
    context = RETRIEVER.retrieve(HOT)
    assert [(root.label, len(root.explains)) for root in context.root_causes] == [
        ("CM voting", 2),
        ("PowerHal boost", 1),
    ]


def test_chains_lead_from_cause_to_symptom_and_the_subgraph_holds_them() -> None:
    context = RETRIEVER.retrieve(HOT)
    assert all(chain.nodes[-1] in _ids(context) for chain in context.causal_chains)
    edges = {edge.id for edge in context.subgraph.edges}
    assert {edge for chain in context.causal_chains for edge in chain.edges} == edges
    assert all(edge.evidence for edge in context.subgraph.edges)


def test_fixes_of_the_likeliest_cause_are_relevant() -> None:
    assert RETRIEVER.retrieve(HOT).relevant_fixes == (FIX,)
    assert RETRIEVER.retrieve(UNSEEN).relevant_fixes == ()


def test_what_nothing_in_the_graph_is_about_stays_unbound() -> None:
    context = RETRIEVER.retrieve(UNSEEN)
    assert _ids(context) == []
    assert [one.bound_to for one in context.symptoms] == [(), ()]
    assert [one.bound_to for one in context.metrics] == [None, None]


@pytest.mark.parametrize(
    "denied",
    [
        "There is no high SoC power draw.",
        "SoC power draw was normal at 3.1 W.",
        "A raised VCORE ceiling was ruled out.",
    ],
)
def test_what_a_report_denies_is_no_symptom(denied: str) -> None:
    context = RETRIEVER.retrieve(denied)
    assert _ids(context) == []
    assert [one.is_absent for one in context.matched_entities] == [True]
    assert context.root_causes == ()


def test_what_is_ruled_out_blocks_the_causes_behind_it() -> None:
    context = RETRIEVER.retrieve(f"{DRAW_ONLY} VCORE 725mV usage was normal at 4 %.")
    assert [root.label for root in context.root_causes] == ["PowerHal boost"]


def test_what_one_sentence_denies_and_another_reports_is_there() -> None:
    context = RETRIEVER.retrieve(f"{DRAW_ONLY} At night there is no high SoC power draw.")
    assert _ids(context) == ["high_soc_power_draw"]


def test_a_suspicion_is_no_observation() -> None:
    context = RETRIEVER.retrieve("It might be the PowerHal boost.")
    assert context.matched_entities == ()


def test_coverage_counts_what_is_bound() -> None:
    """[S0 1]"""
    coverage = coverage_of(RETRIEVER.retrieve(f"{HOT} The fan noise is 60 dB."))
    assert coverage.figures() == {
        "matched_entities_count": 2,
        "root_causes_count": 2,
        "causal_chains_count": 3,
        "required_nodes_count": 5,
        "relevant_fixes_count": 1,
        "symptoms_count": 3,
        "input_coverage": pytest.approx(2 / 3, abs=1e-4),
    }


def test_coverage_of_nothing_is_nothing() -> None:
    assert coverage_of(RETRIEVER.retrieve("Hello.")).input_coverage == 0
