"""When things fail or repeat: cache with a time to live, deadlines."""

from groundwire.guard._cache import Cache

__all__ = ["Cache"]
