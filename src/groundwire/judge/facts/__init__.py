"""The deterministic tier: a claim's numbers, dates, names and identifiers against the evidence."""

from groundwire._door import door

__getattr__ = door(__name__)
