import sys
from typing import Annotated

import typer

from groundwire.cli._shared import JsonFlag, load_settings, print_json


def metrics(
    context: typer.Context,
    dump: Annotated[
        bool, typer.Option("--dump", help="Print the Prometheus text format (the default).")
    ] = True,
    as_json: JsonFlag = False,
) -> None:
    """Show what was counted, summed over all commands that used this home directory."""
    del dump
    from groundwire.observe import MetricsStore

    store = MetricsStore(load_settings(context).config.home.expanduser() / "metrics.sqlite")
    if as_json:
        print_json(
            [
                {"name": name, "labels": labels, "value": value}
                for name, labels, value in store.totals()
            ]
        )
    else:
        sys.stdout.write(store.exposition())
    store.close()
