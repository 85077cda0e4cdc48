"""Causal edges: drafted, tested against evidence in a loop, grounded or rejected with reasons."""

from groundwire._door import door

__getattr__ = door(__name__)
