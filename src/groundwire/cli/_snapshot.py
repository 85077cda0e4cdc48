from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._actions import FormatOption, TraceOption
from groundwire.cli._shared import JsonFlag, load_settings, observed, print_json

if TYPE_CHECKING:
    from groundwire.actions import FileChange, Snapshot


def snapshot(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="The folder to record.")],
    out: Annotated[
        Path | None, typer.Option(help="Where to write it; else under Groundwire's home.")
    ] = None,
    compare: Annotated[
        Path | None, typer.Option(help="Compare with this earlier snapshot instead of writing one.")
    ] = None,
    trace: TraceOption = None,
    trace_format: FormatOption = "auto",
    git: Annotated[bool, typer.Option(help="Leave out what git ignores.")] = True,
    as_json: JsonFlag = False,
) -> None:
    """Record the hashes of a folder's files before work, or show what changed since."""
    from groundwire.engine import Engine

    loaded = load_settings(context)
    with observed(loaded), Engine(loaded.config) as engine:
        if compare is None:
            taken, path = engine.snapshot_sync(folder, out=out, use_git=git)
            _show_taken(taken, path, as_json=as_json)
            return
        traces = [engine.open_trace(one, trace_format=trace_format) for one in trace or ()]
        changes = engine.changes_sync(folder, compare, traces)
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
    typer.echo(f"{len(taken.files)} files ({rules}).")
    for name, why in list(taken.skipped.items())[:20]:
        typer.echo(f"not recorded: {name}: {why}")
    typer.echo(f"Written to {path}")


def _show_changes(changes: "tuple[FileChange, ...]", *, attributed: bool, as_json: bool) -> None:
    if as_json:
        print_json({"changes": [change.model_dump(mode="json") for change in changes]})
        return
    for change in changes:
        who = f"  {_author(change)}" if attributed else ""
        typer.echo(f"{change.change:9}{change.path}{who}")
    typer.echo(f"{len(changes)} {'file' if len(changes) == 1 else 'files'} changed.")


def _author(change: "FileChange") -> str:
    if change.made_by:
        return f"by event {', '.join(change.made_by)}"
    if change.possibly_by:
        return f"perhaps by event {', '.join(change.possibly_by)}"
    return "by nothing in the trace"
