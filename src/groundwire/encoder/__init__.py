"""The embedded model: scores pairs and embeds texts with shipped weights, offline."""

from groundwire._door import door

__getattr__ = door(__name__)
