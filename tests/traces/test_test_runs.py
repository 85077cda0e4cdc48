"""Runs of tests: what was run, how far, and how it ended.

`test_runs.jsonl` holds what the tools printed for a project of three tests (one prints "3 errors
were found", one fails when told to, one is skipped). Lines that are not `recorded` follow the
tools' documentation instead: nextest, Maven, Gradle and dotnet were not run.
"""

import json
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from groundwire.traces import Counts, TestRun, checks_in
from groundwire.traces._test_reports import read_report

GREEN, RED = Counts(passed=2, skipped=1), Counts(passed=1, failed=1, skipped=1)


@dataclass(frozen=True)
class Recorded:
    tool: str
    case: str
    command: str
    exit_code: int
    output: str
    recorded: bool

    def __str__(self) -> str:
        return f"{self.tool}-{self.case}"

    def run(self, exit_code: int | None, command: str = "{}") -> TestRun:
        line = command.format(self.command)
        [run] = checks_in(line, exit_code=exit_code, output=self.output)
        return run


_LINES = (Path(__file__).parent / "test_runs.jsonl").read_text(encoding="utf-8").splitlines()
RUNS = [Recorded(**json.loads(line)) for line in _LINES]


def runs(*cases: str) -> list[Recorded]:
    return [one for one in RUNS if one.case.split("-")[0] in cases or one.case in cases]


@pytest.mark.parametrize("one", runs("green"), ids=str)
def test_a_green_run_passed_whatever_it_printed(one: Recorded) -> None:
    """The output says "3 errors were found"; the exit status says that nothing failed."""
    run = one.run(one.exit_code)
    assert (run.tool, run.mode, run.outcome) == (one.tool, "run", "passed")
    assert run.known_by == "exit_status"
    assert run.is_whole


@pytest.mark.parametrize("one", runs("red"), ids=str)
def test_a_red_run_failed_by_its_exit_status(one: Recorded) -> None:
    run = one.run(one.exit_code)
    assert (run.outcome, run.known_by, run.refutes) == ("failed", "exit_status", True)


@pytest.mark.parametrize("one", runs("green", "red"), ids=str)
def test_counts_are_those_of_the_report_or_the_last_line(one: Recorded) -> None:
    """Go prints a line a package, and Gradle nothing, unless told to say more."""
    counts = one.run(one.exit_code).counts
    if one.tool in {"go", "gradle"} and counts is None:
        return
    expected = GREEN if one.case.startswith("green") else RED
    # ctest counts a disabled test nowhere, mvn and jest count what they count
    if one.tool == "ctest" and counts is not None and counts.skipped == 0:
        expected = Counts(passed=expected.passed, failed=expected.failed)
    if one.tool in {"jest", "vitest"} and counts is not None and counts.errors:
        expected = Counts(expected.passed, expected.failed, counts.errors, expected.skipped)
    assert counts == expected


@pytest.mark.parametrize("one", runs("green", "red"), ids=str)
def test_where_the_status_is_hidden_only_a_report_refutes(one: Recorded) -> None:
    """[RULINGS S2] A tool's last line may show that the tests pass, never that they do not."""
    run = one.run(0, "{} | cat")
    if run.outcome == "unknown":
        assert one.tool == "gradle"
        return
    assert run.outcome == ("passed" if one.case.startswith("green") else "failed")
    assert run.known_by in {"report", "summary"}
    assert run.refutes == (run.outcome == "failed" and run.known_by == "report")
    is_structured = one.case.endswith("-report") and one.tool != "ctest"
    assert (run.known_by == "report") == (is_structured or (one.case in {"green", "red"}
        and one.tool == "node"))  # fmt: skip


@pytest.mark.parametrize("one", runs("list", "no-run"), ids=str)
def test_what_only_lists_or_builds_ran_nothing(one: Recorded) -> None:
    run = one.run(one.exit_code)
    assert run.mode != "run"
    assert run.outcome == "unknown"


@pytest.mark.parametrize("one", runs("part"), ids=str)
def test_a_part_that_passed_is_known_as_a_part(one: Recorded) -> None:
    run = one.run(one.exit_code)
    assert run.outcome == "passed"
    assert run.parts


@pytest.mark.parametrize("one", runs("empty", "usage"), ids=str)
def test_a_run_of_nothing_neither_passed_nor_failed(one: Recorded) -> None:
    assert one.run(one.exit_code).outcome == "unknown"


