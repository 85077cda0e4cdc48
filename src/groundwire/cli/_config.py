import typer

from groundwire.cli._shared import JsonFlag, console, load_settings, print_json

app = typer.Typer(help="The settings.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Keeps `show` a subcommand while it is the only one."""


@app.command("show")
def show(context: typer.Context, as_json: JsonFlag = False) -> None:
    """Show every setting, its value, and where the value came from."""
    settings = list(load_settings(context).settings())
    if as_json:
        print_json({item.key: {"value": item.value, "source": item.source} for item in settings})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("setting", "value", "from"):
        table.add_column(heading, overflow="fold")
    for item in settings:
        style = None if item.source == "default" else "bold"
        value = "" if item.value is None else str(item.value)
        table.add_row(item.key, value, item.source, style=style)
    console().print(table)
