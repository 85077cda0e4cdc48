"""What is kept: a hypergraph of facts behind the memory gate, each with its evidence."""

from groundwire._door import door

__getattr__ = door(__name__)
