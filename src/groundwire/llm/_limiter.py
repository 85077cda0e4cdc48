import asyncio
from collections import deque
from threading import Lock
from types import TracebackType

from groundwire.observe import metrics

_Waiter = tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]


class _InFlight:
    """Calls under way in this process, over all limiters."""

    def __init__(self) -> None:
        self._count = 0
        self._lock = Lock()

    def change(self, by: int) -> None:
        with self._lock:
            self._count += by
            metrics().set("llm_in_flight", self._count)


_in_flight = _InFlight()


class Limiter:
    """At most `limit` holders at once, over all event loops and threads of the process.

    A limiter of asyncio or anyio belongs to one event loop, but our sync calls and a server's
    worker threads each have a loop of their own and must still share one budget of calls.
    First come, first served.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._held = 0
        self._waiters: deque[_Waiter] = deque()
        self._lock = Lock()

    @property
    def held(self) -> int:
        return self._held

    async def __aenter__(self) -> None:
        with self._lock:
            if self._held < self.limit:
                self._take()
                return
            loop = asyncio.get_running_loop()
            waiter = (loop, loop.create_future())
            self._waiters.append(waiter)
        try:
            await waiter[1]
        except asyncio.CancelledError:
            self._withdraw(waiter)
            raise

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pass_on()

    def _take(self) -> None:
        self._held += 1
        _in_flight.change(+1)

    def _withdraw(self, waiter: _Waiter) -> None:
        """The waiter was cancelled; a place it was given in the same moment goes to the next."""
        with self._lock:
            if waiter in self._waiters:
                self._waiters.remove(waiter)
                return
        if not waiter[1].cancelled():
            self._pass_on()

    def _pass_on(self) -> None:
        """Hand a place straight to the next in line, so that no newcomer slips in between."""
        with self._lock:
            while self._waiters:
                loop, future = self._waiters.popleft()
                try:
                    loop.call_soon_threadsafe(self._grant, future)
                except RuntimeError:  # its loop is closed: nobody waits there any more
                    continue
                return
            self._held -= 1
            _in_flight.change(-1)

    def _grant(self, future: asyncio.Future[None]) -> None:
        if future.done():
            self._pass_on()
        else:
            future.set_result(None)
