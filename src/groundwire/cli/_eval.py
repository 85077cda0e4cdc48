"""Golden sets: write one, run it, tune thresholds on it, compare two runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._shared import (
    NOT_DETERMINED,
    JsonFlag,
    console,
    open_engine,
    plain,
    plain_table,
    print_outcome,
    stage_progress,
)

if TYPE_CHECKING:
    from groundwire.engine import Engine
    from groundwire.evaluate import Calibration, Change, Comparison, Rates, Results

app = typer.Typer(help="Golden sets, thresholds and regressions.", no_args_is_help=True)

DataOption = Annotated[
    Path | None,
    typer.Option(
        help="Questions or labelled claims, as JSON lines or CSV; unset: the golden set of data/.",
        metavar="FILE",
    ),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", help="Thresholds; unset: config/thresholds.yaml, where there is one."),
]
ThresholdOption = Annotated[float, typer.Option(min=0, max=1, help="How far it may fall.")]
SHOWN_FAILURES = 20


@app.command("run")
def run(
    context: typer.Context,
    data: DataOption = None,
    config: ConfigOption = None,
    suite: Annotated[
        str,
        typer.Option(
            help="questions, claims, values, edges, outputs, diagnosis, memory, audit, or all."
        ),
    ] = "questions",
    split: Annotated[str | None, typer.Option(help="Only this split: open or held.")] = None,
    output: Annotated[Path | None, typer.Option(help="Write the results here.")] = None,
    baseline: Annotated[
        Path | None, typer.Option(help="Earlier results: show what changed, end with 1 on a drop.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write a report for people here.")] = None,
    junit: Annotated[Path | None, typer.Option(help="Write JUnit XML here.")] = None,
    sarif: Annotated[Path | None, typer.Option(help="Write SARIF here.")] = None,
    cases: Annotated[
        Path, typer.Option(help="The checkout whose cases the suites run on.", metavar="FOLDER")
    ] = Path(),
    as_json: JsonFlag = False,
) -> None:
    """Ask every question of a golden set, or run a suite of cases, and measure what comes of it.

    A golden set beside which a `corpus.yaml` stands is asked of the documents it names, any other
    of your own index. Results are the same bytes for the same inputs, but for times and commit.
    """
    from groundwire.evaluate import (
        compare,
        corpus_beside,
        read_results,
        results_text,
        run_evaluation,
        to_html,
        to_junit,
        to_sarif,
    )
    from groundwire.store import write_whole

    earlier = read_results(baseline) if baseline else None
    corpus = corpus_beside(data, cases) if suite in ("questions", "all") else None
    with measured_engine(context, data, config, cases) as engine, stage_progress() as progress:
        results = run_evaluation(
            engine, data, suite=suite, split=split, root=cases, corpus=corpus, progress=progress
        )
    compared = compare(earlier, results) if earlier else None
    written = {output: results_text, html: to_html, junit: to_junit, sarif: to_sarif}
    for path, write in written.items():
        if path is not None:
            write_whole(path, write(results))
    print_outcome(results, _show, as_json=as_json)
    if compared is not None:
        if not as_json:
            _show_comparison(compared)
        raise typer.Exit(1 if compared.regressions else 0)


@app.command("compare")
def compare_runs(
    before: Annotated[Path, typer.Argument(metavar="A", help="Results of the earlier run.")],
    after: Annotated[Path, typer.Argument(metavar="B", help="Results of the later run.")],
    precision_threshold: ThresholdOption = 0.05,
    recall_threshold: ThresholdOption = 0.05,
    as_json: JsonFlag = False,
) -> None:
    """Show what changed between two runs; end with 1 where a figure fell, and not by chance.

    Cases are compared one by one. A drop counts that is larger than its threshold and whose
    interval, by a paired bootstrap over the cases, does not reach zero.
    """
    from groundwire.evaluate import compare, read_results

    found = compare(
        read_results(before),
        read_results(after),
        precision_threshold=precision_threshold,
        recall_threshold=recall_threshold,
    )
    print_outcome(found, _show_comparison, as_json=as_json)
    raise typer.Exit(1 if found.regressions else 0)


@app.command("tune")
def tune_thresholds(
    context: typer.Context,
    data: DataOption = None,
    config: ConfigOption = None,
    output: Annotated[
        Path | None,
        typer.Option(help="Write the thresholds (for claims: the calibration) here."),
    ] = None,
    target_error: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1,
            help="Abstain so that at most this share of questions is answered wrongly.",
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Choose thresholds on the open split and show what they gain on the held one.

    Questions tune the thresholds of each collection; what is better only by chance is refused.
    Labelled claims calibrate the judge: isotonic or Platt's, whichever wins on held claims.
    """
    from groundwire.evaluate import (
        calibrate_judge,
        calibration_text,
        is_questions,
        thresholds_text,
        tune_on,
    )
    from groundwire.store import write_whole

    with measured_engine(context, data, config, Path()) as engine, stage_progress() as progress:
        if data is not None and not is_questions(data):
            calibration = calibrate_judge(engine, data, progress)
            if output is not None:
                write_whole(output, calibration_text(calibration))
            print_outcome(calibration, _show_calibration, as_json=as_json)
            return
        golden, report = tune_on(engine, data, target_error=target_error, progress=progress)
    text = thresholds_text(report, golden)
    if output is not None:
        write_whole(output, text)
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        typer.echo(text, nl=False)
    if report.conformal is not None and report.conformal.abstain_below is None:
        raise typer.Exit(NOT_DETERMINED)


