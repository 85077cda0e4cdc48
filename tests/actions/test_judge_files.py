"""Claims that a file is there, was made or changed, holds some words, or was left alone."""

import subprocess
from pathlib import Path

import pytest

from groundwire.actions import ReadReport, TaskVerifier, take_snapshot
from groundwire.traces import ToolTrace
from tests.actions.helpers import (
    Json,
    bash,
    edited,
    numbered,
    one,
    output,
    refused,
    statuses,
    wrote,
)

APP = "src/app.py"


def claim(kind: str, path: str, **more: object) -> Json:
    return {"type": kind, "file_path": path, **more}


def unchanged(*patterns: str) -> Json:
    return {"type": "files-unchanged", "patterns": list(patterns)}


def test_existence_is_read_off_the_tree(base: Path) -> None:
    assert one(base, claim("file-exists", APP)) == ("verified", None)
    assert one(base, claim("file-exists", "src")) == ("verified", None)
    assert one(base, claim("file-exists", "Dockerfile")) == ("failed", "file_not_found")
    assert one(base, claim("file-absent", "Dockerfile")) == ("verified", None)
    assert one(base, claim("file-absent", APP)) == ("failed", "filesystem_mismatch")
    assert one(base, claim("file-absent", "../x")) == ("failed", "filesystem_mismatch")


def test_a_recorded_creation_or_removal_explains_why_it_is_otherwise_now(base: Path) -> None:
    """That a file was missing may be said of before; that it is there is said of now."""
    (base / "new.py").write_text("x")
    made = [wrote("new.py", "x")]
    assert one(base, claim("file-absent", "new.py"), events=made)[0] == "superseded"
    removed = [bash("rm old.py")]
    assert one(base, claim("file-exists", "old.py"), events=removed)[0] == "failed"
    before = claim("file-exists", "old.py", event_id="e1")
    assert one(base, before, events=removed)[0] == "superseded"
    assert one(base, claim("file-exists", "old.py"), events=[bash("ls")])[0] == "failed"
    assert one(base, claim("file-exists", "old.py"), events=[bash("./x.sh")])[0] == "failed"
    dated = claim("file-exists", "old.py", event_id="e1")
    assert one(base, dated, events=[bash("./x.sh")])[0] == "unverified"


@pytest.mark.parametrize(
    ("kind", "snippet", "expected"),
    [
        ("text-present", "def greet():\r\n    return 'hi'", "verified"),
        ("text-present", "def greet():   ", "unverified"),
        ("text-present", "def farewell", "failed"),
        ("text-absent", "def farewell", "verified"),
        ("text-absent", "return 'hi'", "failed"),
    ],
)
def test_words_are_found_as_a_person_finds_them(
    base: Path, kind: str, snippet: str, expected: str
) -> None:
    assert one(base, claim(kind, APP, snippet=snippet))[0] == expected


def test_words_in_a_file_that_is_not_there(base: Path) -> None:
    assert one(base, claim("text-present", "no.py", snippet="x")) == ("failed", "file_not_found")
    assert one(base, claim("text-absent", "no.py", snippet="x"))[0] == "unverified"


@pytest.mark.parametrize("kind", ["file-created", "file-changed"])
def test_a_recorded_write_shows_that_the_work_did_it(base: Path, kind: str) -> None:
    assert one(base, claim(kind, APP), events=[wrote(APP, "x")])[0] == "verified"
    assert one(base, claim(kind, APP)) == ("unverified", None)
    assert one(base, claim(kind, "no.py")) == ("failed", "file_not_found")


def test_a_change_nothing_in_the_trace_made_fails(base: Path) -> None:
    changed = claim("file-changed", "README.md")
    assert one(base, changed, events=[wrote(APP, "x")])[0] == "failed"
    assert one(base, changed, events=[refused("README.md", "a", "b")])[0] == "failed"
    assert one(base, changed, events=[bash("python docs.py")])[0] == "unverified"
    assert one(base, changed, events=[bash("python docs.py README.md")])[0] == "unverified"


