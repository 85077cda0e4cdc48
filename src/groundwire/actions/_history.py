"""What a trace says happened to each file and which commands ran: small, and built in one pass."""

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, Protocol

from groundwire._patterns import lazy_pattern
from groundwire.actions._content import hash_of, normal, printable
from groundwire.actions._directory import FileTree
from groundwire.actions._replay import (
    Change,
    Reading,
    Version,
    past_texts,
    replayed,
    replayed_to,
)
from groundwire.traces import (
    Effects,
    FileEffect,
    TestRun,
    ToolTrace,
    TraceEvent,
    changes_folder,
    checks_in,
    command_of,
    effects_of,
    outcome_of,
    result_text,
    task_ended,
    task_started,
    text_shown,
    was_not_run,
    with_exit_code,
    writes_after_checks,
)

MAX_COMMAND_CHARS = 8_000
MAX_OUTPUT_CHARS = 200_000
MAX_RECORDS = 1_000_000
MAX_UNCLEAR = 5_000
"""A trace with more than this is read to its end, but no longer taken to be complete."""
MAX_KEPT_CHARS = 64_000_000
"""Contents a trace may hold in memory; of what comes after, only hashes are kept."""
MAX_SPOKEN_CHARS = 4_000_000
"""Of a trace that says more than this nobody can tell what it never mentions."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """An event that may have written files it does not name; `anywhere` if that is its purpose."""

    order: int
    event_id: str
    what: str
    anywhere: bool
    is_command: bool = True
    trace: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    order: int
    event_id: str
    command: str
    exit_code: int | None
    checks: tuple[TestRun, ...]
    trace: int = 0
    writes_after_checks: bool = True
    """Whether its line goes on to write once the checks are done."""
    folder: str = ""
    """Where it was started, from the base."""


OUTSIDE = "outside any call"
"""The author of a change by the user or by a process in the background."""


class SeenWrite(Protocol):
    @property
    def path(self) -> str: ...
    @property
    def after(self) -> str | None: ...


class Watched(Protocol):
    """What hooks saw of a session."""

    root: Path

    def is_watched(self, path: str) -> bool: ...
    def effects(self, event: TraceEvent, read: Effects) -> Effects: ...
    def outside_before(self, event: TraceEvent | None) -> Iterable[SeenWrite]: ...


@dataclass
class History:
    """The changes to each file by its path from the base, the commands, and what is unclear."""

    complete: bool = True
    keep_content_of: frozenset[str] | None = None
    """Base names of the files whose contents matter; None for all."""
    changes: dict[str, list[Change]] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    own_traces: frozenset[int] | None = None
    """Which traces are the specialist's own: its commands are theirs. None for all."""
    unclear: list[Unclear] = field(default_factory=list)
    readings: dict[str, list[Reading]] = field(default_factory=dict)
    events: int = 0
    ran_project: bool = False
    """Whether the project's own code ran (tests, a build): it may have written files itself."""
    spoken: list[str] = field(default_factory=list)
    """What was given to the tools and what they answered."""
    observed: "Watched | None" = None
    """What hooks saw while the trace was made: it stands before what a call's words suggest."""
    _keys: dict[int, Callable[[str], str]] = field(default_factory=dict)
    """How each trace's paths are read."""
    _unseen: list[Unclear] = field(default_factory=list)
    """Calls that were watched, but may have written where nobody looks."""
    _elsewhere: dict[str, list[str]] = field(default_factory=dict)
    _loose: dict[str, list[Change]] = field(default_factory=dict)
    _has_moved: bool = False
    _kept_chars: int = 0
    _spoken_chars: int = 0
    _tasks: dict[str, int] = field(default_factory=dict)
    """Which run goes on in the background under a name."""
    _changes: int = 0

    @property
    def tells_all_writes(self) -> bool:
        """Whether nothing else can have written: every call is known, and no project code ran."""
        return self.complete and not self.unclear and not self.ran_project

    def add(
        self,
        event: TraceEvent,
        *,
        key: Callable[[str], str] = posixpath.normpath,
        trace: int = 0,
        folder_is_known: bool = True,
    ) -> None:
        """`key` turns a path as the tool wrote it into one from the base.

        Where the folder a tool worked in is not known, a relative path may mean several files.
        """
        if self.observed is not None:
            self.add_outside(self.observed, event, key)
        self.events += 1
        self._keys[trace] = key
        self._keep_spoken(event)
        event = with_exit_code(event)
        event_id = printable(event.id or str(self.events))
        command = command_of(event)
        outcome = outcome_of(event)
        if command is not None and was_not_run(event):
            return
        if command is not None:
            command = printable(command)
            self._add_run(event, event_id, command, trace, key)
        else:
            self._end_task(event)
        effects = effects_of(event)
        self.ran_project = self.ran_project or effects.ran_project
        if self.observed is not None:
            read, effects = effects, self.observed.effects(event, effects)
            if (read.unknown or read.anywhere) and not (effects.unknown or effects.anywhere):
                self._unseen.append(Unclear(self.events, event_id, command or event.tool, True))
        # a program that failed may have written before it did; a tool that refused has not
        if effects.anywhere or (effects.unknown and (command or outcome != "error")):
            self._add_unclear(effects, event_id, command, event.tool, trace)
        self._add_reading(event, key)
        for effect in effects.files:
            is_refused = command is None and outcome == "error"
            sure = effect.sure and (outcome == "ok" or command is not None)
            is_loose = self._has_moved if command is not None else not folder_is_known
            is_loose = is_loose and not effect.path.startswith("/")
            effect = replace(effect, path=printable(key(effect.path)), sure=sure)  # noqa: PLW2901
            self._add_change(event_id, effect, refused=is_refused, is_loose=is_loose)
        # a shell may still be where an earlier command led it
        self._has_moved = self._has_moved or (command is not None and changes_folder(command))

    def add_outside(
        self, observed: "Watched", event: TraceEvent | None, key: Callable[[str], str]
    ) -> None:
        """Changes by the user or in the background: they excuse, and are nobody's work."""
        for write in observed.outside_before(event):
            action: Literal["delete", "edit"] = "delete" if write.after is None else "edit"
            effect = FileEffect(key(str(observed.root / write.path)), action, sure=False)
            self._add_change(OUTSIDE, effect, refused=False, is_loose=False)

    def _keep_spoken(self, event: TraceEvent) -> None:
        if self._spoken_chars > MAX_SPOKEN_CHARS:
            return
        given = json.dumps(event.arguments, ensure_ascii=False, default=str)
        self.spoken.append(f"{given}\n{result_text(event)}")
        self._spoken_chars += len(self.spoken[-1])
        if not self.tells_all_words:
            self.spoken.clear()

    @property
    def tells_all_words(self) -> bool:
        """Whether everything that was given to the tools, and their answers, is in `spoken`."""
        return self._spoken_chars <= MAX_SPOKEN_CHARS

    def has_word(self, word: str) -> bool:
        """Whether something in `spoken` has a word by itself, not within another."""
        found = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
        return any(found.search(text) for text in self.spoken)

    def _add_reading(self, event: TraceEvent, key: Callable[[str], str]) -> None:
        shown = text_shown(event)
        if shown is not None:
            path = key(shown[0])
            if self._has_room(path, len(shown[1])):
                reading = Reading(self.events, normal(shown[1]))
                self.readings.setdefault(path, []).append(reading)

    def _add_run(
        self,
        event: TraceEvent,
        event_id: str,
        command: str,
        trace: int,
        key: Callable[[str], str],
    ) -> None:
        if len(self.runs) >= MAX_RECORDS:
            self.complete = False
            return
        folder = key(".").removeprefix(".")
        checks = checks_in(
            command,
            exit_code=event.exit_code,
            output=result_text(event)[-MAX_OUTPUT_CHARS:],
            has_error_flag=event.outcome == "error",
            folder=folder,
        )
        command = command[:MAX_COMMAND_CHARS]
        later = not checks or writes_after_checks(command)
        run = Run(
            self.events, event_id, command, event.exit_code, tuple(checks), trace, later, folder
        )
        self.runs.append(run)
        if event.exit_code is None and (task := task_started(event)) is not None:
            self._tasks[task] = len(self.runs) - 1

    def _end_task(self, event: TraceEvent) -> None:
        """What was sent to the background is told to have ended."""
        name, code, output = task_ended(event) or ("", 0, "")
        if name not in self._tasks:
            return
        at = self._tasks.pop(name)
        run = self.runs[at]
        checks = checks_in(
            run.command, exit_code=code, output=output[-MAX_OUTPUT_CHARS:], folder=run.folder
        )
        self.runs[at] = replace(run, exit_code=code, checks=tuple(checks))

    def _add_unclear(
        self, effects: Effects, event_id: str, command: str | None, tool: str, trace: int
    ) -> None:
        if len(self.unclear) >= MAX_UNCLEAR:
            self.complete = False
            return
        self.unclear.append(
            Unclear(
                order=self.events,
                event_id=event_id,
                what=(command or tool)[:MAX_COMMAND_CHARS],
                anywhere=effects.anywhere,
                is_command=command is not None,
                trace=trace,
            )
        )

    def _add_change(
        self, event_id: str, effect: FileEffect, *, refused: bool, is_loose: bool
    ) -> None:
        self._changes += 1
        if self._changes > MAX_RECORDS:
            self.complete = False
            return
        change = Change(self.events, event_id, self._trimmed(effect), refused)
        known = self.changes.setdefault(effect.path, [])
        name = posixpath.basename(effect.path)
        if not known and effect.path.startswith("/"):
            self._elsewhere.setdefault(name, []).append(effect.path)
        known.append(change)
        if is_loose:
            self._loose.setdefault(name, []).append(change)

    def _trimmed(self, effect: FileEffect) -> FileEffect:
        """Without contents that no claim asks for or that would fill the memory."""
        size = len(effect.content or "") + sum(len(r.old + r.new) for r in effect.replacements)
        if self._has_room(effect.path, size):
            return effect
        digest = effect.content_hash if effect.content is None else hash_of(effect.content)
        return replace(effect, content=None, content_hash=digest, replacements=())

    def _has_room(self, path: str, chars: int) -> bool:
        name = posixpath.basename(path)
        is_asked = self.keep_content_of is None or name in self.keep_content_of
        if not is_asked or self._kept_chars + chars > MAX_KEPT_CHARS:
            return False
        self._kept_chars += chars
        return True

    def from_base(self, path: str) -> str:
        """A path as some tool wrote it; still absolute where it leads elsewhere."""
        found = [key(path) for key in self._keys.values()] or [posixpath.normpath(path)]
        return next((one for one in found if not one.startswith("/")), found[0])

    def own_runs(self) -> list[Run]:
        return [run for run in self.runs if self._is_own(run.trace)]

    def own_unclear(self) -> list[Unclear]:
        return [event for event in self.unclear if self._is_own(event.trace)]

    def _is_own(self, trace: int) -> bool:
        return self.own_traces is None or trace in self.own_traces

    def changes_of(self, path: str) -> list[Change]:
        """Everything that happened to a file, also through the folders above it, in order."""
        found = list(self.changes.get(path, ()))
        for folder in _folders_above(path):
            found += [_through_folder(change) for change in self.changes.get(folder, ())]
        # the same path under a root nobody told us: tools may have worked in a container
        for other in self._elsewhere.get(posixpath.basename(path), ()):
            if other.endswith(f"/{path}"):
                found += self.changes[other]
        # a relative path written from a folder nobody recorded
        for change in self._loose.get(posixpath.basename(path), ()):
            ending = change.effect.path.lstrip("./")
            if path != ending and path.endswith(f"/{ending}"):
                found.append(_perhaps(change))
        return sorted(found, key=lambda change: change.order)

    def refused(self, path: str) -> list[Change]:
        return [change for change in self.changes_of(path) if change.refused]

    def versions(
        self, path: str, now: str | None = None, original: str | None = None
    ) -> list[Version]:
        """The file after each change that was not refused, as far as the trace tells.

        `now` is its text today, `original` the one it had before the trace, where they are known.
        """
        changes = [change for change in self.changes_of(path) if not change.refused]
        if original is not None or not changes:
            return replayed(changes, original)
        if now is None or not self._ends_with(changes[-1], path):
            return replayed(changes)
        return replayed_to(changes, self.readings.get(path, ()), now)

    def past_texts(self, path: str, now: str | None) -> Iterator[str]:
        return past_texts([c for c in self.changes_of(path) if not c.refused], now)

    def _ends_with(self, last: Change, path: str) -> bool:
        """Whether nothing can have changed the file after its last recorded change."""
        return self.complete and not any(e.order > last.order for e in self.unclear_for(path))

    def unclear_for(self, path: str) -> list[Unclear]:
        """Events that may have written the file; one that names it counts as made for that."""
        name = posixpath.basename(path)
        if self.observed is not None and not self.observed.is_watched(path):
            return sorted([*self.unclear, *self._unseen], key=lambda event: event.order)
        return [
            replace(event, anywhere=True) if not event.anywhere and name in event.what else event
            for event in self.unclear
        ]

    @cached_property
    def last_change_order(self) -> int:
        """When a file was last changed, or may have been by a tool whose purpose that is."""
        return self.last_change_in("")

    def last_change_in(self, folder: str, *, of_code: bool = False) -> int:
        """The same for the files under a folder of this name; "" for all.

        With `of_code` pages for readers do not count: no test runs them.
        """
        done = [
            change.order
            for path, changes in self.changes.items()
            if not folder or folder in path.lower().split("/")
            if not (of_code and _PAGE.fullmatch(posixpath.basename(path)))
            for change in changes
            if not change.refused
        ]
        return max([*done, *(event.order for event in self.unclear if event.anywhere)], default=0)


