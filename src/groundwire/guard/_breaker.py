import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Literal, NamedTuple

from groundwire.errors import CircuitOpen
from groundwire.observe import Log, Metrics, current_request, metrics

BreakerState = Literal["closed", "half_open", "open"]

GAUGE: dict[BreakerState, int] = {"closed": 0, "half_open": 1, "open": 2}
FALLBACK_FLAG = "circuit_open"


class _Call(NamedTuple):
    """One call let through: a result that arrives after the state changed says nothing."""

    era: int
    started_s: float


class CircuitBreaker:
    """Leaves a failing service alone for a while, then tries it again, one call at a time.

    Closed, calls pass; `failure_threshold` failures in a row open it. Open, calls are refused for
    `timeout_seconds`. Then the next call is let through to see (half-open): `success_threshold`
    successes in a row close it again, one failure opens it anew [S3 Gap D].

    Wrap each call in `with breaker.attempt():`, from threads and from coroutines alike.
    """

    def __init__(
        self,
        service: str,
        *,
        failure_threshold: int = 5,
        success_threshold: int = 2,
        timeout_seconds: float = 30,
        failures: tuple[type[Exception], ...] = (Exception,),
        timer: Callable[[], float] = time.monotonic,
        counted: Metrics | None = None,
    ) -> None:
        self.service = service
        self._failure_threshold = failure_threshold
        self._success_threshold = success_threshold
        self._timeout_s = timeout_seconds
        self._failures = failures
        self._timer = timer
        self._metrics = counted or metrics()
        self._log = Log(service)
        self._lock = Lock()
        self._era = 0
        self._in_a_row = 0
        self._opened_s = 0.0
        self._probe: _Call | None = None
        self._state: BreakerState = "closed"
        self._show_state()

    @property
    def state(self) -> BreakerState:
        return self._state

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """One call of the service; raises `CircuitOpen` instead when it is left alone."""
        call = self._admit()
        try:
            yield
        except self._failures:
            self._end(call, failed=True)
            raise
        except BaseException:
            # cancelled, or refused for the caller's own fault: neither says how the service is
            self._end(call, failed=None)
            raise
        self._end(call, failed=False)

    def _admit(self) -> _Call:
        with self._lock:
            now_s = self._timer()
            if self._state == "open" and now_s - self._opened_s >= self._timeout_s:
                self._become("half_open")
            if self._lets_through(now_s):
                call = _Call(self._era, now_s)
                self._probe = call if self._state == "half_open" else None
                return call
        raise self._refusal()

    def _lets_through(self, now_s: float) -> bool:
        if self._state != "half_open":
            return self._state == "closed"
        # a probe that never comes back must not keep the circuit half-open for ever
        return self._probe is None or now_s - self._probe.started_s >= self._timeout_s

    def _refusal(self) -> CircuitOpen:
        if (request := current_request()) is not None:
            request.add_fallback(FALLBACK_FLAG)
        self._log.warn("circuit_open", service=self.service)
        return CircuitOpen(
            f"The service {self.service!r} failed repeatedly and is left alone for now.",
            hint=f"It is tried again {self._timeout_s:g} s after it failed last.",
        )

    def _end(self, call: _Call, *, failed: bool | None) -> None:
        with self._lock:
            if self._probe is call:
                self._probe = None
            if failed is None or call.era != self._era:
                return
            if self._state == "half_open":
                self._judge_probe(failed=failed)
            elif failed:
                self._in_a_row += 1
                if self._in_a_row >= self._failure_threshold:
                    self._open()
            else:
                self._in_a_row = 0

    def _judge_probe(self, *, failed: bool) -> None:
        if failed:
            self._open()
            return
        self._in_a_row += 1
        if self._in_a_row >= self._success_threshold:
            self._become("closed")

    def _open(self) -> None:
        self._opened_s = self._timer()
        self._metrics.count("circuit_breaker_trip_total", service=self.service)
        self._become("open")

    def _become(self, state: BreakerState) -> None:
        self._state = state
        self._era += 1
        self._in_a_row = 0
        self._probe = None
        self._show_state()
        self._log.info("circuit_state", service=self.service, state=state)

    def _show_state(self) -> None:
        self._metrics.set("circuit_breaker_state", GAUGE[self._state], service=self.service)
