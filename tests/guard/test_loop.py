import asyncio
from concurrent.futures import CancelledError
from threading import get_ident

import pytest
from anyio.to_thread import run_sync

from groundwire.guard import LoopThread


async def echo(value: int) -> int:
    await asyncio.sleep(0)
    return value


def test_it_runs_coroutines_for_threads_and_for_other_loops() -> None:
    loop = LoopThread("test")
    states = [loop.is_running]
    assert loop.submit(echo(1)).result() == 1

    async def from_another_loop() -> int:
        return await asyncio.wrap_future(loop.submit(echo(2)))

    assert asyncio.run(from_another_loop()) == 2
    states.append(loop.is_running)
    loop.close()
    assert [*states, loop.is_running] == [False, True, False]


def test_it_starts_again_after_it_was_closed() -> None:
    loop = LoopThread("test")
    loop.close()
    assert loop.submit(echo(3)).result() == 3
    loop.close()
    assert loop.submit(echo(4)).result() == 4
    loop.close()


def test_what_still_runs_is_cancelled_when_it_closes() -> None:
    loop = LoopThread("test")
    waiting = loop.submit(asyncio.sleep(60))
    loop.submit(echo(0)).result()
    loop.close()
    with pytest.raises(CancelledError):
        waiting.result(timeout=5)


def test_threads_are_kept_from_call_to_call() -> None:
    """Starting one holds the loop up, for long where the machine is busy."""
    loop = LoopThread("test-threads")

    async def worked_on() -> int:
        return await run_sync(get_ident)

    try:
        assert len({loop.submit(worked_on()).result() for _ in range(5)}) == 1
    finally:
        loop.close()
