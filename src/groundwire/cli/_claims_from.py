from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._actions import (
    FormatOption,
    TraceOption,
    print_result,
    read_input,
)
from groundwire.cli._shared import JsonFlag, console, load_settings, observed, print_json

if TYPE_CHECKING:
    from groundwire.actions import SpecialistOutput, VerificationResult

BaseOption = Annotated[
    Path | None, typer.Option("--base-path", help="The folder the work was done in.")
]
VerifyFlag = Annotated[bool, typer.Option("--verify", help="Verify the claims at once.")]


def claims_from_trace(
    context: typer.Context,
    trace: Annotated[str, typer.Argument(help="A trace or messages; - for standard input.")],
    base_path: BaseOption = None,
    trace_format: FormatOption = "auto",
    verify: VerifyFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Derive the claims an honest agent would make after a trace."""
    from groundwire.engine import Engine

    loaded = load_settings(context)
    with observed(loaded), Engine(loaded.config) as engine:
        opened = engine.open_trace(trace, trace_format=trace_format)
        output = engine.claims_from_trace_sync(opened, base_path)
        result = engine.verify_output_sync(output, [opened], base_path) if verify else None
    _finish(output, result, as_json=as_json)


def claims_from_text(
    context: typer.Context,
    report: Annotated[str, typer.Argument(help="An agent's prose; - for standard input.")],
    trace: TraceOption = None,
    base_path: BaseOption = None,
    before: Annotated[
        Path | None, typer.Option(help="A snapshot taken before the work (gw snapshot).")
    ] = None,
    trace_format: FormatOption = "auto",
    verify: VerifyFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Find what an agent's prose says was done, and tie it to files and commands."""
    from groundwire.engine import Engine

    loaded = load_settings(context)
    with observed(loaded), Engine(loaded.config) as engine:
        text = read_input(report, loaded.config).decode("utf-8", "replace")
        traces = [engine.open_trace(one, trace_format=trace_format) for one in trace or ()]
        output = engine.claims_from_text_sync(text, traces, base_path, before=before)
        result = None
        if verify:
            result = engine.verify_output_sync(output, traces, base_path, before=before)
    _finish(output, result, as_json=as_json)


def _finish(
    output: "SpecialistOutput", result: "VerificationResult | None", *, as_json: bool
) -> None:
    """Print the claims, or what became of them; nothing to verify is exit 3."""
    if as_json:
        print_json(
            output.model_dump(mode="json", exclude_none=True)
            if result is None
            else result.model_dump(mode="json")
        )
    elif result is None:
        _print_claims(output)
    else:
        print_result(result)
    if result is not None:
        raise typer.Exit(result.exit_code)
    raise typer.Exit(0 if output.claims else 3)


def _print_claims(output: "SpecialistOutput") -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for heading in ("claim", "file or command", "said"):
        table.add_column(heading, overflow="fold")
    for claim in output.claims:
        given = claim.model_dump()
        what = given.get("file_path") or given.get("command") or given.get("check") or ""
        said = given["said"]["text"] if given.get("said") else ""
        table.add_row(claim.type, Text(str(what)), Text(said))
    if output.claims:
        console().print(table)
    else:
        typer.echo("No claims were found.")