def test_a_snapshot_shows_what_changed(base: Path) -> None:
    before = take_snapshot(base)
    (base / "README.md").write_text("# Changed\n")
    (base / "new.py").write_text("x")
    assert one(base, claim("file-changed", "README.md"), before=before)[0] == "verified"
    assert one(base, claim("file-created", "new.py"), before=before)[0] == "verified"
    assert one(base, claim("file-created", "README.md"), before=before)[0] == "unverified"
    assert one(base, claim("file-changed", APP), before=before)[0] == "failed"


def test_a_change_by_somebody_else_is_nobodys_lie(base: Path) -> None:
    before = take_snapshot(base)
    (base / "README.md").write_text("# Changed\n")
    status, _ = one(base, claim("file-changed", "README.md"), before=before, events=[bash("ls")])
    assert status == "unverified"


def test_words_that_may_mean_another_file_never_accuse(base: Path) -> None:
    """Where our own reading of prose is in doubt, nobody is refuted."""
    soft = ReadReport.model_validate(output(claim("file-changed", "README.md", certain=False)))
    result = TaskVerifier().verify_sync(soft, numbered([wrote(APP, "x")]), base)
    assert statuses(result) == ["unverified"]


@pytest.mark.parametrize("softener", ["certain", "complete", "sure", "assume_current"])
def test_nothing_an_agent_supplies_softens_a_check(base: Path, softener: str) -> None:
    """[RULINGS S2] Its claims are held to the evidence, whatever it writes beside them."""
    lie = claim("file-changed", "README.md", **{softener: False})
    handed_in = output(lie) | {softener: False, "status": "verified"}
    result = TaskVerifier().verify_sync(handed_in, numbered([wrote(APP, "x")]), base)
    assert statuses(result) == ["failed"]
    assert not result.valid


def test_a_file_that_was_there_was_not_created(base: Path) -> None:
    """By a snapshot, or by a tool that showed it before anything was written."""
    before = take_snapshot(base)
    (base / "README.md").write_text("# New\n")
    events = [wrote("README.md", "# New\n")]
    created = claim("file-created", "README.md")
    assert one(base, created, before=before, events=events)[0] == "failed"
    assert one(base, created, events=events)[0] == "verified"
    shown = {"tool": "Read", "arguments": {"file_path": "README.md"}, "result": "# Old\n"}
    assert one(base, created, events=[shown, *events])[0] == "failed"
    afresh = [{"tool": "Bash", "arguments": {"command": "rm README.md"}, "exit_code": 0}, *events]
    assert one(base, created, before=before, events=afresh)[0] == "verified"


def test_a_change_that_was_taken_back_is_none(base: Path) -> None:
    """The trace wrote it twice; the file is as the snapshot has it."""
    before = take_snapshot(base)
    text = (base / "README.md").read_text()
    events = [wrote("README.md", "x"), wrote("README.md", text)]
    changed = claim("file-changed", "README.md")
    assert one(base, changed, before=before, events=events)[0] == "failed"
    assert one(base, claim("file-reverted", "README.md"), before=before)[0] == "verified"
    (base / "README.md").write_text("y")
    assert one(base, claim("file-reverted", "README.md"), before=before)[0] == "failed"
    assert one(base, claim("file-reverted", "README.md"))[0] == "unverified"


def test_what_never_was_was_not_deleted(base: Path) -> None:
    """A complete trace without its deletion refutes it; a part of one does not."""
    gone = claim("file-delete", "never.py")
    assert one(base, gone, events=[bash("ls")])[0] == "failed"
    assert one(base, gone, events=[bash("rm never.py")])[0] == "verified"
    assert one(base, gone, events=[bash("./clean.sh")])[0] == "unverified"
    part = ToolTrace(numbered([bash("ls")]), complete=False)
    result = TaskVerifier().verify_sync(output(gone), part, base)
    assert statuses(result) == ["unverified"]


