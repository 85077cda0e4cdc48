"""Golden sets: write one, run it, tune thresholds on it, compare two runs."""

from pathlib import Path
from typing import Annotated

import typer

from groundwire.cli._eval_report import show_calibration, show_comparison, show_results
from groundwire.cli._output import print_json, print_outcome, say, say_lines, stage_progress
from groundwire.cli._shared import (
    NOT_DETERMINED,
    IndexOption,
    JsonFlag,
    VocabularyOption,
    open_engine,
    refuse_special,
    vocabulary_settings,
)

app = typer.Typer(help="Golden sets, thresholds and regressions.", no_args_is_help=True)

DataOption = Annotated[
    Path | None,
    typer.Option(
        help="Questions or labelled claims, as JSON lines or CSV; unset: the golden set of data/.",
        callback=refuse_special,
        metavar="FILE",
    ),
]
ConfigOption = Annotated[
    Path | None,
    typer.Option(
        "--config",
        help="Thresholds; unset: config/thresholds.yaml, where there is one.",
        callback=refuse_special,
    ),
]
ThresholdOption = Annotated[float, typer.Option(min=0, max=1, help="How far it may fall.")]


@app.command("init")
def init(
    context: typer.Context,
    out: Annotated[Path, typer.Option(help="Write the golden set here.")] = Path("golden.jsonl"),
    index_file: IndexOption = None,
    vocabulary: VocabularyOption = None,
    size: Annotated[int, typer.Option(min=4, max=10_000, help="About so many questions.")] = 40,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write a golden set to begin with, from an index: read it and correct it before you trust it.

    Questions come from numbers, headings and the vocabulary; those without an answer are asked with
    the document left out that has it.
    """
    from groundwire.errors import InputError
    from groundwire.evaluate import starter_set, write_lines
    from groundwire.store import write_whole

    if out.exists() and not force:
        raise InputError(f"{out} exists.", hint="Use another --out, or --force to replace it.")
    overrides = {"evidence.index": index_file, **vocabulary_settings(vocabulary)}
    with open_engine(context, overrides) as engine:
        queries = starter_set(engine, size)
    write_whole(out, write_lines(queries))
    if as_json:
        print_json({"path": str(out), "questions": len(queries)})
    else:
        say(f"{len(queries)} questions in {out}. Read them, then: gw eval run --data {out}")


@app.command("add")
def add(
    context: typer.Context,
    request: Annotated[str, typer.Argument(help="The request of the verdict, as in audit-log.")],
    label: Annotated[str, typer.Option(help="What is true: supported, refuted or neutral.")],
    claim: Annotated[int, typer.Option(min=1, help="Which claim of the request.")] = 1,
    evidence: Annotated[
        list[Path] | None,
        typer.Option(
            help="What it was checked against, if not the index.", callback=refuse_special
        ),
    ] = None,
    data: Annotated[
        Path, typer.Option(help="The set it is added to.", callback=refuse_special)
    ] = Path("claims.jsonl"),
    why: Annotated[str, typer.Option(help="Why the verdict was wrong.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Add a verdict that a person corrected to a set of labelled claims."""
    from groundwire.evaluate import add_line, corrected_case

    with open_engine(context) as engine:
        line = corrected_case(engine, request, claim, label=label, evidence=evidence or [], why=why)
    count = add_line(data, line)
    if as_json:
        print_json({"path": str(data), "claims": count})
    else:
        say(f"{data} has {count} claims. Judge them with: gw eval run --data {data}")


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
        Path | None,
        typer.Option(
            help="Earlier results: show what changed, end with 1 on a drop.",
            callback=refuse_special,
        ),
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
        settings_for,
        to_html,
        to_junit,
        to_sarif,
    )
    from groundwire.store import write_whole

    earlier = read_results(baseline) if baseline else None
    corpus = corpus_beside(data, cases) if suite in ("questions", "all") else None
    settings = settings_for(data, config, cases)
    with open_engine(context, settings) as engine, stage_progress() as progress:
        results = run_evaluation(
            engine, data, suite=suite, split=split, root=cases, corpus=corpus, progress=progress
        )
    compared = compare(earlier, results) if earlier else None
    written = {output: results_text, html: to_html, junit: to_junit, sarif: to_sarif}
    for path, write in written.items():
        if path is not None:
            write_whole(path, write(results))
    print_outcome(results, show_results, as_json=as_json)
    if compared is not None:
        if not as_json:
            show_comparison(compared)
        raise typer.Exit(1 if compared.regressions else 0)


@app.command("compare")
def compare_runs(
    before: Annotated[
        Path,
        typer.Argument(metavar="A", help="Results of the earlier run.", callback=refuse_special),
    ],
    after: Annotated[
        Path, typer.Argument(metavar="B", help="Results of the later run.", callback=refuse_special)
    ],
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
    print_outcome(found, show_comparison, as_json=as_json)
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
        settings_for,
        thresholds_text,
        tune_on,
    )
    from groundwire.store import write_whole

    settings = settings_for(data, config)
    with open_engine(context, settings) as engine, stage_progress() as progress:
        if data is not None and not is_questions(data):
            calibration = calibrate_judge(engine, data, progress)
            if output is not None:
                write_whole(output, calibration_text(calibration))
            print_outcome(calibration, show_calibration, as_json=as_json)
            return
        golden, report = tune_on(engine, data, target_error=target_error, progress=progress)
    text = thresholds_text(report, golden)
    if output is not None:
        write_whole(output, text)
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        say_lines(text)
    if report.conformal is not None and report.conformal.abstain_below is None:
        raise typer.Exit(NOT_DETERMINED)
