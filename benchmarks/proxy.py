"""What the proxy adds to an answer: python benchmarks/proxy.py

The same request goes straight to a stand-in and through the proxy, one after the other, so that
both meet the same machine; `off` passes bytes on, `annotate` verifies them as well.
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any

import httpx2

from groundwire.testing import OpenAIServer

BODY = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "The mast is 42 m high. It was built in 1974."},
        {"role": "user", "content": "How high is the mast?"},
    ],
}


@contextmanager
def proxied(upstream: str, mode: str) -> Iterator[str]:
    """`gw proxy` as it is run: a process of its own."""
    with TemporaryDirectory() as home:
        flags = ["--upstream", upstream, "--mode", mode, "--port", "0"]
        command = [sys.executable, "-m", "groundwire", "--set", f"home={home}", "proxy", *flags]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
            told: Any = running.stderr
            try:
                yield told.readline().split()[-1]
            finally:
                running.terminate()
                told.read()


def took_ms(client: httpx2.Client, address: str, *, stream: bool) -> float:
    body = {**BODY, "stream": stream}
    started = time.perf_counter()
    client.post(f"{address}/v1/chat/completions", json=body).raise_for_status()
    return (time.perf_counter() - started) * 1000


def measure(mode: str, requests: int, *, stream: bool) -> None:
    with (
        OpenAIServer("The mast is 42 m high.") as upstream,
        proxied(upstream.base_url, mode) as address,
        httpx2.Client(timeout=60) as client,
    ):
        bare = upstream.base_url.removesuffix("/v1")
        for _ in range(20):
            took_ms(client, bare, stream=stream)
            took_ms(client, address, stream=stream)
        added = sorted(
            -took_ms(client, bare, stream=stream) + took_ms(client, address, stream=stream)
            for _ in range(requests)
        )
    p95 = added[int(len(added) * 0.95)]
    kind = "stream" if stream else "whole"
    print(f"{mode:9} {kind:7} p50 {statistics.median(added):6.2f} ms   p95 {p95:6.2f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=500)
    requests = parser.parse_args().requests
    for mode in ("off", "annotate"):
        for stream in (False, True):
            measure(mode, requests, stream=stream)
