"""Where what a report names may be, and what files and trace tell of it."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from groundwire._patterns import lazy_pattern
from groundwire.actions._anchors import DESCRIBED
from groundwire.actions._claims import LEFT_BEHIND, AnyClaim
from groundwire.actions._code import is_of_tests
from groundwire.actions._definitions import names_in, part_of, value_in
from groundwire.actions._directory import FileTree
from groundwire.actions._evidence import Evidence
from groundwire.actions._history import History
from groundwire.actions._judge_tests import IDLE_MODES
from groundwire.actions._mentions import DOT_FILES, KNOWN_NAMES
from groundwire.actions._sentence_details import figures_in, times_told
from groundwire.actions._snapshot import Snapshot
from groundwire.actions._statement import Statement
from groundwire.text import placed_words
from groundwire.traces import CheckName, TestRun

MAX_LISTED_FILES = 200_000
_NUMBERS = ("count", "passed", "total", "times")
"""Fields of claims that hold a number."""
# such as "add", "MAX_SIZE"
_WORD = lazy_pattern(r"[^\W\d]\w*")


@dataclass
class Places:
    """Where a file named in prose may be: the trace, the files now, the files before."""

    tree: FileTree | None = None
    history: History | None = None
    before: Snapshot | None = None
    evidence: Evidence | None = None
    _is_complete: bool = True

    def knows(self, path: str) -> bool:
        if " " in path and self._described(path) is not None:
            return True
        return bool(self._known_as(path)) or (
            self.tree is not None and self.tree.entry(path) == "there"
        )

    def is_file(self, name: str) -> bool:
        """Whether a name or description that may be anything is that of a file, now or before."""
        if " " in name:
            return self._described(name) is not None
        if name.endswith("/") or name.startswith("."):
            return name in self._paths or self._is_folder(name.rstrip("/"))
        if name in self._paths:
            return True
        return "." in name and name.lower() in self._by_name

    def _described(self, told: str) -> str | None:
        """The one file of that kind or name: "the log file" is run.log."""
        match = DESCRIBED.fullmatch(told)
        if match is None:
            return None
        what = match["what"].lower()
        if match["folder"]:
            return what if self._is_folder(what) else None
        found = [
            path
            for path in self._paths
            if what in posixpath.basename(path).lower().rsplit(".", 1)
            and not LEFT_BEHIND & set(path.split("/"))
        ]
        return found[0] if len(found) == 1 else None

    def _is_folder(self, name: str) -> bool:
        """Whether there is such a folder, or was one before the work."""
        is_there = self.tree is not None and self.tree.is_folder(name)
        return is_there or any(path.startswith(f"{name}/") for path in self._paths)

    def is_sure(self, path: str) -> bool:
        """Whether a name nobody knows can only mean a file in here.

        A bare name may mean a file elsewhere, unless a trace shows everything that was done.
        """
        return (
            self.knows(path) or "/" in path or (self.history is not None and self.history.complete)
        )

    def names_test(self, name: str) -> bool:
        """Whether a run in the trace names a test so."""
        return any(name in check.named for check in self._checks)

    def is_gone(self, path: str) -> bool:
        """Whether a file that was there before the work is there no more."""
        was_there = self.before is not None and path in self.before.files
        return was_there and self.tree is not None and self.tree.entry(path) == "missing"

    def is_branch(self, name: str) -> bool:
        """Whether the files are on a branch of that name, or the trace gives it to git."""
        runs = self.history.own_runs() if self.history is not None else ()
        lines = [run.command for run in runs if "git" in run.command]
        return name == self._evidence.branch or any(name in line.split() for line in lines)

    def was_run_less(self, statement: Statement) -> bool:
        """Whether something was run, but less often than is said: left open then."""
        is_run = statement.kind in {"ran", "tests_run", "passes"} and statement.was_done
        if self.history is None or not is_run:
            return False
        if statement.kind == "ran":
            found = len(self._evidence.commands.find(statement.command or "")[0])
        else:
            found = sum(check.check == statement.check for check in self._checks)
        return 0 < found < times_told(statement.clause.text)

    def are_too_few(self, statement: Statement) -> bool:
        """Whether fewer tests ended as is said than are said to: so whichever are meant."""
        found = [one.counts for one in self._done(statement.check)]
        told = [counts for counts in found if counts is not None]
        is_open = not told or len(told) < len(found) or self._evidence.may_have_run_tests
        if is_open or statement.count is None:
            return False
        if statement.kind == "passes":
            return sum(counts.passed for counts in told) < statement.count
        return sum(counts.failed + counts.errors for counts in told) < statement.count

    def folder_told(self, told: str) -> str:
        """The folder of tests that a sentence names: "the backend is green"; "" if not one."""
        folders = {
            part.lower()
            for check in self._checks
            for part in (check.folder or "").split("/")
            if part and not part.startswith(("test", "spec"))
        }
        found = folders & {word.low for word in placed_words(told)}
        return found.pop() if len(found) == 1 else ""

    def holding(self, names: Iterable[str]) -> str | None:
        """The one file of the work that defines what is named; None if that cannot be told."""
        if self.tree is None or self.history is None:
            return None
        wanted = tuple(names)
        looks = {path: self.tree.look(path).content for path in self.history.changes}
        texts = {path: look.texts[0] for path, look in looks.items() if look and look.texts}
        found = [
            path
            for path, text in texts.items()
            if any(part_of(text, name) is not None for name in wanted)
        ]
        return found[0] if len(found) == 1 else None

    def last_changed(self) -> str | None:
        """The file that was written last: what is said to be in the code should be there."""
        changes = self.history.changes if self.history is not None else {}
        return max(changes, key=lambda path: changes[path][-1].order, default=None)

    def is_nowhere(self, statement: Statement) -> bool:
        """Whether files and trace have nowhere what a statement names."""
        if statement.kind == "contains":
            return self._evidence.is_nowhere(statement.command or "")
        if statement.kind == "ran":
            command = statement.command or ""
            if statement.succeeded:  # a deed, which an answer may speak of: "nothing to commit"
                ended = [code for _, code in self._evidence.commands.find(command)[0]]
                verb = command.rpartition(" ")[2]
                code = self._evidence.code
                # "`push` appends now": where the code has that name it may be meant
                is_name = code is None or code.is_everywhere(verb) or any(code.defined(verb))
                is_open = 0 in ended or None in ended or is_name
                return not is_open and not self._evidence.may_have_run(command)
            return self._evidence.is_unspoken(command)
        if statement.kind == "installed":
            return True  # "pytest was installed": where anything was, its verdict is open
        path = statement.things[0].path
        return not self.knows(path) and self._evidence.is_nowhere(posixpath.basename(path))

    @cached_property
    def _evidence(self) -> Evidence:
        return self.evidence or Evidence(self.tree, self.history, self.before)

    def is_not_looked_at(self, sentence: str, claims: Sequence[AnyClaim]) -> bool:
        """Whether a sentence states more in figures than its claims and the runs have.

        "All tests pass and coverage is at 100%": what was shown is not all that was said.
        """
        told = figures_in(sentence)
        if not any(told) or self.history is None:
            return False
        runs = self.history.own_runs()
        words = {word.split("=")[0] for run in runs for word in run.command.split()}
        claimed = {getattr(claim, name, None) for claim in claims for name in _NUMBERS}
        answers = "\n".join(self.history.spoken)
        return (
            bool(told.shares)
            or any(option not in words for option in told.options)
            or any(
                number not in claimed and not re.search(rf"(?<![\d.]){number}(?![\d.])", answers)
                for number in told.tests
            )
        )

    def is_unspoken(self, tool: str) -> bool:
        """Whether nothing that was given to a tool, or answered by one, names a program."""
        return self._evidence.is_unspoken(tool)

    def ran_none(self, check: CheckName) -> bool:
        """Whether no tests were run at all, whichever are meant."""
        is_known = self.history is not None and not self._evidence.may_have_run_tests
        return is_known and not self._done(check)

    @property
    def _checks(self) -> list[TestRun]:
        runs = self.history.own_runs() if self.history is not None else ()
        return [check for run in runs for check in run.checks]

    def _done(self, check: CheckName) -> list[TestRun]:
        """Its runs that did more than list or try."""
        return [one for one in self._checks if one.check == check and one.mode not in IDLE_MODES]

    def ran_by(self, tool: str | None) -> str | None:
        """The tool, if the trace runs it by its name."""
        return tool if tool is not None and self._evidence.commands.find(tool)[0] else None

    def defines(self, path: str, names: Iterable[str]) -> bool:
        """Whether a file, no test, defines something of these names: that is what was worked on.

        "I fixed `add` in `calc.py`" speaks of that file, "I fixed the crash in `calc.py`" perhaps
        of another.
        """
        text = None if self.tree is None or is_of_tests(path) else self._evidence.text(path)
        return text is not None and any(part_of(text, name) is not None for name in names)

    def has_part(self, name: str, path: str | None) -> bool:
        """Whether the code defines a name, before the work or now; also where nobody knows."""
        code = self._evidence.code
        if code is None or code.untold or (path is None and code.is_everywhere(name)):
            return True
        return any(code.defined(name, path))

    def has_value(self, name: str, path: str | None) -> bool:
        """Whether one line gives a name its value, so that it can be compared."""
        code = self._evidence.code
        if code is None or (path is None and code.is_everywhere(name)):
            return False
        _, found = code.defined(name, path)
        return len(found) == 1 and value_in(found[0][1].text) is not None

    def defined_in(self, path: str, told: str) -> list[str]:
        """Names in a sentence of what a file defines: "renamed Queue2 in lib/queue.rb"."""
        text = None if self.tree is None else self._evidence.text(path)
        if text is None:
            return []
        known = names_in(text) - set(_WORD.findall(path))
        names = [name for name in dict.fromkeys(_WORD.findall(told)) if name in known]
        return [name for name in names if part_of(text, name) is not None]

    def find(self, path: str) -> str | None:
        """The one file that is meant, None if there is none or more than one."""
        if " " in path and (described := self._described(path)) is not None:
            return described
        if path.startswith(("/", "~")) or ".." in path.split("/"):
            return self.tree.relative(path) if self.tree and path.startswith("/") else None
        wanted = posixpath.normpath(path)
        if self.tree and self.tree.entry(wanted) == "there":
            return wanted
        known = self._known_as(wanted)
        if len(known) > 1 and self.history is not None:
            known = {one for one in known if self.history.changes_of(one)} or known
        if known:
            return next(iter(known)) if len(known) == 1 else None
        return wanted if self._may_be_new(wanted, is_folder=path.endswith("/")) else None

    def _known_as(self, wanted: str) -> set[str]:
        same_name = {
            one
            for one in self._by_name.get(posixpath.basename(wanted).lower(), set())
            if not LEFT_BEHIND & set(one.split("/")) - set(wanted.split("/"))
        }
        exact = {one for one in same_name if one == wanted}
        if exact:
            return exact
        same = {one for one in same_name if f"/{one}".lower().endswith(f"/{wanted}".lower())}
        return same or self._with_extension(wanted)

    def _with_extension(self, wanted: str) -> set[str]:
        """ "The README" is README.md at the top, wherever else there is one."""
        if "." in wanted or "/" in wanted:
            return set()
        prefix = f"{wanted.lower()}."
        found = {
            one for name, ones in self._by_name.items() if name.startswith(prefix) for one in ones
        }
        at_top = {one for one in found if "/" not in one}
        return at_top or found

    def _may_be_new(self, wanted: str, *, is_folder: bool) -> bool:
        """A name nobody knows is taken literally only if all names are known."""
        name = posixpath.basename(wanted)
        is_file = "." in name.lstrip(".") or name.lower() in KNOWN_NAMES | DOT_FILES
        return self.tree is not None and self._is_complete and (is_file or is_folder)

    @cached_property
    def _paths(self) -> frozenset[str]:
        return frozenset(path for paths in self._by_name.values() for path in paths)

    @cached_property
    def _by_name(self) -> dict[str, set[str]]:
        by_name: dict[str, set[str]] = {}
        for path in self._everything():
            by_name.setdefault(posixpath.basename(path).lower(), set()).add(path)
        return by_name

    def _everything(self) -> Iterator[str]:
        if self.history is not None:
            yield from (path for path in self.history.changes if not path.startswith("/"))
        if self.before is not None:
            yield from self.before.files
        if self.tree is not None:
            listed = 0
            for path in islice(self.tree.paths(), MAX_LISTED_FILES):
                listed += 1
                yield path
            self._is_complete = listed < MAX_LISTED_FILES
