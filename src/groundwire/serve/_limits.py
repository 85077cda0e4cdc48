"""How much is taken: so many requests a minute, so many at once, and no more waiting than helps."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from groundwire.observe import metrics
from groundwire.serve._problems import Problem

_MAX_CALLERS = 10_000
_SECONDS_PER_MINUTE = 60


@dataclass
class _Bucket:
    tokens: float
    filled_at_s: float


class RateLimiter:
    """A bucket for each caller that fills evenly; a quarter of a minute may come at once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def take(self, caller: str, per_minute: int) -> float | None:
        """None where the request may come, else the seconds after which one may."""
        now, most = self._clock(), max(1.0, per_minute / 4)
        rate = per_minute / _SECONDS_PER_MINUTE
        bucket = self._buckets.setdefault(caller, _Bucket(most, now))
        self._buckets.move_to_end(caller)
        if len(self._buckets) > _MAX_CALLERS:
            self._buckets.popitem(last=False)
        bucket.tokens = min(most, bucket.tokens + (now - bucket.filled_at_s) * rate)
        bucket.filled_at_s = now
        if bucket.tokens < 1:
            return (1 - bucket.tokens) / rate
        bucket.tokens -= 1
        return None


class Slots:
    """At most `active` at once, at most `waiting` in line; whoever finds the line full, or too long
    to be answered in time, is shed at once.

    Retry-After is how long the line would take, by what requests have taken of late.
    """

    def __init__(self, active: int, waiting: int) -> None:
        self._free = asyncio.Semaphore(active)
        self._active = active
        self._most_waiting = waiting
        self._waiting = 0
        self._busy = 0
        self._usual_s = 1.0

    @asynccontextmanager
    async def hold(self, wait_s: float) -> AsyncIterator[None]:
        is_full = self._waiting >= self._most_waiting or self._expected_s > wait_s
        if self._free.locked() and is_full:
            raise self._shed("overloaded", "More requests are waiting than could be answered.")
        await self._turn(wait_s)
        started_s = time.monotonic()
        self._busy += 1
        self._report()
        try:
            yield
        finally:
            self._busy -= 1
            self._free.release()
            self._usual_s += (time.monotonic() - started_s - self._usual_s) / 10
            self._report()

    async def _turn(self, wait_s: float) -> None:
        self._waiting += 1
        self._report()
        try:
            async with asyncio.timeout(wait_s):
                await self._free.acquire()
        except TimeoutError:
            raise self._shed("waited_too_long", "The request waited too long.") from None
        finally:
            self._waiting -= 1

    def _shed(self, reason: str, detail: str) -> Problem:
        metrics().count("http_shed_total", reason=reason)
        return Problem(503, reason, detail, hint="Try again later.", retry_after_s=self._expected_s)

    @property
    def _expected_s(self) -> float:
        """How long whoever comes now would wait."""
        return self._usual_s * (self._waiting + 1) / self._active

    def _report(self) -> None:
        metrics().set("http_in_flight", self._busy + self._waiting)
