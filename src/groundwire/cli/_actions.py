"""What the commands about agents' actions share: options, reading, showing."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._audit_log import STATUS_STYLES
from groundwire.cli._shared import console

if TYPE_CHECKING:
    from groundwire.actions import VerificationResult
    from groundwire.config import Config

TraceOption = Annotated[
    list[str] | None,
    typer.Option("--trace", help="What the tools did: a trace or messages; may be repeated."),
]
FormatOption = Annotated[
    str,
    typer.Option(
        help="auto, groundwire, openai, anthropic, mcp, or an added one.", metavar="FORMAT"
    ),
]


def read_input(path: str, config: "Config") -> bytes:
    """A file or standard input, refused before it is read whole if it is too large."""
    import sys

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


def print_result(result: "VerificationResult") -> None:
    from rich.table import Table
    from rich.text import Text

    screen = console()
    if result.claims:
        table = Table(box=None, pad_edge=False)
        for heading in ("status", "claim", "file or command", "why"):
            table.add_column(heading, overflow="fold")
        for verdict in result.claims:
            style = STATUS_STYLES[verdict.status]
            what = verdict.file_path or verdict.command or ""
            category = f" [{verdict.category}]" if verdict.category else ""
            table.add_row(
                Text(verdict.status, style),
                verdict.type,
                Text(what),
                Text(verdict.detail + category),
            )
        screen.print(table)
    for error in result.errors:
        if error.level != 3:  # noqa: PLR2004
            screen.print(Text(f"level {error.level} [{error.category}]: {error.message}", "red"))
    for warning in result.warnings:
        screen.print(Text(f"{warning.category}: {warning.message}", "yellow"))
    screen.print(_summary(result))


def _summary(result: "VerificationResult") -> str:
    counts = result.summary
    told = (
        f"{counts.verified} verified, {counts.superseded} superseded, {counts.failed} failed,"
        f" {counts.unverified} unverified"
    )
    if not result.valid:
        return f"Not valid, level {result.level}: {told}."
    return f"Valid: {told}." if result.claims else "Valid, but it makes no claims to verify."