def test_more_files_than_were_changed_cannot_have_been(base: Path) -> None:
    """Fewer may be meant: some of them."""
    events = [wrote("a.py", "a"), wrote("b.py", "b")]
    for count, status in ((2, "verified"), (3, "failed"), (1, "unverified")):
        counted = {"type": "files-changed", "count": count}
        assert one(base, counted, events=events)[0] == status
    before = take_snapshot(base)
    (base / "a.py").touch()
    assert one(base, {"type": "files-changed", "count": 1}, before=before)[0] == "verified"
    assert one(base, {"type": "files-changed", "count": 2}, before=before)[0] == "failed"
    assert one(base, {"type": "files-changed", "count": 2})[0] == "unverified"


TESTS = ("tests/**", "**/test_*.py")


def test_no_test_was_changed_by_the_trace(base: Path) -> None:
    path = "tests/test_app.py"
    assert one(base, unchanged(*TESTS), events=[wrote(APP, "x"), bash("ls")])[0] == "verified"
    assert one(base, unchanged(*TESTS), events=[edited(path, "True", "1")])[0] == "failed"
    assert one(base, unchanged(*TESTS), events=[refused(path, "True", "1")])[0] == "verified"
    assert one(base, unchanged(*TESTS), events=[bash("black .")])[0] == "unverified"
    assert one(base, unchanged(*TESTS))[0] == "unverified"


def test_a_test_file_made_and_removed_again_is_no_change_if_it_was_new(base: Path) -> None:
    events = [wrote("tests/test_tmp.py", "x"), bash("rm tests/test_tmp.py")]
    before = take_snapshot(base)
    assert one(base, unchanged(*TESTS), events=events)[0] == "unverified"
    assert one(base, unchanged(*TESTS), events=events, before=before)[0] == "verified"
    events = [wrote("tests/test_app.py", "x"), bash("rm tests/test_app.py")]
    (base / "tests" / "test_app.py").unlink()
    assert one(base, unchanged(*TESTS), events=events, before=before)[0] == "failed"


def test_no_test_was_changed_by_the_snapshot(base: Path) -> None:
    before = take_snapshot(base)
    (base / APP).write_text("x")
    assert one(base, unchanged(*TESTS), before=before)[0] == "verified"
    (base / "tests" / "test_new.py").write_text("x")
    assert one(base, unchanged(*TESTS), before=before)[0] == "failed"
    (base / "tests" / "test_new.py").unlink()
    (base / "tests" / "test_app.py").unlink()
    assert one(base, unchanged(*TESTS), before=before) == ("failed", "filesystem_mismatch")
    assert one(base, unchanged(*TESTS), before=before, assume_current=False)[0] == "unverified"


def test_a_pattern_also_fits_at_the_top(base: Path) -> None:
    (base / "test_top.py").write_text("x")
    events = [wrote("test_top.py", "y")]
    assert one(base, unchanged("**/test_*.py"), events=events)[0] == "failed"


@pytest.mark.parametrize("command", ["sort -o src/app.py a", "cargo build", "make", "npm install"])
def test_nothing_wrote_it_is_said_only_where_every_command_is_known(
    base: Path, command: str
) -> None:
    """[RULINGS S2] What a program may have written excuses; no list of writers accuses."""
    changed = claim("file-changed", APP)
    assert one(base, changed, events=[bash("ls && cat x | head")])[0] == "failed"
    assert one(base, changed, events=[bash(command)])[0] in {"unverified", "verified"}


def test_a_test_run_may_have_written_what_differs_from_the_last_commit(base: Path) -> None:
    """Tests write snapshots and fixtures; what is as it was committed was written by nobody."""
    events = [bash("pytest", 0, "2 passed in 0.10s")]
    changed = claim("file-changed", APP)
    assert one(base, changed, events=events)[0] == "unverified"
    commit = ["-c", "user.name=n", "-c", "user.email=n@example.invalid", "commit", "-qm", "start"]
    for words in (["init", "-q"], ["add", "-A"], commit):
        subprocess.run(["git", "-C", str(base), *words], check=True)
    assert one(base, changed, events=events)[0] == "failed"
    (base / APP).write_text("other")
    assert one(base, changed, events=events)[0] == "unverified"