def _show_calibration(found: "Calibration") -> None:
    table = plain_table(found.backend, "log loss", "Brier", "ECE")
    for name, held in found.held.items():
        cells = (held.log_loss, held.brier, held.calibration_error)
        table.add_row(name, *(f"{one:.4f}" for one in cells))
    out = console()
    out.print(table)
    low, high = found.gain_interval
    out.print(
        f"Taken: {found.method}. The best saves {found.gain:+.4f} ({low:+.4f} to {high:+.4f}) log "
        f"loss on {found.held_rows} held claims."
    )


@contextmanager
def measured_engine(
    context: typer.Context, data: Path | None, config: Path | None, root: Path
) -> "Iterator[Engine]":
    """The engine that is measured: by these thresholds, over the vocabulary of the golden set."""
    from groundwire.evaluate import settings_for

    with open_engine(context, settings_for(data, config, root)) as engine:
        yield engine


def _show(results: "Results") -> None:
    from rich.text import Text

    out = console()
    for name, metrics in results.suites.items():
        table = plain_table(name, "cases", "passed", "precision", "recall", "F1")
        for group, found in (*metrics.by_collection.items(), ("all", metrics.overall)):
            table.add_row(group, str(found.count), str(found.passed), *_cells(found))
        out.print(table)
        if name == "questions":
            asked = metrics.abstention
            out.print(
                f"Abstained: {asked.total_rate:.1%}, expected {asked.expected_rate:.1%}. "
                f"Definitions not from the vocabulary: {metrics.terminology.hallucinated}."
            )
        times = metrics.latency
        out.print(Text(" ".join(f"{key} {value:g}" for key, value in times.items()), "dim"))
    for name, reason in results.meta.left_out.items():
        out.print(f"Left out: {name}, as {plain(reason)}.")
    for one in results.failures[:SHOWN_FAILURES]:
        line = f"{one.id} {one.category}: {one.reason}: {' '.join(one.query.split())}"
        out.print(Text(plain(line)), overflow="ellipsis", no_wrap=True)
    more = len(results.failures) - SHOWN_FAILURES
    if more > 0:
        out.print(f"… and {more} more; --output or --html has them all.")


def _cells(found: "Rates") -> list[str]:
    cells = []
    for name in ("precision", "recall", "f1"):
        value = getattr(found, name)
        low, high = found.intervals.get(name, (0.0, 0.0))
        cells.append("-" if value is None else f"{value:.3f} {low:.2f}-{high:.2f}")
    return cells


def _show_comparison(found: "Comparison") -> None:
    out = console()
    for name, suite in found.suites.items():
        rows = dict(suite.overall)
        for collection, changes in suite.by_collection.items():
            moved = {key: one for key, one in changes.items() if one.change and key != "f1"}
            rows |= {f"{collection}, {key}": one for key, one in moved.items()}
        table = plain_table(name, "before", "after", "change", "95 % interval")
        for label, one in rows.items():
            table.add_row(label, *_change_cells(one))
        out.print(table)
        flipped = {"now fails": suite.broken, "now passes": suite.mended}
        for label, cases in flipped.items():
            if cases:
                out.print(plain(f"{label}: {', '.join(cases)}"))
    if not found.same_golden_set:
        out.print("The golden set is another: only cases that both have were compared.")
    for sentence in found.regressions:
        out.print(plain(sentence), style="red")
    if not found.regressions:
        out.print("Nothing fell past its threshold.", style="green")


def _change_cells(one: "Change") -> list[str]:
    before, after = (("-" if x is None else f"{x:.3f}") for x in (one.before, one.after))
    change = "-" if one.change is None else f"{one.change:+.3f}"
    interval = "-" if one.interval is None else f"{one.interval[0]:+.3f} to {one.interval[1]:+.3f}"
    return [before, after, change, interval]
