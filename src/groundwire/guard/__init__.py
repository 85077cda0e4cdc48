"""When things fail or repeat: circuit breaker, cache, deadline, a queue for later, a loop."""

from groundwire._door import door

__getattr__ = door(__name__)
