"""Paths as tools wrote them, as paths from the base; and whole traces read that way."""

import posixpath
from collections.abc import Callable, Iterable

from groundwire.actions._history import History
from groundwire.actions._tree import FileTree
from groundwire.traces import ToolTrace


def path_key(cwd: str | None, tree: FileTree | None) -> Callable[[str], str]:
    """Paths as tools wrote them, from the base: the tools may have worked elsewhere."""

    def key(path: str) -> str:
        if not path.startswith("/") and cwd and tree and tree.relative(cwd) is not None:
            path = posixpath.join(cwd, path)
        if path.startswith("/"):
            inside = tree.relative(path) if tree else None
            if inside is None and cwd and path.startswith(cwd.rstrip("/") + "/"):
                inside = path.removeprefix(cwd.rstrip("/") + "/")
            path = inside or path
        return posixpath.normpath(path)

    return key


def history_of(traces: Iterable[ToolTrace], tree: FileTree | None = None) -> History:
    """Everything traces say, contents included: for deriving claims and for attribution."""
    history = History()
    for number, trace in enumerate(traces):
        for event in trace:
            history.add(event, key=path_key(trace.cwd, tree), trace=number)
        history.complete = history.complete and trace.complete
    return history
