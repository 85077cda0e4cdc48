"""Which files a corpus consists of."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from groundwire.errors import UnreadableSource
from groundwire.evidence._readers import FORMAT_OF_SUFFIX

_LEFT_OUT = {"node_modules", "__pycache__"}


@dataclass(frozen=True)
class Found:
    """A file to index, and its path from the folder that was named, that folder included."""

    path: Path
    place: str


def find_files(roots: Sequence[Path]) -> Iterator[Found]:
    """Named files, and every file of a readable format in named folders, in a fixed order."""
    seen: set[Path] = set()
    for root in roots:
        for found in _in_root(root):
            if found.path not in seen:
                seen.add(found.path)
                yield found


def _in_root(root: Path) -> Iterator[Found]:
    try:
        resolved = root.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise UnreadableSource(f"{root} does not exist.", hint="Check the path.") from error
    if resolved.is_file():
        yield Found(resolved, resolved.name)
        return
    for path in _walk(resolved):
        yield Found(path, f"{resolved.name}/{path.relative_to(resolved).as_posix()}")


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _is_left_out(name))
        for name in sorted(names):
            path = Path(place, name)
            readable = path.suffix.lower() in FORMAT_OF_SUFFIX and not _is_left_out(name)
            if readable and _stays_inside(path, folder):
                yield path


def _is_left_out(name: str) -> bool:
    return name.startswith(".") or name in _LEFT_OUT


def _stays_inside(path: Path, folder: Path) -> bool:
    """A link in a folder of documents must not pull in files from elsewhere."""
    try:
        return path.is_file() and (not path.is_symlink() or path.resolve().is_relative_to(folder))
    except (OSError, RuntimeError):
        return False
