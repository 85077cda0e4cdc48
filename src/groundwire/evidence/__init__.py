"""Documents to passages: readers, identity, index, search, quality."""

from groundwire._door import door

__getattr__ = door(__name__)
