"""Text, located: the only place that reads prose. Blocks, sentences, clauses, words, statuses."""

from groundwire._door import door

__getattr__ = door(__name__)
