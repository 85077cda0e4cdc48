"""Working off what was put off."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from groundwire.errors import BackendError
from groundwire.guard._queue import DurableQueue, QueuedItem

FIRST_DELAY_S = 60.0
LONGEST_DELAY_S = 3_600.0


@dataclass(frozen=True)
class Drained:
    done: int = 0
    put_back: int = 0


async def drain(
    queue: DurableQueue,
    handle: Callable[[QueuedItem], Awaitable[None]],
    *,
    limit: int = 100,
    lease_s: float = 300.0,
    kind: str | None = None,
) -> Drained:
    """Handle up to `limit` due items, one after the other, each exactly once unless it fails.

    An item that meets a `BackendError` goes back, for as long as the backend asked for or, failing
    that, twice as long each time. The backend that turned one away turns the next away too: the
    first rate limit ends the round. Any other error is a mistake in `handle` and is raised, with
    the item left to its lease.
    """
    done = put_back = 0
    while done + put_back < limit:
        items = queue.take(limit=1, lease_s=lease_s, kind=kind)
        if not items:
            break
        try:
            await handle(items[0])
        except BackendError as error:
            put_back += 1
            queue.put_back(items[0], delay_s=_delay_s(items[0], error), error=str(error))
            if error.retryable:
                break
        else:
            done += 1
            queue.done(items[0])
    return Drained(done, put_back)


def _delay_s(item: QueuedItem, error: BackendError) -> float:
    if error.retry_after_s is not None:
        return error.retry_after_s
    return min(LONGEST_DELAY_S, FIRST_DELAY_S * 2.0 ** (item.attempts - 1))
