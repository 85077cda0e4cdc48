"""`gw config`: every setting, its value, and where it came from."""

import json
import sys

import typer

from groundwire.cli._output import console, plain_table, print_json, say
from groundwire.cli._shared import JsonFlag, load_settings

app = typer.Typer(help="The settings.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keeps `show` a subcommand while it is the only one."""


@app.command("show")
def show(context: typer.Context, as_json: JsonFlag = False) -> None:
    """Show every setting, its value, and where the value came from."""
    settings = list(load_settings(context).settings())
    if as_json:
        print_json({one.key: {"value": one.value, "source": one.source} for one in settings})
        return
    if not sys.stdout.isatty():
        for item in settings:
            say(f"{item.key} = {_plain_value(item.value)}  # {item.source}")
        return
    table = plain_table("setting", "value", "from")
    for item in settings:
        style = None if item.source == "default" else "bold"
        table.add_row(item.key, _plain_value(item.value), item.source, style=style)
    console().print(table)


def _plain_value(value: object) -> str:
    """One line for a value, as it may be given to --set."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
