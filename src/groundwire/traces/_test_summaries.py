"""The summary line that a runner of tests prints at its end, by tool."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.traces._test_report import Counts, Report

MAX_SUMMARY_CHARS = 20_000
MAX_LINE_CHARS = 500


class _Lines(NamedTuple):
    """Lines of a tool, and what each has in it: a text without that need not be searched."""

    pattern: re.Pattern[str]
    word: str


def _lines(pattern: str, word: str) -> _Lines:
    return _Lines(lazy_pattern(pattern, re.MULTILINE), word)


# the lines in which a tool sums up; of several the last counts, or for some tools all together
_SUMMARIES: dict[str, tuple[_Lines, ...]] = {
    # such as "== 1 failed, 2 passed, 1 skipped in 0.07s ==", "no tests ran in 0.01s"
    "pytest": (
        _lines(
            r"^(?:=+ )?(?P<parts>(?:\d+ [a-z]+(?:, )?)+|no tests ran) in [\d.]+s(?: \([\d:]+\))?"
            r"(?: =+)?$",
            " in ",
        ),
    ),
    # such as "Ran 3 tests in 0.005s", "FAILED (failures=1, skipped=1)"
    "unittest": (
        _lines(
            r"^Ran (?P<total>\d+) tests? in [\d.]+s\n\n(?:OK|FAILED|NO TESTS RAN)(?P<named>.*)$",
            "Ran ",
        ),
    ),
    # such as "Tests:       1 failed, 1 passed, 2 total", "Test Suites: 1 failed, 1 total"
    "jest": (
        _lines(r"^Test Suites: (?:(?P<suites>\d+) failed, )?.*\d+ total$", "Test Suites: "),
        _lines(r"^Tests: +(?P<parts>.*\d+ total)$", "Tests: "),
    ),
    # such as "      Tests  1 failed | 1 passed | 1 skipped (3)", " Test Files  1 failed (1)"
    "vitest": (
        _lines(r"^ *Test Files  (?:(?P<suites>\d+) failed)?.*\(\d+\)$", "Test Files  "),
        _lines(r"^ *Tests  (?P<parts>.*)\(\d+\)$", "Tests  "),
    ),
    # such as "  2 passing (3ms)", "  1 pending", "  1 failing"
    "mocha": (
        _lines(r"^ *(?P<passed>\d+) passing \(\d+\w+\)$", " passing ("),
        _lines(r"^ *(?P<skipped>\d+) pending$", " pending"),
        _lines(r"^ *(?P<failed>\d+) failing$", " failing"),
    ),
    # such as "# pass 2", "# fail 0", or with a round i (as TAP it is a report)
    "node": (
        _lines(r"^[#\u2139] pass (?P<passed>\d+)$", " pass "),
        _lines(r"^[#\u2139] fail (?P<failed>\d+)$", " fail "),
        _lines(r"^[#\u2139] skipped (?P<skipped>\d+)$", " skipped "),
    ),
    # such as "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; …", one for each binary
    "cargo": (
        _lines(
            r"^test result: (?:ok|FAILED)\. (?P<passed>\d+) passed; (?P<failed>\d+) failed;"
            r" (?P<skipped>\d+) ignored",
            "test result: ",
        ),
    ),
    # nextest, maven, gradle, dotnet: read after their formats, not from recorded runs
    # such as "     Summary [   0.004s] 3 tests run: 2 passed, 1 failed, 1 skipped"
    "nextest": (_lines(r"^ *Summary \[.*\] \d+(?:/\d+)? tests? run: (?P<parts>.*)$", "Summary ["),),
    # such as "3 examples, 1 failure, 1 pending"
    "rspec": (
        _lines(
            r"^(?P<total>\d+) examples?, (?P<failed>\d+) failures?(?:, (?P<skipped>\d+) pending)?"
            r"(?:, (?P<errors>\d+) errors? occurred outside of examples)?$",
            " example",
        ),
    ),
    # such as "OK (1 test, 1 assertion)", "Tests: 3, Assertions: 2, Failures: 1, Skipped: 1."
    "phpunit": (
        _lines(
            r"^(?:OK \((?P<passed>\d+) tests?, \d+ assertions?\)|No tests executed!"
            r"|Tests: (?P<total>\d+), Assertions: \d+(?P<named>.*)\.)$",
            "est",
        ),
    ),
    # such as "50% tests passed, 1 tests failed out of 2", "No tests were found!!!"
    "ctest": (
        _lines(
            r"^(?:\d+% tests passed, (?P<failed>\d+) tests? failed out of (?P<total>\d+)"
            r"|No tests were found!!!)$",
            "tests ",
        ),
    ),
    # such as "[INFO] Tests run: 3, Failures: 1, Errors: 0, Skipped: 1"
    "maven": (
        _lines(
            r"^(?:\[\w+\] +)?Tests run: (?P<total>\d+), Failures: (?P<failed>\d+),"
            r" Errors: (?P<errors>\d+), Skipped: (?P<skipped>\d+)$",
            "Tests run: ",
        ),
    ),
    # such as "3 tests completed, 1 failed, 1 skipped": said only where one failed
    "gradle": (
        _lines(
            r"^(?P<total>\d+) tests? completed, (?P<failed>\d+) failed"
            r"(?:, (?P<skipped>\d+) skipped)?$",
            " completed, ",
        ),
    ),
    # such as "Failed!  - Failed:     1, Passed:     1, Skipped:     1, Total:     3, Duration: …"
    "dotnet": (
        _lines(
            r"^(?:Passed|Failed)! +- Failed: +(?P<failed>\d+), Passed: +(?P<passed>\d+),"
            r" Skipped: +(?P<skipped>\d+), Total:",
            "- Failed: ",
        ),
    ),
    # such as "Success: no issues found in 3 source files", "Found 2 errors in 1 file (checked 3 …"
    "mypy": (
        _lines(
            r"^(?:Success: no issues found in (?P<passed>\d+)|Found (?P<errors>\d+) errors? in)",
            "ound ",
        ),
    ),
    # such as "All checks passed!", "Found 2 errors."
    "ruff": (_lines(r"^(?:(?P<fine>All checks passed!)|Found (?P<errors>\d+) errors?\b.*)$", ""),),
}  # fmt: skip
_SUMMED = {"cargo", "dotnet"}
_NAMES = {
    "passed": "passed", "failed": "failed", "failures": "failed", "failure": "failed",
    "error": "errors", "errors": "errors", "skipped": "skipped", "pending": "skipped",
    "todo": "skipped", "xfailed": "skipped", "xpassed": "passed", "incomplete": "skipped",
}  # fmt: skip
# such as "1 failed"
_PART = lazy_pattern(r"(\d+) ([a-z]+)")
# such as "failures=1", "Skipped: 1"
_NAMED = lazy_pattern(r"([A-Za-z]+)(?:=|: )(\d+)")


def knows(tool: str) -> bool:
    """Whether the summary that a tool writes in the end would be recognised."""
    return tool in _SUMMARIES


def read_summary(text: str, tool: str) -> Report | None:
    """The tool's own last words; for a script that runs tools, those of any."""
    if tool in _BY_TOOL:
        return _BY_TOOL[tool](text)
    if tool in _SUMMARIES:
        return _summary_of(text, tool)
    found = [one for name in _SUMMARIES if (one := _summary_of(text, name)) is not None]
    found += [one for read in _BY_TOOL.values() if (one := read(text)) is not None]
    red = [report for report in found if report.verdict == "failed"]
    first = next(iter([*red, *found]), None)
    told = [report.most for report in found]
    most = None if None in told else sum(one for one in told if one is not None)
    return replace(first, most=most) if first is not None else None


