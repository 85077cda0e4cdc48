"""How a run of tests ended by its own account: structured reports, and each tool's last words.

Output is full of words like "3 errors": only a report in a known format, or a line a tool writes as
its summary and in no other place, is read here.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from groundwire._kept import kept
from groundwire._patterns import lazy_pattern
from groundwire.traces._test_report import Counts, Report
from groundwire.traces._test_summaries import MAX_LINE_CHARS, MAX_SUMMARY_CHARS, read_summary

MAX_REPORT_CHARS = 1_000_000
MAX_KEPT_CHARS = 20_000
MAX_DOCUMENTS = 20


# a trace is gone through more than once: to find claims, and to judge them
@kept(512, MAX_KEPT_CHARS)
def read_report(output: str, tool: str) -> Report | None:
    """What a run's output says about how it ended; None if it does not say."""
    text = output[-MAX_REPORT_CHARS:].replace("\r\n", "\n")
    structured = _junit(text) or _json_document(text) or _json_events(text) or _tap(text, tool)
    if structured is not None:
        return structured
    last = text[-MAX_SUMMARY_CHARS:].split("\n")
    if max(map(len, last)) > MAX_LINE_CHARS:
        last = [line[:MAX_LINE_CHARS] for line in last]
    report = read_summary("\n".join(last), tool)
    if report is None:
        return None
    is_cut = len(text) > MAX_SUMMARY_CHARS or _CUT.search(text) is not None
    return replace(report, most=None) if is_cut else report


# what an agent's tool writes in place of the middle of a long output: "... 120 lines omitted ..."
_CUT = lazy_pattern(r"\b(?:truncated|omitted)\b", re.IGNORECASE)


def _structured(**counts: int) -> Report:
    return Report.of(Counts(**counts), is_structured=True)


# such as '<?xml version="1.0"?><testsuites>' anywhere, '<testsuite name="unit">' at a line's start
_JUNIT = lazy_pattern(r"(?:<\?xml[^>\n]{0,200}\?>\s{0,20}|^[ \t]*)<testsuites?\b", re.MULTILINE)


def _junit(text: str) -> Report | None:
    """JUnit's XML, as pytest, PHPUnit, ctest, surefire and Gradle write it: counted by case."""
    start = _JUNIT.search(text) if "<testsuite" in text else None
    end = max(text.rfind("</testsuite>"), text.rfind("</testsuites>"))
    if start is None or end < start.end():
        return None
    part = text[start.start() : end]
    tags = ("testcase", "failure", "error", "skipped")
    cases, failed, errors, skipped = (len(re.findall(rf"<{tag}\b", part)) for tag in tags)
    if not cases:
        return None
    passed = max(0, cases - failed - errors - skipped)
    return _structured(passed=passed, failed=failed, errors=errors, skipped=skipped)


def _json_document(text: str) -> Report | None:
    """The JSON reports of jest, vitest, mocha and RSpec."""
    for document in _documents(text):
        if type(document.get("numFailedTests")) is int:
            crashed = _count(document, "numRuntimeErrorTestSuites")
            return _structured(
                passed=_count(document, "numPassedTests"),
                failed=_count(document, "numFailedTests"),
                errors=crashed,
                skipped=_count(document, "numPendingTests"),
            )
        stats = document.get("stats")
        if isinstance(stats, dict) and type(stats.get("failures")) is int:
            passed, failed = _count(stats, "passes"), _count(stats, "failures")
            return _structured(passed=passed, failed=failed, skipped=_count(stats, "pending"))
        summary = document.get("summary")
        if isinstance(summary, dict) and type(summary.get("failure_count")) is int:
            failed, skipped = _count(summary, "failure_count"), _count(summary, "pending_count")
            passed = max(0, _count(summary, "example_count") - failed - skipped)
            errors = _count(summary, "errors_outside_of_examples_count")
            return _structured(passed=passed, failed=failed, errors=errors, skipped=skipped)
    return None


def _documents(text: str) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder()
    lines = f"\n{text}"
    at = -1
    for _ in range(MAX_DOCUMENTS):
        at = lines.find("\n{", at + 1)
        if at < 0:
            return
        try:
            document, _ = decoder.raw_decode(lines, at + 1)
        except (ValueError, RecursionError):
            continue
        if isinstance(document, dict):
            yield document


def _count(given: Mapping[str, Any], name: str) -> int:
    value = given.get(name)
    return value if type(value) is int else 0


def _json_events(text: str) -> Report | None:
    """`go test -json`: one event a line; a package that fails without a test is an error."""
    ended: list[tuple[str, bool]] = []
    for line in text.split("\n") if '"Action"' in text else ():
        if not line.startswith("{") or '"Action"' not in line:
            continue
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict) and event.get("Action") in {"pass", "fail", "skip"}:
            ended.append((event["Action"], "Test" in event))
    if not any(not is_test for _, is_test in ended):
        return None
    tests = [action for action, is_test in ended if is_test]
    is_broken = ("fail", False) in ended and "fail" not in tests
    return _structured(
        passed=tests.count("pass"),
        failed=tests.count("fail"),
        errors=int(is_broken),
        skipped=tests.count("skip"),
    )


def _tap(text: str, tool: str) -> Report | None:
    """The Test Anything Protocol, with its plan to show that it is whole."""
    is_told = re.search(r"^TAP version \d+$", text, re.MULTILINE) if "TAP version" in text else None
    if is_told is None and tool != "bats":  # which writes it without saying so
        return None
    plan = re.search(r"^1\.\.(\d+)", text, re.MULTILINE)
    lines = re.findall(r"^(not )?ok \d+([^\n]*)", text, re.MULTILINE)
    if plan is None or len(lines) != int(plan[1]):
        return None
    skipped = sum(1 for _, rest in lines if re.search(r"# (?:SKIP|TODO)\b", rest, re.IGNORECASE))
    failed = sum(
        1 for no, rest in lines if no and not re.search(r"# (?:SKIP|TODO)\b", rest, re.IGNORECASE)
    )
    return _structured(passed=len(lines) - failed - skipped, failed=failed, skipped=skipped)
