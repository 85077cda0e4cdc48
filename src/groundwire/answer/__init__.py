"""Question to words: routing, lists, quotes, drafts that were verified, clarification."""

from groundwire._door import door

__getattr__ = door(__name__)
