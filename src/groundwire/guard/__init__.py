"""When things fail or repeat: circuit breaker, cache, deadline, a queue for later, a loop."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.guard._breaker import BreakerState, CircuitBreaker
    from groundwire.guard._cache import Cache
    from groundwire.guard._deadline import deadline, remaining_s
    from groundwire.guard._loop import LoopThread
    from groundwire.guard._queue import Drained, DurableQueue, QueuedItem, drain

__all__ = [
    "BreakerState",
    "Cache",
    "CircuitBreaker",
    "Drained",
    "DurableQueue",
    "LoopThread",
    "QueuedItem",
    "deadline",
    "drain",
    "remaining_s",
]

__getattr__ = door(
    __name__,
    {
        "_breaker": "BreakerState CircuitBreaker",
        "_cache": "Cache",
        "_deadline": "deadline remaining_s",
        "_loop": "LoopThread",
        "_queue": "Drained DurableQueue QueuedItem drain",
    },
)
