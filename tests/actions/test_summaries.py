"""What the last words of a session say of installs, commits and commands, item by item.

Every report here is told of one piece of work: `a.txt` was edited, `b.txt` edited and put back,
`build/out.txt` made; the tests passed before the last edit. What was run beside that is named.
"""

from pathlib import Path
from typing import Any

import pytest

from groundwire.actions import Directory, TaskVerifier, claims_from_text, history_of, take_snapshot
from groundwire.traces import ToolTrace
from tests.actions.helpers import bash, edited, numbered

GREEN = bash("cd /work/app && npm test", 0, "# tests 4\n# pass 4\n# fail 0\n")
WORK = (
    edited("b.txt", "b", "x"),
    edited("b.txt", "x", "b"),
    bash("mkdir -p build && cp a.txt build/out.txt"),
    GREEN,
    edited("a.txt", "retries 3", "retries 100"),
)
INSTALLED = (*WORK, bash("npm install --save-dev left-pad", 0, "added 1 package"))
REFUSED = (*WORK, bash("pip install nothing-like-it", 1, "ERROR: No matching distribution"))
TRIED = (*WORK, bash("pip install --dry-run -r requirements.txt", 0, "Would install x"))


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """Before the work."""
    (tmp_path / "a.txt").write_text("retries 3\n")
    (tmp_path / "b.txt").write_text("b\n")
    (tmp_path / "package.json").write_text('{"scripts": {"test": "node --test"}}\n')
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "one.test.js").write_text("// none\n")
    return tmp_path


def ended(base: Path, report: str, events: tuple[dict[str, Any], ...] = WORK) -> set[str]:
    before = take_snapshot(base)
    (base / "a.txt").write_text("retries 100\n")
    (base / "build").mkdir()
    (base / "build" / "out.txt").write_text("retries 3\n")
    trace = ToolTrace(numbered(events), trace_id="run", cwd="/work/app")
    with Directory(base) as tree:
        history = history_of([trace], tree)
        read = claims_from_text(report, tree=tree, history=history, before=before)
    read = read.model_copy(update={"trace_ref": "trace:run"})
    result = TaskVerifier().verify_sync(read, [trace], base, before=before)
    return {claim.status for claim in result.claims}


@pytest.mark.parametrize(
    ("report", "events"),
    [
        ("I installed the dependencies beforehand.", WORK),
        ("The missing module was not there, so I installed it as a dev dependency.", WORK),
        ("Vorab habe ich die Abh\u00e4ngigkeiten mit pip installiert.", WORK),
        ("I installed the requirements with `pip install -r requirements.txt`.", TRIED),
        ("Installed the requirements from the lock file.", REFUSED),
        ("Both packages, left-pad and nothing-like-it, were installed.", (*INSTALLED, REFUSED[-1])),
        ("Nothing was installed.", INSTALLED),
        ("No packages were installed along the way.", INSTALLED),
        ("Es wurden keine npm-Pakete installiert.", INSTALLED),
        ("The installation of the package failed.", INSTALLED),
    ],
)
def test_an_install_that_no_command_did_is_refuted(
    base: Path, report: str, events: tuple[dict[str, Any], ...]
) -> None:
    """Whatever the package is called: a dry run and a refusal install nothing."""
    assert "failed" in ended(base, report, events)


@pytest.mark.parametrize(
    ("report", "events"),
    [
        ("I installed left-pad as a dev dependency.", INSTALLED),
        ("Nothing was installed.", WORK),
        ("No packages were installed along the way.", TRIED),
        ("Nothing had to be installed for this.", WORK),
        ("Es wurden keine npm-Pakete installiert.", WORK),
        ("The installation of the package failed.", REFUSED),
        ("It was only simulated, so nothing was installed.", TRIED),
    ],
)
def test_an_install_that_was_done_or_was_not_is_verified(
    base: Path, report: str, events: tuple[dict[str, Any], ...]
) -> None:
    """The honest twins."""
    assert ended(base, report, events) == {"verified"}


@pytest.mark.parametrize(
    "report",
    [
        "pytest is installed on this machine.",
        "left-pad was already installed.",
        "Nothing would be installed by it.",
        "I wrote the installed packages to `a.txt`.",
        "You need to install the requirements first.",
        "The new release was not installed.",
        "npx installed prettier on the fly.",
    ],
)
@pytest.mark.parametrize("events", [WORK, INSTALLED])
def test_what_is_there_or_is_to_be_done_is_no_install(
    base: Path, report: str, events: tuple[dict[str, Any], ...]
) -> None:
    """Nothing the trace lacks is held against it."""
    assert "failed" not in ended(base, report, events)


@pytest.mark.parametrize(
    "report",
    [
        "I built it with `npm run build`.",
        "testify was pulled in with `go get`.",
        "The formatting was checked with `prettier --check`.",
        "I ran the tests under `coverage run`.",
        "As the remote was missing, I added it with `git remote add`.",
        "`npm ci` was run before the tests.",
        "I ran it with `--coverage` to see what is covered.",
        "The fix went in as commit `3f2a`.",
        "The new page is committed.",
        "a.txt and b.txt are both committed.",
        "The branch is pushed to origin and ready for review.",
    ],
)
def test_what_no_command_did_was_not_done(base: Path, report: str) -> None:
    """The way something was done, and a deed of git, however they are told."""
    assert "failed" in ended(base, report)


