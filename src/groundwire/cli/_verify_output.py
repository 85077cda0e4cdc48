"""What the commands about agents' actions share: options, reading, showing."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli._output import (
    console,
    one_line,
    plain_table,
    print_json,
    print_outcome,
    shortened,
    warn,
)
from groundwire.cli._records import STATUS_STYLES
from groundwire.cli._shared import JsonFlag, open_engine, refuse_special

if TYPE_CHECKING:
    from groundwire.actions import ClaimVerdict, VerificationResult
    from groundwire.config import Config
    from groundwire.traces import ToolTrace

MAX_SHOWN_CHARS = 60
MAX_SHOWN_SENTENCES = 10

TraceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--trace",
        help="What the tools did: a trace or messages; may be repeated.",
        callback=refuse_special,
    ),
]
FormatOption = Annotated[
    str,
    typer.Option(
        help="auto, groundwire, openai, anthropic, mcp, or an added one.", metavar="FORMAT"
    ),
]
BeforeOption = Annotated[
    Path | None,
    typer.Option(help="A snapshot taken before the work (gw snapshot).", callback=refuse_special),
]


def read_input(path: str, config: "Config") -> bytes:
    """A file or standard input, refused before it is read whole if it is too large."""
    from groundwire.errors import UnreadableSource

    limit = int(config.limits.max_file_mb * 1_000_000)
    try:
        if path == "-":
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(limit + 1)
    except OSError as error:
        raise UnreadableSource(f"{path} cannot be read: {error.strerror}.") from error
    if len(data) > limit:
        raise UnreadableSource(
            f"{named(path)} has more than {config.limits.max_file_mb:g} MB.",
            hint="Raise limits.max_file_mb.",
        )
    return data


def named(path: str) -> str:
    return "standard input" if path == "-" else path


def warn_of_gaps(names: Sequence[str], traces: "Sequence[ToolTrace]") -> None:
    """A trace that is not complete refutes nothing by what is missing from it: that is told."""
    for name, trace in zip(names, traces, strict=True):
        if not trace.complete:
            why = "; ".join(trace.account.reasons)
            warn(one_line(f"The trace {named(name)} is not complete: {why}."))


def print_result(result: "VerificationResult", report: str = "") -> None:
    """`report` is the text that the result's coverage counts in."""
    from rich.text import Text

    screen = console()
    if result.claims:
        table = plain_table("status", "claim", "file or command", "why")
        for verdict in result.claims:
            style = STATUS_STYLES[verdict.status]
            what = verdict.file_path or verdict.command or _words(verdict)
            category = f" [{verdict.category}]" if verdict.category else ""
            status, why = Text(verdict.status, style), Text(one_line(verdict.detail + category))
            table.add_row(status, verdict.type, Text(one_line(what)), why)
        screen.print(table)
    for error in result.errors:
        if error.level != 3:  # noqa: PLR2004
            message = one_line(error.message)
            screen.print(Text(f"level {error.level} [{error.category}]: {message}", "red"))
    for warning in result.warnings:
        screen.print(Text(f"{warning.category}: {one_line(warning.message)}", "yellow"))
    for line in _not_checked(result, report):
        screen.print(Text(line))
    screen.print(_summary(result))


def _words(verdict: "ClaimVerdict") -> str:
    """What a claim that names neither file nor command is recognised by."""
    said = "" if verdict.said is None else shortened(verdict.said.text, MAX_SHOWN_CHARS)
    return f"“{said}”" if said else ""


def _not_checked(result: "VerificationResult", report: str) -> Iterator[str]:
    """The sentences of the report that make no claim that is checked, counted by why."""
    coverage = result.coverage
    if coverage.sentences:
        reasons = Counter(one.reason for one in coverage.left_out)
        counted = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
        left = f"; not checked: {counted}" if counted else ""
        yield f"Report: {coverage.checked} of {coverage.sentences} sentences checked{left}."
    shown = coverage.left_out[:MAX_SHOWN_SENTENCES]
    for one in shown:
        if words := shortened(report[one.start : one.end], MAX_SHOWN_CHARS):
            yield f"  {one.reason}: “{words}”"
    if report and len(coverage.left_out) > len(shown):
        yield f"  … and {len(coverage.left_out) - len(shown)} more (--json shows all)"


