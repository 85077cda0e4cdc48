"""Before and after an agent's work: snapshots, and claims from its trace or its words."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._output import console, one_line, plain_table, print_json, print_outcome, say
from groundwire.cli._shared import NOT_DETERMINED, JsonFlag, open_engine, refuse_special
from groundwire.cli._verify_output import (
    BeforeOption,
    FormatOption,
    TraceOption,
    named,
    print_result,
    read_input,
    warn_of_gaps,
)

if TYPE_CHECKING:
    from groundwire.actions import FileChange, Snapshot, SpecialistOutput, VerificationResult


def snapshot(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="The folder to record.")],
    out: Annotated[
        Path | None, typer.Option(help="Where to write it; else under Groundwire's home.")
    ] = None,
    compare: Annotated[
        Path | None,
        typer.Option(
            help="Compare with this earlier snapshot instead of writing one.",
            callback=refuse_special,
        ),
    ] = None,
    trace: TraceOption = None,
    trace_format: FormatOption = "auto",
    git: Annotated[bool, typer.Option(help="Leave out what git ignores.")] = True,
    as_json: JsonFlag = False,
) -> None:
    """Record the hashes of a folder's files before work, or show what changed since."""
    with open_engine(context) as engine:
        if compare is None:
            taken, path = engine.snapshot_sync(folder, out=out, use_git=git)
            _show_taken(taken, path, as_json=as_json)
            return
        traces = [engine.open_trace(one, trace_format=trace_format) for one in trace or ()]
        changes = engine.changes_sync(folder, compare, traces)
        warn_of_gaps(trace or (), traces)
        _show_changes(changes, attributed=bool(trace), as_json=as_json)
    raise typer.Exit(1 if changes else 0)


def _show_taken(taken: "Snapshot", path: Path, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "snapshot": str(path),
                "files": len(taken.files),
                "links": len(taken.links),
                "skipped": taken.skipped,
                "git_head": taken.git_head,
                "ignore_rules": taken.ignore_rules,
                "state_hash": taken.state_hash,
                "taken_at": taken.taken_at,
            }
        )
        return
    rules = "what git ignores left out" if taken.ignore_rules else "all files, no ignore rules"
    say(f"{len(taken.files)} files ({rules}).")
    for name, why in list(taken.skipped.items())[:20]:
        say(f"not recorded: {name}: {why}")
    say(f"Written to {path}")


def _show_changes(changes: "tuple[FileChange, ...]", *, attributed: bool, as_json: bool) -> None:
    if as_json:
        print_json({"changes": [change.model_dump(mode="json") for change in changes]})
        return
    for change in changes:
        who = f"  {_author(change)}" if attributed else ""
        say(f"{change.change:9}{change.path}{who}")
    say(f"{len(changes)} {'file' if len(changes) == 1 else 'files'} changed.")


def _author(change: "FileChange") -> str:
    if change.made_by:
        return f"by event {', '.join(change.made_by)}"
    if change.possibly_by:
        return f"perhaps by event {', '.join(change.possibly_by)}"
    return "by nothing in the trace"


BaseOption = Annotated[
    Path | None, typer.Option("--base-path", help="The folder the work was done in.")
]
VerifyFlag = Annotated[bool, typer.Option("--verify", help="Verify the claims at once.")]


def claims_from_trace(
    context: typer.Context,
    trace: Annotated[
        str,
        typer.Argument(help="A trace or messages; - for standard input.", callback=refuse_special),
    ],
    base_path: BaseOption = None,
    trace_format: FormatOption = "auto",
    verify: VerifyFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Derive the claims an honest agent would make after a trace."""
    with open_engine(context) as engine:
        opened = engine.open_trace(trace, trace_format=trace_format)
        output = engine.claims_from_trace_sync(opened, base_path)
        result = engine.verify_output_sync(output, [opened], base_path) if verify else None
        warn_of_gaps([trace], [opened])
    _finish(output, result, as_json=as_json)


def claims_from_text(
    context: typer.Context,
    report: Annotated[
        str, typer.Argument(help="An agent's prose; - for standard input.", callback=refuse_special)
    ],
    trace: TraceOption = None,
    base_path: BaseOption = None,
    before: BeforeOption = None,
    trace_format: FormatOption = "auto",
    verify: VerifyFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Find what an agent's prose says was done, and tie it to files and commands."""
    with open_engine(context) as engine:
        text = _prose(read_input(report, engine.config), named(report))
        traces = [engine.open_trace(one, trace_format=trace_format) for one in trace or ()]
        output = engine.claims_from_text_sync(text, traces, base_path, before=before)
        result = None
        if verify:
            result = engine.verify_output_sync(output, traces, base_path, before=before)
        warn_of_gaps(trace or (), traces)
    _finish(output, result, as_json=as_json, report=text)


def _prose(data: bytes, name: str) -> str:
    from groundwire.errors import UnreadableSource

    if b"\0" in data:
        raise UnreadableSource(f"{name} is not UTF-8 text.", hint="Give the report as text.")
    return data.decode("utf-8", "replace")


def _finish(
    output: "SpecialistOutput",
    result: "VerificationResult | None",
    *,
    as_json: bool,
    report: str = "",
) -> None:
    """Print the claims, or what became of them; nothing to verify is exit 3."""
    if result is not None:
        print_outcome(result, partial(print_result, report=report), as_json=as_json)
        raise typer.Exit(result.exit_code)
    if as_json:
        print_json(output.model_dump(mode="json", exclude_none=True))
    else:
        _print_claims(output)
    raise typer.Exit(0 if output.claims else NOT_DETERMINED)


def _print_claims(output: "SpecialistOutput") -> None:
    from rich.text import Text

    table = plain_table("claim", "file or command", "said")
    for claim in output.claims:
        given = claim.model_dump()
        what = given.get("file_path") or given.get("command") or given.get("check") or ""
        said = given["said"]["text"] if given.get("said") else ""
        table.add_row(claim.type, Text(one_line(str(what))), Text(one_line(said)))
    if output.claims:
        console().print(table)
    else:
        say("No claims were found.")
