from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli._actions import (
    FormatOption,
    TraceOption,
    open_one,
    open_traces,
    print_result,
    read_input,
)
from groundwire.cli._shared import JsonFlag, console, load_settings, observed, print_json

if TYPE_CHECKING:
    from groundwire.actions import SpecialistOutput

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
    from groundwire.actions import claims_from_trace as derive
    from groundwire.actions import compress, history_of

    loaded = load_settings(context)
    with observed(loaded), _tree(base_path) as tree:
        opened = open_one(trace, trace_format, loaded.config)
        history = history_of([opened], tree)

        def text_of(path: str) -> str | None:
            content = tree.look(path).content if tree else None
            return content.texts[0] if content and content.texts else None

        output = derive(history, trace_id=opened.trace_id, text_of=text_of)
        output = output.model_copy(update={"claims": tuple(compress(output.claims))})
        _finish(output, [opened], base_path, loaded, verify=verify, as_json=as_json)


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
    from groundwire.actions import claims_from_text as find
    from groundwire.actions import history_of, read_snapshot

    loaded = load_settings(context)
    with observed(loaded), _tree(base_path) as tree:
        text = read_input(report, loaded.config).decode("utf-8", "replace")
        opened = open_traces(trace, trace_format, loaded.config)
        history = history_of(opened, tree) if opened else None
        taken = read_snapshot(before) if before else None
        trace_id = opened[0].trace_id if opened else None
        output = find(text, tree=tree, history=history, before=taken, trace_id=trace_id)
        _finish(output, opened, base_path, loaded, verify=verify, as_json=as_json, before=taken)


def _tree(base_path: Path | None) -> Any:
    from contextlib import nullcontext

    from groundwire.actions import Directory

    return nullcontext() if base_path is None else Directory(base_path)


def _finish(
    output: "SpecialistOutput",
    traces: list[Any],
    base_path: Path | None,
    loaded: Any,
    *,
    verify: bool,
    as_json: bool,
    before: Any = None,
) -> None:
    """Print the claims, or what became of them; nothing to verify is exit 3."""
    if verify:
        from groundwire.actions import TaskVerifier

        verifier = TaskVerifier(settings=loaded.config.actions)
        result = verifier.verify_sync(output, traces or None, base_path, before=before)
        if as_json:
            print_json(result.model_dump(mode="json"))
        else:
            print_result(result)
        raise typer.Exit(result.exit_code)
    if as_json:
        print_json(output.model_dump(mode="json", exclude_none=True))
    else:
        _print_claims(output)
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
