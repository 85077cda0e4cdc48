"""Language models: one client with limiter, retries and caps; one file per provider."""

from groundwire._door import door

__getattr__ = door(__name__)
