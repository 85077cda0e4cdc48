"""Which commands ran: found by what they do, not by how they were written."""

import posixpath
import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import islice
from typing import Literal

from groundwire._patterns import lazy_pattern
from groundwire.actions._claims import LEFT_BEHIND
from groundwire.actions._code import Code
from groundwire.actions._content import Content
from groundwire.actions._directory import Directory, Entry, FileTree, Look
from groundwire.actions._git import git_blob, git_head
from groundwire.actions._history import History, Run, Unclear, Watched
from groundwire.actions._replay import Change, past_texts
from groundwire.actions._result import Category, ClaimStatus
from groundwire.actions._snapshot import Snapshot
from groundwire.text import word_set
from groundwire.traces import (
    NotUnderstood,
    Script,
    SimpleCommand,
    may_run_tests,
    mode_of,
    parse,
    plain_runner,
)

_DEFINED_IN = {
    **dict.fromkeys(("make", "gmake"), ("Makefile", "makefile", "GNUmakefile")),
    **dict.fromkeys(("npm", "yarn", "pnpm", "bun"), ("package.json",)),
    "just": ("justfile", "Justfile"),
    "task": ("Taskfile.yml",),
    "tox": ("tox.ini", "setup.cfg", "pyproject.toml"),
    "nox": ("noxfile.py",),
    "rake": ("Rakefile",),
    "invoke": ("tasks.py",),
}
"""Where task runners find what to do."""
_TASKS = frozenset(_DEFINED_IN)
_INSTALLERS = word_set("npm yarn pnpm bun")
_RUN_OTHERS = _TASKS | word_set("bash sh zsh docker podman pre-commit")
# what a task may start that is defined in yet another place: "bash build.sh", "docker run"
_OPAQUE = lazy_pattern(r"\.sh\b|\bdocker\b|\bpodman\b|\binclude \S+\.mk\b")
# tasks that only name or fetch: "npm install" runs no script that an agent would speak of
_NO_TASK = word_set("install i ci add ls list view outdated audit init -v --version --help -h")

Ended = int | Literal["not_zero"] | None
"""`not_zero`: it failed, or was not reached because something before it did."""
Found = tuple[list[tuple[Run, Ended]], Run | None]
"""Runs of the command, each with the exit code that is surely its own; and one that is like it."""


class CommandIndex:
    """The commands of a trace by the programs they run."""

    def __init__(self, runs: Sequence[Run], unclear: Sequence[Unclear]) -> None:
        self._runs = runs
        self._unclear = unclear
        self._found: dict[str, Found] = {}

    @cached_property
    def _parsed(self) -> list[Script | None]:
        return [_parsed(run.command) for run in self._runs]

    @cached_property
    def _by_program(self) -> dict[str, set[int]]:
        places: dict[str, set[int]] = {}
        for place, script in enumerate(self._parsed):
            for command in script.commands if script else ():
                if command.words:
                    places.setdefault(_words(command)[0], set()).add(place)
        return places

    @cached_property
    def _by_line(self) -> dict[str, list[Run]]:
        lines: dict[str, list[Run]] = {}
        for run in self._runs:
            lines.setdefault(_plain(run.command), []).append(run)
        return lines

    @cached_property
    def inner(self) -> list[SimpleCommand] | None:
        """Scripts and tasks that may have run commands inside; None if anything may have."""
        if any(not event.is_command for event in self._unclear) or None in self._parsed:
            return None
        commands = (command for script in self._parsed if script for command in script.commands)
        return [one for one in dict.fromkeys(commands) if one.words and _runs_others(one)]

    def find(self, command: str) -> Found:
        if command not in self._found:
            self._found[command] = self._search(command)
        return self._found[command]

    def _search(self, command: str) -> Found:
        same: list[tuple[Run, Ended]] = [
            (run, run.exit_code) for run in self._by_line.get(_plain(command), ())
        ]
        # the `cd` that only says where is left out
        script = _parsed(command)
        commands = script.commands if script else ()
        wanted = [one for one in commands if one.words and one.program != "cd"]
        similar = None
        for run, ran in self._candidates(wanted):
            places = [_position(one, ran.commands) for one in wanted]
            if None not in places:
                last = max(place for place in places if place is not None)
                code: Ended = ran.exit_codes(run.exit_code)[last]
                if code is None and ran.did_not_succeed(run.exit_code)[last]:
                    code = "not_zero"
                same.append((run, code))
            else:
                similar = run
        return same, similar

    def _candidates(self, wanted: Sequence[SimpleCommand]) -> list[tuple[Run, Script]]:
        """Lines that run all the wanted programs."""
        places = [self._by_program.get(_words(one)[0], set()) for one in wanted]
        together = sorted(set.intersection(*places)) if places else []
        found = ((self._runs[place], self._parsed[place]) for place in together)
        return [(run, script) for run, script in found if script is not None]