def _summary_of(text: str, tool: str) -> Report | None:
    counts = None
    most = 0
    for line in _SUMMARIES[tool]:
        if line.word not in text:
            continue
        found = [_counted(match.groupdict()) for match in line.pattern.finditer(text)]
        most += sum(one.passed + one.failed + one.errors + one.skipped for one in found)
        for one in found if tool in _SUMMED else found[-1:]:
            counts = (counts or Counts()) + one
    if counts is not None and counts.failed and not _CRASHED.search(text):
        counts = replace(counts, errors=counts.errors - _red_suites(text, tool))
    return None if counts is None else Report.of(counts, most=most)


# how jest and vitest tell of a suite that ran no test: "Test suite failed to run"
_CRASHED = lazy_pattern(r"suite failed to run|Failed Suites \d")


def _red_suites(text: str, tool: str) -> int:
    """Suites that count as errors, though all they have is tests that failed."""
    line = _SUMMARIES[tool][0]
    if "suites" not in line.pattern.groupindex or line.word not in text:
        return 0
    found = [match["suites"] for match in line.pattern.finditer(text)]
    return int(found[-1] or 0) if found else 0


def _counted(groups: Mapping[str, str | None]) -> Counts:
    counts: dict[str, int] = {}
    for name in ("passed", "failed", "errors", "skipped"):
        counts[name] = int(groups.get(name) or 0)
    named: Iterable[tuple[str, str]] = _NAMED.findall(groups.get("named") or "")
    for word, number in (*((w, n) for n, w in _PART.findall(groups.get("parts") or "")), *named):
        field = _NAMES.get(word.lower())
        if field is not None:
            counts[field] += int(number)
    if groups.get("total") is not None:
        rest = counts["failed"] + counts["errors"] + counts["skipped"]
        counts["passed"] = max(0, int(groups["total"] or 0) - rest)
    if groups.get("suites") is not None:
        counts["errors"] += int(groups["suites"] or 0)
    if groups.get("fine") is not None:
        counts["passed"] += 1
    return Counts(**counts)


