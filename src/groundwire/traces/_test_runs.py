"""Runs of tests, builds, linters and type checkers: what was run, how far, and how it ended."""

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from groundwire._patterns import lazy_pattern
from groundwire.traces._checks import CheckName, check_of, plain_runner, tool_of
from groundwire.traces._commands import Script, Status, parse
from groundwire.traces._shell_words import NotUnderstood, SimpleCommand
from groundwire.traces._test_names import MAX_NAMED_CHARS, named_tests
from groundwire.traces._test_options import NAMES_TESTS, Mode, chosen_parts_of, mode_in
from groundwire.traces._test_report import Counts, Report
from groundwire.traces._test_reports import read_report
from groundwire.traces._test_summaries import knows

RunOutcome = Literal["passed", "failed", "unknown"]
KnownBy = Literal["exit_status", "error_flag", "report", "summary"]


@dataclass(frozen=True, slots=True)
class TestRun:
    """One checker inside a command line.

    `parts` names what it was told to look at (files, filters); empty if it was everything.
    """

    __test__: ClassVar[bool] = False  # a name that test runners must not take for a test

    check: CheckName
    tool: str
    folder: str | None = ""
    parts: tuple[str, ...] = ()
    mode: Mode = "run"
    outcome: RunOutcome = "unknown"
    known_by: KnownBy | None = None
    counts: Counts | None = None
    detail: str = ""
    """Why the outcome is not known, in words."""
    most: int | None = None
    """No more tests than these are in its report; None where it does not tell."""
    printed: str = ""
    """The end of its output, where it may name single tests."""
    has_report: bool = False
    """Whether its own report says the same as how it ended."""
    was_cut_off: bool = False
    """A time limit ended it before it could sum up."""

    @property
    def named(self) -> Mapping[str, bool]:
        """Single tests that its output names, and whether they passed."""
        return named_tests(self.printed)

    @property
    def is_whole(self) -> bool:
        return not self.parts

    @property
    def is_filtered(self) -> bool:
        """Whether tests were chosen by name."""
        return any("::" in part or part.split()[0] in NAMES_TESTS for part in self.parts)

    @property
    def refutes(self) -> bool:
        """Red by something firmer than words in the output."""
        return self.outcome == "failed" and self.known_by != "summary"


def checks_in(
    line: str,
    exit_code: int | None = None,
    *,
    output: str = "",
    has_error_flag: bool = False,
    folder: str = "",
) -> list[TestRun]:
    """The checks a command line ran in a folder, each with what is known of its end."""
    try:
        script = parse(line)
    except NotUnderstood:
        return []
    status: Status = "failed" if exit_code is None and has_error_flag else exit_code
    runs = []
    for index, (command, own) in enumerate(
        zip(script.commands, script.statuses(status), strict=True)
    ):
        check = check_of(list(command.words)) if command.words else None
        if check is None:
            continue
        echoed = _echoed_status(script, index, output) if own is None else None
        ended = own if echoed is None else echoed
        flagged = exit_code is None and echoed is None
        if command.folder is not None:
            command = replace(command, folder=posixpath.join(folder, command.folder))  # noqa: PLW2901
        runs.append(_run(check, command, ended, output, by_flag=flagged))
    return runs


def _run(
    check: CheckName, command: SimpleCommand, status: Status, output: str, *, by_flag: bool
) -> TestRun:
    words = plain_runner(list(command.words))
    tool = tool_of(words)
    mode = mode_in(command, words, tool)
    parts = tuple(chosen_parts_of(words, tool, check))
    if command.repeated:
        parts = (*parts, "the files it was given")
    report = read_report(output, tool) if mode == "run" else None
    outcome, known_by, detail = _ended(mode, status, report, output, by_flag=by_flag, tool=tool)
    is_cut = outcome == "unknown" and status == _TIMED_OUT and report is None and knows(tool)
    return TestRun(
        check,
        tool,
        command.folder,
        parts,
        mode,
        outcome,
        known_by,
        report.counts if report else None,
        detail,
        report.most if report else None,
        output[-MAX_NAMED_CHARS:] if mode == "run" and check == "tests" else "",
        report is not None and report.verdict == outcome,
        is_cut,
    )


_TIMED_OUT = 124
"""What `timeout` ends with."""
# not found, not executable, killed, timed out, interrupted
_NO_VERDICT = frozenset({124, 126, 127, 130, 137, 143})
# pytest: interrupted, broke, was misused, found nothing
_OWN_NO_VERDICT = {"pytest": frozenset({2, 3, 4, 5}), "unittest": frozenset({5})}
# what programs say that never came to run a test: it excuses, so it may be read loosely
_NOT_STARTED = lazy_pattern(
    r"No module named|command not found|No such file or directory|Missing script|ENOENT"
    r"|No rule to make target|not recognized as|could not read package\.json|no tests? found"
    r"|No test files found|no test specified|Permission denied|could not determine executable",
    re.IGNORECASE,
)


def _ended(
    mode: Mode, status: Status, report: Report | None, output: str, *, by_flag: bool, tool: str
) -> tuple[RunOutcome, KnownBy | None, str]:
    """The exit status comes first; a report confirms it, and speaks alone where it is hidden."""
    verdict = report.verdict if report else None
    if mode != "run" or verdict == "nothing":
        found_none = "it found none to run"
        return "unknown", None, found_none if mode == "run" else f"it did not run them ({mode})"
    firm: KnownBy = "error_flag" if by_flag else "exit_status"
    if status is None or (status == "perhaps" and verdict == "passed"):
        if verdict is None or report is None:
            return "unknown", None, "how it ended is not recorded"
        return verdict, "report" if report.is_structured else "summary", ""
    by_status: RunOutcome = "passed" if status == 0 else "failed"
    if verdict not in {None, by_status}:
        return "unknown", None, "its exit status and its summary disagree"
    is_silent = status in _NO_VERDICT | _OWN_NO_VERDICT.get(tool, frozenset())
    is_silent = is_silent or not isinstance(status, int) or bool(_NOT_STARTED.search(output))
    if by_status == "failed" and verdict is None and is_silent:
        return "unknown", None, "it may not have come to run them"
    return by_status, firm, ""


def _echoed_status(script: Script, index: int, output: str) -> int | None:
    """`pytest; echo "exit $?"` prints what the line's own status hides."""
    later: Sequence[SimpleCommand] = script.commands[index + 1 :]
    for distance, command in enumerate(later):
        text = " ".join(command.words[1:])
        for sign in ("$?", "${PIPESTATUS[0]}"):
            is_next = distance == 0 if sign == "$?" else distance <= 2  # noqa: PLR2004
            if command.program == "echo" and text.count(sign) == 1 and is_next:
                before, after = (re.escape(part) for part in text.split(sign))
                found = re.findall(rf"^{before}(\d+){after}$", output, re.MULTILINE)
                return int(found[-1]) if len(found) == 1 else None
        if check_of(list(command.words)) if command.words else False:
            return None
    return None
