"""The hook as agents call it, and its place in their settings."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from groundwire.agents import (
    HOOK_AGENTS,
    Scope,
    hook_command_of,
    hook_status,
    install_hook,
    rehearse_hook,
    uninstall_hook,
)
from groundwire.errors import InputError

JSON_AGENTS = ["claude-code", "codex", "gemini"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "CLAUDE_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "project"
    (folder / ".git" / "hooks").mkdir(parents=True)
    return folder


def call(
    event: Any, home: Path, agent: str = "claude-code", cwd: Path | None = None
) -> tuple[int, dict[str, Any], str]:
    data = event if isinstance(event, bytes) else json.dumps(event).encode()
    done = subprocess.run(
        [sys.executable, "-P", "-m", "groundwire.agents.hook", agent, "--home", str(home)],
        input=data,
        capture_output=True,
        check=False,
        cwd=cwd,
    )
    return done.returncode, json.loads(done.stdout or b"{}"), done.stderr.decode()


@pytest.mark.parametrize("agent", HOOK_AGENTS)
def test_installing_twice_changes_nothing_and_removing_leaves_nothing(
    agent: str, project: Path
) -> None:
    assert install_hook(agent, "project", project).state == "installed"
    assert install_hook(agent, "project", project).state == "already installed"
    assert hook_status(agent, "project", project).state == "installed"
    outcome = uninstall_hook(agent, "project", project)
    assert outcome.state == "removed"
    assert not outcome.path.exists()
    assert hook_status(agent, "project", project).state == "not installed"


@pytest.mark.parametrize("agent", JSON_AGENTS)
@pytest.mark.parametrize("scope", ["project", "user"])
def test_everything_else_in_the_settings_stays(agent: str, scope: Scope, project: Path) -> None:
    path = HOOK_AGENTS[agent].file(scope, project)
    path.parent.mkdir(parents=True, exist_ok=True)
    theirs = {
        "model": "x",
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}]},
    }
    path.write_text(json.dumps(theirs), encoding="utf-8")
    backup = install_hook(agent, scope, project).backup
    assert backup is not None
    assert json.loads(backup.read_text(encoding="utf-8")) == theirs
    both = json.loads(path.read_text(encoding="utf-8"))
    assert both["model"] == "x"
    assert both["hooks"]["Stop"][0] == theirs["hooks"]["Stop"][0]  # type: ignore[index]
    assert set(HOOK_AGENTS[agent].events) <= both["hooks"].keys()
    uninstall_hook(agent, scope, project)
    assert json.loads(path.read_text(encoding="utf-8")) == theirs


@pytest.mark.parametrize("text", ["{", "[]", '{"hooks": 3}', '{"hooks": {"Stop": 1}}', "// x\n{}"])
def test_a_file_that_cannot_be_understood_is_not_touched(text: str, project: Path) -> None:
    path = HOOK_AGENTS["gemini"].file("project", project)
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        install_hook("gemini", "project", project)
    assert path.read_text(encoding="utf-8") == text


def test_a_git_hook_of_somebody_else_is_not_touched(project: Path) -> None:
    path = project / ".git" / "hooks" / "pre-push"
    path.write_text("#!/bin/sh\ntrue\n")
    with pytest.raises(InputError, match="its own"):
        install_hook("git", "project", project)
    path.unlink()
    (project / ".git" / "config").write_text("[core]\n\thooksPath = elsewhere\n")
    with pytest.raises(InputError, match="hooksPath"):
        install_hook("git", "project", project)


def test_outside_of_a_repository_the_git_hook_does_not_apply(tmp_path: Path) -> None:
    """That is no fault; a `.git` that leads nowhere is one."""
    assert hook_status("git", "project", tmp_path).state == "not applicable"
    (tmp_path / ".git").write_text("gitdir: /nowhere\n")
    assert hook_status("git", "project", tmp_path).state == "damaged"


def test_a_python_that_is_gone_is_shown(project: Path) -> None:
    path = install_hook("claude-code", "project", project).path
    text = path.read_text(encoding="utf-8").replace(sys.executable, "/nowhere/python")
    path.write_text(text, encoding="utf-8")
    assert hook_status("claude-code", "project", project).state == "damaged"


@pytest.mark.parametrize("agent", [*JSON_AGENTS, "opencode"])
def test_a_lie_is_held_back_by_the_installed_command(agent: str, project: Path) -> None:
    install_hook(agent, "project", project)
    command = hook_command_of(agent, "project", project)
    assert command is not None
    scenes = rehearse_hook(agent, command)
    assert [scene.held_back for scene in scenes] == [False, True]
    assert "notes.txt" in scenes[1].answer


@pytest.mark.parametrize(
    "event",
    [
        b"", b"{", b"[]", b"null", b"[" * 100_000, b"\xff\xfe", b'{"hook_event_name": "Stop"',
        b"x" * 20_000_001,
    ],
    ids=lambda data: f"{data[:10]!r}",
)  # fmt: skip
def test_what_cannot_be_read_blocks_nobody(event: bytes, tmp_path: Path) -> None:
    code, answer, told = call(event, tmp_path)
    assert code == 1
    assert answer == {}
    assert told.startswith("groundwire: ")


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"hook_event_name": "Unheard"},
        {"hook_event_name": ["Stop"], "session_id": "s"},
        {"hook_event_name": "PreToolUse", "session_id": 7},
        {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": 3, "tool_input": 4},
        {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/no\0where"},
    ],
)
def test_an_event_nobody_knows_is_let_pass(event: Any, tmp_path: Path) -> None:
    assert call(event, tmp_path)[:2] == (0, {})


def test_the_folder_of_a_session_is_where_it_began(tmp_path: Path) -> None:
    """A shell that wandered off does not take the check along."""
    project = tmp_path / "project"
    project.mkdir()
    common = {"session_id": "s"}
    call({**common, "hook_event_name": "SessionStart", "cwd": str(project)}, tmp_path / "gw")
    stop = {**common, "hook_event_name": "Stop", "cwd": "/"}
    lie = {"last_assistant_message": "I created `a.txt`."}
    assert call({**stop, **lie}, tmp_path / "gw")[1]["decision"] == "block"
    (project / "a.txt").write_text("x")
    code, answer, _ = call({**stop, **lie}, tmp_path / "gw")
    assert (code, answer.get("decision")) == (0, None)


def test_what_could_not_be_told_is_shown(tmp_path: Path) -> None:
    """A file changed while no call ran was not surely the agent's work: the user hears of it."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.txt").write_text("x")
    common = {"session_id": "s", "cwd": str(project)}
    call({**common, "hook_event_name": "SessionStart"}, tmp_path / "gw")
    (project / "a.txt").write_text("y")
    stop = {**common, "hook_event_name": "Stop", "last_assistant_message": "I updated `a.txt`."}
    assert "could not be checked" in call(stop, tmp_path / "gw")[1]["systemMessage"]


