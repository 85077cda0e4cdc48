"""From symptoms back to root causes, the most believed way first."""

import heapq
from collections.abc import Collection, Iterator

from groundwire.graph._ckg import CausalKnowledgeGraph, belief_of
from groundwire.model import CausalChain

MAX_STEPS = 20_000
"""A dense graph has more ways through it than anyone can read; the likeliest come first."""


def causal_chains(
    graph: CausalKnowledgeGraph,
    symptoms: Collection[str],
    *,
    blocked: Collection[str] = (),
    max_length: int = 8,
    max_chains: int = 50,
) -> tuple[CausalChain, ...]:
    """Chains that begin where nothing in the graph causes anything and end in a symptom.

    `blocked` are variables known not to be so: no chain leads through one. A cycle is walked
    once and ends nowhere.
    """
    each = max(1, max_chains // max(1, len(symptoms)))
    found = [
        chain
        for symptom in sorted(symptoms)
        for chain in _chains_to(graph, symptom, frozenset(blocked), max_length, each)
    ]
    found.sort(key=lambda chain: (-chain.belief, len(chain.nodes), chain.nodes))
    return tuple(found[:max_chains])


def _chains_to(
    graph: CausalKnowledgeGraph,
    symptom: str,
    blocked: frozenset[str],
    max_length: int,
    most: int,
) -> Iterator[CausalChain]:
    open_: list[tuple[float, tuple[str, ...], tuple[str, ...]]] = [(-1.0, (symptom,), ())]
    steps = 0
    while open_ and most and steps < MAX_STEPS:
        steps += 1
        cost, nodes, edges = heapq.heappop(open_)
        causes = graph.into(nodes[0])
        if not causes and edges:
            most -= 1
            yield CausalChain(nodes=nodes, edges=edges, belief=-cost)
        if len(edges) >= max_length:
            continue
        for edge in causes:
            if edge.from_var not in nodes and edge.from_var not in blocked:
                way = ((edge.from_var, *nodes), (edge.id, *edges))
                heapq.heappush(open_, (cost * belief_of(edge), *way))
