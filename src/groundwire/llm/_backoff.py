from tenacity import RetryCallState, wait_exponential, wait_random
from tenacity.wait import wait_base

from groundwire.errors import BackendError, BackendMalformed
from groundwire.llm._faults import BackendUnreachable

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
