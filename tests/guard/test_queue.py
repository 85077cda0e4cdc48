import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from groundwire.guard import DurableQueue
from groundwire.observe import metrics


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(tmp_path: Path, clock: Clock) -> Iterator[DurableQueue]:
    with DurableQueue(tmp_path / "queue.sqlite", clock=clock, max_attempts=3) as opened:
        yield opened


def test_what_is_put_is_taken_in_order_and_forgotten_when_done(queue: DurableQueue) -> None:
    for number in range(3):
        assert queue.put("fact", {"claim": f"claim {number}"}, reason="rate_limit")
    taken = queue.take(limit=2)
    assert [item.payload["claim"] for item in taken] == ["claim 0", "claim 1"]
    assert taken[0].reason == "rate_limit"
    assert all(queue.done(item) for item in taken)
    assert queue.depth() == 1
    assert metrics().value("verification_queue_depth") == 1


def test_the_same_key_waits_only_once(queue: DurableQueue) -> None:
    assert queue.put("fact", {}, reason="timeout", key="fact-1")
    assert not queue.put("fact", {}, reason="timeout", key="fact-1")
    assert queue.depth() == 1


def test_an_item_is_not_taken_before_it_is_due(queue: DurableQueue, clock: Clock) -> None:
    queue.put("fact", {}, reason="rate_limit", delay_s=30)
    assert queue.take() == []
    clock.now += 30
    assert len(queue.take()) == 1


def test_kinds_can_be_taken_apart(queue: DurableQueue) -> None:
    queue.put("fact", {}, reason="timeout")
    queue.put("answer", {}, reason="timeout")
    assert [item.kind for item in queue.take(limit=9, kind="answer")] == ["answer"]


def test_a_taker_that_vanishes_loses_its_item_to_the_next(
    queue: DurableQueue, clock: Clock
) -> None:
    queue.put("fact", {"claim": "x"}, reason="timeout")
    lost = queue.take(lease_s=60)[0]
    assert queue.take() == []
    clock.now += 61
    again = queue.take(lease_s=60)[0]
    assert again.attempts == 2
    assert not queue.done(lost)
    assert queue.done(again)


def test_after_enough_attempts_an_item_is_given_up_and_kept(
    queue: DurableQueue, clock: Clock
) -> None:
    queue.put("fact", {}, reason="error")
    for _ in range(3):
        item = queue.take()[0]
        assert queue.put_back(item, delay_s=5, error="still failing")
        clock.now += 5
    assert queue.take() == []
    assert (queue.depth(), queue.given_up()) == (0, 1)


def test_an_item_whose_takers_always_crash_is_given_up_too(
    queue: DurableQueue, clock: Clock
) -> None:
    queue.put("fact", {}, reason="error")
    for _ in range(3):
        assert len(queue.take(lease_s=1)) == 1
        clock.now += 2
    assert queue.take() == []
    assert queue.given_up() == 1


def test_the_last_error_is_kept_without_secrets(queue: DurableQueue) -> None:
    queue.put("fact", {}, reason="error")
    queue.put_back(queue.take()[0], delay_s=0, error="api_key=0123456789abcdef was refused")
    assert queue.take()[0].last_error == "api_key=[REDACTED] was refused"


def test_several_takers_never_share_an_item(tmp_path: Path) -> None:
    path = tmp_path / "queue.sqlite"
    with DurableQueue(path) as queue:
        for number in range(60):
            queue.put("fact", {"number": number}, reason="timeout")

    def drain(_: int) -> list[int]:
        found = []
        with DurableQueue(path) as own:
            while items := own.take(limit=3):
                for item in items:
                    found.append(item.payload["number"])
                    own.done(item)
        return found

    with ThreadPoolExecutor(4) as pool:
        drained = list(pool.map(drain, range(4)))
    assert sorted(number for found in drained for number in found) == list(range(60))


TAKE_AND_HANG = """
import sys, time
from pathlib import Path
from groundwire.guard import DurableQueue
queue = DurableQueue(Path(sys.argv[1]))
queue.take(lease_s=0.5)
print("taken", flush=True)
time.sleep(60)
"""


def test_a_killed_process_costs_no_item(tmp_path: Path) -> None:
    path = tmp_path / "queue.sqlite"
    with DurableQueue(path) as queue:
        queue.put("fact", {"claim": "x"}, reason="rate_limit")
    taker = subprocess.Popen(
        [sys.executable, "-c", TAKE_AND_HANG, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert taker.stdout is not None
    assert taker.stdout.readline() == "taken\n"
    os.kill(taker.pid, signal.SIGKILL)
    taker.wait()
    taker.stdout.close()
    with DurableQueue(path, clock=lambda: 1e12) as queue:
        assert [item.payload for item in queue.take()] == [{"claim": "x"}]
