"""Writes cli.md, config.md and calibration.md of docs/reference from what they describe.

python docs/generate.py
"""

import json
from pathlib import Path
from typing import Any

from typer.main import get_command

from groundwire.cli._main import app
from groundwire.config import Config, is_in_effect
from groundwire.config._section import Section
from groundwire.encoder._weights import FOLDER

REFERENCE = Path(__file__).parent / "reference"
_MADE_BY = "<!-- Written by docs/generate.py; change the code instead. -->\n"
_ORDER = """Defaults, then a YAML file (`--config FILE`, or `groundwire.yaml` in the working
directory), then the environment (`GROUNDWIRE_JUDGE__THREADS=1`), then the command line
(`--set judge.threads=1`). `gw config show` prints every value and where it came from."""

_CALIBRATION = """Numbers that were tuned are data. They stand beside the weights they were tuned
with, in `src/groundwire/encoder/weights`, one file for each model: each number's value, where it is
from and the command that fits it again. The code reads them through `groundwire.encoder`
(`judge_calibration()`, `embedder_calibration()`, `adapter_calibration()`) and refuses a file that
lacks a number or has one that nothing reads. A number that is tuned again goes into its file; one
that moves the judge's probabilities also needs `python -m training.card`, and this page
`python docs/generate.py`.

Settings named after a number (`judge.threshold`, `judge.refute_threshold`, `judge.band_low`,
`judge.band_high`, `diagnosis.similarity_floor`, `diagnosis.lexical_link`) replace it where they are
set. "Hand-set" means that nobody has fitted it; the command beside it says what a change does.
What is not here was not tuned: limits, sizes, and what the specification states."""


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


def calibration_reference() -> str:
    lines = [f"# Calibration\n\n{_MADE_BY}\n{_CALIBRATION}"]
    for model in ("judge", "embedder", "adapter"):
        name = f"{model}.calibration.json"
        stored = json.loads((FOLDER / name).read_text(encoding="utf-8"))
        lines.append(f"\n## {name}\n\n| number | value | where it is from | fit it again |")
        lines.append("|---|---|---|---|")
        lines += [
            f"| `{section}.{number}` | {entry['value']:g} | {_cell(entry['origin'])} "
            f"| {_cell(entry['refit'])} |"
            for section, numbers in stored.items()
            for number, entry in numbers.items()
        ]
    return "\n".join(lines) + "\n"


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
    (REFERENCE / "calibration.md").write_text(calibration_reference(), encoding="utf-8")
