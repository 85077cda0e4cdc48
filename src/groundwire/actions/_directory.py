"""The real folder behind `base_path`: bounded, race-free reads of nothing outside it."""

import errno
import os
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal, Protocol, Self

from groundwire._patterns import lazy_pattern
from groundwire.actions._content import Content, file_name, printable
from groundwire.actions._safe_open import (
    Base,
    LeavesBase,
    NotRegular,
    entry_mode,
    open_file,
    open_plain,
    parent,
)
from groundwire.errors import InputError, UnreadableSource

Kind = Literal[
    "file", "directory", "special", "missing", "outside", "unreadable", "too_large", "changing"
]

Entry = Literal["there", "missing", "outside", "unknown"]


@dataclass(frozen=True, slots=True)
class Look:
    """What was found at a path. Only a `file` has content."""

    kind: Kind
    detail: str = ""
    content: Content | None = None


class FileTree(Protocol):
    """The state claims are checked against: a folder, or one rebuilt from a record."""

    def look(self, path: str) -> Look:
        """What stands there now. Never raises for what is wrong with a path."""
        ...

    def entry(self, path: str) -> Entry:
        """Whether there is anything of that name, without reading or following it."""
        ...

    def is_folder(self, path: str) -> bool: ...

    def relative(self, path: str) -> str | None:
        """The path as written from the tree's root, None when it leads out of it."""
        ...

    def paths(self) -> Iterator[str]:
        """Every file, by its path from the root."""
        ...


CHUNK_BYTES = 1 << 20
MEGABYTE = 1_000_000
# such as "C:/"
_DRIVE = lazy_pattern(r"[A-Za-z]:[\\/]")
_NOT_THERE = {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG}
_CAN_OPEN_BENEATH = os.open in os.supports_dir_fd
SKIPPED_FOLDERS = frozenset({".git", ".hg", ".svn"})


class Directory:
    """A `FileTree` over a folder of this machine."""

    def __init__(
        self, path: str | Path, *, max_text_mb: float = 20, max_hash_mb: float = 2_000
    ) -> None:
        if not _CAN_OPEN_BENEATH:
            raise InputError("Files can be checked on Linux, macOS and other POSIX systems only.")
        self.path = Path(path).absolute()
        self._max_text_bytes = int(max_text_mb * MEGABYTE)
        self._max_hash_bytes = int(max_hash_mb * MEGABYTE)
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise UnreadableSource(
                f"The base path {path} cannot be used: {error.strerror}."
            ) from error
        names = {str(self.path), os.path.normpath(self.path), str(self.path.resolve())}
        self._base = Base(descriptor, frozenset(names))
        self._near: tuple[str, int] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._leave_near()
        os.close(self._base.fd)

    def relative(self, path: str) -> str | None:
        written = self._from_base(path)
        normal = None if written is None else os.path.normpath(written or ".")
        return None if normal is None or normal.split("/")[0] == ".." else normal

    def look(self, path: str) -> Look:
        for spelling in self._spellings(path):
            found = self._look(spelling)
            if found.kind != "missing":
                return found
        return Look("missing", "there is no such file")

    def entry(self, path: str) -> Entry:
        if self._from_base(path) is None:
            return "outside"
        try:
            modes = [entry_mode(self._base, name) for name in self._spellings(path)]
        except (LeavesBase, ValueError):
            return "outside"
        except OSError:
            return "unknown"
        return "missing" if all(mode is None for mode in modes) else "there"

    def is_folder(self, path: str) -> bool:
        try:
            mode = entry_mode(self._base, self._from_base(path) or ".")
        except (LeavesBase, ValueError, OSError):
            return False
        return mode is not None and stat.S_ISDIR(mode)

    def paths(self) -> Iterator[str]:
        """Every file but those of version control; folders are not followed out through links."""
        for folder, folders, files, _ in os.fwalk(dir_fd=self._base.fd, follow_symlinks=False):
            folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
            above = os.path.normpath(folder)
            prefix = "" if above == "." else f"{above}/"
            for name in sorted(files):
                yield printable(prefix + name)

    def recorded(self, path: str) -> tuple[Literal["file", "link"], str] | None:
        """The SHA-256 of a file's bytes, or where a link points; None if neither can be read."""
        above, _, name = file_name(path).rpartition("/")
        try:
            folder = self._near_folder(above)
            try:
                descriptor, status = open_plain(folder, name)
            except NotRegular as error:
                if error.what != "link":
                    return None
                return "link", printable(os.readlink(name, dir_fd=folder))
            try:
                digest = _stream_hash(descriptor, status.st_size, self._max_hash_bytes)
            finally:
                os.close(descriptor)
        except (OSError, LeavesBase, ValueError):
            return None
        return None if digest is None else ("file", digest)

    def _near_folder(self, above: str) -> int:
        """The folder of the last file stays open, so that its neighbours need no walk."""
        if self._near is None or self._near[0] != above:
            self._leave_near()
            with parent(self._base, f"{above}/-", follow_last=False) as (folder, _):
                self._near = (above, os.dup(folder))
        return self._near[1]

    def _leave_near(self) -> None:
        if self._near is not None:
            os.close(self._near[1])
            self._near = None

    def _from_base(self, path: str) -> str | None:
        if _DRIVE.match(path):
            return None
        return self._base.inside(path) if path.startswith("/") else path

    def _spellings(self, path: str) -> Iterator[str]:
        """The path as given; then with the other slashes; then with letters composed otherwise."""
        written = self._from_base(path)
        if written is None:
            yield path
            return
        yield written
        if "\\" in written:
            yield file_name(written)
            yield written.replace("\\", "/")
        if not written.isascii():
            for form in ("NFC", "NFD"):
                if (other := unicodedata.normalize(form, written)) != written:
                    yield other

    def _look(self, path: str) -> Look:
        if self._from_base(path) is None:
            return Look("outside", "it is an absolute path outside the base path")
        try:
            with open_file(self._base, path) as descriptor:
                return self._stable_content(descriptor)
        except LeavesBase as error:
            return Look("outside", str(error))
        except NotRegular as error:
            return _not_a_file(error.what)
        except ValueError:  # a zero byte, or characters no file name can have
            return Look("outside", "it is no name a file can have")
        except OSError as error:
            return _refused(error)

    def _stable_content(self, descriptor: int) -> Look:
        """Read until nothing changes underneath, at most twice."""
        for _ in range(2):
            before = os.fstat(descriptor)
            if before.st_size > self._max_hash_bytes:
                return Look("too_large", f"it has {before.st_size} bytes, too many to hash")
            os.lseek(descriptor, 0, os.SEEK_SET)
            content = self._content(descriptor, before.st_size)
            after = os.fstat(descriptor)
            if (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns):
                return Look("file", content=content)
        return Look("changing", "it changed while it was read")

    def _content(self, descriptor: int, size_bytes: int) -> Content:
        if size_bytes <= self._max_text_bytes:
            return Content.of_bytes(b"".join(_chunks(descriptor, self._max_text_bytes)))
        return Content(
            hashes=_stream_hashes(descriptor, self._max_hash_bytes), size_bytes=size_bytes
        )


