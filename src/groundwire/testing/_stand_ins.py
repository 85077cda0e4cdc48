"""Small stand-ins: an embedder, an external judge, no network."""

import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from groundwire.judge import Estimate, known_answer
from groundwire.testing._script import Answer, Asked, Fault, Responder, always
from groundwire.testing._server import Body, LoopbackServer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class HashingEmbedder:
    """Vectors from hashed pieces of words: equal texts are equal, similar spellings are near.

    It knows nothing of meaning, needs no model, and gives the same vectors on every machine.
    `failures` holds errors to raise, one per call, before it works again.
    """

    def __init__(self, dimension: int = 64, *, failures: Sequence[Exception] = ()) -> None:
        self.name = f"hashing-{dimension}"
        self.dimension = dimension
        self.failures = list(failures)
        self.calls = 0

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        self.calls += 1
        if self.failures:
            raise self.failures.pop(0)
        matrix = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for piece in _pieces(text):
                place, sign = _hashed(piece, self.dimension)
                matrix[row, place] += sign
            if not matrix[row].any():
                matrix[row, 0] = 1.0
        normal: NDArray[np.float32] = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
        return normal


def _pieces(text: str) -> list[str]:
    words = text.lower().split()
    return [f"<{word}>"[start : start + 4] for word in words for start in range(len(word))]


def _hashed(piece: str, dimension: int) -> tuple[int, float]:
    number = int.from_bytes(blake2b(piece.encode(), digest_size=8).digest())
    return number % dimension, 1.0 if (number >> 40) & 1 else -1.0


Judge = Callable[[str, str], Estimate | None]
"""Claim and context to an estimate, or to `None` where there is none."""


class ExternalJudgeServer(LoopbackServer):
    """Answers `POST /v1/estimate` by a function of yours; `faults` may fail requests first.

    Questions with known answers, by which a judge is examined, it answers rightly by itself,
    unless `is_healthy` is false: then they go to your function, too.
    """

    def __init__(
        self,
        judge: Judge,
        *,
        faults: Responder | Fault | None = None,
        key: str | None = None,
        is_healthy: bool = True,
    ) -> None:
        respond = faults if callable(faults) else always(faults or Answer(""))
        super().__init__(respond, key=key)
        self._judge = judge
        self._is_healthy = is_healthy

    def read(self, path: str, body: Body, headers: Mapping[str, str]) -> Asked:
        return Asked(prompt=path, output_schema=body, headers=headers)

    def write(self, asked: Asked, answer: Answer) -> Body:
        del answer
        questions = (asked.output_schema or {}).get("questions", [])
        return {"version": 1, "estimates": [self._estimated(question) for question in questions]}

    def write_fault(self, asked: Asked, fault: Fault) -> tuple[int, Body]:
        del asked
        status = {"rate_limited": 429, "wrong_key": 401, "overloaded": 503}.get(fault.kind, 500)
        return status, {"error": {"code": fault.kind, "message": "Failing on purpose."}}

    def _estimated(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        claim, context = question["claim"], question["context"]
        known = known_answer(claim, context) if self._is_healthy else None
        estimate = self._judge(claim, context) if known is None else Estimate(p=float(known))
        if estimate is None:
            return {"id": question["id"], "error": {"code": "no_estimate", "message": "Unknown."}}
        return {"id": question["id"], **estimate.model_dump(exclude_none=True)}


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
