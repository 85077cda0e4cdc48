from groundwire.graph import CausalKnowledgeGraph
from groundwire.model import CausalGraphFile, EdgeStatus
from tests.graph.make import graph_of

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
