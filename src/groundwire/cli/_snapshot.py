from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._actions import FormatOption, TraceOption, open_traces
from groundwire.cli._shared import JsonFlag, load_settings, observed, print_json

if TYPE_CHECKING:
    from groundwire.actions import FileChange, Snapshot
    from groundwire.config import Config


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
    from groundwire.actions import read_snapshot, take_snapshot, write_snapshot

    loaded = load_settings(context)
    with observed(loaded):
        earlier = read_snapshot(compare) if compare is not None else None
        # what one snapshot left out by git's rules the other must leave out too
        use_git = git if earlier is None else earlier.ignore_rules
        settings = loaded.config.actions
        taken = take_snapshot(
            folder,
            use_git=use_git,
            max_files=settings.max_snapshot_files,
            max_hash_mb=settings.max_hash_mb,
        )
        if earlier is not None:
            changes = _changes(earlier, taken, trace, trace_format, loaded.config)
            _show_changes(changes, attributed=bool(trace), as_json=as_json)
            raise typer.Exit(1 if changes else 0)
        path = out or _default_path(loaded.config, taken)
        write_snapshot(taken, path)
        _show_taken(taken, path, as_json=as_json)


def _default_path(config: "Config", taken: "Snapshot") -> Path:
    from hashlib import sha256

    folder = Path(taken.base_path)
    place = sha256(taken.base_path.encode(errors="surrogateescape")).hexdigest()[:8]
    moment = taken.taken_at.replace(":", "").replace("+0000", "Z")
    return config.home.expanduser() / "snapshots" / f"{folder.name}-{place}-{moment}.json"


def _changes(
    earlier: "Snapshot",
    now: "Snapshot",
    traces: list[str] | None,
    trace_format: str,
    config: "Config",
) -> "tuple[FileChange, ...]":
    from groundwire.actions import Directory, compare, history_of

    if not traces:
        return compare(earlier, now)
    with Directory(now.base_path) as tree:
        history = history_of(open_traces(traces, trace_format, config), tree)
    return compare(earlier, now, history)


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
        who = ""
        if attributed:
            made, possibly = ", ".join(change.made_by), ", ".join(change.possibly_by)
            who = (
                f"  by event {made}"
                if made
                else f"  perhaps by event {possibly}"
                if possibly
                else "  by nothing in the trace"
            )
        typer.echo(f"{change.change:9}{change.path}{who}")
    typer.echo(f"{len(changes)} {'file' if len(changes) == 1 else 'files'} changed.")


def _author(change: "FileChange") -> str:
    if change.made_by:
        return f"by event {', '.join(change.made_by)}"
    if change.possibly_by:
        return f"perhaps by event {', '.join(change.possibly_by)}"
    return "by nothing in the trace"
