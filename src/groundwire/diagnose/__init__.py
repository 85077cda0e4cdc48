"""A report to a diagnosis that knows what it does not know, or to an abstention."""

from groundwire._door import door

__getattr__ = door(__name__)
