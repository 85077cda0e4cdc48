"""Opening files beneath a folder so that no path, link or race can lead out of it.

Every component is opened relative to the folder before it and never followed if it is a link.
Links are read and walked by hand in the same way, so that what was checked is what is opened.
"""

import errno
import os
import stat
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

MAX_LINKS = 40
# O_PATH needs only the right to pass through a folder, as naming a file in it does
_OPEN_FOLDER = getattr(os, "O_PATH", os.O_RDONLY) | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_NOT_A_FOLDER = {errno.ENOTDIR, errno.ELOOP, errno.EMLINK}


class LeavesBase(Exception):
    """The path leads out of the folder it was given for."""


class NotRegular(Exception):
    """There is something there that is not a plain file: `what` says what."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


@dataclass(frozen=True)
class Base:
    """The folder nothing may leave: its descriptor, and the absolute paths it is known by."""

    fd: int
    names: frozenset[str]

    def inside(self, path: str) -> str | None:
        """What remains of an absolute path beneath the folder; None for one that lies outside."""
        if path in self.names:
            return ""
        inside = (path.removeprefix(name.rstrip("/") + "/") for name in self.names)
        return next((rest for rest in inside if rest != path), None)


class _Walk:
    """The folders from the base down to where the walk has come, each held open."""

    def __init__(self, base: "Base") -> None:
        self._base = base
        self._folders = [os.dup(base.fd)]
        self._links = 0

    @property
    def here(self) -> int:
        return self._folders[-1]

    def up(self) -> None:
        if len(self._folders) == 1:
            raise LeavesBase("it climbs out with '..'")
        os.close(self._folders.pop())

    def down(self, name: str) -> None:
        self._folders.append(os.open(name, _OPEN_FOLDER, dir_fd=self.here))

    def link_target(self, name: str) -> str | None:
        """Where a link points, None if the entry is not a link."""
        try:
            target = os.readlink(name, dir_fd=self.here)
        except OSError as error:
            if error.errno == errno.EINVAL:
                return None
            raise
        self._links += 1
        if self._links > MAX_LINKS:
            raise OSError(errno.ELOOP, "too many links")
        return self._from_base(name, target) if target.startswith("/") else target

    def _from_base(self, name: str, target: str) -> str:
        rest = self._base.inside(target)
        if rest is None:
            raise LeavesBase(f"the link {name!r} points out of it, to {target!r}")
        while len(self._folders) > 1:
            os.close(self._folders.pop())
        return rest

    def close(self) -> None:
        for folder in self._folders:
            os.close(folder)


@contextmanager
def parent(base: Base, path: str, *, follow_last: bool) -> Iterator[tuple[int, str]]:
    """The folder that holds the last component, held open, and that component's name."""
    walk = _Walk(base)
    try:
        name = _descend(walk, deque(path.split("/")), follow_last=follow_last)
        yield walk.here, name
    finally:
        walk.close()


def _descend(walk: _Walk, pending: deque[str], *, follow_last: bool) -> str:
    while pending:
        part = pending.popleft()
        if part in {"", "."}:
            continue
        if part == "..":
            walk.up()
            continue
        if any(later not in {"", "."} for later in pending):
            target = _down_or_target(walk, part)
        else:
            target = walk.link_target(part) if follow_last else None
            if target is None:
                return part
        if target is not None:
            pending.extendleft(reversed(target.split("/")))
    return "."


def _down_or_target(walk: _Walk, name: str) -> str | None:
    try:
        walk.down(name)
    except OSError as error:
        target = walk.link_target(name) if error.errno in _NOT_A_FOLDER else None
        if target is None:
            raise
        return target
    return None


@contextmanager
def open_file(base: Base, path: str) -> Iterator[int]:
    """A descriptor of the plain file at a path; nothing else is ever opened."""
    with parent(base, path, follow_last=True) as (folder, name):
        descriptor, _ = open_plain(folder, name)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def open_plain(folder: int, name: str) -> tuple[int, os.stat_result]:
    """The same for a name in a folder that is open, with the file's status."""
    # a device or a pipe can do things when it is opened, so it is looked at first
    _require_regular(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    descriptor = os.open(name, _OPEN_FILE, dir_fd=folder)
    try:
        status = os.fstat(descriptor)
        _require_regular(status.st_mode)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor, status


def entry_mode(base: Base, path: str) -> int | None:
    """The mode of what stands at a path, a link not followed; None if there is nothing."""
    try:
        with parent(base, path, follow_last=False) as (folder, name):
            return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None


def _require_regular(mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise NotRegular(_NAMES.get(stat.S_IFMT(mode), "special file"))


_NAMES = {
    stat.S_IFDIR: "directory",
    stat.S_IFIFO: "pipe",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
    stat.S_IFLNK: "link",
}