def _parsed(line: str) -> Script | None:
    try:
        return parse(line)
    except NotUnderstood:
        return None


def _plain(line: str) -> str:
    return " ".join(line.split())


def _position(wanted: SimpleCommand, ran: Sequence[SimpleCommand]) -> int | None:
    """The last command that has the wanted words in their order, perhaps among more options."""
    for index in range(len(ran) - 1, -1, -1):
        if ran[index].words and _is_within(_words(wanted), _words(ran[index])):
            return index
    return None


def _words(command: SimpleCommand) -> list[str]:
    return plain_runner(list(command.words))


def _is_within(wanted: list[str], words: list[str]) -> bool:
    if wanted[0] != words[0]:
        return False
    rest = iter(words)
    return all(word in rest for word in wanted)


def _runs_others(command: SimpleCommand) -> bool:
    words = plain_runner(list(command.words))
    is_fetched = words[0] in _INSTALLERS and _NO_TASK & set(command.words[1:2])
    if words[0] in _TASKS and (is_fetched or mode_of(command) == "dry"):
        return False
    return words[0] in _RUN_OTHERS or command.words[0].startswith("./")


MAX_CACHED_BYTES = 32_000_000
MAX_SEARCHED_FILES = 2_000
"""In more files nothing is looked for that no claim names."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """How a claim ended, before it is written into the result."""

    status: ClaimStatus
    detail: str
    category: Category | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """Whether a claim fits a state; None when the state cannot tell."""

    holds: bool | None
    detail: str
    category: Category | None = None


@dataclass
class Evidence:
    """`before` was taken before the work, `after` when it ended."""

    tree: FileTree | None = None
    history: History | None = None
    before: Snapshot | None = None
    after: Snapshot | None = None
    observed: Watched | None = None
    assume_current: bool = True
    ignored: frozenset[str] | None = None
    """Which of the claimed files git ignores; None when that is not known."""
    seen: dict[str, str | None] = field(default_factory=dict)
    """The hash of every file that was looked at, None for one that was not there."""
    _looks: "OrderedDict[str, Look]" = field(default_factory=OrderedDict)
    _cached_bytes: int = 0
    _originals: dict[str, str | None] = field(default_factory=dict)

    def look(self, path: str) -> Look:
        """What stands at a path; read once, so that many claims about one file agree."""
        if path in self._looks:
            self._looks.move_to_end(path)
            return self._looks[path]
        assert self.tree is not None  # noqa: S101
        look = self.tree.look(path)
        self.seen[path] = min(look.content.hashes) if look.content else None
        self._looks[path] = look
        self._cached_bytes += _weight(look)
        while self._cached_bytes > MAX_CACHED_BYTES and len(self._looks) > 1:
            self._cached_bytes -= _weight(self._looks.popitem(last=False)[1])
        return look

    @cached_property
    def commands(self) -> CommandIndex:
        """The specialist's own commands."""
        if self.history is None:
            return CommandIndex((), ())
        return CommandIndex(self.history.own_runs(), self.history.own_unclear())

    @cached_property
    def may_have_run_tests(self) -> bool:
        """Whether tests may have been run by something that does not say so."""
        history = self.history
        if history is None or not history.complete:
            return True
        if any(not event.is_command for event in history.own_unclear()):
            return True
        return any(may_run_tests(run.command) for run in history.own_runs())

    def may_have_run(self, command: str) -> bool:
        """Whether something in the trace may have run a command inside: a script, a task."""
        inner = self.commands.inner
        if inner is None or self.history is None or not self.history.complete:
            return True
        wanted = [word.strip("\"'`;") for word in command.split()]
        wanted = [word for word in wanted if word.lstrip("-").replace("-", "").isalnum()]
        texts = [self._defined(one) for one in inner]
        return any(
            text is None or all(re.search(rf"(?<!\w){re.escape(w)}\b", text) for w in wanted)
            for text in texts
        )

    def _defined(self, command: SimpleCommand) -> str | None:
        """What a script or a task runner is told to do; None where that cannot be read."""
        if self.tree is None:
            return None
        words = plain_runner(list(command.words))
        script = command.words[0] if "/" in command.words[0] else next(iter(words[1:]), "")
        own = self._texts(command, _DEFINED_IN.get(words[0], (script,)))
        # a task may call another runner's
        more = [text for names in _DEFINED_IN.values() for text in self._texts(command, names)]
        if not own or None in own or None in more:
            return None
        whole = "\n".join(text for text in (*own, *more) if text is not None)
        return None if _OPAQUE.search(whole) else whole

    def _texts(self, command: SimpleCommand, names: Sequence[str]) -> list[str | None]:
        assert self.tree is not None  # noqa: S101
        folders = {""}
        if command.folder:
            known = self.history.from_base(command.folder) if self.history else command.folder
            folders.add(self.key(known))
        paths = [posixpath.join(folder, name) for folder in folders for name in names if name]
        return [self.text(path) for path in paths if self.tree.entry(path) == "there"]

    def text(self, path: str) -> str | None:
        content = self.look(path).content
        return content.texts[0] if content and content.complete and content.texts else None

    def original(self, path: str) -> str | None:
        """The text a file had before the work, if it is what the snapshot recorded.

        A tool may have shown it, the edits taken back may lead to it, or git may have it.
        """
        key = self.key(path)
        if key not in self._originals:
            self._originals[key] = self._recorded_text(key)
        return self._originals[key]

    def text_before(self, path: str) -> str | None:
        """The same, also without a snapshot: "" if the work made the file, None if untold.

        All recorded edits taken back from today's text lead to it where nothing else wrote.
        """
        known = self.original(path)
        if known is not None:
            return known
        if self.before is not None:
            return "" if self.had(self.before, path) is False else None
        key, history = self.key(path), self.history
        if history is None or not history.complete or history.unclear_for(key):
            return None
        changes = self.changes(key)
        texts = list(past_texts(changes, self.text(path)))
        return texts[-1] if len(texts) == len(changes) + 1 else None

    def _recorded_text(self, key: str) -> str | None:
        recorded = self.before.files.get(key) if self.before else None
        if recorded is None or not self.before:
            return None
        for reading in self.history.readings.get(key, ()) if self.history else ():
            if Content.of_text(reading.text).has_hash(recorded):
                return reading.text
        first = ""
        for past in past_texts(self.changes(key), self.text(key)):
            first = past
        if Content.of_text(first).has_hash(recorded):
            return first
        if not isinstance(self.tree, Directory):
            return None
        data = git_blob(self.tree.path, self.before.git_head, key)
        if data is None or sha256(data).hexdigest() != recorded:
            return None
        texts = Content.of_bytes(data).texts
        return texts[0] if len(texts) == 1 else None

    def changes(self, key: str) -> list[Change]:
        """What the trace did to a file."""
        known = self.history.changes_of(key) if self.history else ()
        return [change for change in known if not change.refused]

    def commands_on(self, path: str) -> list[str]:
        """The commands that changed a file, or may have, as they were written."""
        history = self.history
        if history is None:
            return []
        key = self.key(path)
        events = {change.event_id for change in self.changes(key)}
        events |= {event.event_id for event in history.unclear_for(key) if event.anywhere}
        return [run.command for run in history.own_runs() if run.event_id in events]

    def is_nowhere(self, code: str) -> bool:
        """Whether code is in no file, before or after the work, and in nothing the trace has.

        White space, quotation marks and their escapes do not count.
        """
        whole = self._everything_told
        return whole is not None and _bare(code) not in whole

    def is_unspoken(self, command: str) -> bool:
        """Whether a word of a command is in nothing that was given to a tool or answered."""
        history = self.history
        if history is None or not history.complete or not history.tells_all_words:
            return False
        words = command.lower().split()
        # "go", "-u"; what comes after the program is told in full: "ci"
        words = [one for at, one in enumerate(words) if len(one) > 2 or (at and one.isalpha())]  # noqa: PLR2004
        return not all(map(history.has_word, words))

    @cached_property
    def _everything_told(self) -> str | None:
        """All that the files and the trace have, one after the other; None if some is unknown."""
        history, before, tree = self.history, self.before, self.tree
        if history is None or before is None or tree is None:
            return None
        paths = list(islice(tree.paths(), MAX_SEARCHED_FILES))
        is_known = history.complete and history.tells_all_words and not before.skipped
        if not is_known or len(paths) == MAX_SEARCHED_FILES:
            return None
        looks = [self.look(path).content for path in paths]
        now = {digest for look in looks if look is not None for digest in look.hashes}
        gone = [self.original(path) for path, digest in before.files.items() if digest not in now]
        texts = [look.texts[0] for look in looks if look is not None and look.texts]
        whole = "\n".join(_bare(text or "") for text in (*gone, *texts, *history.spoken))
        return None if None in gone else whole

    @cached_property
    def code(self) -> Code | None:
        """The texts of all files before the work and now; None where there are too many."""
        if self.tree is None or self.history is None or not self.history.complete:
            return None
        paths = list(islice(self.tree.paths(), MAX_SEARCHED_FILES))
        if len(paths) == MAX_SEARCHED_FILES or not self.assume_current:
            return None
        recorded = self.before.files if self.before is not None else {}
        gone = {*recorded, *self.history.changes} - set(paths)
        before: dict[str, str] = {}
        now: dict[str, str] = {}
        untold: set[str] = set()
        for path in (*paths, *gone):
            if LEFT_BEHIND & set(path.split("/")) or path.startswith("/"):
                continue
            look = self.look(path)
            if look.content is not None and not look.content.texts:
                continue  # no text
            text = look.content.texts[0] if look.content is not None else None
            is_same = self.since(self.before, path) == "same"
            former = text if is_same else self.text_before(path)
            if text is not None:
                now[path] = text
            if former is None and not is_same:
                untold.add(path)
            elif former is not None and (former or is_same or path in recorded):
                before[path] = former
        return Code(before, now, frozenset(untold))

    def is_path(self, word: str) -> bool:
        """Whether there is a file or folder of that name, now or before the work."""
        is_there = self.tree is not None and self.tree.entry(word) == "there"
        return is_there or (self.before is not None and word in self.before.files)

    @property
    def branch(self) -> str | None:
        """The branch the files are on."""
        head = self.text(".git/HEAD") if isinstance(self.tree, Directory) else None
        ref = "ref: refs/heads/"
        return head.strip().removeprefix(ref) if head and head.startswith(ref) else None

    def is_as_committed(self, path: str) -> bool:
        """Whether the file is what the last commit has: then nobody has changed it since."""
        if not isinstance(self.tree, Directory):
            return False
        data = git_blob(self.tree.path, git_head(self.tree.path), self.key(path))
        content = self.look(path).content
        return bool(data and content and sha256(data).hexdigest() in content.hashes)

    def key(self, path: str) -> str:
        return (self.tree.relative(path) if self.tree else None) or path

    def entry(self, path: str) -> Entry:
        assert self.tree is not None  # noqa: S101
        entry = self.tree.entry(path)
        self.seen.setdefault(path, "there" if entry == "there" else None)
        return entry

    def since(self, snapshot: Snapshot | None, path: str) -> Literal["same", "other"] | None:
        """Whether the file is what a snapshot recorded; None when that cannot be told."""
        if snapshot is None:
            return None
        recorded = snapshot.files.get(self.key(path))
        look = self.look(path)
        if recorded is not None and look.content is not None:
            return "same" if recorded in look.content.hashes else "other"
        if recorded is not None:
            return "other" if look.kind in {"missing", "directory"} else None
        if self.had(snapshot, path) is False:
            return "same" if look.kind == "missing" else "other"
        return None

    def had(self, snapshot: Snapshot, path: str) -> bool | None:
        """Whether the file was there; one that git does not ignore would have been recorded."""
        key = self.key(path)
        recorded = snapshot.had(key)
        if recorded is None and self.ignored is not None and key not in self.ignored:
            return False
        return recorded


# what is written in several ways: a blank, a quotation mark, its escape
_VARIED = lazy_pattern(r"[\s\"'`\\]+")


def _bare(code: str) -> str:
    return _VARIED.sub("", code)


def _weight(look: Look) -> int:
    # a text and its more tolerant forms, each up to four bytes a character
    return 200 + (8 * look.content.size_bytes if look.content and look.content.texts else 0)
