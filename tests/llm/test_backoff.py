"""Callers who failed together do not return together."""

import random
from collections import Counter

import pytest
from hypothesis import given, strategies as st
from tenacity import AsyncRetrying, Future, RetryCallState

from groundwire.errors import (
    BackendError,
    BackendMalformed,
    BackendRateLimited,
    BackendRefused,
    BackendTimeout,
    BackendUnavailable,
    BackendUnsupported,
    SpendingCapReached,
)
from groundwire.llm import BackendUnreachable
from groundwire.llm._caller import Backoff, may_help


def failed(error: Exception, attempt: int = 1) -> RetryCallState:
    state = RetryCallState(AsyncRetrying(), None, (), {})
    state.attempt_number = attempt
    state.outcome = Future.construct(attempt, error, has_exception=True)
    return state


def specified() -> Backoff:
    """As S1's table has it."""
    return Backoff(initial_s=1, base=2, jitter_s=5)


def test_a_thousand_callers_who_failed_at_once_come_back_spread_out() -> None:
    """Over the jitter's five seconds no tenth of them falls short or crowds."""
    random.seed(7)
    wait = specified()
    waits = [wait(failed(BackendUnavailable("down"))) for _ in range(1000)]
    tenths = Counter(min(9, int((each - 1) / 5 * 10)) for each in waits)
    assert min(waits) >= 1
    assert max(waits) <= 6
    assert all(60 <= tenths[place] <= 140 for place in range(10))


@given(st.integers(1, 12))
def test_waits_grow_by_the_base_and_stay_within_the_jitter(attempt: int) -> None:
    wait = specified()(failed(BackendUnavailable("down"), attempt))
    assert 2 ** (attempt - 1) <= wait <= 2 ** (attempt - 1) + 5


def test_a_server_that_names_a_time_is_left_alone_for_it_and_callers_still_spread() -> None:
    error = BackendRateLimited("slow down", retry_after_s=30)
    waits = {specified()(failed(error)) for _ in range(50)}
    assert min(waits) >= 30
    assert max(waits) <= 35
    assert len(waits) == 50


@pytest.mark.parametrize(
    ("error", "retried"),
    [
        (BackendTimeout("x"), True),
        (BackendUnavailable("x"), True),
        (BackendRateLimited("x"), True),
        (BackendMalformed("x"), True),
        (BackendRefused("x"), False),
        (BackendUnsupported("x", capability="logprobs"), False),
        (SpendingCapReached("x"), False),
        (ValueError("x"), False),
    ],
)
def test_only_what_another_attempt_may_heal_is_tried_again(
    error: Exception,
    retried: bool,  # noqa: FBT001
) -> None:
    assert may_help(failed(error)) is retried


@pytest.mark.parametrize(
    ("error", "retries"), [(BackendMalformed("x"), 2), (BackendUnreachable("x"), 1)]
)
def test_what_mostly_stays_broken_is_tried_again_less_often(
    error: BackendError, retries: int
) -> None:
    assert sum(may_help(failed(error, attempt)) for attempt in range(1, 9)) == retries
