"""When things fail or repeat: cache with a time to live, deadlines, a queue for later."""

from groundwire.guard._cache import Cache
from groundwire.guard._deadline import deadline, remaining_s
from groundwire.guard._drain import Drained, drain
from groundwire.guard._queue import DurableQueue, QueuedItem

__all__ = [
    "Cache",
    "Drained",
    "DurableQueue",
    "QueuedItem",
    "deadline",
    "drain",
    "remaining_s",
]
