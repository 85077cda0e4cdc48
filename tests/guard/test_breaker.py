import asyncio
import threading
from collections.abc import Callable
from datetime import timedelta

import pybreaker
import pytest
from hypothesis import given, settings, strategies as st

from groundwire.config import load_config
from groundwire.errors import CircuitOpen
from groundwire.guard import CircuitBreaker
from groundwire.observe import Metrics, request


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def counted() -> Metrics:
    return Metrics()


@pytest.fixture
def breaker(clock: Clock, counted: Metrics) -> CircuitBreaker:
    return CircuitBreaker("embeddings", timer=clock, counted=counted)


def fail(breaker: CircuitBreaker, times: int = 1) -> None:
    for _ in range(times):
        with pytest.raises(ConnectionError), breaker.attempt():
            raise ConnectionError


def succeed(breaker: CircuitBreaker, times: int = 1) -> None:
    for _ in range(times):
        with breaker.attempt():
            pass


def state(breaker: CircuitBreaker) -> str:
    return breaker.state


def gauge(counted: Metrics) -> float:
    return counted.value("circuit_breaker_state", service="embeddings")


def trips(counted: Metrics) -> float:
    return counted.value("circuit_breaker_trip_total", service="embeddings")


def test_a_fresh_circuit_is_closed_and_shows_it(breaker: CircuitBreaker, counted: Metrics) -> None:
    assert breaker.state == "closed"
    assert 'circuit_breaker_state{service="embeddings"} 0.0' in counted.exposition()


def test_it_opens_at_the_fifth_failure_in_a_row(breaker: CircuitBreaker, counted: Metrics) -> None:
    fail(breaker, 4)
    assert breaker.state == "closed"
    fail(breaker)
    assert (breaker.state, gauge(counted), trips(counted)) == ("open", 2, 1)


def test_a_success_forgives_the_failures_before_it(breaker: CircuitBreaker) -> None:
    fail(breaker, 4)
    succeed(breaker)
    fail(breaker, 4)
    assert breaker.state == "closed"


def test_an_open_circuit_refuses_without_calling(breaker: CircuitBreaker) -> None:
    """[OBS-03] and the request says so in its fallback flags."""
    fail(breaker, 5)
    called = False
    with request() as context, pytest.raises(CircuitOpen), breaker.attempt():
        called = True
    assert not called
    assert context.fallback_flags == ["circuit_open"]


def test_after_the_timeout_one_call_is_let_through(
    breaker: CircuitBreaker, clock: Clock, counted: Metrics
) -> None:
    fail(breaker, 5)
    clock.now_s += 29.9
    with pytest.raises(CircuitOpen), breaker.attempt():
        pass
    clock.now_s += 0.1
    with breaker.attempt():
        assert (breaker.state, gauge(counted)) == ("half_open", 1)
        with pytest.raises(CircuitOpen), breaker.attempt():
            pass


def test_two_successes_in_a_row_close_it(
    breaker: CircuitBreaker, clock: Clock, counted: Metrics
) -> None:
    fail(breaker, 5)
    clock.now_s += 30
    succeed(breaker)
    assert breaker.state == "half_open"
    succeed(breaker)
    assert (breaker.state, gauge(counted), trips(counted)) == ("closed", 0, 1)


def test_a_failed_probe_opens_it_for_another_full_timeout(
    breaker: CircuitBreaker, clock: Clock, counted: Metrics
) -> None:
    fail(breaker, 5)
    clock.now_s += 30
    succeed(breaker)
    fail(breaker)
    assert (breaker.state, trips(counted)) == ("open", 2)
    clock.now_s += 29.9
    with pytest.raises(CircuitOpen), breaker.attempt():
        pass


def test_a_result_that_comes_late_changes_nothing(breaker: CircuitBreaker, clock: Clock) -> None:
    early = breaker.attempt()
    early.__enter__()
    fail(breaker, 5)
    clock.now_s += 30
    succeed(breaker)
    assert early.__exit__(ConnectionError, ConnectionError(), None) is False
    assert state(breaker) == "half_open"
    succeed(breaker)
    assert state(breaker) == "closed"


