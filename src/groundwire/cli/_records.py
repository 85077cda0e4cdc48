"""What happened and what waits: the audit trail, the metrics, the queue."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._output import console, plain_table, print_json, say, write_document
from groundwire.cli._shared import NOT_DETERMINED, JsonFlag, age_option, load_settings, open_engine

if TYPE_CHECKING:
    from groundwire.observe import AuditRow


def queue(
    context: typer.Context,
    run: Annotated[bool, typer.Option("--run", help="Verify what is due.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show verifications that were put off, of claims and of facts, or make up for them."""
    with open_engine(context) as engine:
        report = engine.verify_queued_sync() if run else engine.queued_sync()
    if as_json:
        print_json(report.model_dump())
    else:
        verified = f"{report.verified} verified (gw audit-log shows them), " if run else ""
        facts = f"{report.promoted} facts kept, {report.evicted} removed (gw memory rejected); "
        facts = facts if report.promoted or report.evicted else ""
        say(f"{verified}{facts}{report.waiting} waiting, {report.given_up} given up.")
    raise typer.Exit(NOT_DETERMINED if report.waiting or report.given_up else 0)


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

    home = load_settings(context).config.home.expanduser()
    with MetricsStore(home / "metrics.sqlite") as store:
        if as_json:
            fields = ("name", "labels", "value")
            print_json([dict(zip(fields, total, strict=True)) for total in store.totals()])
        else:
            write_document(store.exposition())


STATUS_STYLES = {
    "grounded": "green",
    "unsupported": "yellow",
    "contradicted": "red",
    "unverifiable": "blue",
    "verified": "green",
    "superseded": "green",
    "failed": "red",
    "unverified": "blue",
    "contested": "yellow",
}


def audit_log(
    context: typer.Context,
    status: Annotated[str | None, typer.Option(help="Only verdicts with this status.")] = None,
    source: Annotated[str | None, typer.Option(help="Only verdicts that used this source.")] = None,
    request: Annotated[str | None, typer.Option(help="Only verdicts of this request.")] = None,
    operation: Annotated[
        str | None, typer.Option(help="Only verdicts of this kind, as in check or edge.")
    ] = None,
    contains: Annotated[str | None, typer.Option(help="Only claims with these words.")] = None,
    since: Annotated[
        str | None, typer.Option(help="Only verdicts younger than this, as in 2h or 7d.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="At most this many.")] = 20,
    delete_source: Annotated[
        str | None, typer.Option(help="Delete every verdict that used this source.")
    ] = None,
    prune: Annotated[bool, typer.Option("--prune", help="Delete what is past retention.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Query the record of verdicts, newest first, or delete from it."""
    from groundwire.observe import AuditTrail

    with AuditTrail.of(load_settings(context).config) as trail:
        if delete_source is not None or prune:
            deleted = trail.delete_source(delete_source) if delete_source is not None else 0
            deleted += trail.prune() if prune else 0
            if as_json:
                print_json({"deleted": deleted})
            else:
                say(f"Deleted {deleted} {'row' if deleted == 1 else 'rows'}.")
            return
        rows = trail.query(
            status=status,
            source=source,
            request_id=request,
            operation=operation,
            contains=contains,
            since=age_option(since, datetime.now(UTC)),
            limit=limit,
        )
    if as_json:
        print_json([asdict(row) for row in rows])
    else:
        _print_table(rows)


def _print_table(rows: "list[AuditRow]") -> None:
    from rich.text import Text

    if not rows:
        say("No verdicts fit.")
        return
    table = plain_table("when", "status", "reason", "backend", "claim")
    for row in rows:
        style = STATUS_STYLES.get(row.status, "")
        when = row.moment[:19].replace("T", " ")
        table.add_row(when, Text(row.status, style), row.reason, row.backend, Text(row.claim))
    console().print(table)
