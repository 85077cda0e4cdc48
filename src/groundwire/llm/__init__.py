"""Language models: one client with limiter, retries, caps and accounting; one file per provider."""

from groundwire._door import door

__getattr__ = door(__name__)
