from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._progress import progress_bar
from groundwire.cli._shared import console, load_settings, observed

if TYPE_CHECKING:
    from rich.table import Table

    from groundwire.evaluate import ClaimsReport, Figure, SetScores

app = typer.Typer(help="Measure the judge on labelled data.", no_args_is_help=True)


@app.callback()
def _bench() -> None:
    """Keep `claims` a subcommand while it is the only one."""


@app.command("claims")
def claims(
    context: typer.Context,
    data: Annotated[
        Path, typer.Argument(help="Lines of JSON (also .xz) or a folder of them.", metavar="DATA")
    ],
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the figures there.", metavar="FILE")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="At most this many of each set and label.")
    ] = None,
) -> None:
    """Judge labelled claims and compare: balanced accuracy, AUROC, F1, ECE, baselines, bits.

    Each line of DATA has `set`, `evidence`, `claim` and `label` (1 supported, 0 not).
    """
    import asyncio

    from groundwire.evaluate import benchmark_claims, read_claims
    from groundwire.judge import build_backend
    from groundwire.store import write_whole

    loaded = load_settings(context)
    rows = read_claims(data, limit)
    backend = build_backend(loaded.config)
    with observed(loaded), progress_bar("Judging") as progress:
        report = asyncio.run(benchmark_claims(rows, backend, progress))
    if json_file is not None:
        write_whole(json_file, report.model_dump_json(indent=2) + "\n")
    _show(report)


def _show(report: "ClaimsReport") -> None:
    out = console()
    out.print(_table(report))
    for name in report.left_out:
        out.print(f"left out: {name} (one label only, or too few rows)")
    out.print(_bits_sentence(report))


def _table(report: "ClaimsReport") -> "Table":
    from rich.table import Table

    table = Table(
        title=f"{report.judge}, threshold {report.threshold:g}; baselines at their best threshold",
        title_justify="left",
    )
    columns = ["set", "rows", "AUROC", "bal. acc.", "F1", "ECE", *report.macro.baselines]
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place == 0 else "right", no_wrap=True)
    for one in report.sets:
        table.add_row(*_cells(one))
    table.add_section()
    table.add_row(*_cells(report.macro), style="bold")
    return table


def _cells(one: "SetScores") -> list[str]:
    measured = (one.auroc, one.balanced_accuracy, one.f1, one.calibration_error)
    baselines = [f"{area:.3f} / {accuracy:.3f}" for area, accuracy in one.baselines.values()]
    return [one.name, str(one.rows), *map(_with_interval, measured), *baselines]


def _with_interval(figure: "Figure") -> str:
    return f"{figure.value:.3f} ({figure.low:.2f}-{figure.high:.2f})"


def _bits_sentence(report: "ClaimsReport") -> str:
    lines = [f"Ranking by p1 alone: macro AUROC {report.bits.p1.value:.4f}."]
    for name, gain in report.bits.gains.items():
        lines.append(
            f"Ranking by {name}: {report.bits.rankings[name].value:.4f}, "
            f"{gain.value:+.4f} ({gain.low:+.4f} to {gain.high:+.4f})."
        )
    better = ", ".join(report.bits.better)
    lines.append(
        f"Better than p1 alone: {better}." if better else "None ranks better than p1 alone."
    )
    return "\n".join(lines)
