"""Evidence to verdict: what a text, an edge, a trace or an agent says, tested."""

from groundwire._door import door

__getattr__ = door(__name__)
