"""Executed sessions of agents, laid out again: statements about them are checked as they were.

A session is a folder with the files before and after the work (`before.json`, `after.json`), the
transcript in several formats, and `meta.json`, which names the transcripts.
"""

import base64
import json
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from groundwire.actions import Snapshot, state_hash

if TYPE_CHECKING:
    from groundwire.actions import SpecialistOutput, VerificationResult
    from groundwire.engine import Engine

State = Mapping[str, Any]
_WORST_FIRST = ("failed", "unverified", "superseded")


@contextmanager
def unpacked_sessions(folder: Path) -> Iterator[Path]:
    """The folder of sessions, from the archive where they are packed."""
    if (folder / "sessions").is_dir():
        yield folder / "sessions"
        return
    with TemporaryDirectory() as temporary:
        with tarfile.open(folder / "sessions.tar.xz") as packed:
            packed.extractall(temporary, filter="data")
        yield Path(temporary, "sessions")


class RecordedSession:
    """One session in a folder of its own, as it was after the work."""

    def __init__(self, engine: "Engine", folder: Path, base: Path) -> None:
        self._engine = engine
        self._folder = folder
        self._base = base
        self._meta = _state(folder / "meta.json")
        _lay_out(_state(folder / "after.json"), base)
        self._before = _snapshot(_state(folder / "before.json"), base)

    def check_prose(self, text: str, trace_format: str) -> tuple[str, str]:
        """What a statement comes to, and why."""
        trace = self._engine.open_trace(self._transcript(trace_format))
        claims = self._engine.claims_from_text_sync(text, [trace], self._base, before=self._before)
        return self._ended(claims, trace_format)

    def check_claim(self, claim: Mapping[str, Any], trace_format: str) -> tuple[str, str]:
        output = {"summary": "Done.", "trace_ref": "trace:unknown", "claims": [claim]}
        return self._ended(output, trace_format)

    def _transcript(self, trace_format: str) -> Path:
        return self._folder / str(self._meta["transcripts"][trace_format])

    def _ended(
        self, output: "dict[str, Any] | SpecialistOutput", trace_format: str
    ) -> tuple[str, str]:
        trace = self._engine.open_trace(self._transcript(trace_format))
        for _ in trace:  # its id is known when it was read
            pass
        named = {"trace_ref": f"trace:{trace.trace_id or 'unknown'}"}
        given = output | named if isinstance(output, dict) else output.model_copy(update=named)
        return _end(
            self._engine.verify_output_sync(given, [trace], self._base, before=self._before)
        )


def _end(result: "VerificationResult") -> tuple[str, str]:
    found = [claim.status for claim in result.claims]
    status = next((one for one in _WORST_FIRST if one in found), "verified")
    detail = "; ".join(f"{claim.named}: {claim.detail}" for claim in result.claims)
    left = ", ".join(one.reason for one in result.coverage.left_out)
    return (status, detail) if found else ("not read", left)


def _state(path: Path) -> State:
    loaded: State = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def _contents(state: State) -> dict[str, bytes]:
    """Every file whose bytes were kept."""
    known = {path: text.encode() for path, text in state["files"].items()}
    return known | {
        path: base64.b64decode(kept["base64"])
        for path, kept in state["binary"].items()
        if "base64" in kept
    }


def _links(state: State) -> dict[str, str]:
    return {path: kept["symlink"] for path, kept in state["binary"].items() if "symlink" in kept}


def _not_kept(state: State) -> list[str]:
    """Names of files of which only size or hash were kept."""
    return [*state["not_kept"], *(p for p, kept in state["binary"].items() if "bytes" in kept)]


def _lay_out(state: State, base: Path) -> None:
    known = _contents(state) | dict.fromkeys(_not_kept(state), b"(not kept)\n")
    for path in [*known, *_links(state)]:
        (base / path).parent.mkdir(parents=True, exist_ok=True)
    for path, data in known.items():
        (base / path).write_bytes(data)
    for path, target in _links(state).items():
        (base / path).symlink_to(target)
    for path in state["empty_dirs"]:
        (base / path).mkdir(parents=True, exist_ok=True)


def _snapshot(state: State, base: Path) -> Snapshot:
    files = {path: sha256(data).hexdigest() for path, data in _contents(state).items()}
    return Snapshot(
        taken_at="2026-01-01T00:00:00.000+00:00",
        base_path=str(base),
        ignore_rules=False,
        files=files,
        links=_links(state),
        skipped=dict.fromkeys(_not_kept(state), "not kept"),
        state_hash=state_hash(files.items(), _links(state).items()),
    )
