from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

from groundwire.actions._content import Content

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
