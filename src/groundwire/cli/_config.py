from typing import TYPE_CHECKING, Any

import typer

from groundwire.cli._shared import JsonFlag, console, load_settings, print_json

if TYPE_CHECKING:
    from groundwire.config import Setting

app = typer.Typer(help="The settings.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keeps `show` a subcommand while it is the only one."""


@app.command("show")
def show(context: typer.Context, as_json: JsonFlag = False) -> None:
    """Show every setting, its value, and where the value came from."""
    settings = list(load_settings(context).settings())
    if as_json:
        print_json({item.key: _shown(item) for item in settings})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("setting", "value", "from"):
        table.add_column(heading, overflow="fold")
    for item in settings:
        style = None if item.source == "default" else "bold"
        value = "" if item.value is None else str(item.value)
        source = item.source if item.in_effect else f"{item.source} (not in effect)"
        table.add_row(item.key, value, source, style=style)
    console().print(table)


def _shown(item: "Setting") -> dict[str, Any]:
    shown = {"value": item.value, "source": item.source}
    return shown if item.in_effect else {**shown, "in_effect": False}
