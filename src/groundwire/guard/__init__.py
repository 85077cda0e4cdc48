"""When things fail or repeat: circuit breaker, cache, deadline, a queue for later, a loop."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.guard._breaker import BreakerState, CircuitBreaker
    from groundwire.guard._cache import Cache
    from groundwire.guard._deadline import deadline, remaining_s
    from groundwire.guard._loop import LoopThread, on_own_loop, sync_twin
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
    "on_own_loop",
    "remaining_s",
    "sync_twin",
]

__getattr__ = door(
    __name__,
    {
        "_breaker": "BreakerState CircuitBreaker",
        "_cache": "Cache",
        "_deadline": "deadline remaining_s",
        "_loop": "LoopThread on_own_loop sync_twin",
        "_queue": "Drained DurableQueue QueuedItem drain",
    },
)
