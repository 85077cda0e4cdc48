"""Parsers of foreign formats run in a process of their own, which is stopped when it takes long."""

import atexit
import contextlib
import json
import os
import subprocess
import sys
from dataclasses import asdict
from threading import Event, Lock, Timer
from typing import Any

from groundwire.config import LimitsSection, format_duration
from groundwire.errors import MissingPackage, UnreadableSource
from groundwire.evidence._parsed import Bounds, Parsed

_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR")
_UNFOLDED_TIMES = 10
"""How many times its own size limit a compressed file may unpack to."""


def bounds_of(limits: LimitsSection) -> Bounds:
    return Bounds(
        max_chars=limits.max_document_chars,
        max_pages=limits.max_pages,
        max_bytes=int(limits.max_file_mb * 1_000_000 * _UNFOLDED_TIMES),
    )


def parse(reader: str, data: bytes, name: str, limits: LimitsSection) -> Parsed:
    request = {
        "reader": reader,
        "size": len(data),
        "memory_mb": limits.parse_memory_mb,
        "bounds": asdict(bounds_of(limits)),
    }
    reply = _shared().ask(request, data, limits.parse_timeout.total_seconds())
    if reply is None:
        raise UnreadableSource(
            f"{name} could not be read in {format_duration(limits.parse_timeout)}.",
            hint="Save it as text, or raise limits.parse_timeout.",
        )
    header, text = reply
    if "missing" in header:
        raise MissingPackage(header["missing"], needed_for=f"Reading {name}")
    if "problem" in header:
        raise UnreadableSource(f"{name} {header['problem']}.", hint=header["hint"])
    header["pages"] = tuple(header["pages"])
    header["places"] = tuple((start, name) for start, name in header["places"])
    return Parsed(text=text, **header)


class _Child:
    def __init__(self) -> None:
        self.owner = os.getpid()
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def ask(
        self, request: dict[str, Any], data: bytes, timeout_s: float
    ) -> tuple[dict[str, Any], str] | None:
        """The reply's header and text; nothing when the time was over."""
        with self._lock:
            process = self._running()
            timed_out = Event()
            timer = Timer(timeout_s, _stop, (process, timed_out))
            timer.start()
            try:
                return self._exchange(process, request, data)
            except (OSError, ValueError):
                self._discard()
                if timed_out.is_set():
                    return None
                return {"problem": "made its parser crash", "hint": "Save it again."}, ""
            finally:
                timer.cancel()

    def _exchange(
        self, process: "subprocess.Popen[bytes]", request: dict[str, Any], data: bytes
    ) -> tuple[dict[str, Any], str]:
        if process.stdin is None or process.stdout is None:
            raise OSError
        process.stdin.write(json.dumps(request).encode() + b"\n" + data)
        process.stdin.flush()
        header = json.loads(process.stdout.readline())
        payload = process.stdout.read(header.pop("size"))
        return header, payload.decode()

    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._process.poll() is not None:
            self._discard()
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "groundwire.evidence._child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
            )
        return self._process

    def _discard(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._process = None

    def close(self) -> None:
        if self.owner == os.getpid():
            with self._lock:
                self._discard()


def _stop(process: "subprocess.Popen[bytes]", timed_out: Event) -> None:
    timed_out.set()
    process.kill()


def _environment() -> dict[str, str]:
    """What a process needs to start, and none of the keys and tokens that may stand beside it."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return kept | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


_children: list[_Child] = []
_children_lock = Lock()


def _shared() -> _Child:
    """One per process: a forked copy must not read the replies meant for its parent."""
    with _children_lock:
        if not _children or _children[-1].owner != os.getpid():
            child = _Child()
            atexit.register(child.close)
            _children[:] = [child]
        return _children[-1]
