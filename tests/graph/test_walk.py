from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from groundwire.graph import CausalKnowledgeGraph, _ckg, causal_chains
from groundwire.model import CausalGraphFile
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


def believed(graph: CausalGraphFile, **beliefs: float | None) -> CausalKnowledgeGraph:
    """The graph with other beliefs, by the first letters of both ends: `ab=0.4`."""
    edges = tuple(
        edge.model_copy(update={"belief": beliefs.get(edge.from_var + edge.to_var, edge.belief)})
        for edge in graph.edges
    )
    return CausalKnowledgeGraph(graph.model_copy(update={"edges": edges}))


def graph_from(*edges: str) -> CausalGraphFile:
    return graph_of(*((one[0], one[1], f"{one} is so.") for one in edges))


def test_an_edge_that_does_not_say_how_sure_it_is_counts_half() -> None:
    chains = causal_chains(believed(graph_from("ab", "bc"), ab=None), {"c"})
    assert [chain.belief for chain in chains] == [0.45]


def test_a_chain_names_its_edges_in_their_order() -> None:
    (chain,) = causal_chains(believed(graph_from("ab", "bc")), {"c"})
    assert (chain.nodes, chain.edges) == (("a", "b", "c"), ("a->b", "b->c"))


def test_chains_of_equal_belief_come_shortest_first_and_then_by_name() -> None:
    graph = believed(graph_from("ab", "bz", "yz", "xz"), ab=1.0, bz=0.9, yz=0.9, xz=0.9)
    chains = causal_chains(graph, {"z"})
    assert ["".join(chain.nodes) for chain in chains] == ["xz", "yz", "abz"]


def test_a_way_that_grows_too_long_does_not_end_the_search() -> None:
    graph = believed(graph_from("ab", "bc", "xc"), xc=0.5)
    chains = causal_chains(graph, {"c"}, max_length=1)
    assert ["".join(chain.nodes) for chain in chains] == ["xc"]


def test_without_a_word_about_it_a_chain_has_eight_edges_at_most() -> None:
    eight = [f"{a}{b}" for a, b in pairwise("abcdefghi")]
    assert walked(*eight, to="i") == ["abcdefghi"]
    assert walked(*eight, "ij", to="j") == []


def test_without_a_word_about_it_there_are_fifty_chains_at_most() -> None:
    causes = [chr(0x4E00 + number) for number in range(51)]
    assert len(walked(*(f"{one}z" for one in causes), to="z")) == 50


@pytest.mark.parametrize(
    ("most", "found"),
    [(1, "as"), (2, "as et"), (3, "as et"), (4, "as bs et ft"), (9, "as bs et ft")],
)
def test_each_symptom_has_its_share_of_the_chains(most: int, found: str) -> None:
    """However much surer the chains to another one are."""
    graph = believed(graph_from("as", "bs", "et", "ft"), et=0.5, ft=0.4)
    chains = causal_chains(graph, {"s", "t"}, max_chains=most)
    assert " ".join("".join(chain.nodes) for chain in chains) == found


def test_more_chains_than_symptoms_share_are_all_taken() -> None:
    graph = believed(graph_from("as", "bs", "cs", "et"))
    chains = causal_chains(graph, {"s", "t"}, max_chains=6)
    assert len(chains) == 4


@pytest.mark.parametrize(("steps", "found"), [(1, []), (2, []), (3, ["xc"]), (4, ["xc", "abc"])])
def test_the_search_ends_after_so_many_steps_with_the_likeliest_found(
    steps: int, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_ckg, "MAX_STEPS", steps)
    assert walked("ab", "bc", "xc", to="c") == found


@given(st.sets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"))))
def test_every_chain_is_made_of_edges_and_repeats_no_node(edges: set[tuple[str, str]]) -> None:
    pairs = {(a, b) for a, b in edges if a != b}
    graph = graph_of(*((a, b, f"{a} caused {b}.") for a, b in sorted(pairs)))
    caused = {b for _, b in pairs}
    for chain in causal_chains(CausalKnowledgeGraph(graph), caused):
        assert set(pairwise(chain.nodes)) <= pairs
        assert len(set(chain.nodes)) == len(chain.nodes)
        assert chain.nodes[0] not in caused
