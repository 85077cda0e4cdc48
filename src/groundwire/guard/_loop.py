"""A loop of one's own, and calls that run on it: awaited from any other loop, or waited for."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from functools import wraps
from threading import Lock, Thread, current_thread
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

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
            if self._loop is not None and self._thread is not None and self._thread.is_alive():
                self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join()
            self._loop = self._thread = None

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            # the thread of a parent process is not alive in its fork
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                self._loop = asyncio.new_event_loop()
                self._thread = Thread(target=_run, args=(self._loop,), name=self._name, daemon=True)
                self._thread.start()
            return self._loop


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


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


def sync_twin(
    method: AsyncMethod[Owner, Arguments, Result],
) -> Callable[Concatenate[Owner, Arguments], Result]:
    """The same method for callers without a loop: it waits for the result."""

    @wraps(method)
    def wait(self: Owner, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        return self.loop.submit(method(self, *args, **kwargs)).result()

    wait.__name__ = f"{method.__name__}_sync"
    return wait
