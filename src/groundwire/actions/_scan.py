"""Files as a hook looks at them: cheaply, and never through a link. Nothing slow is imported."""

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Iterator

UNWATCHED_FOLDERS = frozenset(
    {
        ".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__",
        ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".tox", ".nox",
    }
)  # fmt: skip
"""Version control, installed packages and caches: nobody claims to have written those by hand."""
MAX_HASHED_BYTES = 256_000_000
MAX_RECORDED_CHARS = 200_000
_CHUNK_BYTES = 1 << 20


def state_hash(
    files: Iterable[tuple[str, str | None]], links: Iterable[tuple[str, str]] = ()
) -> str:
    """One hash for many files: equal exactly when every path and every content is."""
    state = [sorted(files), sorted(links)]
    text = json.dumps(state, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def walk(root: str) -> Iterator[tuple[str, str, os.stat_result]]:
    """Every file and link: its name from the root, its path, its status. Links are not followed."""
    folders = [(root, "")]
    while folders:
        folder, prefix = folders.pop()
        try:
            entries = os.scandir(folder)
        except OSError:
            continue
        with entries:
            for entry in entries:
                try:
                    if entry.is_dir(follow_symlinks=False):
                        if entry.name not in UNWATCHED_FOLDERS:
                            folders.append((entry.path, f"{prefix}{entry.name}/"))
                        continue
                    status = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                yield shown(f"{prefix}{entry.name}"), entry.path, status


def shown(name: str) -> str:
    """A file name as text that can be stored: odd bytes as `\\xff`, say."""
    if name.isascii():
        return name
    try:
        name.encode()
    except UnicodeEncodeError:
        return os.fsencode(name).decode("utf-8", "backslashreplace")
    return name


def hash_file(path: str, status: os.stat_result) -> str | None:
    """The SHA-256 of a file; of a link where it points; None for what is neither, or not ours."""
    unread = f"unread:{status.st_size}:{status.st_mtime_ns}"
    try:
        if stat.S_ISLNK(status.st_mode):
            return f"link:{shown(os.readlink(path))}"
        if not stat.S_ISREG(status.st_mode):
            return None
        if status.st_size > MAX_HASHED_BYTES:
            return unread
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return unread
    try:
        return _hash_opened(descriptor, status) or unread
    finally:
        os.close(descriptor)


def _hash_opened(descriptor: int, status: os.stat_result) -> str | None:
    """None if it is another file than the one that was looked at, or cannot be read."""
    hasher = hashlib.sha256()
    try:
        if os.fstat(descriptor).st_ino != status.st_ino:
            return None
        while chunk := os.read(descriptor, min(_CHUNK_BYTES, max(status.st_size + 1, 512))):
            hasher.update(chunk)
    except OSError:
        return None
    return hasher.hexdigest()


_READERS = frozenset(
    {
        "read", "grep", "glob", "ls", "list", "notebookread", "todowrite", "todoread", "webfetch",
        "websearch", "askuserquestion", "readfile", "readmanyfiles", "listdirectory", "grepsearch",
        "searchfilecontent", "googlewebsearch", "writetodos", "updatetopic", "viewimage",
        "task", "agent", "toolsearch", "skill", "enterplanmode", "exitplanmode",
    }
)  # fmt: skip


def only_reads(tool: str) -> bool:
    """Whether an agent's own tool cannot write; of others nobody knows.

    What a helper agent (`Task`) writes, it writes by calls of its own, which are seen.
    """
    return tool.lower().replace("_", "") in _READERS


def recorded(value: object) -> str:
    """A call's input or result as JSON; of a long one its hash and its ends."""
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, default=str)
    if len(text) <= MAX_RECORDED_CHARS:
        return text
    half = MAX_RECORDED_CHARS // 4
    digest = hashlib.sha256(text.encode()).hexdigest()
    cut = {"groundwire_cut": digest, "begins": text[:half], "ends": text[-half:]}
    return json.dumps(cut, sort_keys=True)


def paths_in(given: object, root: str) -> Iterator[str]:
    """Names from the root that a call's input mentions, as a field or as a word of a command."""
    texts = [given] if isinstance(given, str) else []
    if isinstance(given, dict):
        texts = [value for value in given.values() if isinstance(value, str)]
    for text in texts:
        for word in {text, *text[:MAX_RECORDED_CHARS].split()}:
            name = word.strip("'\"`;,()<>|&")
            if not name or len(name) > 1_000 or "\0" in name:  # noqa: PLR2004
                continue
            path = os.path.normpath(os.path.join(root, name))
            if path.startswith(root.rstrip("/") + "/"):
                yield shown(path[len(root.rstrip("/")) + 1 :])
