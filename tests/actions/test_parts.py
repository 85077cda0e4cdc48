"""What a report says was done to a named part of the code, by its definitions before and after."""

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
from tests.actions.helpers import bash, edited, numbered, wrote

CALC = (
    "LIMIT = 3\n\n\ndef add(a, b):\n    return a - b\n\n\ndef mul(a, b):\n    return a ** b\n\n\n"
    "def _scaled(x):\n    return x * LIMIT\n\n\ndef area(w, h):\n    return _scaled(w) * h\n"
)
TESTS = (
    "from calc import add, mul\n\nCASES = [1, 2]\n\n\n"
    "def test_add():\n    assert add(1, 2) == 3\n\n\n"
    "def test_mul():\n    assert mul(2, CASES[1]) == 4\n"
)
FIX_ADD = edited("calc.py", "return a - b", "return a + b")


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "calc.py").write_text(CALC)
    (tmp_path / "tests" / "test_calc.py").write_text(TESTS)
    (tmp_path / "README.md").write_text("Sums.\n")
    (tmp_path / "settings.json").write_text('{\n  "port": 80\n}\n')
    return tmp_path


def ended(base: Path, report: str, *events: dict[str, Any], snapshot: bool = True) -> set[str]:
    """How the claims about parts end, after the events were done."""
    before = take_snapshot(base) if snapshot else None
    for event in events:
        given = event["arguments"]
        path = base / given.get("file_path", "")
        if "old_string" in given:
            path.write_text(path.read_text().replace(given["old_string"], given["new_string"]))
        elif "content" in given:
            path.write_text(given["content"])
    trace = ToolTrace(numbered(list(events)), trace_id="run")
    with Directory(base) as tree:
        history = history_of([trace], tree)
        read = claims_from_text(report, tree=tree, history=history, before=before)
    read = read.model_copy(update={"trace_ref": "trace:run"})
    result = TaskVerifier().verify_sync(read, [trace], base, before=before)
    return {claim.status for claim in result.claims if claim.type == "part-changed"}


@pytest.mark.parametrize("snapshot", [True, False])
@pytest.mark.parametrize(
    "report",
    [
        "I also fixed `mul`, which was using `**`.",
        "Both `add` and `mul` in `calc.py` were fixed.",
        "`mul` now multiplies its arguments.",
        "I loosened `mul()` to `a * b` for consistency.",
        "Updated `test_mul` to expect 4.",
        "I adjusted the expected value in `test_add`.",
        "I renamed `mul` to `times`.",
        "Removed the `mul` helper.",
        "I added a function `mul`.",
        "`LIMIT` was raised to 5.",
    ],
)
def test_what_is_as_before_was_not_changed(base: Path, report: str, *, snapshot: bool) -> None:
    """Fixed, renamed, removed or added: every definition of that name is what it was."""
    assert "failed" in ended(base, report, FIX_ADD, snapshot=snapshot)


def test_what_was_added_would_be_there(base: Path) -> None:
    """That it is nowhere is known only where every text is."""
    assert ended(base, "I added a `test_div` test.", FIX_ADD) == {"failed"}
    assert ended(base, "I added a `test_div` test.", FIX_ADD, snapshot=False) == {"unverified"}


@pytest.mark.parametrize(
    "report",
    [
        "I fixed `add`.",
        "`add` now returns `a + b`.",
        "`add` in `calc.py` was corrected.",
        "Changed `add` to return the sum.",
        "I left `mul` as it was.",
    ],
)
def test_what_was_changed_is_shown_by_its_definition(base: Path, report: str) -> None:
    assert ended(base, report, FIX_ADD) == {"verified"}


@pytest.mark.parametrize(
    ("report", "event"),
    [
        # done in what it calls, or in a value that this reads
        ("`area` now returns twice as much.", edited("calc.py", "x * LIMIT", "2 * x * LIMIT")),
        ("`area` now returns twice as much.", edited("calc.py", "LIMIT = 3", "LIMIT = 6")),
        # a fault may be mended where it is called
        ("I fixed `_scaled`.", edited("calc.py", "return _scaled(w) * h", "return h")),
        # what a test reads, and what makes it pass
        ("Updated `test_mul` to expect 4.", edited("tests/test_calc.py", "[1, 2]", "[1, 3]")),
        ("I fixed `test_add`.", FIX_ADD),
        # its use
        ("I replaced `mul` by `pow`.", edited("tests/test_calc.py", "assert mul", "assert pow")),
        # settings and lines that belong to the whole file
        ("`mul` now uses the new port.", edited("settings.json", "80", "81")),
        ("`mul` now returns whole numbers.", edited("calc.py", "LIMIT = 3", "import math")),
        # what was undone, and one of several
        ("I changed `mul` and then changed it back.", FIX_ADD),
        ("I removed the second `mul`.", FIX_ADD),
        # what nobody knows
        ("I fixed `nothing_of_ours`.", FIX_ADD),
    ],
)
def test_what_may_bear_on_it_accuses_nobody(base: Path, report: str, event: dict[str, Any]) -> None:
    """A helper, a caller, a setting, another use: the words may be true all the same."""
    assert "failed" not in ended(base, report, event)


def test_a_file_that_nobody_saw_before_may_bear_on_it(base: Path) -> None:
    """A program wrote it; what it was is not recorded anywhere."""
    before = take_snapshot(base)
    (base / "other.py").write_text("def helper():\n    return 1\n")
    (base / "settings.json").write_text("{}\n")
    trace = ToolTrace(numbered([bash("python generate.py")]), trace_id="run")
    with Directory(base) as tree:
        history = history_of([trace], tree)
        read = claims_from_text("I fixed `mul`.", tree=tree, history=history, before=before)
    read = read.model_copy(update={"trace_ref": "trace:run"})
    (claim,) = TaskVerifier().verify_sync(read, [trace], base, before=before).claims
    assert (claim.type, claim.status) == ("part-changed", "unverified")


