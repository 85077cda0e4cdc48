"""Text to claims: assertions, citations, stated confidence, what was left out and why."""

from groundwire._door import door

__getattr__ = door(__name__)
