"""When things fail or repeat: circuit breaker, cache with a time to live."""

from groundwire.guard._breaker import BreakerState, CircuitBreaker
from groundwire.guard._cache import Cache

__all__ = ["BreakerState", "Cache", "CircuitBreaker"]
