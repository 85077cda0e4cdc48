"""The settings of coding agents, each in its own format: our hooks in, our hooks out.

Everything else in a file stays as it is. A file that cannot be understood is not touched.
"""

import json
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from groundwire.agents._hook_agents import Agent, Scope, agent_named
from groundwire.agents._opencode import PLUGIN, command_in
from groundwire.errors import InputError, UnreadableSource
from groundwire.store import write_whole

MARK = "groundwire.agents.hook"
BACKUP = ".before-groundwire"
TIMEOUT_S = 60


@dataclass(frozen=True)
class HookOutcome:
    """What became of one settings file."""

    agent: str
    path: Path
    state: Literal[
        "installed", "already installed", "removed", "not installed", "damaged", "not applicable"
    ]
    detail: str = ""
    backup: Path | None = None
    notes: tuple[str, ...] = field(default=())


def hook_command(agent: str, home: Path | None = None) -> list[str]:
    """`-P` keeps the agent's folder, which may hold a `json.py`, out of where Python looks."""
    command = [sys.executable, "-P", "-m", MARK, agent]
    return command if home is None else [*command, "--home", str(home)]


def install_hook(name: str, scope: Scope, project: Path, home: Path | None = None) -> HookOutcome:
    agent = agent_named(name)
    path = _file(agent, scope, project)
    _refuse_dead_link(path)
    before = _read(path)
    command = hook_command(name, home)
    after = _WRITERS.get(name, _with_hooks)(agent, path, before, command)
    if after == before:
        return HookOutcome(name, path, "already installed", notes=agent.notes)
    backup = _write(path, before, after, executable=name == "git")
    return HookOutcome(name, path, "installed", backup=backup, notes=agent.notes)


def uninstall_hook(name: str, scope: Scope, project: Path) -> HookOutcome:
    agent = agent_named(name)
    path = _file(agent, scope, project)
    before = _read(path)
    if before is None or MARK not in before:
        return HookOutcome(name, path, "not installed")
    if name in _WRITERS:
        path.unlink()
        return HookOutcome(name, path, "removed")
    kept = _without_hooks(_parsed(path, before))
    # without the link alone, its target would still hold our hooks
    if kept or path.is_symlink():
        write_whole(path.resolve(), _printed(kept))
        return HookOutcome(name, path, "removed")
    path.unlink()
    return HookOutcome(name, path, "removed")


def hook_status(name: str, scope: Scope, project: Path) -> HookOutcome:
    agent = agent_named(name)
    if name == "git" and not _is_repository(project):
        detail = f"{project} is no git repository"
        return HookOutcome(name, agent.file(scope, project), "not applicable", detail)
    try:
        path = _file(agent, scope, project)
        command = installed_command(agent, path)
    except InputError as error:
        return HookOutcome(name, agent.file(scope, project), "damaged", str(error))
    if command is None:
        return HookOutcome(name, path, "not installed")
    if not Path(command[0]).exists():
        detail = f"{command[0]} is gone: run gw hook install {name} again"
        return HookOutcome(name, path, "damaged", detail)
    return HookOutcome(name, path, "installed", shlex.join(command), notes=agent.notes)


def hook_command_of(name: str, scope: Scope, project: Path) -> list[str] | None:
    agent = agent_named(name)
    return installed_command(agent, _file(agent, scope, project))


def installed_command(agent: Agent, path: Path) -> list[str] | None:
    """The command that the agent runs, as its own file has it."""
    text = _read(path)
    if text is None or MARK not in text:
        return None
    if agent.name == "opencode":
        return command_in(text)
    if agent.name == "git":
        line = next(line for line in text.splitlines() if MARK in line)
        return shlex.split(line)[1:-1]
    for groups in _hooks_of(_parsed(path, text), path).values():
        for hook in _listed(groups, "hooks"):
            if MARK in str(hook.get("command")):
                return shlex.split(str(hook["command"]))
    return None


def _file(agent: Agent, scope: Scope, project: Path) -> Path:
    if agent.name != "git":
        return agent.file(scope, project)
    if scope == "user":
        raise InputError("A git hook belongs to one repository.", hint="Leave out --user.")
    folder = _git_folder(project)
    if folder is None:
        raise InputError(f"{project} is no git repository.", hint="Run this at its top.")
    config = _read(folder / "config") or ""
    if "hookspath" in config.lower():
        raise InputError(
            f"{folder / 'config'} sends hooks elsewhere (core.hooksPath).",
            hint=f"Add this line to its pre-push: {_git_line(hook_command('git'))}",
        )
    return folder / "hooks" / "pre-push"


def _is_repository(project: Path) -> bool:
    """Whether it is or was one: a `.git` that leads nowhere is damaged, none is no fault."""
    return (project / ".git").exists() or (project / ".git").is_symlink()


