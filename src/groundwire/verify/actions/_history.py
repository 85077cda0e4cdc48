"""What a trace says happened to each file and which commands ran: small, and built in one pass."""

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from groundwire.verify.actions._answers import outcome_of, result_text, with_exit_code
from groundwire.verify.actions._checks import CheckRun, RunOutcome, checks_in, outcome_of_run
from groundwire.verify.actions._content import Content, hash_of, normal
from groundwire.verify.actions._effects import Effects, FileEffect
from groundwire.verify.actions._tools import command_of, effects_of
from groundwire.verify.actions._trace import TraceEvent

MAX_COMMAND_CHARS = 8_000
MAX_OUTPUT_CHARS = 4_000
MAX_PAST_TEXTS = 50
MAX_KEPT_CHARS = 64_000_000
"""Contents a trace may hold in memory; of what comes after, only hashes are kept."""


@dataclass(frozen=True, slots=True)
class Change:
    """One event's effect on one file. A refused one changed nothing."""

    order: int
    event_id: str
    effect: FileEffect
    refused: bool


@dataclass(frozen=True, slots=True)
class Version:
    """A file after one change. Content and hash are there as far as the trace tells them."""

    order: int
    event_id: str
    effect: FileEffect
    content: Content | None
    content_hash: str | None

    @property
    def sure(self) -> bool:
        return self.effect.sure

    @property
    def deleted(self) -> bool:
        return self.effect.action == "delete"


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
    checks: tuple[tuple[CheckRun, RunOutcome], ...]
    trace: int = 0


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
    events: int = 0
    _kept_chars: int = 0

    def add(
        self, event: TraceEvent, *, key: Callable[[str], str] = posixpath.normpath, trace: int = 0
    ) -> None:
        """`key` turns a path as the tool wrote it into one from the base."""
        self.events += 1
        event = with_exit_code(event)
        event_id = event.id or str(self.events)
        command = command_of(event)
        outcome = outcome_of(event)
        if command is not None:
            self._add_run(event, event_id, command, trace)
        effects = effects_of(event)
        # a program that failed may have written before it did; a tool that refused has not
        if effects.anywhere or (effects.unknown and (command or outcome != "error")):
            self._add_unclear(effects, event_id, command, event.tool, trace)
        for effect in effects.files:
            is_refused = command is None and outcome == "error"
            sure = effect.sure and (outcome == "ok" or command is not None)
            effect = replace(effect, path=key(effect.path), sure=sure)  # noqa: PLW2901
            self._add_change(event_id, effect, refused=is_refused)

    def _add_run(self, event: TraceEvent, event_id: str, command: str, trace: int) -> None:
        output = result_text(event)[-MAX_OUTPUT_CHARS:]
        checks = tuple(
            (check, outcome_of_run(check.exit_code, output))
            for check in checks_in(command[:MAX_COMMAND_CHARS], event.exit_code)
        )
        command = command[:MAX_COMMAND_CHARS]
        self.runs.append(Run(self.events, event_id, command, event.exit_code, checks, trace))

    def _add_unclear(
        self, effects: Effects, event_id: str, command: str | None, tool: str, trace: int
    ) -> None:
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

    def _add_change(self, event_id: str, effect: FileEffect, *, refused: bool) -> None:
        change = Change(self.events, event_id, self._trimmed(effect), refused)
        self.changes.setdefault(effect.path, []).append(change)

    def _trimmed(self, effect: FileEffect) -> FileEffect:
        """Without contents that no claim asks for or that would fill the memory."""
        size = len(effect.content or "") + sum(len(r.old + r.new) for r in effect.replacements)
        name = posixpath.basename(effect.path)
        is_asked = self.keep_content_of is None or name in self.keep_content_of
        if is_asked and self._kept_chars + size <= MAX_KEPT_CHARS:
            self._kept_chars += size
            return effect
        digest = effect.content_hash
        if effect.content is not None:
            digest = hash_of(effect.content)
        return replace(effect, content=None, content_hash=digest, replacements=())

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
        found += [change for other in self._elsewhere(path) for change in self.changes[other]]
        return sorted(found, key=lambda change: change.order)

    def _elsewhere(self, path: str) -> Iterator[str]:
        """The same path under a root nobody told us: tools may have worked in a container."""
        ending = f"/{path}"
        return (other for other in self._absolute if other.endswith(ending))

    @property
    def _absolute(self) -> list[str]:
        return [path for path in self.changes if path.startswith("/")]

    def refused(self, path: str) -> list[Change]:
        return [change for change in self.changes_of(path) if change.refused]

    def versions(self, path: str, now: str | None = None) -> list[Version]:
        """The file after each change that was not refused, replayed as far as the trace allows.

        Given the text of today, edits are also taken back from it, one by one.
        """
        versions: list[Version] = []
        text: str | None = None
        for change in self.changes_of(path):
            if change.refused:
                continue
            text = apply_effect(text, change.effect)
            digest = change.effect.content_hash
            content = None if text is None else Content.of_text(text)
            versions.append(Version(change.order, change.event_id, change.effect, content, digest))
        if now is None or not versions or not self._ends_with(versions[-1], path):
            return versions
        return _filled_backwards(versions, now)

    def past_texts(self, path: str, now: str | None) -> Iterator[str]:
        """Texts the file may have had: what it is, with its recorded edits taken back in turn."""
        text = now
        if text is not None:
            yield text
        done = [change.effect for change in self.changes_of(path) if not change.refused]
        for effect in reversed(done[-MAX_PAST_TEXTS:]):
            text = _taken_back(text, effect) if text is not None and _shows(text, effect) else None
            if text is None:
                return
            yield text

    def _ends_with(self, last: Version, path: str) -> bool:
        """Whether nothing can have changed the file after its last recorded change."""
        return self.complete and not any(e.order > last.order for e in self.unclear_for(path))

    def unclear_for(self, path: str) -> list[Unclear]:
        """Events that may have written the file; one that names it counts as made for that."""
        name = posixpath.basename(path)
        return [
            replace(event, anywhere=True) if not event.anywhere and name in event.what else event
            for event in self.unclear
        ]

    def last_change_order(self) -> int:
        """When a file was last changed, or may have been by a tool whose purpose that is."""
        orders = [
            change.order
            for changes in self.changes.values()
            for change in changes
            if not change.refused
        ]
        orders += [event.order for event in self.unclear if event.anywhere]
        return max(orders, default=0)


