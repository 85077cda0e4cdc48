"""Writes docs/reference/cli.md and docs/reference/config.md from the code they describe.

python docs/generate.py
"""

from pathlib import Path
from typing import Any

from typer.main import get_command

from groundwire.cli._main import app
from groundwire.config import Config, is_in_effect
from groundwire.config._section import Section

REFERENCE = Path(__file__).parent / "reference"
_MADE_BY = "<!-- Written by docs/generate.py; change the code instead. -->\n"
_ORDER = """Defaults, then a YAML file (`--config FILE`, or `groundwire.yaml` in the working
directory), then the environment (`GROUNDWIRE_JUDGE__THREADS=1`), then the command line
(`--set judge.threads=1`). `gw config show` prints every value and where it came from."""


def command_reference() -> str:
    root = get_command(app)
    lines = [f"# Commands\n\n{_MADE_BY}\n{root.help}\n\n{root.epilog}"]
    lines.append("\nOptions before the command:\n\n" + _parameters(root))
    lines += [_command(name, command) for name, command in sorted(_commands(root, "gw"))]
    return "\n".join(lines) + "\n"


def _commands(group: Any, prefix: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, command in group.commands.items():
        path = f"{prefix} {name}"
        found += _commands(command, path) if hasattr(command, "commands") else [(path, command)]
    return found


def _command(path: str, command: Any) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    names = " ".join(_name(one) for one in arguments if not one.hidden)
    usage = f"{path} {names}".rstrip()
    return f"\n## {path}\n\n{command.help}\n\n    {usage} [OPTIONS]\n\n{_parameters(command)}"


def _parameters(command: Any) -> str:
    rows = []
    for one in command.params:
        if one.hidden or one.name == "help":
            continue
        name = _name(one)
        rows.append(f"| `{name}` | {_cell(one.help)} |")
    return "| | |\n|---|---|\n" + "\n".join(rows)


def _name(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        more = "..." if parameter.nargs != 1 else ""
        return f"{parameter.metavar or parameter.name.upper()}{more}"
    return ", ".join([*parameter.opts, *parameter.secondary_opts])


def config_reference() -> str:
    lines = [f"# Settings\n\n{_MADE_BY}\n{_ORDER}\n", "| setting | default | |\n|---|---|---|"]
    lines += [f"| `{key}` | {default} | {text} |" for key, default, text in settings(Config, "")]
    return "\n".join(lines) + "\n"


def settings(section: type[Section], prefix: str) -> list[tuple[str, str, str]]:
    """Every setting of a section: its key, its default and its description."""
    rows: list[tuple[str, str, str]] = []
    for name, field in section.model_fields.items():
        key = f"{prefix}{name}"
        if isinstance(field.annotation, type) and issubclass(field.annotation, Section):
            rows += settings(field.annotation, f"{key}.")
        else:
            text = _cell(field.description)
            note = "" if is_in_effect(field) else "**Not in effect.** "
            rows.append((key, _default(field.default), note + text))
    return rows


def _cell(text: str | None) -> str:
    return " ".join((text or "").split()).replace("|", "\\|")


def _default(value: Any) -> str:
    if value is None:
        return "unset"
    if hasattr(value, "total_seconds"):
        return f"`{value.total_seconds():g}s`"
    return f"`{value}`".replace("|", "\\|")


if __name__ == "__main__":
    REFERENCE.mkdir(exist_ok=True)
    (REFERENCE / "cli.md").write_text(command_reference(), encoding="utf-8")
    (REFERENCE / "config.md").write_text(config_reference(), encoding="utf-8")
