"""When things fail or repeat: circuit breaker, cache with a time to live, a loop of its own."""

from groundwire.guard._breaker import BreakerState, CircuitBreaker
from groundwire.guard._cache import Cache
from groundwire.guard._loop import LoopThread

__all__ = ["BreakerState", "Cache", "CircuitBreaker", "LoopThread"]
