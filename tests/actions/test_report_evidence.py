"""What a report names and neither files nor trace have; and readings that only evidence settles."""

from pathlib import Path
from typing import Any

import pytest

from groundwire.actions import (
    Directory,
    TaskVerifier,
    claims_from_text,
    history_of,
    take_snapshot,
)
from groundwire.traces import ToolTrace
from tests.actions.helpers import bash, edited, numbered, output, wrote

GREEN = bash("pytest -q", 0, "4 passed in 0.10s")
RED = bash("pytest -q", 1, "1 failed, 3 passed in 0.10s")


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """Before the work."""
    (tmp_path / "calc.py").write_text("def add(a, b):\n    return a - b\n")
    (tmp_path / "old.in").write_text("1\n")
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "out.txt").write_text("x\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_calc.py").write_text("def test_add(): ...\n")
    return tmp_path


FIX = edited("calc.py", "return a - b", "return a + b")


def checked(base: Path, report: str, *events: dict[str, Any]) -> dict[str, str]:
    """Claims as words, and how each ended: what the events did is done between."""
    before = take_snapshot(base)
    for event in events:
        _do(base, event["arguments"])
    trace = ToolTrace(numbered(list(events)), trace_id="run")
    with Directory(base) as tree:
        history = history_of([trace], tree)
        read = claims_from_text(report, tree=tree, history=history, before=before)
    read = read.model_copy(update={"trace_ref": "trace:run"})
    result = TaskVerifier().verify_sync(read, [trace], base, before=before)
    return {claim.named: claim.status for claim in result.claims}


def _do(base: Path, given: dict[str, str]) -> None:
    command = given.get("command", "")
    if "content" in given:
        (base / given["file_path"]).write_text(given["content"])
    elif "old_string" in given:
        path = base / given["file_path"]
        path.write_text(path.read_text().replace(given["old_string"], given["new_string"]))
    elif command.startswith("rm "):
        (base / command.removeprefix("rm ")).unlink()


@pytest.mark.parametrize(
    "report",
    [
        "`add` in `calc.py` was corrected to `a * b`.",
        "In `calc.py` I flipped the flag to `DEBUG = False`.",
        "`calc.py` works with a lock (`import threading`).",
        "Ran shellcheck over it as well, no findings.",
        "I type-checked the module with pyright, too.",
        "Coverage was gathered with `pytest --cov-branch`.",
        "I configured it with `-DBUILD_TESTS=ON`.",
        "The report is stored at `reports/junit.xml`.",
        "[x] `poetry.lock` generated",
    ],
)
def test_what_is_nowhere_cannot_be_there(report: str, base: Path) -> None:
    """Code, files, commands and options that neither the files nor the trace have."""
    assert "failed" in checked(base, report, FIX, GREEN).values()


@pytest.mark.parametrize(
    "report",
    [
        "In `calc.py` I replaced `a - b`, which was wrong.",
        "`calc.py` never had a line like `a * b`.",
        "If you prefer `a * b` in `calc.py`, say so.",
        "You could add `import threading` to `calc.py`.",
        "`add` in `calc.py` is wrapped in `Number(...)` now.",
        "I did not run shellcheck.",
        "Run `pytest --cov-branch` to see the coverage.",
        "There is no `poetry.lock` in this project.",
        "You asked for `-DBUILD_TESTS=ON`.",
        "The CI runs eslint on every push.",
        "Commit: there was nothing to commit, working tree clean.",
        "calc.py has 2 lines (`wc -l`).",
        "This project uses ruff and mypy.",
        "Your team merged the branch into main.",
        "All tasks have the form `- [ ] T1 some words`.",
    ],
)
def test_what_was_or_is_not_said_to_be_there_is_not_accused(report: str, base: Path) -> None:
    assert "failed" not in checked(base, report, FIX, GREEN).values()


def test_without_a_snapshot_nothing_is_nowhere(base: Path) -> None:
    """What a file had before the work may be meant."""
    trace = ToolTrace(numbered([GREEN]), trace_id="run")
    with Directory(base) as tree:
        history = history_of([trace], tree)
        read = claims_from_text("`calc.py` had `a * b`.", tree=tree, history=history)
    assert not any(claim.certain for claim in read.claims if claim.type == "text-present")


@pytest.mark.parametrize(
    ("report", "events"),
    [
        ("I fixed `add` in calc.py.", [wrote("README.md", "x\n"), GREEN]),
        ("`old.in` was thrown out at the end.", [FIX]),
        ("Removed the `build` directory.", [FIX]),
        ("I deleted nothing.", [bash("rm old.in")]),
        ("No files were created.", [wrote("new.txt", "x\n")]),
        ("No tests were removed.", [bash("rm tests/test_calc.py")]),
        ("I made no code changes while looking into this.", [FIX]),
        ("The suite had been green from the start.", [RED, FIX, GREEN]),
        ("The first test run was already green.", [RED, FIX, GREEN]),
        ("After the very last edit I reran pytest, 4 passed.", [GREEN, FIX]),
        ("Both unit tests are green.", [bash("pytest --collect-only -q", 0, "2 tests collected")]),
        ("The suite counts 9 tests and all of them pass.", [FIX, GREEN]),
        ("| Check | Result |\n|---|---|\n| pytest | 9 passed |", [FIX, GREEN]),
        ("The Maven build is successful.", [bash("mvn -q test", 1, "[INFO] BUILD FAILURE")]),
        ("black has no objections.", [bash("black --check .", 1), bash("ruff check .", 0)]),
        ("`calc.py` sets x=1.", [FIX]),
    ],
)
def test_what_the_evidence_excludes_is_refuted(
    report: str, events: list[dict[str, Any]], base: Path
) -> None:
    assert "failed" in checked(base, report, *events).values()


