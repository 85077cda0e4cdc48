"""The little that is asked of git. Nothing a repository configures is run."""

import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

TIMEOUT_S = 120
_SAFE = (
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.untrackedCache=false",
)  # fmt: skip
_LEFT_OUT = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF", "GIT_PAGER"}


def git_paths(folder: Path) -> Iterator[str] | None:
    """Files git tracks or would track, by path from the folder; None without a repository."""
    listed = _git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if listed is None:
        return None
    return iter(sorted({os.fsdecode(name) for name in listed.split(b"\0") if name}))


def git_head(folder: Path) -> str | None:
    head = _git(folder, "rev-parse", "--verify", "--quiet", "HEAD")
    return head.decode().strip() if head else None


def git_blob(folder: Path, commit: str | None, path: str) -> bytes | None:
    """A file as a commit has it, by its path from the folder."""
    return _git(folder, "cat-file", "blob", f"{commit}:./{path}") if commit else None


def git_ignored(folder: Path, paths: Iterable[str]) -> set[str] | None:
    """Which of these paths git ignores; None where that cannot be told."""
    asked = b"\0".join(os.fsencode(path) for path in paths)
    answered = _git(folder, "check-ignore", "-z", "--stdin", stdin=asked, fine=(0, 1))
    if answered is None:
        return None
    return {os.fsdecode(name) for name in answered.split(b"\0") if name}


def _git(
    folder: Path, *arguments: str, stdin: bytes = b"", fine: tuple[int, ...] = (0,)
) -> bytes | None:
    environment = {name: value for name, value in os.environ.items() if name not in _LEFT_OUT}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(  # noqa: S603
            ["git", "-C", str(folder), *_SAFE, *arguments],  # noqa: S607
            input=stdin,
            capture_output=True,
            check=False,
            timeout=TIMEOUT_S,
            env=environment,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode in fine else None
