import json
import os
import subprocess
from pathlib import Path

import pytest

from groundwire.actions import (
    TaskVerifier,
    compare,
    history_of,
    read_snapshot,
    sign_snapshot,
    snapshot_of,
    take_snapshot,
    write_snapshot,
)
from groundwire.errors import InputError, UnreadableSource
from groundwire.traces import ToolTrace
from tests.actions.helpers import bash, delete, numbered, one, output, sha, wrote


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.invalid"]
    done = subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture
def repository(base: Path) -> Path:
    git(base, "init", "-q")
    (base / ".gitignore").write_text("build/\n*.log\n")
    git(base, "add", "-A")
    git(base, "commit", "-qm", "start")
    (base / "build").mkdir()
    (base / "build" / "out.bin").write_text("x")
    return base


def test_a_snapshot_has_the_hash_of_every_file(base: Path) -> None:
    taken = take_snapshot(base)
    assert taken.files["src/app.py"] == sha((base / "src" / "app.py").read_bytes())
    assert sorted(taken.files) == ["README.md", "src/app.py", "tests/test_app.py"]
    assert taken.git_head is None
    assert not taken.ignore_rules


def test_in_a_repository_ignored_files_are_left_out_and_the_head_is_kept(repository: Path) -> None:
    (repository / "untracked.py").write_text("x")
    taken = take_snapshot(repository)
    assert "untracked.py" in taken.files
    assert "build/out.bin" not in taken.files
    assert taken.git_head == git(repository, "rev-parse", "HEAD")
    assert taken.ignore_rules
    everything = take_snapshot(repository, use_git=False)
    assert "build/out.bin" in everything.files
    assert not any(path.startswith(".git/") for path in everything.files)


def test_a_part_of_a_repository_can_be_recorded(repository: Path) -> None:
    assert sorted(take_snapshot(repository / "src").files) == ["app.py"]


def test_nothing_a_repository_configures_is_run(repository: Path) -> None:
    """A hostile repository may name programs in its own configuration."""
    mark = repository / "ran"
    script = repository / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\n")
    script.chmod(0o755)
    git(repository, "config", "core.fsmonitor", str(script))
    git(repository, "config", "core.pager", str(script))
    take_snapshot(repository)
    assert not mark.exists()


def test_links_are_recorded_and_not_followed(base: Path) -> None:
    (base / "inside").symlink_to("README.md")
    (base / "outside").symlink_to("/etc/passwd")
    taken = take_snapshot(base)
    assert taken.links == {"inside": "README.md", "outside": "/etc/passwd"}
    assert "outside" not in taken.files


def test_every_change_is_told(base: Path) -> None:
    before = take_snapshot(base)
    (base / "README.md").write_text("changed")
    (base / "src" / "app.py").unlink()
    (base / "new.py").write_text("x")
    after = take_snapshot(base)
    assert [(change.path, change.change) for change in compare(before, after)] == [
        ("README.md", "modified"),
        ("new.py", "added"),
        ("src/app.py", "deleted"),
    ]
    assert before.state_hash != after.state_hash
    assert compare(before, before) == ()


def test_changes_are_attributed_to_events(base: Path) -> None:
    before = take_snapshot(base)
    for name in ("README.md", "a.txt", "b.txt"):
        (base / name).write_text("changed")
    events = [wrote("README.md", "changed"), bash("python make_a.py > a.txt"), bash("./build")]
    history = history_of([ToolTrace(numbered(events))])
    found = {change.path: change for change in compare(before, take_snapshot(base), history)}
    assert found["README.md"].made_by == ("e1",)
    assert found["a.txt"].made_by == ("e2",)
    assert found["b.txt"].made_by == ()
    assert found["b.txt"].possibly_by == ("e2", "e3")


def test_a_snapshot_survives_its_file(base: Path, tmp_path: Path) -> None:
    taken = take_snapshot(base)
    path = tmp_path / "deep" / "snapshot.json"
    write_snapshot(taken, path)
    assert read_snapshot(path) == taken
    assert json.loads(path.read_text())["groundwire_snapshot"] == 1
    assert [entry.name for entry in path.parent.iterdir()] == ["snapshot.json"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Invalid JSON"),
        ("{}", "field taken_at"),
        ("[]", "not a snapshot"),
        ('{"groundwire_snapshot": 2}', "version 2"),
    ],
)
def test_a_file_that_is_no_snapshot_is_named(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "snapshot.json"
    path.write_text(text)
    with pytest.raises(InputError, match=words) as caught:
        read_snapshot(path)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="nowhere"):
        read_snapshot(tmp_path / "nowhere")


def test_a_folder_with_too_many_files_is_refused(base: Path) -> None:
    with pytest.raises(InputError, match="more than 2 files"):
        take_snapshot(base, max_files=2)


def test_a_file_git_ignores_may_have_been_there_before(repository: Path) -> None:
    """What the snapshot left out by rule proves nothing; what it would have recorded does."""
    before = take_snapshot(repository)
    assert one(repository, delete("build/never.bin"), before=before)[0] == "verified"
    assert one(repository, delete("src/never.py"), before=before)[0] == "unverified"


def test_names_that_are_no_text_are_recorded_and_found_again(base: Path) -> None:
    odd = os.fsencode(base) + b"/odd-\xff-name.txt"
    with open(odd, "w") as file:  # noqa: PTH123
        file.write("x")
    taken = take_snapshot(base)
    assert "odd-\\xff-name.txt" in taken.files
    assert compare(taken, take_snapshot(base)) == ()
    unchanged = {"type": "files-unchanged", "patterns": ["**"]}
    assert one(base, unchanged, before=taken)[0] == "verified"
    assert one(base, {"type": "file-exists", "file_path": "odd-\\xff-name.txt"})[0] == "verified"


def test_a_snapshot_of_another_folder_is_refused(tmp_path: Path) -> None:
    """It says nothing about this one."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    before = take_snapshot(tmp_path / "one", use_git=False)
    with pytest.raises(InputError, match="was taken of"):
        TaskVerifier().verify_sync(output(), None, tmp_path / "other", before=before)


def test_a_snapshot_that_was_changed_is_refused(tmp_path: Path) -> None:
    """Its state hash tells."""
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.txt").write_text("x")
    path = tmp_path / "before.json"
    write_snapshot(take_snapshot(tmp_path / "one", use_git=False), path)
    path.write_text(path.read_text().replace("a.txt", "b.txt"))
    with pytest.raises(InputError, match="changed after it was written"):
        read_snapshot(path)


def test_a_signed_snapshot_is_believed_only_with_its_key(tmp_path: Path) -> None:
    """Unsigned or signed by another, it may be anybody's."""
    (tmp_path / "one").mkdir()
    taken = take_snapshot(tmp_path / "one", use_git=False)
    keys = [tmp_path / "key", tmp_path / "other-key"]
    for number, key in enumerate(keys):
        key.write_bytes(bytes([number]) * 32)
    path = tmp_path / "before.json"
    write_snapshot(sign_snapshot(taken, keys[0]), path)
    assert snapshot_of(path, keys[0]) == sign_snapshot(taken, keys[0])
    with pytest.raises(InputError, match="not signed with"):
        snapshot_of(path, keys[1])
    write_snapshot(taken, path)
    with pytest.raises(InputError, match="not signed with"):
        snapshot_of(path, keys[0])
