"""Accepted work is done: after a stop, after a crash, and only for whom it belongs to."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest

from groundwire.errors import ConfigError
from groundwire.serve import Client, Job, ServiceError
from groundwire.serve._jobs import MAX_ATTEMPTS, JobStore
from groundwire.serve._server import make_server
from tests.cli.conftest import Run, gw_here
from tests.serve.conftest import new_token
from tests.serve.running import Running, service

__all__ = ["gw_here"]
ROWS = [
    {"id": str(n), "set": "m", "claim": f"Mast {n} is {n} m high.", "label": n % 2}
    | {"evidence": f"Mast {n} is {n + 1 - n % 2} m high. It stands in field {n}."}
    for n in range(20, 60)
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[JobStore]:
    with JobStore(tmp_path / "jobs.sqlite", kept=timedelta(days=7)) as opened:
        yield opened


def test_a_job_is_taken_once_and_ends_once(store: JobStore) -> None:
    """In the order in which they came; what has ended stays as it is."""
    first = store.put("check", "{}", owner="a", request_id="r1", most=9)
    second = store.put("check", "{}", owner="a", request_id="r2", most=9)
    assert first is not None
    assert second is not None
    taken = store.take()
    assert taken is not None
    assert taken[0].id == first.id
    store.end(first.id, "cancelled")
    store.end(first.id, "done", {"late": True})
    ended = store.get(first.id, "a")
    assert ended is not None
    assert (ended.state, ended.result) == ("cancelled", None)
    again = store.take()
    assert again is not None
    assert again[0].id == second.id
    assert store.take() is None


def test_work_that_was_cut_short_waits_again_but_not_for_ever(store: JobStore) -> None:
    """A job that ends the process each time must not do so at every start."""
    job = store.put("check", "{}", owner="a", request_id="r", most=9)
    assert job is not None
    for _ in range(MAX_ATTEMPTS - 1):
        assert store.take() is not None
        assert store.put_back() == 1
    assert store.take() is not None
    assert store.put_back() == 0
    ended = store.get(job.id, "a")
    assert ended is not None
    assert ended.state == "failed"


def test_no_more_jobs_wait_than_there_is_room_for(store: JobStore) -> None:
    """And another's are not seen."""
    assert store.put("check", "{}", owner="a", request_id="r", most=1) is not None
    assert store.put("check", "{}", owner="b", request_id="r", most=1) is None
    assert store.of_owner("b") == []


def test_any_verb_may_be_a_job_and_the_client_follows_it(open_service: Running) -> None:
    """The result of the job is the answer that the route would have given."""
    body = {"text": "The mast is 42 m high.", "evidence": ["The mast is 42 m high."]}
    with Client(open_service.address) as client:
        seen: list[Job] = []
        job = client.wait_sync(client.start_sync("check", body).id, seen.append)
        assert job.result["claims"][0]["status"] == "grounded"
        assert all(one.state in ("waiting", "running") for one in seen)
        assert job.id in [one["id"] for one in open_service.call("GET", "/v1/jobs").json()]
        failed = client.wait_sync(client.start_sync("ask", {"question": "What?"}).id)
        assert (failed.state, failed.result["code"]) == ("failed", "input")
        cancelled = client.cancel_sync(client.start_sync("evaluate", {"rows": ROWS * 50}).id)
        assert cancelled.state == "cancelled"
        with pytest.raises(ServiceError, match="no such job"):
            client.wait_sync("nothing")


def test_a_job_belongs_to_the_token_that_made_it(tmp_path: Path) -> None:
    """Another's is not there."""
    mine, other = (new_token(tmp_path / "home", "verify") for _ in range(2))
    body = {"text": "It is so.", "evidence": ["It is so."]}
    with service(tmp_path / "home") as run:
        with Client(run.address, mine) as client:
            job = client.start_sync("check", body)
            assert client.wait_sync(job.id).state == "done"
        with Client(run.address, other) as client, pytest.raises(ServiceError) as caught:
            client.job_sync(job.id)
        assert caught.value.status == 404


