"""Every lookup is counted and logged in one way, whoever answers it [S3 Gap A, Gap F]."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from groundwire.errors import GroundwireError, SKOSMOSTimeout
from groundwire.model import SKOSMOSResult
from groundwire.observe import Log, Metrics, current_request, metrics


class Answer:
    """Where the code inside `Accounts.lookup` leaves its result."""

    result: SKOSMOSResult


class Accounts:
    def __init__(self, backend: str, *, component: str, counted: Metrics | None = None) -> None:
        self._backend = backend
        self._metrics = counted or metrics()
        self._log = Log(component)

    @contextmanager
    def lookup(self, term: str) -> Iterator[Answer]:
        """One lookup that reaches the vocabulary: hit, miss, timeout or error."""
        started_s = time.perf_counter()
        answer = Answer()
        try:
            yield answer
        except SKOSMOSTimeout:
            self._failed("timeout", term, _elapsed_ms(started_s))
            raise
        except GroundwireError as error:
            self._failed("error", term, _elapsed_ms(started_s), problem=error.message)
            raise
        latency_ms = _elapsed_ms(started_s)
        answer.result = answer.result.model_copy(update={"latency_ms": latency_ms})
        self._count("hit" if answer.result.found else "miss")
        self._complete(answer.result)

    def from_cache(self, result: SKOSMOSResult) -> SKOSMOSResult:
        """A lookup that the cache answered: counted apart."""
        self._metrics.count("skosmos_cache_hit_total", backend="cache")
        cached = result.model_copy(update={"cached": True, "latency_ms": 0})
        self._complete(cached)
        return cached

    def _count(self, what: str) -> None:
        self._metrics.count("skosmos_lookup_total", backend=self._backend)
        self._metrics.count(f"skosmos_{what}_total", backend=self._backend)

    def _failed(self, what: str, term: str, latency_ms: int, **fields: str) -> None:
        self._count(what)
        if (request := current_request()) is not None:
            request.add_fallback(f"{self._backend}_{what}")
        self._log.warn(what, term=term, latency_ms=latency_ms, **fields)

    def _complete(self, result: SKOSMOSResult) -> None:
        self._log.info(
            "lookup_complete",
            term=result.term,
            hit=result.found,
            outcome=result.outcome,
            cached=result.cached,
            backend=self._backend,
            latency_ms=result.latency_ms,
        )


def _elapsed_ms(started_s: float) -> int:
    return round((time.perf_counter() - started_s) * 1000)
