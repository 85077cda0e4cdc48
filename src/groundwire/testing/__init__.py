"""For your tests: parts that answer as told, and servers that speak the real wires."""

from groundwire._door import door

__getattr__ = door(__name__)
