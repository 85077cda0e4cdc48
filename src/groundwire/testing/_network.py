"""A test that reaches for the network fails, instead of passing until the network is gone."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any
from unittest.mock import patch


class NetworkForbidden(RuntimeError):
    """Not an `OSError`: no client may mistake it for a server that is down."""


@contextmanager
def forbid_network() -> Iterator[None]:
    """Only this machine's own addresses can be reached inside."""
    real_connect, real_lookup = socket.socket.connect, socket.getaddrinfo

    def connect(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX and not _is_here(address[0]):
            raise NetworkForbidden(f"a test tried to reach {address[0]}")
        real_connect(self, address)

    def look_up(host: Any, *rest: Any, **options: Any) -> Any:
        if host is not None and not _is_here(host):
            raise NetworkForbidden(f"a test tried to look up {host}")
        return real_lookup(host, *rest, **options)

    with (
        patch.object(socket.socket, "connect", connect),
        patch.object(socket, "getaddrinfo", look_up),
    ):
        yield


def _is_here(host: str | bytes) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    try:
        return name in ("localhost", "") or ip_address(name).is_loopback
    except ValueError:
        return False
