"""The one root: settings become wired parts, and parts become the calls users make."""

from groundwire._door import door

__getattr__ = door(__name__)
