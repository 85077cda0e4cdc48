import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from threading import Lock
from types import TracebackType
from typing import TypeVar

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    stop_after_attempt,
    stop_before_delay,
    wait_exponential,
    wait_random,
)
from tenacity.wait import wait_base

from groundwire.errors import BackendError, BackendMalformed, BackendTimeout
from groundwire.guard import remaining_s
from groundwire.llm._faults import BackendUnreachable
from groundwire.observe import Log, metrics

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
        self.held = 0
        self._waiters: deque[_Waiter] = deque()
        self._lock = Lock()

    async def __aenter__(self) -> None:
        with self._lock:
            if self.held < self.limit:
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
        self.held += 1
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
            self.held -= 1
            _in_flight.change(-1)

    def _grant(self, future: asyncio.Future[None]) -> None:
        if future.done():
            self._pass_on()
        else:
            future.set_result(None)


UNREACHABLE_RETRIES = 1  # mostly the address is wrong, and somebody waits to hear so
MALFORMED_RETRIES = 2  # a model may get it right at the next try


class Backoff(wait_base):
    """Exponential waits with a random part, so that callers who failed together return apart.

    A server that names a time is left alone at least that long, again with the random part: all
    callers were told the same time.
    """

    def __init__(self, *, initial_s: float, base: float, jitter_s: float) -> None:
        self._jitter = wait_random(0, jitter_s)
        self._exponential = wait_exponential(multiplier=initial_s, exp_base=base)

    def __call__(self, retry_state: RetryCallState) -> float:
        error = retry_state.outcome.exception() if retry_state.outcome else None
        asked_for = error.retry_after_s if isinstance(error, BackendError) else None
        wait_s = self._exponential(retry_state) if asked_for is None else asked_for
        return wait_s + self._jitter(retry_state)


def may_help(retry_state: RetryCallState) -> bool:
    """Whether to try again after this failure."""
    error = retry_state.outcome.exception() if retry_state.outcome else None
    if not isinstance(error, BackendError) or not error.retryable:
        return False
    if isinstance(error, BackendUnreachable):
        return retry_state.attempt_number <= UNREACHABLE_RETRIES
    if isinstance(error, BackendMalformed):
        return retry_state.attempt_number <= MALFORMED_RETRIES
    return True


Answer = TypeVar("Answer")
journal = Log("llm")


@dataclass(frozen=True, kw_only=True)
class CallPolicy:
    """How patient we are. Defaults are the specification's [S1 step 7]."""

    limit: int = 8
    max_retries: int = 5
    backoff_initial_s: float = 1.0
    backoff_base: float = 2.0
    backoff_jitter_max_s: float = 5.0
    timeout_s: float = 30.0
    deadline_s: float = 60.0


class Caller:
    """Makes calls that may fail: in turn, with retries, and never past their deadline.

    Waiting for a retry leaves the place in line to others. When the next wait would end after the
    deadline, the last error is raised at once instead of a timeout later: it says more.
    """

    def __init__(self, name: str, policy: CallPolicy, limiter: Limiter | None = None) -> None:
        self.name = name
        self.policy = policy
        self.limiter = limiter or Limiter(policy.limit)
        self._backoff = Backoff(
            initial_s=policy.backoff_initial_s,
            base=policy.backoff_base,
            jitter_s=policy.backoff_jitter_max_s,
        )

    async def run(
        self, attempt: Callable[[], Awaitable[Answer]], *, deadline_s: float | None = None
    ) -> Answer:
        """The answer of the first attempt that succeeds, or a `BackendError`."""

        async def in_turn(ends_at: float) -> Answer:
            async with self.limiter:
                return await self.in_time(attempt(), ends_at)

        return await self.retried(in_turn, deadline_s=deadline_s)

    async def retried(
        self,
        attempt: Callable[[float], Awaitable[Answer]],
        *,
        deadline_s: float | None = None,
    ) -> Answer:
        """The same for attempts that take their turn themselves; they are told when time ends."""
        allowed_s = self._allowed_s(deadline_s)
        ends_at = time.monotonic() + allowed_s
        last: list[BackendError] = []

        async def once() -> Answer:
            return await attempt(ends_at)

        retrying = AsyncRetrying(
            stop=stop_after_attempt(self.policy.max_retries + 1) | stop_before_delay(allowed_s),
            wait=self._backoff,
            retry=may_help,
            before_sleep=lambda state: self._note_retry(state, last),
            sleep=asyncio.sleep,
            reraise=True,
        )
        try:
            async with asyncio.timeout(allowed_s):
                return await retrying(once)
        except TimeoutError:
            raise self._too_late(allowed_s, last) from None

    async def in_time(self, awaitable: Awaitable[Answer], ends_at: float) -> Answer:
        """Bounded by the time of one attempt and by the moment when all time ends."""
        left_s = min(self.policy.timeout_s, ends_at - time.monotonic())
        try:
            async with asyncio.timeout(left_s):
                return await awaitable
        except TimeoutError:
            raise BackendTimeout(
                f"{self.name} did not answer within {max(left_s, 0):.3g} s.",
                hint="Raise llm.timeout, or try again later.",
            ) from None

    def _allowed_s(self, deadline_s: float | None) -> float:
        """The time a call has: its own deadline, or what is left of an operation around it."""
        own = self.policy.deadline_s if deadline_s is None else deadline_s
        around = remaining_s()
        return own if around is None else min(own, around)

    def _note_retry(self, state: RetryCallState, last: list[BackendError]) -> None:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, BackendError):
            last[:] = [error]
            wait_s = state.next_action.sleep if state.next_action else 0.0
            metrics().count("llm_retries_total", provider=self.name, reason=error.code)
            journal.info(
                "llm_retry", provider=self.name, reason=error.code, wait_ms=round(wait_s * 1000)
            )

    def _too_late(self, allowed_s: float, last: list[BackendError]) -> BackendTimeout:
        before = f" The last attempt failed: {last[0].message}" if last else ""
        return BackendTimeout(
            f"{self.name} gave no answer within the deadline of {allowed_s:.3g} s.{before}",
            hint="Raise llm.deadline (for a judge hallucination.timeout), or ask less at once.",
        )
