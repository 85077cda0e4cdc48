"""File states rebuilt from what a coding agent's tools showed, step by step.

A file is known line by line, as far as windows of it were shown. What was never shown is a gap: a
claim may be found in what is known, but nothing is refuted by a gap.
"""

import json
import re
import shlex
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from groundwire.actions import Content, Look

Json = dict[str, Any]
_WINDOW = re.compile(r"^\[File: (?P<path>.+?) \((?P<total>\d+) lines total\)\]$", re.MULTILINE)
_LINE = re.compile(r"^(\d+):(.*)$")
_REFUSED = "NOT been applied"


@dataclass
class Recorded:
    """One file: its known lines by number, and how many lines it has."""

    lines: dict[int, str] = field(default_factory=dict)
    total: int | None = None

    def show(self, window: dict[int, str], total: int) -> None:
        self.lines |= window
        self.total = total
        self.lines = {number: line for number, line in self.lines.items() if number <= total}

    def replace(self, first: int, last: int, new: list[str]) -> None:
        """Lines after the edit keep their text and get new numbers."""
        shift = len(new) - (last - first + 1)
        moved = {
            number + (shift if number > last else 0): line
            for number, line in self.lines.items()
            if not first <= number <= last
        }
        self.lines = moved | dict(enumerate(new, start=first))
        self.total = None if self.total is None else self.total + shift

    @property
    def is_complete(self) -> bool:
        return self.total is not None and len(self.lines) == self.total

    def content(self) -> Content:
        last = self.total or max(self.lines, default=0)
        lines = (self.lines.get(n, f"\0line {n} was never shown\0") for n in range(1, last + 1))
        text = "".join(f"{line}\n" for line in lines)
        return Content.of_text(text, complete=self.is_complete)


class RecordedTree:
    """A `FileTree` over rebuilt states. A file nobody showed may be there or not."""

    def __init__(self, files: dict[str, Recorded | None]) -> None:
        self._files = {
            path: file and replace(file, lines=dict(file.lines)) for path, file in files.items()
        }

    def look(self, path: str) -> Look:
        if path not in self._files:
            return Look("unreadable", "no step of the record shows it")
        file = self._files[path]
        if file is None:
            return Look("missing", "a step of the record removed it")
        return Look("file", content=file.content())

    def entry(self, path: str) -> Any:
        kind = self.look(path).kind
        return {"missing": "missing", "file": "there"}.get(kind, "unknown")

    def is_folder(self, path: str) -> bool:
        return any(known.startswith(f"{path}/") for known in self._files)

    def relative(self, path: str) -> str | None:
        return path

    def paths(self) -> Iterator[str]:
        return iter([path for path, file in self._files.items() if file is not None])


@dataclass
class Edit:
    """An edit a step asked for: lines `first` to `last` of a file become `new`."""

    path: str
    first: int
    last: int
    new: list[str]
    refused: bool
    event_id: str
    before: str | None
    after: str | None


@dataclass
class Step:
    event: Json
    edit: Edit | None
    tree: RecordedTree


