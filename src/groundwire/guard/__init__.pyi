from groundwire.guard._breaker import CircuitBreaker as CircuitBreaker
from groundwire.guard._cache import Cache as Cache
from groundwire.guard._loop import (
    LoopThread as LoopThread,
    Worker as Worker,
    deadline as deadline,
    on_own_loop as on_own_loop,
    remaining_s as remaining_s,
    sync_twin as sync_twin,
)
from groundwire.guard._queue import (
    Drained as Drained,
    DurableQueue as DurableQueue,
    QueuedItem as QueuedItem,
    drain as drain,
)
