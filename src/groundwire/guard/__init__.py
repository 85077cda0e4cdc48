"""When things fail or repeat: cache with a time to live, deadlines, a queue for later."""

from groundwire.guard._cache import Cache
from groundwire.guard._deadline import deadline, remaining_s
from groundwire.guard._queue import DurableQueue, QueuedItem

__all__ = ["Cache", "DurableQueue", "QueuedItem", "deadline", "remaining_s"]
