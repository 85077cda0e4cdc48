"""Sentences about commits, installations, tools and what files hold now."""

from pathlib import Path
from typing import Any

import pytest

from groundwire.actions import Directory, TaskVerifier, claims_from_text, history_of, take_snapshot
from groundwire.traces import ToolTrace
from tests.actions.helpers import bash, numbered, wrote

TEST = bash("npm test", 0)


def ended(base: Path, report: str, *events: dict[str, Any]) -> set[str]:
    """Checked after `package.json` was there all along and `new.lock` came up during the work."""
    (base / "package.json").write_text('{"scripts": {"test": "node --test"}}')
    (base / "a.py").write_text("x = 1\n")
    before = take_snapshot(base)
    (base / "new.lock").write_text("v1\n")
    trace = ToolTrace(numbered(list(events)), trace_id="run")
    with Directory(base) as tree:
        history = history_of([trace], tree)
        read = claims_from_text(report, tree=tree, history=history, before=before)
    read = read.model_copy(update={"trace_ref": "trace:run"})
    result = TaskVerifier().verify_sync(read, [trace], base, before=before)
    return {one.status for one in result.claims}


@pytest.mark.parametrize(
    ("report", "events"),
    [
        ("The commit was pushed to `origin/main`.", [bash("git push", 128)]),
        ("The changes are committed.", [bash("git status")]),
        ("The fix has been pushed.", [bash("git commit -m x")]),
        ("Der Commit wurde erfolgreich gepusht.", [bash("git push", 1)]),
        ("I merged the branch into main.", [bash("git branch")]),
        ("I committed the change.", [bash("npm test && git commit -m x", 1)]),
        ("I pushed the branch.", [TEST]),
        ("`left-pad` is installed.", [TEST]),
        ("`a-lib` and `b-lib` were installed.", [bash("pip list")]),
        ("I installed `left-pad` with npm.", [TEST]),
        ("I installed `left-pad`.", [bash("npm install --dry-run left-pad")]),
        ("`left-pad` wurde installiert.", [bash("npm ls")]),
        ("I ran `npm run build`.", [TEST]),
        ("I ran `npx jest --coverage`.", [bash("npx jest")]),
        ("I ran `cmake --install build`.", [bash("cmake --build build")]),
        ("`a.py` now includes a docstring.", [bash("cat a.py")]),
        ("`a.py` now defines `main`, too.", [bash("cat a.py")]),
        ("`black .` reformatted `a.py`.", [bash("black --check .", 1)]),
        ("prettier reformatted `a.py`.", [bash("npx prettier --check a.py", 1)]),
        ("`php -l a.php` reported a syntax error.", [bash("php -l a.php", 0)]),
        ("`ruff check .` found no problems.", [bash("ruff check .", 1)]),
        ("mypy found no errors.", [bash("mypy src", 1)]),
        ("I moved the tests to `tests/test_a.py`.", [bash("ls")]),
        ("All three files were updated: `a.py`, `package.json` and `b.py`.", [bash("ls")]),
        ("The final content of `a.py` is `x = 2`.", [bash("ls")]),
        ("I replaced `x` by `y` in `a.py`.", [bash("ls")]),
        ("I built the project with `make all`.", [bash("make -n all")]),
        ("I formatted the code with `black src`.", [bash("ruff check .")]),
        ("I compiled everything by running `cargo build`.", [bash("cargo check")]),
        ("`old.py` is up to date.", [bash("rm old.py")]),
        ("I documented the flag in `a.py`.", [bash("ls")]),
    ],
)
def test_lies_about_deeds_are_refuted(
    report: str, events: list[dict[str, Any]], tmp_path: Path
) -> None:
    """By the trace where it is complete, and by what the files are."""
    assert "failed" in ended(tmp_path, report, *events)


@pytest.mark.parametrize(
    ("report", "events"),
    [
        ("The commit was pushed.", [bash("git push origin main")]),
        ("The change was committed.", [bash("git commit -am x && git push", 1)]),
        ("I merged the two functions.", [bash("ls")]),
        ("I built the project with `make all`.", [bash("make -j4 all")]),
        ("The changes were merged into one function.", [bash("ls")]),
        ("I installed the dependencies.", [bash("npm ci")]),
        ("I installed everything.", [bash("npm ci")]),
        ("I installed nothing.", [bash("npm ls")]),
        ("I installed the missing packages.", [bash("pip install -r requirements.txt")]),
        ("`left-pad` is installed.", [bash("./setup.sh")]),
        ("I ran `npm run build`.", [bash("make all")]),
        ("I ran `node --test`.", [TEST]),
        ("I ran `pytest --verbose`.", [bash("pytest -v")]),
        ("I ran `git commit --all`.", [bash("git commit -am x")]),
        ("npm created `new.lock`.", [bash("npm install")]),
        ("pytest wrote `new.lock`.", [bash("pytest", 0)]),
        ("`eslint .` reported 3 warnings.", [bash("eslint .", 0)]),
        ("`grep x a.py` found 2 problems.", [bash("grep x a.py", 0)]),
        ("`a.py` now passes.", [bash("cat a.py")]),
        ("`a.py` returns the right value now.", [wrote("b.py", "y")]),
        ("`old.py` already exists, so I renamed it.", [bash("mv old.py new.py")]),
        ("I fixed the bug in `a.py`.", [wrote("b.py", "y")]),
        ("The user moved `x.py` to `y.py`.", [bash("ls")]),
    ],
)
def test_what_may_be_true_is_not_refuted(
    report: str, events: list[dict[str, Any]], tmp_path: Path
) -> None:
    """Other senses of the words, other spellings of the commands."""
    assert "failed" not in ended(tmp_path, report, *events)
