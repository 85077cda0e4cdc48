"""Short ways to write claims, events and outputs."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from groundwire.actions import TaskVerifier, VerificationResult

Json = dict[str, Any]


def sha(text: str | bytes) -> str:
    return sha256(text if isinstance(text, bytes) else text.encode()).hexdigest()


def write(path: str, content: str | bytes, **more: Any) -> Json:
    return {"type": "file-write", "file_path": path, "content_hash": sha(content), **more}


def edit(path: str, before: str, between: str, after: str, **more: Any) -> Json:
    anchor = {"before_snippet": before, "after_snippet": after, "content_hash": sha(between)}
    return {"type": "file-edit", "file_path": path, "anchor": anchor, **more}


def delete(path: str, **more: Any) -> Json:
    return {"type": "file-delete", "file_path": path, **more}


def ran(command: str, exit_code: int | None = None) -> Json:
    return {"type": "command-executed", "command": command, "exit_code": exit_code}


def output(*claims: Json, trace_ref: str = "trace:run") -> Json:
    return {"summary": "What was done.", "trace_ref": trace_ref, "claims": list(claims)}


def wrote(path: str, content: str, **more: Any) -> Json:
    return {"tool": "Write", "arguments": {"file_path": path, "content": content}, **more}


def edited(path: str, old: str, new: str, **more: Any) -> Json:
    arguments = {"file_path": path, "old_string": old, "new_string": new}
    return {"tool": "Edit", "arguments": arguments, "result": "ok", **more}


def refused(path: str, old: str, new: str, **more: Any) -> Json:
    return edited(path, old, new, **{"is_error": True, "result": "old_string not found", **more})


def bash(command: str, exit_code: int | None = 0, result: str = "") -> Json:
    event: Json = {"tool": "Bash", "arguments": {"command": command}, "result": result}
    return event if exit_code is None else event | {"exit_code": exit_code}


def numbered(events: Sequence[Json]) -> list[Json]:
    return [{"id": f"e{number}", **event} for number, event in enumerate(events, start=1)]


def verify(
    base: Path | None, *claims: Json, events: Sequence[Json] | None = None, **options: Any
) -> VerificationResult:
    trace = None if events is None else numbered(events)
    return TaskVerifier().verify_sync(output(*claims), trace, base, **options)


def statuses(result: VerificationResult) -> list[str]:
    return [claim.status for claim in result.claims]


def one(base: Path | None, claim: Json, **options: Any) -> tuple[str, str | None]:
    """Status and category of a single claim."""
    verdict = verify(base, claim, **options).claims[0]
    return verdict.status, verdict.category