def _not_a_file(what: str) -> Look:
    if what == "link":  # links were followed by hand, so it was none a moment ago
        return Look("changing", "it became a link while it was opened")
    detail = f"there is a {what}, not a file"
    return Look("directory" if what == "directory" else "special", detail)


def _refused(error: OSError) -> Look:
    if error.errno in _NOT_THERE:
        return Look("missing", "there is no such file")
    if error.errno == errno.ELOOP:
        return Look("outside", "its links lead in a circle, or it became a link just now")
    return Look("unreadable", f"it cannot be read: {error.strerror}")


def _chunks(descriptor: int, limit_bytes: int) -> Iterator[bytes]:
    while limit_bytes > 0 and (chunk := os.read(descriptor, min(CHUNK_BYTES, limit_bytes))):
        yield chunk
        limit_bytes -= len(chunk)


def _stream_hash(descriptor: int, size_bytes: int, limit_bytes: int) -> str | None:
    """None for a file of more bytes than the limit."""
    hasher = sha256()
    # one byte more than there should be: room for a megabyte costs more than a small file
    room = min(CHUNK_BYTES, size_bytes + 1)
    read_bytes = 0
    while read_bytes <= limit_bytes and (chunk := os.read(descriptor, room)):
        hasher.update(chunk)
        read_bytes += len(chunk)
    return None if read_bytes > limit_bytes else hasher.hexdigest()


def _stream_hashes(descriptor: int, limit_bytes: int) -> frozenset[str]:
    """The file's hash as it is, and with either kind of line ending, in one pass."""
    raw, unix, dos = sha256(), sha256(), sha256()
    held = b""
    for chunk in _chunks(descriptor, limit_bytes):
        raw.update(chunk)
        lines = (held + chunk).replace(b"\r\n", b"\n")
        # a carriage return at the end may be half of a pair
        held = b"\r" if lines.endswith(b"\r") else b""
        lines = lines.removesuffix(held)
        unix.update(lines)
        dos.update(lines.replace(b"\n", b"\r\n"))
    unix.update(held)
    dos.update(held)
    return frozenset(hasher.hexdigest() for hasher in (raw, unix, dos))
