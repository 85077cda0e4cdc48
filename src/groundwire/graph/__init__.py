"""Symptoms to chains: the causal knowledge graph, its file, walking, matching, coverage."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.graph._ckg import CausalKnowledgeGraph, belief_of, causal_chains, coverage_of
    from groundwire.graph._export import to_graphml, to_mermaid
    from groundwire.graph._file import (
        GraphProblem,
        LoadedGraph,
        changed_sources,
        load_graph,
        save_graph,
    )
    from groundwire.graph._fixes import find_fixes
    from groundwire.graph._match import Embedder, Match, Matcher
    from groundwire.graph._picture import to_html, to_svg

__all__ = [
    "CausalKnowledgeGraph",
    "Embedder",
    "GraphProblem",
    "LoadedGraph",
    "Match",
    "Matcher",
    "belief_of",
    "causal_chains",
    "changed_sources",
    "coverage_of",
    "find_fixes",
    "load_graph",
    "save_graph",
    "to_graphml",
    "to_html",
    "to_mermaid",
    "to_svg",
]

__getattr__ = door(
    __name__,
    {
        "_ckg": "CausalKnowledgeGraph belief_of causal_chains coverage_of",
        "_export": "to_graphml to_mermaid",
        "_file": "GraphProblem LoadedGraph changed_sources load_graph save_graph",
        "_fixes": "find_fixes",
        "_match": "Embedder Match Matcher",
        "_picture": "to_html to_svg",
    },
)
