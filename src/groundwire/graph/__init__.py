"""Symptoms to chains: the causal knowledge graph, its file, walking and matching."""

from groundwire.graph._file import (
    GraphProblem,
    LoadedGraph,
    changed_sources,
    load_graph,
    save_graph,
)

__all__ = ["GraphProblem", "LoadedGraph", "changed_sources", "load_graph", "save_graph"]
