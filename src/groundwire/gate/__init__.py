"""Verdict to decision: what each gate makes of what was found, and how all of them fare."""

from groundwire._door import door

__getattr__ = door(__name__)