# such as "ok  example.com/tides  0.004s", "FAIL  example.com/tides  0.004s", with tabs
_GO_PACKAGE = lazy_pattern(
    r"^(?:(?P<ok>ok) +\t?\S+\t(?:[\d.]+s|\(cached\))(?P<empty>.*\[no tests to run\])?.*"
    r"|(?P<fail>FAIL)\t\S+(?:\t[\d.]+s| \[\w+ failed\]))$",
    re.MULTILINE,
)


def _go(text: str) -> Report | None:
    """One line a package; how many tests each holds is not told."""
    packages = list(_GO_PACKAGE.finditer(text)) if "\t" in text else []
    if not packages:
        return None
    if any(match["fail"] for match in packages):
        return Report("failed")
    return Report("passed" if any(not match["empty"] for match in packages) else "nothing")


# such as "Files=2, Tests=3,  0 wallclock secs"
_PROVE_TOTAL = lazy_pattern(r"^Files=\d+, Tests=(\d+),", re.MULTILINE)
# such as "Failed 1/2 subtests"
_PROVE_FAILED = lazy_pattern(r"^Failed (\d+)/\d+ subtests", re.MULTILINE)
# such as "Result: FAIL"
_PROVE_END = lazy_pattern(r"^Result: (PASS|FAIL|NOTESTS)$", re.MULTILINE)


def _prove(text: str) -> Report | None:
    """Its last two lines; of a file that died it only tells that it failed."""
    end, total = _PROVE_END.search(text), _PROVE_TOTAL.search(text)
    if end is None or total is None:
        return None
    whole = int(total[1])
    failed = sum(int(number) for number in _PROVE_FAILED.findall(text))
    if end[1] == "FAIL" and not failed:
        return Report("failed", most=whole)
    return Report.of(Counts(passed=max(0, whole - failed), failed=failed), most=whole)


_BY_TOOL: dict[str, Callable[[str], Report | None]] = {"go": _go, "prove": _prove}
