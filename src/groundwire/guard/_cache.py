import time
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from cachetools import TTLCache

Value = TypeVar("Value")


class Cache(Generic[Value]):
    """Least recently used entries go first, and none outlives its time. Safe between threads."""

    def __init__(
        self, *, max_entries: int, ttl_s: float, timer: Callable[[], float] = time.monotonic
    ) -> None:
        self._entries: TTLCache[Hashable, Value] = TTLCache(max_entries, ttl_s, timer)
        self._lock = Lock()

    def get(self, key: Hashable) -> Value | None:
        with self._lock:
            return self._entries.get(key)

    def put(self, key: Hashable, value: Value) -> None:
        with self._lock:
            self._entries[key] = value

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()

    def __len__(self) -> int:
        with self._lock:
            return len(self._entries)
