"""Statements of prose tied to real files and commands; what cannot be tied stays unbound."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal

from groundwire.actions._anchors import DESCRIBED
from groundwire.actions._claims import (
    EVERYTHING,
    LEFT_BEHIND,
    AnyClaim,
    CommandExecuted,
    CommandFor,
    FileAbsent,
    FileChanged,
    FileCreated,
    FileDelete,
    FileExists,
    FileReverted,
    FilesChanged,
    FilesUnchanged,
    PartChanged,
    Said,
    TestsChanged,
    TestsFail,
    TestsPass,
    TestsRun,
    TestsSkipped,
    TextAbsent,
    TextPresent,
    Unbound,
    said_apart,
)
from groundwire.actions._definitions import names_in, part_of
from groundwire.actions._directory import FileTree
from groundwire.actions._evidence import Evidence
from groundwire.actions._history import History
from groundwire.actions._judge_changes import fits_any
from groundwire.actions._judge_tests import IDLE_MODES
from groundwire.actions._mentions import DOT_FILES, KNOWN_NAMES
from groundwire.actions._output import ReadReport
from groundwire.actions._prose import read_report
from groundwire.actions._read_places import branch_told, figures_in, named_beside, tool_told
from groundwire.actions._snapshot import Snapshot
from groundwire.actions._statement import Statement
from groundwire.actions._test_words import AFTER_LAST, AGAIN
from groundwire.text import placed_words
from groundwire.traces import CheckName, TestRun, checks_in

MAX_LISTED_FILES = 200_000
MAX_SUMMARY_CHARS = 500
TEST_PATTERNS = (
    "tests/**", "test/**", "**/tests/**", "**/test/**", "**/__tests__/**", "spec/**", "**/spec/**",
    "**/test_*.py", "**/*_test.*", "**/*.test.*", "**/*.spec.*", "**/conftest.py",
)  # fmt: skip


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
        if name.endswith("/"):
            return any(path.startswith(name) for path in self._paths)
        if name in self._paths:
            return True
        return "." in name and name.lower() in self._by_name

    def _described(self, told: str) -> str | None:
        """The one file of that kind or name: "the log file" is run.log."""
        match = DESCRIBED.fullmatch(told)
        if match is None:
            return None
        what = match["what"].lower()
        found = [
            path
            for path in self._paths
            if what in posixpath.basename(path).lower().rsplit(".", 1)
            and not LEFT_BEHIND & set(path.split("/"))
        ]
        return found[0] if len(found) == 1 else None

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

    def was_run_once(self, statement: Statement) -> bool:
        """Whether something is said to have been run again that was run once: left open then."""
        is_run = statement.kind in {"ran", "tests_run", "passes"} and statement.was_done
        if self.history is None or not is_run or AGAIN.search(statement.clause.text) is None:
            return False
        if statement.kind == "ran":
            return len(self._evidence.commands.find(statement.command or "")[0]) == 1
        return sum(check.check == statement.check for check in self._checks) == 1

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
            return self._evidence.is_unspoken(statement.command or "")
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
        is_test = fits_any(path, TEST_PATTERNS)
        text = None if self.tree is None or is_test else self._evidence.text(path)
        return text is not None and any(part_of(text, name) is not None for name in names)

    def has_part(self, name: str, path: str | None) -> bool:
        """Whether the code defines a name, before the work or now; also where nobody knows."""
        code = self._evidence.code
        if code is None or code.untold or (path is None and code.is_everywhere(name)):
            return True
        return any(code.defined(name, path))

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


def claims_from_text(
    report: str,
    *,
    tree: FileTree | None = None,
    history: History | None = None,
    before: Snapshot | None = None,
    trace_id: str | None = None,
    evidence: Evidence | None = None,
) -> ReadReport:
    """What a report says was done, as claims that can be verified.

    What has been read of the files is not read again where `evidence` comes with it.
    """
    places = Places(tree, history, before, evidence)
    claims: dict[str, AnyClaim] = {}
    found, coverage = read_report(report, places.is_file)
    tied: dict[str, list[AnyClaim]] = {}
    for statement in found:
        for claim in _claims(statement, places):
            claims.setdefault(said_apart(claim), claim)
            tied.setdefault(statement.clause.sentence, []).append(claim)
    for statement in found:
        clause = statement.clause
        made = tied.get(clause.sentence, [])
        is_lost = statement.kind == "part" and statement.certain and not made
        if is_lost or (made and places.is_not_looked_at(clause.sentence, made)):
            said = Said(text=clause.text, start=clause.start, end=clause.end)
            claims.setdefault(clause.sentence, Unbound(said=said, text=clause.text))
    return ReadReport.of_report(
        report.strip()[:MAX_SUMMARY_CHARS],
        trace_id,
        coverage=coverage,
        claims=tuple(_without_outdated(list(claims.values()))),
    )


def _without_outdated(claims: list[AnyClaim]) -> list[AnyClaim]:
    """ "There is no config.yaml, so I created it" does not claim that it is absent.

    Nor does "I changed a.py, then reverted it" claim a change.
    """
    made = {claim.file_path for claim in claims if isinstance(claim, FileCreated | FileChanged)}
    gone = {claim.file_path for claim in claims if isinstance(claim, FileDelete)}
    back = {claim.file_path for claim in claims if isinstance(claim, FileReverted)}
    return [
        claim
        for claim in claims
        if not (isinstance(claim, FileAbsent) and claim.file_path in made)
        and not (isinstance(claim, FileCreated | FileChanged) and claim.file_path in back | gone)
        and not (isinstance(claim, FileExists) and claim.file_path in gone)
    ]


def _claims(statement: Statement, places: Places) -> Iterator[AnyClaim]:
    if statement.if_nowhere and not places.is_nowhere(statement):
        return
    clause = statement.clause
    said = Said(text=clause.text, start=clause.start, end=clause.end)
    kind = statement.kind
    if places.was_run_once(statement):
        yield Unbound(said=said, text=clause.text)
    claimed = _BY_KIND.get(kind)
    if claimed is not None:
        yield from claimed(statement, said, places)
    elif kind == "unchanged" and (statement.about_tests or statement.is_whole):
        yield from _unchanged_claims(statement, said, places)
    else:
        yield from _file_claims(statement, said, places)


def _count_claims(statement: Statement, said: Said, _: Places) -> Iterator[AnyClaim]:
    number = FilesChanged if statement.kind == "counted" else TestsSkipped
    yield number(said=said, count=statement.count or 0, certain=statement.certain)


def _purpose_claims(statement: Statement, said: Said, _: Places) -> Iterator[AnyClaim]:
    yield CommandFor(
        said=said,
        purpose=_PURPOSES[statement.kind],
        subject=statement.command or "",
        certain=statement.certain,
        failed=statement.failed,
    )


def _test_claims(statement: Statement, said: Said, _: Places) -> Iterator[AnyClaim]:
    if statement.part_deed != "kept":
        yield TestsChanged(said=said, deed=statement.part_deed)


_PURPOSES: dict[str, Literal["install", "pull-request", "branch", "program"]] = {
    "program": "program",
    "installed": "install",
    "pull_request": "pull-request",
    "branched": "branch",
}


def _unchanged_claims(statement: Statement, said: Said, places: Places) -> Iterator[AnyClaim]:
    """Nothing was changed, or no test, or nothing but some files."""
    patterns = TEST_PATTERNS if statement.about_tests else EVERYTHING
    found = [places.find(thing.path) for thing in statement.things]
    besides = tuple(path for path in found if path is not None)
    if len(besides) < len(found):
        yield Unbound(said=said, text=statement.clause.text)
        return
    yield FilesUnchanged(said=said, patterns=patterns, besides=besides, deed=statement.deed)
    for path in besides:
        yield FileChanged(said=said, file_path=path)


def _part_claims(statement: Statement, said: Said, places: Places) -> Iterator[AnyClaim]:
    name = statement.name or ""
    paths = [path for thing in statement.things if (path := places.find(thing.path)) is not None]
    path = paths[0] if paths else None
    if statement.part_deed != "added" and not places.has_part(name, path):
        return  # "`old` became `new`", "I noted the bug in `add` in the README"
    yield PartChanged(
        said=said,
        name=name,
        file_path=path,
        deed=statement.part_deed,
        mended=statement.mended,
        test=statement.about_tests,
        behaves=statement.behaves,
        values=statement.values,
        certain=statement.certain,
    )


def _check_claims(statement: Statement, said: Said, places: Places) -> Iterator[AnyClaim]:
    check = statement.check
    if statement.if_known and not places.names_test(statement.name or ""):
        return
    told = None if check == "tests" else tool_told(statement.clause.sentence, check)
    tool = places.ran_by(told)
    where = statement.where
    if check == "tests" and not where:
        where = places.folder_told(said.text) or places.folder_told(statement.clause.sentence)
    # "the frontend run" is of a part, and a folder of that name was tested
    certain = statement.certain or (statement.is_part and bool(where))
    certain = certain or (statement.is_read and places.are_too_few(statement))
    if statement.kind == "fails":
        yield TestsFail(
            said=said,
            check=check,
            command=tool,
            certain=certain,
            count=statement.count,
            where=where,
            name=statement.name,
            now=statement.is_now,
            exact=statement.is_exact,
            passed=statement.passed,
            total=statement.total,
        )
        return
    is_ended = statement.kind == "passes" and statement.certain
    if told is not None and tool is None and is_ended and places.is_unspoken(told):
        yield CommandExecuted(said=said, command=told)  # "ESLint is clean" says that it was run
    if statement.kind == "tests_run":
        ran_none = statement.is_read and statement.was_done and places.ran_none(check)
        yield TestsRun(
            said=said,
            check=check,
            scope="all" if statement.is_whole else "some",
            ran=statement.was_done,
            last=statement.is_last,
            count=statement.count if statement.was_done else None,
            certain=statement.certain or ran_none,
        )
    if statement.kind == "passes" and AFTER_LAST.search(said.text) is not None:
        yield TestsRun(said=said, check=check, last=True, certain=statement.certain)
    if statement.kind == "passes" or statement.succeeded:
        yield TestsPass(
            said=said,
            check=check,
            command=tool,
            scope="all" if statement.is_whole else "some",
            certain=certain,
            count=statement.count,
            where=where,
            name=statement.name,
            first=statement.is_first,
        )


def _command_claims(statement: Statement, said: Said, _: Places) -> Iterator[AnyClaim]:
    command = statement.command or ""
    if not statement.was_done:
        yield CommandExecuted(said=said, command=command, ran=False, certain=statement.certain)
        return
    checks = checks_in(command, None)
    succeeded = statement.succeeded and not checks
    code = 0 if succeeded else statement.exit_code
    yield CommandExecuted(
        said=said,
        command=command,
        exit_code=code,
        failed=statement.failed,
        times=statement.count,
        certain=statement.certain,
        branch=branch_told(said.text) if command in _ON_BRANCHES else None,
    )
    for check in checks:
        if AFTER_LAST.search(said.text) is not None:
            yield TestsRun(said=said, check=check.check, last=True, certain=statement.certain)
        if statement.succeeded:
            yield TestsPass(
                said=said, check=check.check, command=command, certain=statement.certain
            )


def _file_claims(statement: Statement, said: Said, places: Places) -> Iterator[AnyClaim]:
    if any(thing.is_guess and not places.knows(thing.path) for thing in statement.things):
        return
    paths = [places.find(thing.path) for thing in statement.things]
    if not paths and statement.kind in {"contains", "lacks"}:
        holding = places.holding(_NAME.findall(statement.clause.text))
        paths = [holding or places.last_changed()] if statement.if_nowhere else [holding]
        if paths == [None]:
            return
    if not paths or any(path is None for path in paths):
        yield Unbound(said=said, text=statement.clause.text)
        return
    bound = [path for path in paths if path is not None]
    if statement.kind in {"contains", "lacks"}:
        yield from _content_claims(statement, bound[0], said, places)
    elif statement.kind == "moved":
        yield FileDelete(said=said, file_path=bound[0], certain=statement.certain)
        yield FileCreated(said=said, file_path=bound[1], certain=statement.certain)
    elif statement.kind == "unchanged":
        yield FilesUnchanged(said=said, patterns=tuple(bound))
    else:
        for path in bound:
            yield _file_claim(statement, path, said, places)


def _content_claims(
    statement: Statement, path: str, said: Said, places: Places
) -> Iterator[AnyClaim]:
    snippet = statement.command or ""
    if places.ran_by(snippet):
        return  # "`notes.txt` has 3 lines (`wc -l`)"
    text = TextPresent if statement.kind == "contains" else TextAbsent
    yield text(said=said, file_path=path, snippet=snippet, certain=statement.certain)
    if statement.kind == "contains" and not statement.certain:
        # "uses `re.sub(...)`" may not quote it, but its longest name must be there
        name = max((word.text for word in placed_words(snippet)), key=len, default=snippet)
        yield TextPresent(said=said, file_path=path, snippet=name)


_ON_BRANCHES = frozenset({"git commit", "git push", "git merge"})
_CLAIMED: dict[
    str, type[FileCreated | FileChanged | FileDelete | FileAbsent | FileExists | FileReverted]
] = {
    "created": FileCreated,
    "added": FileChanged,
    "reverted": FileReverted,
    "changed": FileChanged,
    "deleted": FileDelete,
    "absent": FileAbsent,
    "exists": FileExists,
}


def _file_claim(statement: Statement, path: str, said: Said, places: Places) -> AnyClaim:
    certain = statement.certain and places.is_sure(path)
    is_folder = places.tree is not None and places.tree.is_folder(path)
    if is_folder and statement.kind in {"created", "added", "changed"}:
        return FileExists(said=said, file_path=path, certain=certain)
    if is_folder and statement.kind == "deleted":
        return FileAbsent(said=said, file_path=path, certain=certain)
    claimed = _CLAIMED[statement.kind]
    if claimed is FileChanged:
        beside = named_beside(statement.clause, statement.things)
        # "left an executable `app` and out.txt" names two files, and nothing in either
        parts = tuple(one for one in beside if not places.is_file(one))
        certain = certain or places.defines(path, parts)
        parts = (*parts, *places.defined_in(path, statement.clause.text))
        return FileChanged(said=said, file_path=path, certain=certain, parts=parts)
    return claimed(said=said, file_path=path, certain=certain)


_NUMBERS = ("count", "passed", "total", "times")
"""Fields of claims that hold a number."""
# such as "add", "MAX_SIZE"
_WORD = re.compile(r"[^\W\d]\w*")
# such as "`add`", "`add()`", "`MAX_SIZE`"
_NAME = re.compile(r"`([^\W\d]\w*)(?:\(\))?`")
_BY_KIND: dict[str, Callable[[Statement, Said, Places], Iterator[AnyClaim]]] = {
    "ran": _command_claims,
    **dict.fromkeys(("tests_run", "passes", "fails"), _check_claims),
    **dict.fromkeys(("counted", "skipped"), _count_claims),
    **dict.fromkeys(_PURPOSES, _purpose_claims),
    "part": _part_claims,
    "tests_changed": _test_claims,
}