def _git_folder(project: Path) -> Path | None:
    """Without asking git, which would read the repository's configuration."""
    folder = project / ".git"
    if folder.is_file():
        named = (_read(folder) or "").strip()
        if not named.startswith("gitdir:"):
            return None
        folder = (project / named.removeprefix("gitdir:").strip()).resolve()
        common = _read(folder / "commondir")
        folder = folder if common is None else (folder / common.strip()).resolve()
    return folder if folder.is_dir() else None


def _refuse_dead_link(path: Path) -> None:
    """Nothing stands behind it to be changed, and the link itself is the user's."""
    if path.is_symlink() and not path.exists():
        raise InputError(
            f"{path} is a link to {path.readlink()}, which is not there.",
            hint="Make that file, or remove the link; it was not touched.",
        )


def _read(path: Path) -> str | None:
    try:
        # a pipe would keep us waiting for ever
        if path.exists() and not path.is_file():
            raise UnreadableSource(f"{path} is not a plain file.", hint="It was not touched.")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableSource(f"{path} cannot be read: {error}.") from error


def _write(path: Path, before: str | None, after: str, *, executable: bool = False) -> Path | None:
    """A link stays a link: what it leads to is changed. Only the backup is never written through
    one, for it would put the settings in place of a file that nobody has read."""
    backup = None
    if before is not None:
        backup = path.with_name(path.name + BACKUP)
        write_whole(backup, before)
    target = path.resolve()
    write_whole(target, after)
    if executable:
        target.chmod(0o755)
    return backup


def _with_hooks(agent: Agent, path: Path, before: str | None, command: list[str]) -> str:
    settings = {} if before is None else _parsed(path, before)
    kept = _without_hooks(settings)
    hooks = dict(_hooks_of(kept, path))
    entry = {
        "type": "command",
        "command": shlex.join(command),
        "timeout": TIMEOUT_S * 1000 if agent.in_milliseconds else TIMEOUT_S,
    }
    for event in agent.events:
        group = {"matcher": "*", "hooks": [entry]} if "Tool" in event else {"hooks": [entry]}
        hooks[event] = [*hooks.get(event, []), group]
    after = {**kept, "hooks": hooks}
    return before if before is not None and after == settings else _printed(after)


def _without_hooks(settings: dict[str, Any]) -> dict[str, Any]:
    """The same settings without what is ours; groups and events that are empty then go too."""
    if not isinstance(settings.get("hooks"), dict):
        return settings
    hooks = {}
    for event, groups in settings["hooks"].items():
        left = (
            [one for group in groups if (one := _group_without(group)) is not None]
            if (isinstance(groups, list))
            else groups
        )
        if left:
            hooks[event] = left
    rest = {key: value for key, value in settings.items() if key != "hooks"}
    return {**rest, "hooks": hooks} if hooks else rest


def _group_without(group: Any) -> Any:
    if not isinstance(group, dict) or not isinstance(group.get("hooks"), list):
        return group
    left = [hook for hook in group["hooks"] if MARK not in json.dumps(hook)]
    if len(left) == len(group["hooks"]):
        return group
    return {**group, "hooks": left} if left else None


def _parsed(path: Path, text: str) -> dict[str, Any]:
    try:
        settings = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{path} is not plain JSON: {error}.",
            hint="Mend it, or take its comments out; it was not touched.",
        ) from error
    if not isinstance(settings, dict):
        raise InputError(f"{path} is not a JSON object.", hint="Mend it; it was not touched.")
    _hooks_of(settings, path)
    return settings


def _hooks_of(settings: dict[str, Any], path: Path) -> dict[str, Any]:
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict) or any(not isinstance(one, list) for one in hooks.values()):
        raise InputError(
            f"{path} has `hooks` of a kind that is not known.", hint="It was not touched."
        )
    return hooks


def _listed(groups: list[Any], name: str) -> list[dict[str, Any]]:
    found = [group.get(name) for group in groups if isinstance(group, dict)]
    return [hook for hooks in found if isinstance(hooks, list) for hook in hooks
            if isinstance(hook, dict)]  # fmt: skip


def _printed(settings: dict[str, Any]) -> str:
    return json.dumps(settings, indent=2, ensure_ascii=False) + "\n"


def _plugin(agent: Agent, path: Path, before: str | None, command: list[str]) -> str:
    del agent
    if before is not None and MARK not in before:
        raise InputError(f"{path} is not ours.", hint="Move it away; it was not touched.")
    return PLUGIN.replace("COMMAND", json.dumps(command))


def _git_line(command: list[str]) -> str:
    return f"exec {shlex.join(command)} </dev/null"


def _pre_push(agent: Agent, path: Path, before: str | None, command: list[str]) -> str:
    del agent
    if before is not None and MARK not in before:
        raise InputError(
            f"{path} has a hook of its own; it was not touched.",
            hint=f"Add this line at its end: {_git_line(command)}",
        )
    return (
        "#!/bin/sh\n"
        "# refuses a push while an agent's last report here is false; git push --no-verify passes\n"
        f"{_git_line(command)}\n"
    )


_WRITERS: Mapping[str, Callable[[Agent, Path, str | None, list[str]], str]] = {
    "opencode": _plugin,
    "git": _pre_push,
}
