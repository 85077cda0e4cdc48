"""`gw ground`: the causal graph of documents."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._output import print_json, say, stage_progress, warn
from groundwire.cli._shared import (
    NOT_DETERMINED,
    BackendOption,
    BaseUrlOption,
    JsonFlag,
    ModelOption,
    ProviderOption,
    judge_settings,
    open_engine,
    refuse_special,
)

if TYPE_CHECKING:
    from groundwire.ground import GroundingReport

NOTHING_GROUNDED = 1
_SHOWN = 8


def ground(
    context: typer.Context,
    documents: Annotated[
        list[Path],
        typer.Argument(
            metavar="DOC...", help="Files and folders to read.", callback=refuse_special
        ),
    ],
    out: Annotated[Path, typer.Option(help="Where the graph is written.", metavar="FILE")],
    index: Annotated[
        Path | None,
        typer.Option(
            help="Search this index for evidence, not the documents.",
            callback=refuse_special,
            metavar="FILE",
        ),
    ] = None,
    backend: BackendOption = None,
    provider: ProviderOption = None,
    base_url: BaseUrlOption = None,
    model: ModelOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Draw the causal graph of documents: every edge is tested, the rejected ones are kept too."""
    from groundwire.errors import InputError

    if out.is_dir():
        raise InputError(f"{out} is a folder.", hint="Name a file, as in --out graph.json.")
    if index is not None and not index.exists():
        raise InputError(f"There is no index at {index}.", hint="Build it with: gw index PATH")
    judged_by = judge_settings(backend, provider, base_url, model)
    with open_engine(context, judged_by) as engine, stage_progress() as progress:
        report = engine.ground_sync(documents, out=out, evidence_index=index, progress=progress)
    for refused in report.refused:
        warn(f"left out: {refused.message} {refused.hint or ''}".rstrip())
    for warning in report.graph.run.warnings:
        warn(warning)
    if as_json:
        print_json(
            report.model_dump(mode="json", exclude={"graph"})
            | {"out": str(out), "run": report.graph.run.model_dump(exclude={"duration_s"})}
        )
    else:
        _say(report, out)
    raise typer.Exit(_exit_code(report))


def _exit_code(report: "GroundingReport") -> int:
    run = report.graph.run
    is_broken = any(warning.startswith("judge_broken") for warning in run.warnings)
    if not run.drafted or run.undetermined or is_broken:
        return NOT_DETERMINED
    return 0 if run.grounded else NOTHING_GROUNDED


def _say(report: "GroundingReport", out: Path) -> None:
    run = report.graph.run
    if not run.drafted:
        say(f"Nothing in {run.documents} documents says what causes what. {out} is empty.")
    else:
        say(
            f"{run.documents} documents, {run.drafted} edges drafted: {run.grounded} grounded, "
            f"{run.rejected} rejected, {run.contested} contested, {run.undetermined} undetermined "
            f"({report.duration_s:.1f} s, judge: {run.judge})."
        )
    if report.resumed:
        say(f"{report.resumed} of them were settled by an earlier run that was stopped.")
    if report.set_aside:
        kinds = ", ".join(f"{count} {kind}" for kind, count in report.set_aside.items())
        say(f"Set aside while reading: {kinds}.")
    if run.canaries:
        say(f"Planted false edges accepted: {run.canaries_accepted} of {run.canaries}.")
    _say_rejected(report)
    if run.drafted:
        say(f"The graph is in {out}.")


def _say_rejected(report: "GroundingReport") -> None:
    lost = [edge for edge in report.graph.edges if edge.edge_status != "grounded"]
    for edge in lost[:_SHOWN]:
        say(f"  {edge.edge_status}: {edge.from_var} -> {edge.to_var} ({edge.reason})")
    if len(lost) > _SHOWN:
        say(f"  … and {len(lost) - _SHOWN} more, with their reasons in the file.")
