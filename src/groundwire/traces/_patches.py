"""Patches that agents apply: the envelope of `apply_patch`, and unified diffs."""

import re
from itertools import pairwise

from groundwire._patterns import lazy_pattern
from groundwire.traces._effects import Effects, FileEffect, Replacement

# such as "*** Update File: src/app.py"
_ENVELOPE = lazy_pattern(r"^\*\*\* (?P<verb>Add|Update|Delete) File: (?P<path>.+)$")
# such as "*** Move to: src/main.py"
_MOVE = lazy_pattern(r"^\*\*\* Move to: (?P<path>.+)$")
# such as "--- a/src/app.py", "+++ b/src/app.py"
_DIFF = lazy_pattern(r"^(?:---|\+\+\+) (?P<path>[^\t\n]+)")
_END = "*** End Patch"
NO_FILE = "/dev/null"


def patch_effects(text: str) -> Effects:
    lines = text.replace("\r\n", "\n").split("\n")
    files = _envelope_files(lines) if "*** Begin Patch" in text else _diff_files(lines)
    return Effects(files=files, unknown=not files)


def _envelope_files(lines: list[str]) -> list[FileEffect]:
    starts = [at for at, line in enumerate(lines) if _ENVELOPE.match(line) or line == _END]
    files: list[FileEffect] = []
    for start, end in pairwise([*starts, len(lines)]):
        match = _ENVELOPE.match(lines[start])
        if match is not None:
            path = match["path"].strip()
            files += _envelope_file(match["verb"], path, lines[start + 1 : end])
    return files


def _envelope_file(verb: str, path: str, body: list[str]) -> list[FileEffect]:
    if verb == "Delete":
        return [FileEffect(path, "delete")]
    if verb == "Add":
        return [FileEffect(path, "write", _added(body))]
    moved = next((match["path"].strip() for line in body if (match := _MOVE.match(line))), None)
    if moved is None:
        return [FileEffect(path, "edit", replacements=_patch_replacements(body))]
    return [FileEffect(path, "delete"), FileEffect(moved, "write")]


def _added(body: list[str]) -> str:
    return "".join(f"{line[1:]}\n" for line in body if line.startswith("+"))


def _diff_files(lines: list[str]) -> list[FileEffect]:
    files: list[FileEffect] = []
    starts = [
        i
        for i, line in enumerate(lines[:-1])
        if line.startswith("--- ") and lines[i + 1].startswith("+++ ")
    ]
    for start, end in pairwise([*starts, len(lines)]):
        old, new = (_diff_path(lines[start + offset]) for offset in (0, 1))
        body = lines[start + 2 : end]
        if new == NO_FILE:
            files.append(FileEffect(old, "delete"))
        elif old == NO_FILE:
            files.append(FileEffect(new, "write", _added(body)))
        else:
            files.append(FileEffect(new, "edit", replacements=_patch_replacements(body)))
    return files


def _diff_path(line: str) -> str:
    match = _DIFF.match(line)
    path = match["path"].strip() if match else ""
    return path if path == NO_FILE else re.sub(r"^[ab]/", "", path)


def _patch_replacements(body: list[str]) -> tuple[Replacement, ...]:
    """Each hunk replaces its context and removed lines by its context and added lines."""
    hunks: list[list[str]] = [[]]
    for line in body:
        if line.startswith("@@"):
            hunks.append([])
        elif line[:1] in {" ", "-", "+"}:
            hunks[-1].append(line)
    return tuple(_hunk(hunk) for hunk in hunks if any(line[0] != " " for line in hunk))


def _hunk(lines: list[str]) -> Replacement:
    old = "".join(f"{line[1:]}\n" for line in lines if line[0] != "+")
    new = "".join(f"{line[1:]}\n" for line in lines if line[0] != "-")
    return Replacement(old, new)