@contextmanager
def served(home: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The real command, in a process of its own."""
    environ = {**os.environ, "GROUNDWIRE_HOME": str(home)}
    command = [sys.executable, "-m", "groundwire", "--set", "serve.shutdown_grace=200ms"]
    process = subprocess.Popen(
        [*command, "serve", "--port", "0"], stderr=subprocess.PIPE, text=True, env=environ
    )
    try:
        assert process.stderr is not None
        address = process.stderr.readline().split()[-1]
        for _ in range(900):
            try:
                if httpx2.get(f"{address}/readyz").status_code == 200:
                    break
            except httpx2.TransportError:
                pass
            time.sleep(0.1)
        yield process, address
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGKILL], ids=["stopped", "killed"])
def test_no_accepted_job_is_lost(tmp_path: Path, ending: signal.Signals) -> None:
    """One under way and one in line are done by the next start; a stop ends with 0."""
    home, given = tmp_path / "home", [ROWS, ROWS[:3]]
    with served(home) as (process, address):
        with Client(address) as client:
            jobs = {client.start_sync("evaluate", {"rows": rows}).id: len(rows) for rows in given}
            for _ in range(200):
                if client.job_sync(next(iter(jobs))).state == "running":
                    break
                time.sleep(0.02)
        process.send_signal(ending)
        code = process.wait(timeout=30)
        assert code == (0 if ending == signal.SIGTERM else -signal.SIGKILL)
    with served(home) as (_, address), Client(address) as client:
        for job, rows in jobs.items():
            ended = client.wait_sync(job)
            assert ended.state == "done", ended
            assert ended.result["meta"]["total_queries"] == rows


def test_a_request_under_way_is_answered_before_the_end(tmp_path: Path) -> None:
    """A stop waits for what was let in; readiness is taken back at once."""
    with served(tmp_path / "home") as (process, address):
        answers: list[int] = []
        text = " ".join(f"Mast {n} is {n} m high." for n in range(10))

        def call() -> None:
            body = {"text": text, "evidence": ["Mast 3 is 3 m high."]}
            answers.append(httpx2.post(f"{address}/v1/check", json=body, timeout=90).status_code)

        thread = threading.Thread(target=call)
        thread.start()
        while not answers and "http_in_flight 1.0" not in httpx2.get(f"{address}/metrics").text:
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        thread.join()
        process.wait(timeout=30)
    assert answers in ([200], [503])


def test_two_services_do_not_do_the_same_jobs(open_service: Running) -> None:
    """The second is refused, and the first goes on."""
    with pytest.raises(ConfigError, match="Another `gw serve`"):
        make_server(open_service.engine, lambda: None)
    assert open_service.call("GET", "/healthz").status_code == 200


def test_the_command_tells_what_is_wrong_with_its_address(gw_here: Run) -> None:
    """A port in use and an address for others without a token: exit 2 and what to do."""
    run = gw_here
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        in_use = run("serve", "--port", str(taken.getsockname()[1]))
    assert in_use.returncode == 2
    assert "--port 0" in in_use.stderr
    elsewhere = run("serve", "--host", "203.0.113.9", "--port", "0")
    assert elsewhere.returncode == 2
    assert "an address of this machine" in elsewhere.stderr
    refused = run("serve", "--host", "0.0.0.0", "--port", "0")  # noqa: S104
    assert refused.returncode == 2
    assert "gw token add" in refused.stderr
    made = run("token", "add", "ci", "--scope", "verify", "--expires", "1h", "--json")
    token = json.loads(made.stdout)
    assert token["token"].startswith(f"gw_{token['id']}_")
    listed = run("token", "list")
    assert token["id"] in listed.stdout
    assert token["token"] not in listed.stdout
    assert "revoked" in run("token", "revoke", token["id"]).stdout
    assert run("token", "add", "ci", "--scope", "nothing").returncode == 2
    assert run("token", "add", "ci", "--expires", "soon").returncode == 2