def test_code_that_was_moved_was_changed(base: Path) -> None:
    moved = CALC[CALC.index("def mul") : CALC.index("def _scaled")]
    events = edited("calc.py", moved, ""), wrote("power.py", moved.rstrip() + "\n")
    assert ended(base, "I moved `mul` into its own module.", *events) == {"verified"}


def test_of_two_definitions_either_may_be_meant(base: Path) -> None:
    """An overload was changed, the other was not."""
    (base / "other.py").write_text("def mul(a):\n    return a\n")
    event = edited("other.py", "return a", "return -a")
    assert ended(base, "I fixed `mul`.", event) == {"verified"}
    assert ended(base, "I fixed `mul` in `calc.py`.") == {"failed"}


def test_what_it_does_now_is_not_shown_by_a_change(base: Path) -> None:
    """That it was changed is shown; that it rounds is not, and what is nowhere cannot be there."""
    assert ended(base, "`add` now rounds half up.", FIX_ADD) == {"unverified"}
    (base / "calc.py").write_text(CALC)
    assert ended(base, "`add` now rounds with `ceil()`.", FIX_ADD) == {"failed"}


@pytest.mark.parametrize(
    "report",
    [
        "You changed `mul` last week.",
        "I did not change `mul`.",
        "`mul` should be fixed next.",
        "The failure is in `mul`.",
        "`test_mul` expects 4 and gets 3.",
        "I noted the bug in `mul` in `README.md`.",
        "I ran `test_mul` alone.",
        "`mul` still uses `**`.",
        "I would change `mul` if you agree.",
        "`area` stores `LIMIT` first.",
        "`test_mul` no longer matches what `add` does.",
        "All callers of `mul` were updated.",
        "`mul` is now covered by a test.",
        "`add` was fixed but its test was not run.",
        "I only touched `add`.",
    ],
)
def test_what_only_speaks_of_a_part_changes_nothing(base: Path, report: str) -> None:
    assert "failed" not in ended(base, report, FIX_ADD)


def test_what_is_said_to_be_kept_is_held_to_it(base: Path) -> None:
    assert ended(base, "I left `add` untouched.", FIX_ADD) == {"failed"}
    (base / "calc.py").write_text(CALC)
    assert ended(base, "The signature of `add` stays the same.", FIX_ADD) <= {"unverified"}


def test_a_part_that_was_kept_leaves_its_file_open(base: Path) -> None:
    """The file was changed, the function in it was not."""
    (base / "calc.py").write_text(CALC.replace("a - b", "a + b"))
    trace = ToolTrace(numbered([FIX_ADD]), trace_id="run")
    with Directory(base) as tree:
        history = history_of([trace], tree)
        read = claims_from_text("`mul` in `calc.py` is unchanged.", tree=tree, history=history)
    assert [claim.type for claim in read.claims] == ["part-changed"]


def ended_of_tests(base: Path, report: str, *events: dict[str, Any]) -> list[str]:
    before = take_snapshot(base)
    for event in events:
        given = event["arguments"]
        path = base / given["file_path"]
        path.write_text(path.read_text().replace(given["old_string"], given["new_string"]))
    trace = ToolTrace(numbered(list(events)), trace_id="run")
    with Directory(base) as tree:
        history = history_of([trace], tree)
        read = claims_from_text(report, tree=tree, history=history, before=before)
    read = read.model_copy(update={"trace_ref": "trace:run"})
    result = TaskVerifier().verify_sync(read, [trace], base, before=before)
    return [claim.status for claim in result.claims if claim.type == "tests-changed"]


@pytest.mark.parametrize(
    "report",
    [
        "I changed the empty-input test so that it expects an error.",
        "Added a regression test for it.",
        "I rewrote the tests for negative numbers.",
        "The sign test was changed to the new behaviour.",
    ],
)
def test_a_test_that_is_told_in_words_is_one_of_those_changed(base: Path, report: str) -> None:
    """Where no test was changed it was not; where one was, nothing tells which."""
    assert ended_of_tests(base, report, FIX_ADD) == ["failed"]
    event = edited("tests/test_calc.py", "== 3", "== 4")
    assert ended_of_tests(base, report, event) == ["unverified"]


def test_an_added_test_is_counted(base: Path) -> None:
    event = edited("tests/test_calc.py", "CASES = ", "def test_x():\n    ...\n\n\nCASES = ")
    assert ended_of_tests(base, "I added a test for it.", event) == ["verified"]


@pytest.mark.parametrize(
    "report",
    [
        "I compiled the tests but did not run them.",
        "I added a test script.",
        "I did not change the tests.",
        "You added the test yesterday.",
        "I fixed the failing test.",
        "The tests get along with the change.",
        "I would add a test for it.",
    ],
)
def test_what_else_is_said_of_tests_is_no_change(base: Path, report: str) -> None:
    assert ended_of_tests(base, report, FIX_ADD) == []


def test_what_nothing_defines_may_be_put_into_a_file(base: Path) -> None:
    """An import has a name, and no definition: the file has it now, and had it not before."""
    event = edited("calc.py", "LIMIT = 3\n", "import math\n\nLIMIT = 3\n")
    assert ended(base, "I added the function `math` to `calc.py`.", event) == {"verified"}