class Run:
    """One recorded run, replayed step by step."""

    def __init__(self, name: str, steps: list[Json]) -> None:
        self.name = name
        self._raw = steps
        self._files: dict[str, Recorded | None] = {}
        self._open: str | None = None
        self._folder = ""
        self._cursors: tuple[int, int] | None = None

    def steps(self) -> Iterator[Step]:
        for number, raw in enumerate(self._raw):
            action = str(raw.get("action") or "").strip("\n")
            shown = str(raw.get("observation") or "").replace("\r\n", "\n")
            self._note_state(raw, shown)
            event, edit = self._understood(f"step-{number}", action, shown)
            self._learn(action, shown, edit)
            yield Step(event, edit, RecordedTree(self._files))

    def _note_state(self, raw: Json, shown: str) -> None:
        state = raw.get("state")
        if isinstance(state, str):
            try:
                state = json.loads(state)
            except ValueError:
                state = None
        told = state.get("open_file") if isinstance(state, dict) else None
        if isinstance(told, str) and told not in {"n/a", ""}:
            self._open = told
        folder = state.get("working_dir") if isinstance(state, dict) else None
        prompt = re.search(r"^\(Current directory: (.+)\)$", shown, re.MULTILINE)
        self._folder = str(folder or (prompt[1] if prompt else self._folder))

    def _understood(self, identity: str, action: str, shown: str) -> tuple[Json, Edit | None]:
        name = action.split(None, 1)[0] if action.split() else ""
        edit = self._edit(identity, action, shown) if name in {"edit", "insert"} else None
        if edit is not None:
            arguments: Json = {"file_path": edit.path, "new_string": _joined(edit.new)}
            old = self._lines(edit.path, edit.first, edit.last)
            if old is not None:
                arguments["old_string"] = _joined(old)
            return {"id": identity, "tool": "edit", "arguments": arguments, "result": shown}, edit
        known = {"open", "goto", "scroll_down", "scroll_up", "find_file", "search_dir", "submit"}
        known |= {"search_file", "set_cursors"}
        if name == "create":
            arguments = {"file_path": self._place(action.split(None, 1)[1]), "content": "\n"}
            return {"id": identity, "tool": "create", "arguments": arguments, "result": shown}, None
        if name in known:
            return {"id": identity, "tool": name, "arguments": {}, "result": shown}, None
        arguments = {"command": action}
        return {"id": identity, "tool": "bash", "arguments": arguments, "result": shown}, None

    def _edit(self, identity: str, action: str, shown: str) -> Edit | None:
        window = _WINDOW.search(shown)
        path = window["path"] if window else self._open
        if path is None:
            return None
        path = self._place(path)
        place = self._range(path, action)
        if place is None:
            return None
        first, last, new = place
        return Edit(
            path=path,
            first=first,
            last=last,
            new=new,
            refused=_REFUSED in shown,
            event_id=identity,
            before=self._around(path, first - 1, -1),
            after=self._around(path, last + 1, +1),
        )

    def _around(self, path: str, number: int, direction: int) -> str | None:
        """The lines next to an edit up to one that is not blank; "" at the file's edge."""
        file = self._files.get(path)
        found: list[str] = []
        while file is not None and (not found or not found[-1].strip()):
            if number < 1 or (file.total is not None and number > file.total):
                return "" if not found else None
            if number not in file.lines:
                return None
            found.append(file.lines[number])
            number += direction
        return _joined(found[::direction]) if file is not None else None

    def _range(self, path: str, action: str) -> tuple[int, int, list[str]] | None:
        numbered = re.match(r"edit (\d+):(\d+)\n(.*?)\n?end_of_edit", action + "\n", re.DOTALL)
        if numbered:
            return int(numbered[1]), int(numbered[2]), numbered[3].split("\n")
        cursor = re.match(r"edit\n(.*?)\n?end_of_edit", action + "\n", re.DOTALL)
        if cursor and self._cursors:
            return (*self._cursors, cursor[1].split("\n"))
        try:
            words = shlex.split(action)
        except ValueError:
            return None
        if words[0] == "insert" and len(words) > 1:
            return self._insertion(path, words)
        return self._replacement(path, words[1], words[2]) if len(words) > 2 else None

    def _insertion(self, path: str, words: list[str]) -> tuple[int, int, list[str]] | None:
        file = self._files.get(path)
        total = file.total if file else None
        at = int(words[2]) if len(words) > 2 and words[2].isdigit() else total
        return None if at is None else (at + 1, at, words[1].split("\n"))

    def _replacement(self, path: str, old: str, new: str) -> tuple[int, int, list[str]] | None:
        """A search for text, as whole lines: the first place where it is known to stand."""
        file = self._files.get(path)
        count = old.count("\n")
        for number in sorted(file.lines) if file else ():
            lines = self._lines(path, number, number + count)
            if lines and old in "\n".join(lines):
                changed = "\n".join(lines).replace(old, new, 1)
                return number, number + count, changed.split("\n")
        return None

    def _lines(self, path: str, first: int, last: int) -> list[str] | None:
        file = self._files.get(path)
        numbers = range(first, last + 1)
        if file is None or any(number not in file.lines for number in numbers):
            return None
        return [file.lines[number] for number in numbers]

    def _place(self, path: str) -> str:
        path = path.strip().strip("\"'")
        return path.removeprefix(f"{self._folder.rstrip('/')}/") if self._folder else path

    def _learn(self, action: str, shown: str, edit: Edit | None) -> None:
        if edit is not None and not edit.refused:
            file = self._files.get(edit.path)
            if file is not None:
                file.replace(edit.first, edit.last, edit.new)
        # a refusal shows what would have been, then what is: only the last window is true
        windows = list(_windows(shown))
        for path, lines, total in windows[-1:] if _REFUSED in shown else windows:
            place = self._place(path)
            known = self._files.get(place)
            if known is None:
                known = self._files[place] = Recorded()
            known.show(lines, total)
            self._open = place
        removed = re.fullmatch(r"rm (?:-\w+ )?(\S+)", action)
        if removed:
            self._files[self._place(removed[1])] = None
        moved = re.match(r"set_cursors (\d+) (\d+)", action)
        told = re.search(r"START_CURSOR moved to (\d+)\nEND_CURSOR moved to (\d+)", shown)
        cursors = moved or told
        if cursors:
            self._cursors = (int(cursors[1]), int(cursors[2]))


def _windows(shown: str) -> Iterator[tuple[str, dict[int, str], int]]:
    headers = list(_WINDOW.finditer(shown))
    for index, header in enumerate(headers):
        end = headers[index + 1].start() if index + 1 < len(headers) else len(shown)
        lines: dict[int, str] = {}
        expected = None
        for line in shown[header.end() : end].split("\n"):
            match = _LINE.match(line)
            if match and (expected is None or int(match[1]) == expected):
                lines[int(match[1])] = match[2]
                expected = int(match[1]) + 1
            elif expected is not None and not line.startswith("<<<<<"):
                break
        yield header["path"], lines, int(header["total"])


def _joined(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def read_runs(path: Path) -> Iterator[Run]:
    """Every run in an archive or a folder of `.traj` files."""
    if path.is_dir():
        files = ((file.name, file.read_bytes()) for file in sorted(path.rglob("*.traj")))
    else:
        files = _members(path)
    for name, data in files:
        try:
            document = json.loads(data)
        except ValueError:
            continue
        steps = document.get("trajectory") or _steps_of(document.get("history") or [])
        if steps:
            yield Run(name, steps)


def _members(path: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            if file is not None and member.name.endswith(".traj"):
                yield member.name, file.read()


def _steps_of(history: list[Json]) -> list[Json]:
    """Steps from messages, where a run was kept only as a conversation."""
    steps: list[Json] = []
    for message in history:
        if message.get("role") == "assistant" and message.get("action"):
            steps.append({"action": message["action"], "observation": ""})
        elif steps and message.get("role") in {"tool", "user"}:
            steps[-1]["observation"] = str(message.get("content") or "")
    return steps