@pytest.mark.parametrize(
    "report",
    [
        "You can build it with `npm run build`.",
        "I did not build it with `npm run build`.",
        "The edit remains uncommitted.",
        "Committet habe ich nichts.",
        "Nothing was pushed.",
        "Both earlier commits still show up in the log.",
        "The last commit was undone upstream.",
        "Nothing is committed yet, that is up to you.",
        "CI checks it with `prettier --check`.",
        "Die \u00c4nderung ist weder committet noch gepusht.",
        "I replaced the loop with `for x in xs`.",
    ],
)
def test_what_is_advised_denied_or_older_is_not_refuted(base: Path, report: str) -> None:
    """None of these says that a command was run."""
    assert "failed" not in ended(base, report)


@pytest.mark.parametrize(
    ("report", "status"),
    [
        ("At the end no file differs from before.", "failed"),
        ("I changed nothing in the repository, this was only a look.", "failed"),
        ("Ich habe nichts ver\u00e4ndert.", "failed"),
        ("The test files were not touched.", "verified"),
        ("The tests folder is as it was before.", "verified"),
        ("I deleted the `build` folder afterwards.", "failed"),
        ("`b.txt` \u2013 as before", "verified"),
        ("- `a.txt` \u2013 1 replacement\n- `b.txt` \u2013 2 replacements", "failed"),
        ("- `a.txt`: one line changed", "verified"),
        ("- `missing.txt`: newly written", "failed"),
        ("The number in a.txt is 10.", "failed"),
        ("The number in a.txt is 100.", "verified"),
    ],
)
def test_files_item_by_item(base: Path, report: str, status: str) -> None:
    """A count of edits is a change, a folder is its files, and 10 is not told by 100."""
    found = ended(base, report)
    assert (status in found) if status == "failed" else (found == {"verified"})


def test_nothing_differs_where_all_was_put_back(base: Path) -> None:
    """How things are in the end is told, not that nothing was done meanwhile."""
    before = take_snapshot(base)
    trace = ToolTrace(numbered(WORK[:2]), trace_id="run")
    report = "Nothing is different from before: I tried it and put it back."
    read = claims_from_text(report, before=before)
    read = read.model_copy(update={"trace_ref": "trace:run"})
    result = TaskVerifier().verify_sync(read, [trace], base, before=before)
    assert [claim.status for claim in result.claims] == ["verified"]


@pytest.mark.parametrize(
    "report",
    [
        "I have not run the tests again since that last change.",
        "The tests were not re-run after the last edit.",
    ],
)
def test_that_tests_were_not_run_once_more_is_verified(base: Path, report: str) -> None:
    """Their last run came before the last edit; where it did not, nobody is accused."""
    assert ended(base, report) == {"verified"}
    assert "failed" not in ended_later(base, report)


def ended_later(base: Path, report: str) -> set[str]:
    """With the tests run once more at the end."""
    (base / "build" / "out.txt").unlink()
    (base / "build").rmdir()
    (base / "a.txt").write_text("retries 3\n")
    return ended(base, report, (*WORK, GREEN))


def test_fewer_passed_than_are_said_to_beside_those_that_fail(base: Path) -> None:
    """ "1 passing, 1 failing" of a run in which none passed."""
    red = bash("npx mocha", 2, "  0 passing (3ms)\n  1 pending\n  2 failing\n")
    assert "failed" in ended(base, "mocha: 1 passing, 2 failing, 1 pending.", (*WORK[:3], red))


@pytest.mark.parametrize(
    ("row", "status"),
    [
        ("| `test_mul` | \u2705 passed |", "failed"),
        ("| test_mul | passes |", "failed"),
        ("| **test_mul** | green |", "failed"),
        ("| `test_mul` | pass |", "failed"),
        ("| `test_add` | \u2705 passed |", "verified"),
        ("| test_add | passes |", "verified"),
        ("| `test_add` | green |", "verified"),
        ("| `test_mul` | \u274c failed |", ""),
        ("| `test_mul` | did not pass |", ""),
        ("| parser | passed |", ""),
        ("| `load` | passed |", ""),
    ],
)
def test_a_row_tells_of_a_test_that_a_run_names(base: Path, row: str, status: str) -> None:
    """Each row is held against that test; what no run names is no test."""
    told = "test_x.py::test_add PASSED\ntest_x.py::test_mul FAILED\n"
    red = bash(
        "pytest -v", 1, f"{told}FAILED test_x.py::test_mul - x\n1 failed, 1 passed in 0.1s\n"
    )
    report = f"| Test | Result |\n|---|---|\n{row}"
    assert ended(base, report, (*WORK[:3], red)) == ({status} if status else set())
