"""The doors: the HTTP service, its page and its client; every route is one call of an Engine."""

from groundwire._door import door

__getattr__ = door(__name__)
