import asyncio
from collections.abc import Awaitable, Callable

import pytest

from groundwire.errors import (
    BackendError,
    BackendRateLimited,
    BackendRefused,
    BackendTimeout,
    BackendUnavailable,
)
from groundwire.guard import deadline
from groundwire.llm import Caller, CallPolicy

pytestmark = pytest.mark.anyio

QUICK = CallPolicy(backoff_initial_s=0.001, backoff_jitter_max_s=0.001, deadline_s=5, timeout_s=5)


def failing(*errors: BackendError) -> tuple[Callable[[], Awaitable[str]], list[int]]:
    left = list(errors)
    calls: list[int] = []

    async def attempt() -> str:
        calls.append(1)
        await asyncio.sleep(0)
        if left:
            raise left.pop(0)
        return "answer"

    return attempt, calls


async def test_a_passing_failure_costs_only_another_attempt() -> None:
    attempt, calls = failing(BackendUnavailable("down"), BackendRateLimited("slow"))
    assert await Caller("x", QUICK).run(attempt) == "answer"
    assert len(calls) == 3


async def test_retries_end_and_the_last_error_remains() -> None:
    attempt, calls = failing(*(BackendUnavailable(str(number)) for number in range(9)))
    with pytest.raises(BackendUnavailable, match="5"):
        await Caller("x", QUICK).run(attempt)
    assert len(calls) == 6  # once, and five retries


async def test_a_refusal_is_not_tried_again() -> None:
    attempt, calls = failing(BackendRefused("wrong key"))
    with pytest.raises(BackendRefused):
        await Caller("x", QUICK).run(attempt)
    assert len(calls) == 1


async def test_a_wait_that_would_outlast_the_deadline_is_not_waited() -> None:
    """The error says more than a timeout an hour later would."""
    attempt, calls = failing(BackendRateLimited("slow down", retry_after_s=3600))
    with pytest.raises(BackendRateLimited) as caught:
        await Caller("x", QUICK).run(attempt)
    assert caught.value.retry_after_s == 3600
    assert len(calls) == 1


async def never() -> str:
    await asyncio.sleep(3600)
    return "too late"


async def test_one_attempt_is_bounded_and_then_tried_again() -> None:
    policy = CallPolicy(
        timeout_s=0.01, deadline_s=5, max_retries=1, backoff_initial_s=0, backoff_jitter_max_s=0
    )
    with pytest.raises(BackendTimeout, match="did not answer within"):
        await Caller("x", policy).run(never)


async def test_the_deadline_bounds_everything() -> None:
    with pytest.raises(BackendTimeout):
        await Caller("x", QUICK).run(never, deadline_s=0.02)


async def test_waiting_in_line_counts_towards_the_deadline() -> None:
    caller = Caller("x", CallPolicy(limit=1))
    async with caller.limiter:
        with pytest.raises(BackendTimeout, match="within the deadline"):
            await caller.run(never, deadline_s=0.02)
    assert caller.limiter.held == 0


async def test_the_deadline_of_an_operation_around_it_holds_too() -> None:
    """[SPEC-08.38] a memory gate has two seconds, whatever the model's own deadline is."""
    with deadline(0.02), pytest.raises(BackendTimeout):
        await Caller("x", QUICK).run(never)


async def test_no_place_is_held_while_waiting_for_a_retry() -> None:
    policy = CallPolicy(limit=1, backoff_initial_s=3600, deadline_s=7200)
    caller = Caller("x", policy)
    attempt, _ = failing(BackendUnavailable("down"))
    stuck = asyncio.create_task(caller.run(attempt))
    for _ in range(5):
        await asyncio.sleep(0.001)
    attempt, _ = failing()
    assert await caller.run(attempt) == "answer"
    stuck.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stuck
    assert caller.limiter.held == 0


async def test_cancelling_a_call_cancels_it_and_frees_its_place() -> None:
    caller = Caller("x", QUICK)
    task = asyncio.create_task(caller.run(never))
    await asyncio.sleep(0.001)
    assert caller.limiter.held == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert caller.limiter.held == 0


async def test_a_callers_own_timeout_around_a_call_stays_the_callers() -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02):
            await Caller("x", QUICK).run(never)
