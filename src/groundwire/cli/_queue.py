from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._shared import JsonFlag, load_settings, observed, print_json

if TYPE_CHECKING:
    from groundwire.config import Config
    from groundwire.model import QueueReport

STILL_WAITING = 3


def queue(
    context: typer.Context,
    run: Annotated[bool, typer.Option("--run", help="Verify what is due.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show verifications that a rate limit put off, or make up for them."""
    loaded = load_settings(context)
    with observed(loaded):
        report = _worked_off(loaded.config) if run else _counted(loaded.config)
    if as_json:
        print_json(report.model_dump())
    else:
        verified = f"{report.verified} verified (gw audit-log shows them), " if run else ""
        typer.echo(f"{verified}{report.waiting} waiting, {report.given_up} given up.")
    raise typer.Exit(STILL_WAITING if report.waiting or report.given_up else 0)


def _worked_off(config: "Config") -> "QueueReport":
    from groundwire.engine import Engine

    with Engine(config) as engine:
        return engine.verify_queued_sync()


def _counted(config: "Config") -> "QueueReport":
    from groundwire.guard import DurableQueue
    from groundwire.model import QueueReport
    from groundwire.verify import QUEUE_NAME

    with DurableQueue(config.home.expanduser() / QUEUE_NAME) as opened:
        return QueueReport(verified=0, waiting=opened.depth(), given_up=opened.given_up())
