"""The typed values of a text: numbers with units, dates, identifiers, names, with exact spans."""

from groundwire._door import door

__getattr__ = door(__name__)