def apply_effect(text: str | None, effect: FileEffect) -> str | None:
    """The text after a change, None where it is no longer known."""
    if effect.action == "delete" or not effect.sure:
        return None
    if effect.action == "write":
        return None if effect.content is None else normal(effect.content)
    if text is None or not effect.replacements:
        return None
    for replacement in effect.replacements:
        old, new = normal(replacement.old), normal(replacement.new)
        if replacement.line is not None:
            lines = text.split("\n")
            lines[replacement.line : replacement.line] = new.removesuffix("\n").split("\n")
            text = "\n".join(lines)
        elif not old or old not in text:
            return None
        else:
            text = text.replace(old, new) if replacement.everywhere else text.replace(old, new, 1)
    return text


def _filled_backwards(versions: list[Version], now: str) -> list[Version]:
    filled: list[Version] = []
    text: str | None = now
    for version in reversed(versions):
        if text is not None and not _shows(text, version.effect):
            text = None
        if version.content is None and text is not None:
            version = replace(version, content=Content.of_text(text))  # noqa: PLW2901
        text = _taken_back(text, version.effect)
        filled.append(version)
    return filled[::-1]


def _shows(text: str, effect: FileEffect) -> bool:
    """Whether a text can be what the change left behind."""
    if not effect.sure or effect.action != "edit" or not effect.replacements:
        return False
    return all(normal(replacement.new) in text for replacement in effect.replacements)


def _taken_back(text: str | None, effect: FileEffect) -> str | None:
    for replacement in reversed(effect.replacements):
        new = normal(replacement.new)
        is_clear = replacement.line is None and not replacement.everywhere and bool(new)
        if text is None or not is_clear or text.count(new) != 1:
            return None
        text = text.replace(new, normal(replacement.old), 1)
    return text


def _folders_above(path: str) -> Iterator[str]:
    while (path := posixpath.dirname(path)) not in {"", "/"}:
        yield path


def _through_folder(change: Change) -> Change:
    """A folder removed takes its files along; one written may have brought them."""
    if change.effect.action == "delete":
        return change
    return replace(change, effect=replace(change.effect, content=None, sure=False))
