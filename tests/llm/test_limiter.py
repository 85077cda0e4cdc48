import asyncio
import threading
from random import Random

import pytest

from groundwire.llm import Limiter
from groundwire.observe import metrics

pytestmark = pytest.mark.anyio


class Crowd:
    """Counts who is inside at once."""

    def __init__(self) -> None:
        self.inside = 0
        self.most = 0
        self._lock = threading.Lock()

    def enter(self) -> None:
        with self._lock:
            self.inside += 1
            self.most = max(self.most, self.inside)

    def leave(self) -> None:
        with self._lock:
            self.inside -= 1


async def visit(limiter: Limiter, crowd: Crowd, stay_s: float = 0.001) -> None:
    async with limiter:
        crowd.enter()
        try:
            await asyncio.sleep(stay_s)
        finally:
            crowd.leave()


async def test_never_more_than_the_limit_are_inside() -> None:
    limiter, crowd = Limiter(3), Crowd()
    await asyncio.gather(*(visit(limiter, crowd) for _ in range(40)))
    assert crowd.most == 3
    assert limiter.held == 0


async def test_calls_under_way_are_a_metric_over_all_limiters() -> None:
    before = metrics().value("llm_in_flight")
    async with Limiter(2), Limiter(2):
        assert metrics().value("llm_in_flight") - before == 2
    assert metrics().value("llm_in_flight") == before


async def test_first_come_first_served() -> None:
    limiter = Limiter(1)
    order: list[int] = []

    async def note(number: int) -> None:
        async with limiter:
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*map(note, range(10)))
    assert order == list(range(10))


async def test_a_cancelled_waiter_gives_up_its_place_in_line() -> None:
    limiter, crowd = Limiter(1), Crowd()
    async with limiter:
        waiting = asyncio.create_task(visit(limiter, crowd))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    await visit(limiter, crowd)
    assert limiter.held == 0


async def test_a_place_given_to_a_waiter_cancelled_in_that_moment_is_passed_on() -> None:
    limiter, crowd = Limiter(1), Crowd()
    async with limiter:
        waiting = asyncio.create_task(visit(limiter, crowd))
        await asyncio.sleep(0)
    waiting.cancel()  # its place is granted, and it does not know yet
    await asyncio.gather(waiting, return_exceptions=True)
    await asyncio.sleep(0)
    assert limiter.held == 0


@pytest.mark.parametrize("seed", range(5))
async def test_no_place_is_lost_however_callers_are_cancelled(seed: int) -> None:
    limiter, crowd, chance = Limiter(2), Crowd(), Random(seed)  # noqa: S311
    tasks = [asyncio.create_task(visit(limiter, crowd, 0.002)) for _ in range(60)]
    for _ in range(60):
        await asyncio.sleep(chance.choice([0, 0, 0.001]))
        chance.choice(tasks).cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await asyncio.sleep(0.01)
    assert limiter.held == 0
    assert crowd.most <= 2


async def test_event_loops_of_several_threads_share_one_limit() -> None:
    limiter, crowd = Limiter(3), Crowd()

    async def many() -> None:
        await asyncio.gather(*(visit(limiter, crowd) for _ in range(20)))

    threads = [threading.Thread(target=lambda: asyncio.run(many())) for _ in range(4)]
    for thread in threads:
        thread.start()
    await asyncio.gather(*(asyncio.to_thread(thread.join) for thread in threads))
    assert 1 <= crowd.most <= 3
    assert limiter.held == 0


async def test_a_loop_that_ended_while_waiting_keeps_no_place() -> None:
    limiter, crowd = Limiter(1), Crowd()
    async with limiter:

        def wait_in_a_loop_that_stops() -> None:
            loop = asyncio.new_event_loop()
            task = loop.create_task(visit(limiter, crowd))
            loop.run_until_complete(asyncio.sleep(0))
            task.cancel()
            loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
            loop.close()

        await asyncio.to_thread(wait_in_a_loop_that_stops)
    await visit(limiter, crowd)
    assert limiter.held == 0
