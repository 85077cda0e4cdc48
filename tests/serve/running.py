"""A real service on a free port, with an engine and a home of its own."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from groundwire.config import load_config
from groundwire.engine import Engine
from groundwire.serve._server import address_of, listening, make_server


@dataclass(frozen=True)
class Running:
    address: str
    engine: Engine

    @property
    def home(self) -> Path:
        return self.engine.config.home

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def call(self, method: str, path: str, **options: Any) -> httpx2.Response:
        return httpx2.request(method, f"{self.address}{path}", timeout=110, **options)

    def post(self, path: str, body: Any, **headers: str) -> httpx2.Response:
        return self.call("POST", path, json=body, headers=headers)


@contextmanager
def service(home: Path, **settings: Any) -> Iterator[Running]:
    """`serve__deadline="2s"` sets serve.deadline."""
    named = {key.replace("__", "."): value for key, value in settings.items()}
    overrides = {"home": home, "serve.port": 0, "serve.deadline": "100s", **named}
    config = load_config(environ={}, overrides=overrides, directory=home.parent).config
    with Engine(config) as engine, listening(config.serve) as opened:
        server = make_server(engine, lambda: None)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
        address = address_of(opened)
        thread.start()
        try:
            _wait_until_ready(address)
            yield Running(address, engine)
        finally:
            server.should_exit = True
            thread.join()


def _wait_until_ready(address: str) -> None:
    for _ in range(900):
        try:
            if httpx2.get(f"{address}/readyz").status_code == 200:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.1)
    raise AssertionError("The service did not start.")