TWO_OF_FOUR = bash("pytest -q", 1, "2 failed, 2 passed in 0.10s")


def test_more_than_ended_so_cannot_have_whichever_are_meant(base: Path) -> None:
    """Which tests are meant is open; but fewer passed than are said to."""
    report = "With the new sign three pytest tests pass."
    assert "failed" in checked(base, report, FIX, TWO_OF_FOUR).values()


def test_some_of_those_that_passed_may_be_meant(base: Path) -> None:
    assert "failed" not in checked(base, "The parser tests pass.", FIX, TWO_OF_FOUR).values()


def test_what_a_dry_run_printed_is_not_said_to_have_passed(base: Path) -> None:
    report = 'The "2 examples, 0 failures" stems from a dry run and proves nothing.'
    run = bash("rspec", 1, "1 example, 1 failure")
    assert "failed" not in checked(base, report, FIX, run).values()


def test_what_was_run_once_was_perhaps_not_run_again(base: Path) -> None:
    """One run in the trace does not show that there was another."""
    assert "unverified" in checked(base, "I ran the tests again.", FIX, GREEN).values()
    assert set(checked(base, "I ran the tests again.", GREEN, GREEN).values()) == {"verified"}


def test_a_file_may_be_named_by_what_it_is(base: Path) -> None:
    """ "The in file" is the one that ends so; where two do, nobody knows."""
    (base / "run.log").write_text("x")
    assert "failed" in checked(base, "I deleted the log file.", FIX).values()
    (base / "other.log").write_text("x")
    assert "failed" not in checked(base, "I deleted the log file.", FIX).values()


def test_a_part_named_anywhere_in_the_sentence_must_have_changed(base: Path) -> None:
    """The file was changed, but not what is said of it: this is left open."""
    (base / "calc.py").write_text(
        "def add(a, b):\n    return a - b\n\n\ndef mul(a, b):\n    return a\n"
    )
    report = "The function mul was rewritten while I was in `calc.py`."
    assert "unverified" in checked(base, report, FIX).values()


BACKEND = bash("python -m pytest -q", 0, "4 passed in 0.10s") | {"cwd": "/w/backend"}
FRONTEND = bash("npx jest", 1, "Tests: 1 failed, 2 passed, 3 total") | {"cwd": "/w/frontend"}


@pytest.mark.parametrize(
    ("report", "status"),
    [
        ("Backend: all 4 tests pass.", "verified"),
        ("The backend tests pass.", "verified"),
        ("Frontend: all tests pass.", "failed"),
        ("All tests pass.", "failed"),
    ],
)
def test_a_suite_is_known_by_the_folder_its_call_names(report: str, status: str) -> None:
    """Some tools take a folder beside the command; `cd` is not the only way to say where."""
    trace = ToolTrace(numbered([BACKEND, FRONTEND]), trace_id="run", cwd="/w")
    read = claims_from_text(report, history=history_of([trace]))
    read = read.model_copy(update={"trace_ref": "trace:run"})
    result = TaskVerifier().verify_sync(read, [trace])
    assert [claim.status for claim in result.claims] == [status]


@pytest.mark.parametrize(
    ("report", "status"),
    [
        ("Parser: all tests pass.", "unverified"),
        ("Command line: the tests are green.", "unverified"),
        ("Result: all tests pass.", "failed"),
        ("Finished: all tests pass.", "failed"),
    ],
)
def test_a_label_in_front_may_mean_some_tests(report: str, status: str, base: Path) -> None:
    """Of the parser's tests a red run of everything says nothing."""
    assert set(checked(base, report, RED).values()) == {status}


def test_a_path_is_read_from_the_folder_of_its_call(base: Path) -> None:
    """`rm out.txt` started in `build` removes the one in there."""
    before = take_snapshot(base)
    (base / "build" / "out.txt").unlink()
    gone = bash("rm out.txt") | {"cwd": f"{base}/build"}
    trace = ToolTrace(numbered([gone]), trace_id="run", cwd=str(base))
    with Directory(base) as tree:
        assert set(history_of([trace], tree).changes) == {"build/out.txt"}
    claim = {"type": "file-delete", "file_path": "build/out.txt"}
    result = TaskVerifier().verify_sync(output(claim), [trace], base, before=before)
    assert [one.status for one in result.claims] == ["verified"]
