"""Runs sequences through a graph, one at a time, on as many threads as allowed.

One sequence at a time needs no padding and makes every result independent of its neighbours:
activations are quantised over what is in a run. Two runs side by side use two cores better than
one run cut in two, so only a sequence that comes alone is cut; either way gives the same numbers.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Any

from groundwire.encoder._weights import open_session, tables

if TYPE_CHECKING:
    import numpy as np
    import onnxruntime


class Runner:
    def __init__(self, part: str, threads: int) -> None:
        self._part = part
        self._threads = threads
        self._sessions: dict[int, onnxruntime.InferenceSession] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._lock = Lock()

    def run(self, sequences: Sequence[tuple[list[int], int]]) -> "list[np.ndarray[Any, Any]]":
        """One output row per (token ids, length of the first segment)."""
        if len(sequences) == 1 or self._threads == 1:
            session = self._session(self._threads)
            return [self._one(session, sequence) for sequence in sequences]
        session, pool = self._session(1), self._workers()
        # the longest first, so that no thread is left alone with one at the end
        order = sorted(range(len(sequences)), key=lambda place: -len(sequences[place][0]))
        rows = list(pool.map(lambda place: self._one(session, sequences[place]), order))
        return [row for _, row in sorted(zip(order, rows, strict=True), key=lambda pair: pair[0])]

    def _session(self, threads: int) -> "onnxruntime.InferenceSession":
        with self._lock:
            if threads not in self._sessions:
                self._sessions[threads] = open_session(self._part, threads)
            return self._sessions[threads]

    def _workers(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads, "groundwire-encoder")
            return self._pool

    def _one(
        self, session: "onnxruntime.InferenceSession", sequence: tuple[list[int], int]
    ) -> "np.ndarray[Any, Any]":
        ids, first_segment = sequence
        hidden = tables(self._part).summed(ids, first_segment)
        row: np.ndarray[Any, Any] = session.run(None, {"hidden": hidden})[0][0]
        return row
