"""Git is asked about a repository without its configuration."""

import os
import subprocess
from pathlib import Path

import pytest

from groundwire.actions._git import git_blob, git_head, git_ignored, git_paths


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "gc.auto=0")
    done = subprocess.run(
        ["git", "-C", str(folder), *identity, *arguments],
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    base = tmp_path / "repository"
    (base / "src").mkdir(parents=True)
    (base / "src" / "a.py").write_text("a = 1\n")
    (base / "notes.txt").write_text("notes\n")
    (base / ".gitignore").write_text("*.log\n")
    git(base, "init", "-q")
    git(base, "add", "-A")
    git(base, "commit", "-qm", "start")
    return base


def hostile(base: Path, marker: Path) -> None:
    """Every setting that names a program, each of which would leave a mark."""
    script = base.parent / "script.sh"
    script.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n")
    script.chmod(0o755)
    hooks = base.parent / "hooks"
    hooks.mkdir()
    for hook in ("post-index-change", "pre-commit", "post-checkout", "fsmonitor-watchman"):
        (hooks / hook).write_text(f"#!/bin/sh\ntouch {marker}\n")
        (hooks / hook).chmod(0o755)
    (base / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")
    (base / ".git" / "included").write_text(f"[core]\n\tsshCommand = {script}\n")
    settings = {
        "core.fsmonitor": script, "core.hooksPath": hooks, "core.pager": script,
        "core.editor": script, "core.sshCommand": script, "core.askPass": script,
        "core.alternateRefsCommand": script, "core.gitProxy": script,
        "filter.evil.clean": script, "filter.evil.smudge": script,
        "filter.evil.process": script, "filter.evil.required": "true",
        "diff.evil.textconv": script, "diff.evil.command": script, "diff.external": script,
        "merge.evil.driver": script, "alias.ls-files": f"!{script}", "alias.cat-file": f"!{script}",
        "credential.helper": script, "gpg.program": script, "pager.ls-files": script,
        "protocol.ext.allow": "always", "extensions.partialClone": "origin",
        "remote.origin.url": f"ext::{script}", "remote.origin.promisor": "true",
        "remote.origin.uploadpack": script, "trace2.eventTarget": marker,
        "include.path": base / ".git" / "included",
    }  # fmt: skip
    for name, value in settings.items():
        git(base, "config", name, str(value))


def test_nothing_a_repository_configures_is_run(repository: Path, tmp_path: Path) -> None:
    """Monitors, filters, hooks, aliases and transports of a hostile repository stay quiet."""
    head = git(repository, "rev-parse", "HEAD")
    marker = tmp_path / "marker"
    hostile(repository, marker)
    subprocess.run(["git", "-C", str(repository), "status"], capture_output=True, check=False)
    assert marker.exists(), "the trap must be live for git itself"
    marker.unlink()
    missing = "1" * 40
    (repository / "src" / "a.py").write_text("a = 2\n")
    assert git_head(repository) == head
    assert set(git_paths(repository) or ()) >= {"src/a.py", "notes.txt", ".gitattributes"}
    assert git_blob(repository, head, "src/a.py") == b"a = 1\n"
    assert git_blob(repository, missing, "src/a.py") is None
    assert git_ignored(repository, ["x.log", "src/a.py"]) == {"x.log"}
    assert not marker.exists()


def test_nothing_the_environment_configures_is_run(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`GIT_*` variables are for the user's git, not for this."""
    marker = tmp_path / "marker"
    script = tmp_path / "env.sh"
    script.write_text(f"#!/bin/sh\ntouch {marker}\n")
    script.chmod(0o755)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.fsmonitor")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(script))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(script))
    assert git_paths(repository) is not None
    assert not marker.exists()


def test_a_subfolder_is_answered_from_itself(repository: Path) -> None:
    """Paths are those from the folder that was asked about."""
    head = git_head(repository / "src")
    assert list(git_paths(repository / "src") or ()) == ["a.py"]
    assert git_blob(repository / "src", head, "a.py") == b"a = 1\n"


def test_excludes_of_the_repository_hold(repository: Path) -> None:
    """`.git/info/exclude` is a list of names, not a setting that runs anything."""
    (repository / ".git" / "info" / "exclude").write_text("private/\n")
    (repository / "private").mkdir()
    (repository / "private" / "b.py").touch()
    assert "private/b.py" not in set(git_paths(repository) or ())
    assert git_ignored(repository, ["private/b.py"]) == {"private/b.py"}


def test_worktrees_and_packed_branches_are_read(repository: Path, tmp_path: Path) -> None:
    """The objects of a worktree lie elsewhere, and a branch may be packed."""
    git(repository, "branch", "side")
    git(repository, "pack-refs", "--all")
    git(repository, "worktree", "add", "-q", str(tmp_path / "side"), "side")
    head = git(repository, "rev-parse", "HEAD")
    for folder in (repository, tmp_path / "side"):
        assert git_head(folder) == head
        assert git_blob(folder, head, "notes.txt") == b"notes\n"
        assert "notes.txt" in set(git_paths(folder) or ())


def test_a_repository_without_commits_has_no_head(tmp_path: Path) -> None:
    """Its files are listed all the same."""
    git(tmp_path, "init", "-q")
    (tmp_path / "a.py").touch()
    assert git_head(tmp_path) is None
    assert list(git_paths(tmp_path) or ()) == ["a.py"]


@pytest.mark.timeout(20)
def test_pipes_in_the_place_of_files_are_not_waited_for(repository: Path) -> None:
    """An index or a HEAD that is a pipe makes the repository unreadable, not slow."""
    (repository / ".git" / "index").unlink()
    os.mkfifo(repository / ".git" / "index")
    assert git_paths(repository) is None
    (repository / ".git" / "HEAD").unlink()
    os.mkfifo(repository / ".git" / "HEAD")
    assert git_head(repository) is None


def test_what_is_no_commit_is_not_asked_for(repository: Path) -> None:
    """A snapshot's commit comes from a file: it is no place to put options."""
    assert git_blob(repository, "--help", "a.py") is None
    assert git_blob(repository, "HEAD", "notes.txt") is None


def test_no_repository_is_no_answer(tmp_path: Path) -> None:
    """Without a repository nothing can be told."""
    assert git_paths(tmp_path) is None
    assert git_head(tmp_path) is None
    assert git_ignored(tmp_path, ["a.py"]) is None