@pytest.mark.parametrize(
    ("command", "parts"),
    [
        ("pytest", ()),
        ("pytest -q -n 4 --maxfail 1 --cov src", ()),
        ("pytest tests", ()),
        ("pytest ./tests/", ()),
        ("pytest tests/unit", ("tests/unit",)),
        ("pytest -k 'a and b' tests", ("-k a and b",)),
        ("pytest a.py::test_b", ("a.py::test_b",)),
        ("python -m unittest discover -s tests", ()),
        ("python -m unittest tests.test_a", ("tests.test_a",)),
        ("npx jest src/a.test.js", ("src/a.test.js",)),
        ("npx vitest run", ()),
        ("npx mocha test", ()),
        ("node --test", ()),
        ("go test ./...", ()),
        ("go test", ("the package of its folder",)),
        ("go test ./pkg/...", ("./pkg/...",)),
        ("cargo test --workspace", ()),
        ("cargo test -p a", ("-p a",)),
        ("cargo test --lib", ("--lib",)),
        ("cargo nextest run", ()),
        ("bundle exec rspec spec/a_spec.rb:12", ("spec/a_spec.rb:12",)),
        ("ctest -R one", ("-R one",)),
        ("npm test", ()),
        ("npm run test:ci", ()),
        ("npm run test:unit", ("test:unit",)),
        ("npm --prefix web test", ()),
        ("mvn clean verify", ()),
        ("npm test -- -t one", ("-t one",)),
        ("make -j 4 test", ()),
        ("mvn -pl core test", ("-pl core",)),
        ("./gradlew :core:test", (":core:test",)),
        ("ls tests | xargs pytest", ("the files it was given",)),
    ],
)
def test_the_scope_of_a_run_is_what_it_was_told(command: str, parts: tuple[str, ...]) -> None:
    [run] = checks_in(command)
    assert run.parts == parts


@pytest.mark.parametrize(
    ("command", "mode"),
    [
        ("pytest &", "background"),
        ("nohup npm test &", "background"),
        ("watch pytest", "watch"),
        ("npx jest --watch", "watch"),
        ("npx jest --watch=false", "run"),
        ("make -n test", "dry"),
        ("ctest -V", "run"),
        ("pytest -V", "list"),
        ("pytest --setup-plan", "dry"),
        ("go test -c", "no-run"),
        ("npx vitest list", "list"),
        ("cargo test -- --list", "list"),
    ],
)
def test_the_mode_of_a_run_is_what_its_options_say(command: str, mode: str) -> None:
    [run] = checks_in(command, exit_code=0)
    assert run.mode == mode


def test_what_is_no_command_line_ran_no_test() -> None:
    assert checks_in("pytest 'open") == []


def test_an_error_flag_counts_where_the_output_confirms_it() -> None:
    [red] = checks_in("pytest", output="1 failed in 0.1s", has_error_flag=True)
    assert (red.outcome, red.known_by) == ("failed", "error_flag")
    [open_] = checks_in("pytest", output="timed out", has_error_flag=True)
    assert open_.outcome == "unknown"


@pytest.mark.parametrize(
    "piece",
    ["\n", " ", "{", "{\n", "[", '{"a":', "<?xml ", "<testsuite ", "<testsuite\n", "1 a", "1 a, ",
     "Test Suites: 1", "Tests: 1", "TAP version 13\n1..9\nok 1 ", "ok \tx\t1s ", "not ok 1\n"],
)  # fmt: skip
def test_hostile_output_takes_bounded_time(piece: str) -> None:
    """Whatever a test prints, reading it stays cheap."""
    start = time.process_time()
    for tool in ("pytest", "jest", "npm"):
        read_report((piece * 400_000)[:400_000], tool)
        read_report("Test Suites: " + (piece * 400_000)[:400_000], tool)
    assert time.process_time() - start < 5


_LINE = st.sampled_from([line for one in RUNS for line in one.output.split("\n")])


@given(st.lists(_LINE | st.text(max_size=30), max_size=12).map("\n".join))
def test_no_output_breaks_the_reader(output: str) -> None:
    for tool in ("pytest", "go", "npm"):
        read_report(output, tool)


@pytest.mark.parametrize(
    ("tool", "output", "expected"),
    [
        ("bats", "1..2\nok 1 name\nok 2 default", Counts(passed=2)),
        ("bats", "1..2\nok 1 name\nnot ok 2 default", Counts(passed=1, failed=1)),
        ("prove", "t/a.t .. ok\nFiles=1, Tests=3,  0 wallclock secs\nResult: PASS", Counts(3)),
        (
            "prove",
            "Failed 1/2 subtests\nFiles=2, Tests=3,  0 wallclock secs\nResult: FAIL",
            Counts(passed=2, failed=1),
        ),
        # the suite is red by its test
        ("vitest", " Test Files  1 failed (1)\n      Tests  1 failed | 1 passed (2)", Counts(1, 1)),
        # and here by itself
        (
            "jest",
            "Test suite failed to run\nTest Suites: 2 failed, 2 total\nTests:  1 failed, 2 total",
            Counts(failed=1, errors=2),
        ),
    ],
)
def test_tests_are_counted_once(tool: str, output: str, expected: Counts) -> None:
    report = read_report(output, tool)
    assert report is not None
    assert report.counts == expected


def test_a_file_of_prove_that_died_failed() -> None:
    report = read_report("Files=1, Tests=0,  0 wallclock secs\nResult: FAIL", "prove")
    assert report is not None
    assert report.verdict == "failed"
    assert read_report("1..2\nok 1 name", "bats") is None  # cut off before its plan is full
