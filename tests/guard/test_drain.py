from pathlib import Path

import pytest

from groundwire.errors import BackendRateLimited, BackendRefused
from groundwire.guard import Drained, DurableQueue, QueuedItem, drain

pytestmark = pytest.mark.anyio


def filled(path: Path, count: int, now: list[float]) -> DurableQueue:
    queue = DurableQueue(path / "queue.sqlite", clock=lambda: now[0])
    for number in range(count):
        queue.put("fact", {"number": number}, reason="rate_limit")
    return queue


async def test_due_items_are_handled_in_order_and_forgotten(tmp_path: Path) -> None:
    handled = []

    async def handle(item: QueuedItem) -> None:
        handled.append(item.payload["number"])

    with filled(tmp_path, 4, [0.0]) as queue:
        assert await drain(queue, handle, limit=3) == Drained(done=3)
        assert handled == [0, 1, 2]
        assert queue.depth() == 1


async def test_a_rate_limit_ends_the_round_and_its_time_is_kept(tmp_path: Path) -> None:
    """[SPEC-08.42] rate limit: queue for later verification."""
    now = [0.0]

    async def handle(item: QueuedItem) -> None:
        raise BackendRateLimited("slow down", retry_after_s=90)

    with filled(tmp_path, 3, now) as queue:
        assert await drain(queue, handle) == Drained(put_back=1)
        now[0] = 89
        assert [item.payload["number"] for item in queue.take(limit=9)] == [1, 2]
        now[0] = 90
        assert [item.payload["number"] for item in queue.take(limit=9)] == [0]


async def test_a_refused_item_does_not_keep_the_others_waiting(tmp_path: Path) -> None:
    async def handle(item: QueuedItem) -> None:
        if item.payload["number"] == 0:
            raise BackendRefused("unknown model")

    with filled(tmp_path, 3, [0.0]) as queue:
        assert await drain(queue, handle) == Drained(done=2, put_back=1)


async def test_waits_grow_with_every_attempt(tmp_path: Path) -> None:
    now = [0.0]

    async def handle(item: QueuedItem) -> None:
        raise BackendRefused("still refused")

    with filled(tmp_path, 1, now) as queue:
        for wait_s in (60, 120, 240):
            assert await drain(queue, handle) == Drained(put_back=1)
            now[0] += wait_s - 1
            assert await drain(queue, handle) == Drained()
            now[0] += 1


async def test_a_mistake_in_the_handler_is_raised_and_loses_nothing(tmp_path: Path) -> None:
    now = [0.0]

    async def handle(item: QueuedItem) -> None:
        raise ZeroDivisionError

    with filled(tmp_path, 1, now) as queue:
        with pytest.raises(ZeroDivisionError):
            await drain(queue, handle, lease_s=10)
        now[0] = 11
        assert len(queue.take()) == 1
