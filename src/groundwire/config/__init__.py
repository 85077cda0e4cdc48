"""One settings tree: defaults < YAML < environment < command line."""

from groundwire._door import door

__getattr__ = door(__name__)
