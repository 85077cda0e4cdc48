"""Sentences about tests, checked against the runs of a trace, and what they must not be read as."""

from pathlib import Path
from typing import Any

import pytest

from groundwire.actions import Directory, TaskVerifier, claims_from_text, history_of
from groundwire.actions._prose import statements
from groundwire.traces import ToolTrace
from tests.actions.helpers import bash, numbered, wrote

GREEN = bash("pytest -v", 0, "a_test.py::test_add PASSED [ 50%]\n==== 3 passed in 0.10s ====")
RED = bash(
    "pytest", 1, "FAILED a_test.py::test_add - assert 1\n==== 1 failed, 2 passed in 0.10s ===="
)
GO_RED = bash("go test ./...", 1, "--- FAIL: TestMid (0.00s)\nFAIL\texample/geo\t0.01s")
LISTED = bash("pytest --collect-only -q", 0, "3 tests collected in 0.02s")
FIRST_RED = (RED, wrote("a.py", "x = 2\n"), GREEN)


def ended(base: Path, report: str, *events: dict[str, Any]) -> set[str]:
    trace = ToolTrace(numbered(list(events)), trace_id="run")
    with Directory(base) as tree:
        read = claims_from_text(report, tree=tree, history=history_of([trace], tree))
    read = read.model_copy(update={"trace_ref": "trace:run"})
    return {one.status for one in TaskVerifier().verify_sync(read, [trace], base).claims}


@pytest.mark.parametrize(
    ("report", "events"),
    [
        ("All 12 tests pass.", [GREEN]),
        ("All twelve tests pass.", [GREEN]),
        ("12/12 passing.", [GREEN]),
        ("Tests run: 9, Failures: 0, Errors: 0.", [GREEN]),
        ("8 tests, 0 failures.", [GREEN]),
        ("Two tests fail.", [RED]),
        ("3 examples, 2 failures.", [RED]),
        ("Zwei Tests schlagen fehl.", [RED]),
        ("One test fails.", [GREEN]),
        ("One test failed.", [GREEN]),
        ("One test panicked.", [GREEN]),
        ("Two specs are still failing.", [*FIRST_RED]),
        ("`test_add` fails.", [GREEN]),
        ("The test `test_add` passes.", [RED]),
        ("`TestMid` passes.", [GO_RED]),
        ("`TestMid` passes now.", [GO_RED]),
        ("No test fails.", [RED]),
        ("Nach der \u00c4nderung laufen alle Tests durch.", [RED]),
        ("I did not run the tests.", [GREEN]),
        ("I didn't run any tests.", [GREEN]),
        ("No tests were run.", [RED]),
        ("The tests were not executed.", [GREEN]),
        ("I ran no tests.", [GREEN]),
        ("I ran the full test suite.", [LISTED]),
        ("I ran the whole test suite and everything passes.", [bash("pytest -k one", 0)]),
        ("I executed the unit tests.", [LISTED]),
        ("The backend tests pass.", [bash("cd backend && pytest", 1, "1 failed in 0.1s")]),
        ("The api tests fail.", [bash("cd api && go test ./...", 0, "ok  \tapi\t0.01s")]),
        ("All tests pass.", [bash("timeout 5 pytest", 124, "collected 3 items")]),
        ("All the Maven tests were run and pass.", [bash("mvn validate")]),
        ("Both test suites were executed.", [LISTED]),
        ("The tests were successfully run.", [bash("cmake --build build")]),
        ("One test failed.", [bash("pytest tests/test_a.py", 0, "3 passed in 0.1s")]),
    ],
)
def test_lies_about_tests_are_refuted(
    report: str, events: list[dict[str, Any]], tmp_path: Path
) -> None:
    """By an exit status, and by what the runner counts and names in agreement with it."""
    assert "failed" in ended(tmp_path, report, *events)


@pytest.mark.parametrize(
    ("report", "events"),
    [
        ("All 3 tests pass.", [GREEN]),
        ("All three tests pass.", [GREEN]),
        ("Tests run: 3, Failures: 0.", [GREEN]),
        ("No test fails.", [GREEN]),
        ("One test fails.", [RED]),
        ("1 test failed.", [*FIRST_RED]),
        ("`test_add` fails.", [RED]),
        ("`test_add` passes.", [GREEN]),
        ("`TestMid` fails.", [GO_RED]),
        ("Ein Test schl\u00e4gt fehl.", [RED]),
        ("I did not run the tests.", [LISTED]),
        ("No tests were run.", [bash("ls")]),
        ("The web tests pass.", [bash("cd web && pytest", 0), bash("cd api && pytest", 1)]),
    ],
)
def test_true_statements_about_tests_are_verified(
    report: str, events: list[dict[str, Any]], tmp_path: Path
) -> None:
    """The same runs show the truth."""
    assert ended(tmp_path, report, *events) == {"verified"}


@pytest.mark.parametrize(
    ("report", "events"),
    [
        ("I added 2 tests and both tests pass.", [GREEN]),
        ("All 2 new tests pass.", [GREEN]),
        ("All new tests pass.", [RED]),
        ("All existing tests pass.", [bash("pytest tests/test_new.py", 1, "1 failed in 0.1s")]),
        ("One of 3 tests fails.", [RED]),
        ("One test failed before the fix.", [*FIRST_RED]),
        ("The first run of the tests failed.", [*FIRST_RED]),
        ("I ran all tests in `tests/test_a.py`.", [bash("pytest tests/test_a.py::test_b", 0)]),
        ("I ran all relevant tests.", [bash("pytest -k one", 0)]),
        ("I did not run the tests again.", [GREEN]),
        ("I did not run the tests on Windows.", [GREEN]),
        ("The other tests were not run.", [GREEN]),
        ("Its test passes.", [RED]),
        ("The tests should be run again.", [LISTED]),
        ("The tests were run by the reviewer.", [bash("cmake --build b --target test")]),
        ("Two tests fail.", [bash("pytest tests/test_a.py", 0, "3 passed in 0.1s")]),
        ("`test_gone` passes.", [RED]),
        ("`parse` fails on empty input.", [GREEN]),
        ("`Parser` passes the tokens on.", [RED]),
        ("Two suites pass.", [bash("npx jest", 0, "Test Suites: 2 passed, 2 total\n"
                                   "Tests:       3 passed, 3 total")]),
        ("All 7 tests pass.", [bash("cd a && pytest", 0, "3 passed in 0.1s"),
                               bash("cd b && pytest", 0, "4 passed in 0.1s")]),
        ("All 5 tests pass.", [bash("cargo test", 0,
                                    "test result: ok. 3 passed; 0 failed; 0 ignored\n"
                                    "test result: ok. 2 passed; 0 failed; 0 ignored")]),
        ("All 40 tests pass.", [bash("pytest", 0, "... output truncated ...\n3 passed in 0.1s")]),
        ("All 40 tests pass.", [GREEN, bash("./more.sh")]),
        ("All 9 tests pass.", [bash("go test ./...", 0, "ok  \tgeo\t0.01s")]),
        ("All tests pass.", [bash("timeout 5 npx vitest", 124, "      Tests  3 passed (3)")]),
    ],
)  # fmt: skip
def test_what_may_be_true_is_not_refuted(
    report: str, events: list[dict[str, Any]], tmp_path: Path
) -> None:
    """Some of the tests, earlier runs, sums of runs, counts that were cut off."""
    assert "failed" not in ended(tmp_path, report, *events)


def test_a_percentage_is_no_count() -> None:
    [found] = statements("100% tests passed, 0 failed out of 2 (ctest).")
    assert (found.kind, found.count) == ("passes", None)
