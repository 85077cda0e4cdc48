import time
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

from cachetools import TLRUCache

Value = TypeVar("Value")


class _Entry(NamedTuple, Generic[Value]):
    value: Value
    ttl_s: float


class Cache(Generic[Value]):
    """Least recently used entries go first, and none outlives its time. Safe between threads."""

    def __init__(
        self, *, max_entries: int, ttl_s: float, timer: Callable[[], float] = time.monotonic
    ) -> None:
        self._ttl_s = ttl_s
        self._entries: TLRUCache[Hashable, _Entry[Value]] = TLRUCache(
            max_entries, lambda _key, entry, now: now + entry.ttl_s, timer
        )
        self._lock = Lock()

    def get(self, key: Hashable) -> Value | None:
        with self._lock:
            entry = self._entries.get(key)
        return None if entry is None else entry.value

    def put(self, key: Hashable, value: Value, *, ttl_s: float | None = None) -> None:
        """Keep a value, for a time of its own where one is given."""
        with self._lock:
            self._entries[key] = _Entry(value, self._ttl_s if ttl_s is None else ttl_s)