def test_no_control_character_reaches_the_terminal(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    common = {"session_id": "s", "cwd": str(project)}
    call({**common, "hook_event_name": "SessionStart"}, tmp_path / "gw")
    message = "I created `\x1b[2J\x07a.txt` and `b.txt`."
    stop = {**common, "hook_event_name": "Stop", "last_assistant_message": message}
    _, answer, told = call(stop, tmp_path / "gw")
    assert answer["decision"] == "block"
    assert "\x1b" not in answer["reason"] + told


def test_nothing_of_the_project_is_run(tmp_path: Path) -> None:
    """Neither a module of the folder nor anything its git configuration names."""
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    trap = tmp_path / "trapped"
    (project / "json.py").write_text(f"open({str(trap)!r}, 'w')")
    (project / "trap.sh").write_text(f"#!/bin/sh\ntouch {trap}\n")
    (project / "trap.sh").chmod(0o755)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (project / ".git" / "config").write_text(
        f"[core]\n\tfsmonitor = {project / 'trap.sh'}\n\trepositoryformatversion = 0\n"
    )
    common = {"session_id": "s", "cwd": str(project)}
    for event in ("SessionStart", "PreToolUse", "PostToolUse", "Stop"):
        more = {"hook_event_name": event, "tool_name": "Bash", "tool_input": {"command": "x"}}
        message = {"last_assistant_message": "I created `a.txt` and updated `json.py`."}
        call({**common, **more, **message}, tmp_path / "gw", cwd=project)
    assert not trap.exists()


def test_a_push_is_refused_while_a_report_is_false(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    home = tmp_path / "gw"
    common = {"session_id": "s", "cwd": str(project)}
    call({**common, "hook_event_name": "SessionStart"}, home)
    assert call(b"", home, "git", cwd=project)[0] == 0
    stop = {**common, "hook_event_name": "Stop"}
    call({**stop, "last_assistant_message": "I created `a.txt`."}, home)
    code, _, told = call(b"", home, "git", cwd=project)
    assert code == 1
    assert "a.txt" in told
    call({**stop, "last_assistant_message": "I did nothing."}, home)
    assert call(b"", home, "git", cwd=project)[0] == 0


def test_a_hook_before_a_call_loads_nothing_heavy() -> None:
    count = (
        "import sys; from groundwire.agents import hook; from groundwire.actions import _watch;"
        "print(sorted({name.split('.')[0] for name in sys.modules}"
        " & {'pydantic', 'yaml', 'typer', 'numpy', 'asyncio'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", count], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout.strip() == "[]"


def test_a_link_stays_a_link_and_its_target_is_changed(project: Path) -> None:
    """Who keeps the settings elsewhere finds the hooks there, and gone when they are removed."""
    kept = project / "dotfiles.json"
    kept.write_text('{"env": {"A": "1"}}')
    link = project / ".claude" / "settings.local.json"
    link.parent.mkdir()
    link.symlink_to(kept)
    outcome = install_hook("claude-code", "project", project)
    assert link.readlink() == kept
    assert "groundwire.agents.hook" in kept.read_text()
    assert outcome.backup is not None
    assert outcome.backup.read_text() == '{"env": {"A": "1"}}'
    uninstall_hook("claude-code", "project", project)
    assert link.readlink() == kept
    assert json.loads(kept.read_text()) == {"env": {"A": "1"}}


@pytest.mark.parametrize("kind", ["nothing", "pipe", "folder"])
def test_a_link_to_no_plain_file_is_refused(kind: str, project: Path) -> None:
    """There is nothing to change, and the link itself is the user's."""
    target = project / "target"
    if kind == "pipe":
        os.mkfifo(target)
    elif kind == "folder":
        target.mkdir()
    link = project / ".claude" / "settings.local.json"
    link.parent.mkdir()
    link.symlink_to(target)
    with pytest.raises(InputError, match="not touched"):
        install_hook("claude-code", "project", project)
    assert link.readlink() == target
    assert list(link.parent.iterdir()) == [link]
