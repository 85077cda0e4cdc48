from random import Random

from hypothesis import given, strategies as st

from groundwire.ground import contest_cycles
from groundwire.model import CausalEdge, EdgeStatus, edge_id


def edge(a: str, b: str, belief: float, status: EdgeStatus = "grounded") -> CausalEdge:
    return CausalEdge(id=edge_id(a, b), from_var=a, to_var=b, belief=belief, edge_status=status)


def contested(edges: list[CausalEdge]) -> set[str]:
    return {one.id for one in contest_cycles(edges) if one.edge_status == "contested"}


def test_the_least_believed_edge_of_a_cycle_is_contested_and_kept() -> None:
    edges = [edge("a", "b", 0.9), edge("b", "c", 0.7), edge("c", "a", 0.8), edge("c", "d", 0.6)]
    settled = contest_cycles(edges)
    assert contested(edges) == {"b->c"}
    assert [one.id for one in settled] == [one.id for one in edges]
    assert settled[1].belief == 0.7
    assert settled[1].reason == "cycle"


def test_ties_are_broken_by_id() -> None:
    assert contested([edge("b", "a", 0.8), edge("a", "b", 0.8)]) == {"a->b"}


def test_rejected_edges_close_no_cycle() -> None:
    assert contested([edge("a", "b", 0.8), edge("b", "a", 0.7, "rejected")]) == set()


def test_a_long_chain_is_no_problem() -> None:
    chain = [edge(f"{n:05}", f"{n + 1:05}", 0.8) for n in range(5_000)]
    assert contested([*chain, edge("05000", "00000", 0.7)]) == {"05000->00000"}


_EDGES = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"), st.sampled_from([0.6, 0.7, 0.9])),
    max_size=14,
    unique_by=lambda one: one[:2],
)


@given(_EDGES, st.integers())
def test_no_cycle_is_left_whatever_the_order_of_arrival(
    pairs: list[tuple[str, str, float]], seed: int
) -> None:
    edges = [edge(*pair) for pair in pairs if pair[0] != pair[1]]
    shuffled = Random(seed).sample(edges, len(edges))  # noqa: S311
    assert contested(edges) == contested(shuffled)
    left = [one for one in contest_cycles(edges) if one.edge_status == "grounded"]
    following = {
        one.from_var: [x.to_var for x in left if x.from_var == one.from_var] for one in left
    }
    assert not any(_reaches(following, start, start) for start in following)


def _reaches(following: dict[str, list[str]], start: str, goal: str) -> bool:
    seen: set[str] = set()
    waiting = list(following.get(start, []))
    while waiting:
        node = waiting.pop()
        if node == goal:
            return True
        if node not in seen:
            seen.add(node)
            waiting += following.get(node, [])
    return False