def _summary(result: "VerificationResult") -> str:
    counts = result.summary
    told = (
        f"{counts.verified} verified, {counts.superseded} superseded, {counts.failed} failed,"
        f" {counts.unverified} unverified"
    )
    if counts.not_looked_at and not result.errors:
        return f"Not valid, {counts.not_looked_at} not looked at: {told}."
    if not result.valid:
        return f"Not valid, level {result.level}: {told}."
    return f"Valid: {told}." if result.claims else "Valid, but it makes no claims to verify."


BaseOption = Annotated[
    Path, typer.Option("--base-path", help="The folder the claims are about; nothing else is read.")
]


def verify_output(
    context: typer.Context,
    output: Annotated[
        str,
        typer.Argument(
            help="The agent's output, a JSON file; - for standard input.", callback=refuse_special
        ),
    ],
    trace: TraceOption = None,
    base_path: BaseOption = Path(),
    before: BeforeOption = None,
    after: Annotated[
        Path | None,
        typer.Option(help="A snapshot taken when the work ended.", callback=refuse_special),
    ] = None,
    trace_format: FormatOption = "auto",
    schemas: Annotated[
        list[Path] | None,
        typer.Option(
            help="A manifest of tools and their output schemas; may be repeated.",
            callback=refuse_special,
        ),
    ] = None,
    allow_module: Annotated[
        list[str] | None,
        typer.Option(help="A Python package whose models a manifest may name; may be repeated."),
    ] = None,
    assume_current: Annotated[
        bool | None,
        typer.Option(help="Whether this runs right after the work, so that a mismatch refutes."),
    ] = None,
    specialist: Annotated[str, typer.Option(help="Who did the work, for the metrics.")] = "unknown",
    subtask: Annotated[str | None, typer.Option(help="Which part of the work it was.")] = None,
    sign_with: Annotated[
        Path | None,
        typer.Option(
            help="Print the verdict signed with this key.",
            callback=refuse_special,
            metavar="KEYFILE",
        ),
    ] = None,
    check_signature: Annotated[
        Path | None,
        typer.Option(
            help="OUTPUT is a signed verdict: check it with this key.",
            callback=refuse_special,
            metavar="KEYFILE",
        ),
    ] = None,
    nonce: Annotated[
        str | None, typer.Option(help="The asker's nonce, to sign or to expect.")
    ] = None,
    for_output: Annotated[
        Path | None,
        typer.Option(
            help="With --check-signature: the output it must be about.", callback=refuse_special
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Check what an agent says it did against the files and the trace of its tools."""
    with open_engine(context, {"actions.assume_current": assume_current}, tell=warn) as engine:
        config = engine.config
        if check_signature is not None:
            expected = None if for_output is None else _read(str(for_output), config)
            result = engine.check_signature_sync(
                read_input(output, config),
                check_signature,
                where=named(output),
                nonce=nonce,
                output=expected,
            )
            print_outcome(result, print_result, as_json=as_json)
            raise typer.Exit(result.exit_code)
        traces = [engine.open_trace(one, trace_format=trace_format) for one in trace or ()]
        given = _read(output, config)
        result = engine.verify_output_sync(
            given,
            traces,
            base_path,
            before=before,
            after=after,
            schemas=schemas or (),
            allowed_modules=allow_module or (),
            specialist_id=specialist,
            subtask_id=subtask,
        )
        warn_of_gaps(trace or (), traces)
        if sign_with is not None:
            _warn_if_open(sign_with)
            files = [Path(one) for one in trace or () if one != "-"]
            signed = engine.sign_verdict_sync(
                result, sign_with, output=given, nonce=nonce, trace_files=files
            )
            print_json(signed.model_dump(mode="json"))
        else:
            show = partial(print_result, report=str(given.get("summary", "")))
            print_outcome(result, show, as_json=as_json)
    raise typer.Exit(result.exit_code)


def _read(path: str, config: "Config") -> dict[str, Any]:
    from groundwire.actions import parse_output

    return dict(parse_output(read_input(path, config), where=named(path)))


def _warn_if_open(key_file: Path) -> None:
    from groundwire.actions import is_readable_by_others

    if key_file.exists() and is_readable_by_others(key_file):
        warn(f"{key_file} can be read by others. Make it private: chmod 600 {key_file}")