def test_a_probe_that_never_returns_is_replaced(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, 5)
    clock.now_s += 30
    with breaker.attempt():
        clock.now_s += 30
        succeed(breaker)
    assert breaker.state == "closed"


def test_a_cancelled_call_counts_as_nothing(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, 5)
    clock.now_s += 30

    async def hang() -> None:
        with breaker.attempt():
            await asyncio.sleep(60)

    async def cancel() -> None:
        task = asyncio.create_task(hang())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert state(breaker) == "half_open"
    succeed(breaker, 2)
    assert state(breaker) == "closed"


def test_the_callers_own_mistakes_are_not_failures_of_the_service(clock: Clock) -> None:
    breaker = CircuitBreaker("x", failures=(ConnectionError,), timer=clock, counted=Metrics())
    for _ in range(9):
        with pytest.raises(ValueError, match="too long"), breaker.attempt():
            raise ValueError("too long")
    assert breaker.state == "closed"


def test_every_failure_counts_when_threads_call_at_once(counted: Metrics) -> None:
    breaker = CircuitBreaker("embeddings", failure_threshold=400, counted=counted)
    threads = [threading.Thread(target=fail, args=(breaker, 50)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (breaker.state, trips(counted)) == ("open", 1)


def test_only_one_of_many_coroutines_is_the_probe(breaker: CircuitBreaker, clock: Clock) -> None:
    fail(breaker, 5)
    clock.now_s += 30
    let_through = 0

    async def call() -> None:
        nonlocal let_through
        try:
            with breaker.attempt():
                let_through += 1
                await asyncio.sleep(0.001)
        except CircuitOpen:
            pass

    async def storm() -> None:
        await asyncio.gather(*(call() for _ in range(50)))

    asyncio.run(storm())
    assert let_through == 1


def test_the_settings_are_the_constructor(clock: Clock) -> None:
    section = load_config(environ={}).config.circuit_breaker.embeddings
    assert section.model_dump() == {
        "failure_threshold": 5,
        "success_threshold": 2,
        "timeout_seconds": 30,
    }
    assert CircuitBreaker("embeddings", **section.model_dump()).state == "closed"


def test_a_refusal_is_logged_as_the_specification_shows(
    breaker: CircuitBreaker, captured_logs: Callable[[], list[dict[str, object]]]
) -> None:
    fail(breaker, 5)
    with request() as context, pytest.raises(CircuitOpen), breaker.attempt():
        pass
    entry = captured_logs()[-1]
    assert entry["event"] == "circuit_open"
    assert entry["component"] == entry["service"] == "embeddings"
    assert entry["level"] == "WARN"
    assert entry["fallback_flags"] == ["circuit_open"]
    assert entry["request_id"] == context.request_id


@settings(deadline=None, max_examples=60)
@given(st.lists(st.one_of(st.booleans(), st.just(31)), max_size=60))
def test_it_changes_state_as_pybreaker_does(events: list[bool | int]) -> None:
    """An oracle written by others: calls that fail or succeed, and time that passes."""
    clock = Clock()
    ours = CircuitBreaker("oracle", timer=clock, counted=Metrics())
    theirs = pybreaker.CircuitBreaker(fail_max=5, success_threshold=2, reset_timeout=30)

    def call(*, works: bool) -> None:
        if not works:
            raise ConnectionError

    for event in events:
        if event == 31 and not isinstance(event, bool):
            clock.now_s += 31
            if (opened := theirs._state_storage.opened_at) is not None:
                theirs._state_storage.opened_at = opened - timedelta(seconds=31)
            continue
        try:
            theirs.call(call, works=bool(event))
            expected = "passed"
        except pybreaker.CircuitBreakerError:
            expected = "refused or opened"
        except ConnectionError:
            expected = "failed"
        try:
            with ours.attempt():
                call(works=bool(event))
            got = "passed"
        except CircuitOpen:
            got = "refused or opened"
        except ConnectionError:
            # pybreaker hides the failure that trips the circuit behind its own error
            got = "refused or opened" if ours.state == "open" else "failed"
        assert (got, ours.state) == (expected, theirs.current_state.replace("-", "_"))
