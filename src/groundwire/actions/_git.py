"""The little that is asked of git. Nothing a repository configures is read, let alone run.

A repository's own configuration may name programs (monitors, filters, hooks, transports). So git
is given a bare folder of ours as its repository, and of theirs only the index and the objects.
"""

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from groundwire._patterns import lazy_pattern

TIMEOUT_S = 120
_MAX_SMALL_FILE_BYTES = 1_000_000
_MAX_PACKED_REFS_BYTES = 64_000_000
# such as 40 hexadecimal digits, or the 64 of a repository that hashes by SHA-256
_COMMIT = lazy_pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
# such as "refs/heads/main"
_REF = lazy_pattern(r"refs/(?:(?!\.\.)[^\s\0\\~^:?*\[])+")
_CONFIG = "[core]\n\trepositoryformatversion = {version}\n\tbare = false\n"
_SHA256 = "[extensions]\n\tobjectformat = sha256\n"


def git_paths(folder: Path) -> Iterator[str] | None:
    """Files git tracks or would track, by path from the folder; None without a repository."""
    listed = _git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if listed is None:
        return None
    return iter(sorted(_names(listed)))


def git_head(folder: Path) -> str | None:
    repository = _Repository.around(folder)
    return repository.head() if repository else None


def git_blob(folder: Path, commit: str | None, path: str) -> bytes | None:
    """A file as a commit has it, by its path from the folder."""
    if commit is None or not _COMMIT.fullmatch(commit):
        return None
    return _git(folder, "cat-file", "blob", f"{commit}:./{path}")


def git_ignored(folder: Path, paths: Iterable[str]) -> set[str] | None:
    """Which of these paths git ignores; None where that cannot be told."""
    asked = b"\0".join(os.fsencode(path) for path in paths)
    answered = _git(folder, "check-ignore", "-z", "--stdin", stdin=asked, fine=(0, 1))
    if answered is None:
        return None
    return _names(answered)


def _names(listed: bytes) -> set[str]:
    return {os.fsdecode(name) for name in listed.split(b"\0") if name}


@dataclass(frozen=True)
class _Repository:
    """`own` is where index and HEAD are, `common` where objects and branches are."""

    top: Path
    own: Path
    common: Path

    @classmethod
    def around(cls, folder: Path) -> "_Repository | None":
        """The nearest one whose files the folder is among."""
        for top in (folder.absolute(), *folder.absolute().parents):
            own = _git_folder(top / ".git")
            if own is not None:
                shared = (_small(own / "commondir") or b"").decode(errors="replace").strip()
                return cls(top, own, own / shared if shared else own)
        return None

    def head(self) -> str | None:
        """The commit that is checked out, read from its files."""
        name = (_small(self.own / "HEAD") or b"").decode(errors="replace").strip()
        if not name.startswith("ref:"):
            return name if _COMMIT.fullmatch(name) else None
        ref = name.removeprefix("ref:").strip()
        if not _REF.fullmatch(ref):
            return None
        loose = (_small(self.common / ref) or b"").decode(errors="replace").strip()
        return loose if _COMMIT.fullmatch(loose) else self._packed(ref)

    def _packed(self, ref: str) -> str | None:
        packed = _small(self.common / "packed-refs", _MAX_PACKED_REFS_BYTES) or b""
        for line in packed.decode(errors="replace").splitlines():
            commit, _, name = line.partition(" ")
            if name == ref and _COMMIT.fullmatch(commit):
                return commit
        return None

    def stand_in(self, folder: Path) -> dict[str, str] | None:
        """A repository without configuration in `folder`, over this one's index and objects."""
        index = self.own / "index"
        if index.exists() and not index.is_file():
            return None  # a pipe would keep git waiting
        is_sha256 = len(self.head() or "") > len(_ZERO)
        (folder / "refs").mkdir()
        (folder / "info").mkdir()
        (folder / "HEAD").write_text("ref: refs/heads/none\n")
        config = _CONFIG.format(version=int(is_sha256)) + (_SHA256 if is_sha256 else "")
        (folder / "config").write_text(config)
        (folder / "info" / "exclude").write_bytes(_small(self.common / "info" / "exclude") or b"")
        return {
            "GIT_DIR": str(folder),
            "GIT_WORK_TREE": str(self.top),
            "GIT_INDEX_FILE": str(index),
            "GIT_OBJECT_DIRECTORY": str(self.common / "objects"),
        }


_ZERO = "0" * 40


def _git_folder(entry: Path) -> Path | None:
    """A `.git` folder, or the one a `.git` file of a worktree or submodule names."""
    try:
        mode = entry.stat().st_mode
    except OSError:
        return None
    if stat.S_ISREG(mode):
        named = (_small(entry) or b"").decode(errors="replace").strip()
        entry = entry.parent / named.removeprefix("gitdir:").strip()
    return entry if (entry / "HEAD").exists() else None


def _small(path: Path, limit_bytes: int = _MAX_SMALL_FILE_BYTES) -> bytes | None:
    """A regular file of bounded size; a pipe or a device is neither waited for nor read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > limit_bytes:
            return None
        return file.read(limit_bytes)


def _git(
    folder: Path, *arguments: str, stdin: bytes = b"", fine: tuple[int, ...] = (0,)
) -> bytes | None:
    repository = _Repository.around(folder)
    if repository is None:
        return None
    import subprocess
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="groundwire-git-") as temporary:
        stand_in = repository.stand_in(Path(temporary))
        if stand_in is None:
            return None
        try:
            done = subprocess.run(  # noqa: S603
                ["git", "-C", str(folder), *arguments],  # noqa: S607
                input=stdin,
                capture_output=True,
                check=False,
                timeout=TIMEOUT_S,
                env=_environment(stand_in),
            )
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return None
    return done.stdout if done.returncode in fine else None


def _environment(stand_in: dict[str, str]) -> dict[str, str]:
    """No setting of git's comes from outside, and no transport may be used."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return own | stand_in | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }  # fmt: skip
