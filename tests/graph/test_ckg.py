import pytest

from groundwire.graph import CausalKnowledgeGraph, coverage_of
from groundwire.model import (
    CausalChain,
    CausalGraphFile,
    DiagnosisContext,
    EdgeStatus,
    HistoricalFix,
    MatchedEntity,
    RootCause,
    Span,
    Subgraph,
    Symptom,
)
from tests.graph.make import graph_of, variable

CHAIN = graph_of(
    ("a", "b", "a caused b."), ("b", "c", "b caused c."), ("x", "c", "x caused c."), ("c", "d", "-")
)


def with_status(graph: CausalGraphFile, edge: str, status: EdgeStatus) -> CausalGraphFile:
    edges = tuple(
        one.model_copy(update={"edge_status": status}) if one.id == edge else one
        for one in graph.edges
    )
    return graph.model_copy(update={"edges": edges})


def test_only_grounded_edges_and_what_they_join_are_in_the_graph() -> None:
    """[RULINGS S0] The CKG holds only edges whose status is `grounded`."""
    statuses: tuple[EdgeStatus, ...] = ("draft", "rejected", "contested")
    for status in statuses:
        graph = CausalKnowledgeGraph(with_status(CHAIN, "a->b", status))
        assert [edge.id for edge in graph.edges] == ["b->c", "c->d", "x->c"]
        assert "a" not in graph.variables


def test_effects_are_followed_to_the_end_but_not_through_what_is_blocked() -> None:
    graph = CausalKnowledgeGraph(CHAIN)
    assert graph.effects_of("a") == {"b", "c", "d"}
    assert graph.effects_of("a", {"c"}) == {"b"}


def test_edges_can_be_taken_out_without_touching_the_graph_itself() -> None:
    graph = CausalKnowledgeGraph(CHAIN)
    fewer = graph.without(["a->b"])
    assert "a" in graph.variables
    assert "a" not in fewer.variables
    assert {edge.from_var for edge in fewer.into("c")} == {"b", "x"}


def test_fixes_are_those_of_the_file() -> None:
    assert CausalKnowledgeGraph(CHAIN).fixes == ()


def test_an_unknown_variable_has_no_causes_and_no_effects() -> None:
    graph = CausalKnowledgeGraph(CHAIN)
    assert (graph.into("nobody"), graph.out_of("nobody")) == ((), ())
    assert [edge.id for edge in graph.out_of("c")] == ["c->d"]


PLACE = Span(start=0, end=1)


def entity(name: str, score: float, *, absent: bool = False) -> MatchedEntity:
    return MatchedEntity(
        id=name,
        label=name,
        score=score,
        mention=name,
        statement=name,
        span=PLACE,
        is_absent=absent,
    )


def symptom(*bound_to: str) -> Symptom:
    return Symptom(statement="It is hot.", span=PLACE, bound_to=bound_to)


CONTEXT = DiagnosisContext(
    input_text="report",
    symptoms=(symptom("a", "b"), symptom("a"), symptom()),
    matched_entities=(
        entity("a", 0.8),
        entity("a", 0.6),
        entity("b", 0.7),
        entity("gone", 0.99, absent=True),
    ),
    root_causes=tuple(RootCause(id=name, label=name) for name in "rstuv"),
    causal_chains=(
        CausalChain(nodes=("a", "b"), edges=("a->b",), belief=0.9),
        CausalChain(nodes=("c", "b"), edges=("c->b",), belief=0.9),
        CausalChain(nodes=("c2", "b"), edges=("c2->b",), belief=0.9),
        CausalChain(nodes=("d", "a", "b"), edges=("d->a", "a->b"), belief=0.9),
    ),
    # two variables of one name are one node to whoever reads the report
    subgraph=Subgraph(
        variables=(
            *(variable(name) for name in "abcd"),
            variable("c").model_copy(update={"id": "c2"}),
        )
    ),
    relevant_fixes=tuple(HistoricalFix(case_id=str(number), fix="x") for number in range(6)),
    similarity="vectors",
)


def test_coverage_counts_what_the_graph_knows_of_the_report() -> None:
    """[S0 1, RULINGS S0] What the report denies is not counted as matched."""
    assert coverage_of(CONTEXT).model_dump() == {
        "matched_entities_count": 2,
        "root_causes_count": 5,
        "causal_chains_count": 4,
        "required_nodes_count": 4,
        "relevant_fixes_count": 6,
        "symptoms_count": 3,
        "top_similarity": 0.8,
        "input_coverage": 0.6667,
    }


def test_there_is_a_likeness_only_where_vectors_measured_one() -> None:
    by_words = CONTEXT.model_copy(update={"similarity": "words"})
    assert coverage_of(by_words).top_similarity is None
    nothing = CONTEXT.model_copy(update={"matched_entities": ()})
    assert coverage_of(nothing).top_similarity is None


@pytest.mark.parametrize(
    ("symptoms", "share"), [((), 0), ((symptom(),), 0), ((symptom("a"), symptom()), 0.5)]
)
def test_input_coverage_is_the_share_of_bound_symptoms(
    symptoms: tuple[Symptom, ...], share: float
) -> None:
    """A report that states nothing is not covered: no share is made of an absence."""
    context = CONTEXT.model_copy(update={"symptoms": symptoms})
    assert coverage_of(context).input_coverage == share
