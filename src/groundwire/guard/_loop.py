"""A loop of one's own, and a deadline for what runs on it."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from queue import SimpleQueue
from threading import Lock, Thread, current_thread
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

_ends_at: ContextVar[float | None] = ContextVar("groundwire_deadline", default=None)


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Whatever is called inside has at most this long; an earlier deadline around it stays."""
    ends_at = time.monotonic() + seconds
    outer = _ends_at.get()
    token = _ends_at.set(ends_at if outer is None else min(outer, ends_at))
    try:
        yield
    finally:
        _ends_at.reset(token)


def remaining_s() -> float | None:
    """Seconds until the deadline, 0 once it has passed, `None` where there is none."""
    ends_at = _ends_at.get()
    return None if ends_at is None else max(0.0, ends_at - time.monotonic())


Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")


class LoopThread:
    """An event loop in a thread of its own, started at first use.

    Connections belong to the loop that opened them. A client with one loop of its own can be
    called from threads and from any other loop, and its deadlines hold even for the name lookup
    and for a server that sends one byte at a time, which timeouts of blocking sockets do not.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end: asyncio.Future[None] | None = None
        self._thread: Thread | None = None

    @property
    def is_running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    @property
    def is_current(self) -> bool:
        """Whether the caller is already on this loop."""
        return current_thread() is self._thread

    def submit(self, coroutine: Coroutine[Any, Any, Result]) -> Future[Result]:
        return asyncio.run_coroutine_threadsafe(coroutine, self._running())

    def close(self) -> None:
        with self._lock:
            if self._end is not None and self._thread is not None and self._thread.is_alive():
                self._end.get_loop().call_soon_threadsafe(self._end.set_result, None)
                self._thread.join()
            self._loop = self._end = self._thread = None

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            # the thread of a parent process is not alive in its fork
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                self._loop = asyncio.new_event_loop()
                self._end = self._loop.create_future()
                self._thread = Thread(target=_run, args=(self._end,), name=self._name, daemon=True)
                self._thread.start()
            return self._loop


def _run(end: asyncio.Future[None]) -> None:
    loop = end.get_loop()
    asyncio.set_event_loop(loop)

    async def until_the_end() -> None:
        await end

    try:
        # with a task at its root anyio keeps its threads from call to call; each call of ours
        # would otherwise be a root of its own, and start and end threads while others wait
        loop.run_until_complete(until_the_end())
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


class Worker:
    """A thread of its own for blocking calls, one after the other.

    A call that takes too long is abandoned: whoever waited goes on, calls that have not begun are
    dropped, and the end of the process does not wait for it either.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._calls: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._lock = Lock()
        self._thread: Thread | None = None

    async def run(self, limit_s: float, call: Callable[[], Result]) -> Result:
        """What the call gives; `TimeoutError` where that takes longer."""
        return await asyncio.wait_for(asyncio.wrap_future(self.submit(call)), limit_s)

    def submit(self, call: Callable[[], Result]) -> Future[Result]:
        future: Future[Result] = Future()
        self._calls.put((future, call))
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._work, name=self._name, daemon=True)
                self._thread.start()
        return future

    def _work(self) -> None:
        while True:
            future, call = self._calls.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(call())
            except BaseException as error:  # noqa: BLE001 -- it is raised where it is waited for
                future.set_exception(error)


class HasLoop(Protocol):
    loop: LoopThread


Owner = TypeVar("Owner", bound=HasLoop)
AsyncMethod = Callable[Concatenate[Owner, Arguments], Coroutine[Any, Any, Result]]


def on_own_loop(
    method: AsyncMethod[Owner, Arguments, Result],
) -> AsyncMethod[Owner, Arguments, Result]:
    """A method that may be awaited from any loop, and runs on the loop of its object."""

    @wraps(method)
    async def run(self: Owner, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        work = method(self, *args, **kwargs)
        if self.loop.is_current:
            return await work
        return await asyncio.wrap_future(self.loop.submit(work))

    return run


def _own_loop(owner: HasLoop) -> LoopThread:
    return owner.loop


def sync_twin(
    method: AsyncMethod[Owner, Arguments, Result],
    on: Callable[[Owner], LoopThread] = _own_loop,
) -> Callable[Concatenate[Owner, Arguments], Result]:
    """The same method for callers without a loop: it waits for the result, on its object's loop
    or on another one of its."""

    @wraps(method)
    def wait(self: Owner, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        return on(self).submit(method(self, *args, **kwargs)).result()

    wait.__name__ = f"{method.__name__}_sync"
    return wait
