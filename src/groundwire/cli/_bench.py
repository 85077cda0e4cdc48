import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._output import print_outcome, progress_bar, say
from groundwire.cli._shared import JsonFlag, load_settings, observed, open_engine, refuse_special

if TYPE_CHECKING:
    from groundwire.evaluate import (
        AnswersReport,
        ClaimsReport,
        Figure,
        SetScores,
        SpansReport,
        StatusReport,
        StepsReport,
        TracesReport,
    )

DataArgument = Annotated[
    Path,
    typer.Argument(
        help="Lines of JSON (also .xz) or a folder of them.",
        callback=refuse_special,
        metavar="DATA",
    ),
]
app = typer.Typer(help="Measure Groundwire on labelled data.", no_args_is_help=True)


@app.command("claims")
def claims(
    context: typer.Context,
    data: DataArgument,
    limit: Annotated[
        int | None, typer.Option(min=1, help="At most this many of each set and label.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Judge labelled claims and compare: balanced accuracy, AUROC, F1, ECE, baselines, bits.

    Each line of DATA has `set`, `evidence`, `claim` and `label` (1 supported, 0 not).
    """
    from groundwire.evaluate import benchmark_claims, read_claims

    rows = read_claims(data, limit)
    with open_engine(context) as engine, progress_bar("Judging") as progress:
        report = asyncio.run(benchmark_claims(rows, engine, progress))
    print_outcome(report, _show, as_json=as_json)


@app.command("status")
def status(
    context: typer.Context,
    data: DataArgument,
    as_json: JsonFlag = False,
) -> None:
    """Tell what sentences do with what they say, and compare: F1 of each label.

    Each line of DATA has `text`, `status` (or `labels`) and, where only a part is meant, `mention`.
    """
    from groundwire.evaluate import StatusRow, benchmark_status, read_rows

    with observed(load_settings(context)):
        report = benchmark_status(read_rows(data, StatusRow))
    print_outcome(report, _show_status, as_json=as_json)


@app.command("answers")
def answers(
    context: typer.Context,
    data: DataArgument,
    as_json: JsonFlag = False,
) -> None:
    """Tell whether passages answer questions, and compare: AUROC, and what abstaining costs.

    Each line of DATA has `question`, `passage` and `label` (1 the passage answers it, 0 not).
    """
    from groundwire.encoder import QuestionReader
    from groundwire.evaluate import AnswerRow, benchmark_answers, read_rows

    rows = read_rows(data, AnswerRow)
    with observed(load_settings(context)), progress_bar("Reading") as progress:
        report = benchmark_answers(rows, QuestionReader(), progress)
    print_outcome(report, _show_answers, as_json=as_json)


@app.command("spans")
def spans(
    context: typer.Context,
    data: DataArgument,
    as_json: JsonFlag = False,
) -> None:
    """Find the words that name cause and effect, and compare: token F1 by set.

    Each line of DATA has `text` and `relations`, a list of `cause` and `effect`, each from and to.
    """
    from groundwire.encoder import SpanReader
    from groundwire.evaluate import SpanRow, benchmark_spans, read_rows

    rows = read_rows(data, SpanRow)
    with observed(load_settings(context)), progress_bar("Reading") as progress:
        report = benchmark_spans(rows, SpanReader(), progress)
    print_outcome(report, _show_spans, as_json=as_json)


@app.command("steps")
def steps(
    context: typer.Context,
    data: DataArgument,
    limit: Annotated[int | None, typer.Option(min=1, help="At most this many of each set.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Audit labelled reasoning traces and compare: false alarms, wrong steps caught, AUROC.

    Each line of DATA has `set`, `context`, `steps` (each with `text` and `label`: 1 right, 0 wrong)
    and, where it is known, `answer` and `answer_label`.
    """
    from groundwire.evaluate import benchmark_steps, read_traces

    rows = read_traces(data, limit)
    with open_engine(context) as engine, progress_bar("Auditing") as progress:
        report = asyncio.run(benchmark_steps(rows, engine, progress))
    print_outcome(report, _show_steps, as_json=as_json)


@app.command("traces")
def traces(
    context: typer.Context,
    folder: Annotated[
        Path,
        typer.Argument(
            help="Transcripts; archives (.tar.xz) are looked into.",
            callback=refuse_special,
            metavar="FOLDER",
        ),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Read transcripts of agents and account for each: calls, results, what was not understood.

    Every file under FOLDER is read or refused with a reason; calls without a result are named.
    """
    from groundwire.evaluate import benchmark_traces

    loaded = load_settings(context)
    with observed(loaded):
        report = benchmark_traces(folder, loaded.config.actions)
    print_outcome(report, _show_traces, as_json=as_json)


def _show_steps(report: "StepsReport") -> None:
    names = ("alarms", "caught", "open", "approved", "AUROC", "follows")
    head = f"{'set':38}{'rows':>6}{'right':>7}{'wrong':>7}"
    say(head + "".join(f"{name:>10}" for name in names))
    for one in (*report.sets, report.macro, report.pooled):
        figures = (one.false_alarms, one.caught, one.left_open, one.approved)
        shown = (*figures, one.auroc, one.answer_auroc)
        cells = "".join(f"{'' if f is None else f'{f.value:.3f}':>10}" for f in shown)
        counts = f"{one.rows:>6}{one.steps_right:>7}{one.steps_wrong:>7}"
        say(f"{one.name:38}{counts}{cells}")


def _show_traces(report: "TracesReport") -> None:
    names = ("files", "complete", "calls", "paired", "unread", "exit codes", "refused")
    say(f"{'':20}" + "".join(f"{name:>11}" for name in names))
    for name, counts in (*report.formats.items(), ("all", report.summary)):
        refused = counts.refused_by_tool + counts.refused_by_user
        shown = (counts.files, counts.complete, counts.calls, counts.paired, counts.unread)
        figures = "".join(f"{one:>11}" for one in (*shown, counts.exit_codes, refused))
        say(f"{name:20}{figures}")
    for file in report.files:
        if not file.is_read:
            say(f"refused: {file.path}: {file.reason}")
    share = report.summary.paired_share
    if share is not None:
        say(f"of the results, {share:.2%} were paired with their call")


def _show_answers(report: "AnswersReport") -> None:
    names = "".join(f"{name:>26}" for name in ("AUROC", "answered at 5 %", "answered at 10 %"))
    say(f"{'set':20}{'rows':>6}{names}")
    for one in (*report.sets, report.macro, report.together):
        figures = (one.auroc, one.answered_at_5, one.answered_at_10)
        shown = "".join(f"{_with_interval(figure):>26}" for figure in figures)
        say(f"{one.name:20}{one.rows:>6}{shown}")
    for name in report.left_out:
        say(f"left out: {name} (one label only)")


def _show_spans(report: "SpansReport") -> None:
    for one in report.sets:
        say(f"{one.name:28}{one.rows:>6} {_with_interval(one.token_f1)}")
    say(f"macro token F1 {_with_interval(report.macro)}")
    if report.causal_auroc:
        say(f"says whether a text is causal: AUROC {_with_interval(report.causal_auroc)}")


def _show_status(report: "StatusReport") -> None:
    for one in report.sets:
        for score in one.labels:
            say(f"{one.name:20}{score.label:14}{score.rows:>6} {_with_interval(score.f1)}")
    for score in report.labels:
        say(f"{'all':20}{score.label:14}{score.rows:>6} {_with_interval(score.f1)}")
    say(f"macro F1 {_with_interval(report.macro)}")
    for name, rows in report.left_out.items():
        say(f"left out: {rows} rows with the status {name}")


def _show(report: "ClaimsReport") -> None:
    say(f"{report.judge}, grounded at p1 >= {report.threshold:g}")
    say(f"{'':42}{'':>6}  judge{'':24}AUROC of what understands nothing")
    names = "".join(f"{name:>20}" for name in report.macro.baselines)
    say(f"{'set':42}{'rows':>6}{'AUROC':>7}{'BAcc':>7}{'F1':>7}{'ECE':>7}{names}")
    for one in (*report.sets, report.macro):
        say(_line(one))
    for name in report.left_out:
        say(f"left out: {name} (one label only, or too few rows)")
    say(
        f"macro AUROC {_with_interval(report.macro.auroc)}, "
        f"balanced accuracy {_with_interval(report.macro.balanced_accuracy)}"
    )
    called = report.contradicted
    say(
        f"called contradicted: {_with_interval(called.supported)} of the supported claims, "
        f"{_with_interval(called.unsupported)} of the others"
    )
    for line in _bits_lines(report):
        say(line)


def _line(one: "SetScores") -> str:
    measured = (one.auroc, one.balanced_accuracy, one.f1, one.calibration_error)
    figures = "".join(f"{figure.value:>7.3f}" for figure in measured)
    baselines = "".join(f"{area:>20.3f}" for area, _ in one.baselines.values())
    return f"{one.name[:41]:42}{one.rows:>6}{figures}{baselines}"


def _with_interval(figure: "Figure") -> str:
    return f"{figure.value:.3f} ({figure.low:.3f} to {figure.high:.3f})"


def _bits_lines(report: "ClaimsReport") -> list[str]:
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
    return lines
