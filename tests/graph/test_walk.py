from itertools import pairwise

from hypothesis import given, strategies as st

from groundwire.graph import CausalKnowledgeGraph, causal_chains
from tests.graph.make import graph_of


def walked(*edges: str, to: str, **how: int | set[str]) -> list[str]:
    graph = graph_of(*((one[0], one[1], f"{one} is so.") for one in edges))
    chains = causal_chains(CausalKnowledgeGraph(graph), set(to), **how)  # type: ignore[arg-type]
    return ["".join(chain.nodes) for chain in chains]


def test_a_chain_leads_from_where_nothing_causes_anything_to_the_symptom() -> None:
    assert walked("ab", "bc", "xc", to="c") == ["xc", "abc"]


def test_the_most_believed_chain_comes_first() -> None:
    graph = graph_of(("a", "c", "a caused c."), ("x", "c", "x caused c."))
    doubted = graph.edges[0].model_copy(update={"belief": 0.4})
    graph = graph.model_copy(update={"edges": (doubted, graph.edges[1])})
    chains = causal_chains(CausalKnowledgeGraph(graph), {"c"})
    assert [(chain.nodes[0], chain.belief) for chain in chains] == [("x", 0.9), ("a", 0.4)]


def test_a_root_cause_alone_is_no_chain() -> None:
    assert walked("ab", to="a") == []


def test_no_chain_leads_through_what_is_known_not_to_be_so() -> None:
    assert walked("ab", "bc", "xc", to="c", blocked={"b"}) == ["xc"]


def test_a_cycle_is_walked_once_and_begins_nowhere() -> None:
    assert walked("ab", "ba", to="a") == []
    assert walked("ab", "ba", "xa", to="b") == ["xab"]


def test_length_and_number_are_bounded() -> None:
    assert walked("ab", "bc", "cd", to="d", max_length=2) == []
    dense = [f"{a}{b}" for a, b in pairwise("abcdefgh")]
    dense += [f"{a}{b}" for i, a in enumerate("abcdefgh") for b in "abcdefgh"[i + 2 :]]
    assert len(walked(*dense, to="h", max_chains=7)) == 7


@given(st.sets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"))))
def test_every_chain_is_made_of_edges_and_repeats_no_node(edges: set[tuple[str, str]]) -> None:
    pairs = {(a, b) for a, b in edges if a != b}
    graph = graph_of(*((a, b, f"{a} caused {b}.") for a, b in sorted(pairs)))
    caused = {b for _, b in pairs}
    for chain in causal_chains(CausalKnowledgeGraph(graph), caused):
        assert set(pairwise(chain.nodes)) <= pairs
        assert len(set(chain.nodes)) == len(chain.nodes)
        assert chain.nodes[0] not in caused
