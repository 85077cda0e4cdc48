from groundwire.guard._breaker import BreakerState as BreakerState, CircuitBreaker as CircuitBreaker
from groundwire.guard._cache import Cache as Cache
from groundwire.guard._deadline import deadline as deadline, remaining_s as remaining_s
from groundwire.guard._loop import (
    LoopThread as LoopThread,
    on_own_loop as on_own_loop,
    sync_twin as sync_twin,
)
from groundwire.guard._queue import (
    Drained as Drained,
    DurableQueue as DurableQueue,
    QueuedItem as QueuedItem,
    drain as drain,
)