# such as "README.md", "LICENSE", "guide.rst"
_PAGE = lazy_pattern(r"(?i)[\w.-]+\.(?:md|rst|adoc)|(?:readme|license|changelog|notice)(?:\.txt)?")


def _folders_above(path: str) -> Iterator[str]:
    while (path := posixpath.dirname(path)) not in {"", "/"}:
        yield path


def _through_folder(change: Change) -> Change:
    """A folder removed takes its files along; one written may have brought them."""
    return change if change.effect.action == "delete" else _perhaps(change)


def _perhaps(change: Change) -> Change:
    effect = replace(change.effect, content=None, replacements=(), sure=False)
    return replace(change, effect=effect)


def path_key(
    cwd: str | None, tree: FileTree | None, folder: str | None = None
) -> Callable[[str], str]:
    """Paths as tools wrote them, from the base: the tools may have worked elsewhere.

    `folder` is that of the one call, where it is not the trace's own.
    """

    def key(path: str) -> str:
        if not path.startswith("/") and folder and folder.startswith("/"):
            path = posixpath.normpath(posixpath.join(folder, path))
            path = "." if path == cwd else path
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
            history.add(event, key=path_key(trace.cwd, tree, event.cwd), trace=number)
        history.complete = history.complete and trace.complete
    return history
