"""`gw hook`: coding agents checked as they work and before they say "done"."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli._output import print_json, say
from groundwire.cli._shared import JsonFlag, load_settings

if TYPE_CHECKING:
    from groundwire.agents import HookOutcome, Scope

app = typer.Typer(
    help="Have a coding agent checked as it works, and before it says it is done.",
    no_args_is_help=True,
)
AgentArgument = Annotated[
    str, typer.Argument(help="claude-code, codex, gemini, opencode or git.", metavar="AGENT")
]
UserFlag = Annotated[
    bool, typer.Option("--user", help="For all projects of this user, not only this one.")
]
ProjectOption = Annotated[Path, typer.Option(help="The folder of the project.")]


def _scope(user: bool) -> "Scope":
    return "user" if user else "project"


@app.command()
def install(
    context: typer.Context,
    agent: AgentArgument,
    user: UserFlag = False,
    project: ProjectOption = Path(),
    as_json: JsonFlag = False,
) -> None:
    """Write the hooks into the agent's own settings; everything else in them stays."""
    from groundwire.agents import install_hook
    from groundwire.config import Config

    home = load_settings(context).config.home
    is_default = home == Config().home
    chosen = None if is_default else home.expanduser().absolute()
    _show([install_hook(agent, _scope(user), project.absolute(), chosen)], as_json=as_json)


@app.command()
def uninstall(
    agent: AgentArgument,
    user: UserFlag = False,
    project: ProjectOption = Path(),
    as_json: JsonFlag = False,
) -> None:
    """Take the hooks out of the agent's settings again."""
    from groundwire.agents import uninstall_hook

    _show([uninstall_hook(agent, _scope(user), project.absolute())], as_json=as_json)


@app.command()
def status(project: ProjectOption = Path(), as_json: JsonFlag = False) -> None:
    """Show for every agent whether its hooks are installed, where, and what it cannot do."""
    from groundwire.agents import HOOK_AGENTS, hook_status

    found = [
        hook_status(agent, scope, project.absolute())
        for agent in HOOK_AGENTS
        for scope in _scopes(agent)
    ]
    _show(found, as_json=as_json)
    raise typer.Exit(1 if any(one.state == "damaged" for one in found) else 0)


def _scopes(agent: str) -> "tuple[Scope, ...]":
    return ("project",) if agent == "git" else ("project", "user")


@app.command("test")
def play(
    agent: AgentArgument,
    user: UserFlag = False,
    project: ProjectOption = Path(),
    as_json: JsonFlag = False,
) -> None:
    """Play an honest report and a lie against the installed hook, and show what it says."""
    from groundwire.agents import hook_command_of, rehearse_hook
    from groundwire.errors import InputError

    command = hook_command_of(agent, _scope(user), project.absolute())
    if command is None:
        raise InputError(
            f"The hook for {agent} is not installed here.", hint=f"Run gw hook install {agent}."
        )
    if agent == "git":
        raise InputError(
            "git's hook only repeats what an agent's hook found.", hint="Test that of the agent."
        )
    scenes = rehearse_hook(agent, command)
    if as_json:
        rows = [{**vars(scene), "fine": scene.fine} for scene in scenes]
        print_json({"agent": agent, "scenes": rows})
    for scene in scenes if not as_json else ():
        say(f"{'true' if scene.is_true else 'false'} report: {scene.report}")
        say(f"  {'held back' if scene.held_back else 'let through'}")
        for line in scene.answer.splitlines():
            say(f"  | {line}")
    raise typer.Exit(0 if scenes and all(scene.fine for scene in scenes) else 1)


def _show(outcomes: "list[HookOutcome]", *, as_json: bool) -> None:
    if as_json:
        print_json({"hooks": [_row(one) for one in outcomes]})
        return
    for one in outcomes:
        say(f"{one.agent:12} {one.state:17} {one.path}")
        if one.detail:
            say(f"{'':12} {one.detail}")
        if one.backup is not None:
            say(f"{'':12} as it was before: {one.backup}")
        for note in one.notes:
            say(f"{'':12} note: {note}")


def _row(one: "HookOutcome") -> dict[str, Any]:
    return {
        "agent": one.agent,
        "state": one.state,
        "path": str(one.path),
        "detail": one.detail,
        "backup": None if one.backup is None else str(one.backup),
        "notes": list(one.notes),
    }
