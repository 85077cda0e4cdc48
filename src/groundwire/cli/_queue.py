from typing import Annotated

import typer

from groundwire.cli._shared import JsonFlag, load_settings, observed, print_json

STILL_WAITING = 3


def queue(
    context: typer.Context,
    run: Annotated[bool, typer.Option("--run", help="Verify what is due.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show verifications that a rate limit put off, or make up for them."""
    from groundwire.engine import Engine

    loaded = load_settings(context)
    with observed(loaded), Engine(loaded.config) as engine:
        report = engine.verify_queued_sync() if run else engine.queued_sync()
    if as_json:
        print_json(report.model_dump())
    else:
        verified = f"{report.verified} verified (gw audit-log shows them), " if run else ""
        typer.echo(f"{verified}{report.waiting} waiting, {report.given_up} given up.")
    raise typer.Exit(STILL_WAITING if report.waiting or report.given_up else 0)
