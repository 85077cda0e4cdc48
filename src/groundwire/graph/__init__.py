"""Symptoms to chains: the causal knowledge graph, its file, walking, matching, coverage."""

from groundwire._door import door

__getattr__ = door(__name__)
