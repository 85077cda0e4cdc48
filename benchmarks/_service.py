"""A service in a process of its own, with a home that is thrown away."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import httpx2


class Served(NamedTuple):
    address: str
    pid: int

    @property
    def resident_mb(self) -> float:
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        [line] = [one for one in status.splitlines() if one.startswith("VmRSS")]
        return int(line.split()[1]) / 1024


@contextmanager
def served(*settings: str) -> Iterator[Served]:
    """`settings` as for `--set`: "serve.max_active=2"."""
    with TemporaryDirectory() as home:
        given = [part for one in settings for part in ("--set", one)]
        environ = {**os.environ, "GROUNDWIRE_HOME": home}
        command = [sys.executable, "-m", "groundwire", *given, "serve", "--port", "0"]
        # a file, not a pipe: whoever writes into a pipe that nobody reads stands still
        with (Path(home) / "told").open("w+") as told:
            process = subprocess.Popen(command, stderr=told, text=True, env=environ)
            try:
                while not _is_ready(address := _address(told.name)):
                    if process.poll() is not None:
                        sys.exit(Path(told.name).read_text(encoding="utf-8"))
                    time.sleep(0.2)
                yield Served(address, process.pid)
            finally:
                process.terminate()
                process.wait(120)
                _, *more = Path(told.name).read_text(encoding="utf-8").splitlines()
                print(*more[:20], sep="\n", file=sys.stderr)


def _address(told: str) -> str:
    words = Path(told).read_text(encoding="utf-8").split()
    return next((one for one in words if one.startswith("http://")), "")


def _is_ready(address: str) -> bool:
    if not address:
        return False
    try:
        return httpx2.get(f"{address}/readyz", timeout=60).status_code == 200
    except httpx2.TransportError:
        return False
