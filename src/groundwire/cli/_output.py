"""What commands write: lines and tables for people, documents for programs, errors and bars."""

import json
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from groundwire._patterns import lazy_pattern

if TYPE_CHECKING:
    from pydantic import BaseModel
    from rich.console import Console
    from rich.table import Table

    from groundwire.errors import GroundwireError

Model = TypeVar("Model", bound="BaseModel")

# such as U+009B, which some terminals take for the start of an order, and U+202E, which turns the
# reading direction; JSON escapes the others
_CONTROLS = lazy_pattern("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# such as the line break of a file name, which would begin a line that looks like one of ours
_BREAKS = lazy_pattern("[\t-\r\x1c-\x1e\x85\u2028\u2029]")


@contextmanager
def stage_progress() -> Iterator[Callable[[str, int, int | None], None] | None]:
    """A bar for each stage on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress as Bar, TaskID

    with Bar(console=error_console(), transient=True) as bar:
        tasks: dict[str, TaskID] = {}

        def show(doing: str, done: int, of: int | None) -> None:
            if doing not in tasks:
                tasks[doing] = bar.add_task(doing, total=of)
            bar.update(tasks[doing], completed=done, total=of)

        yield show


@contextmanager
def progress_bar(doing: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal, nothing in a pipe."""
    with stage_progress() as show:
        if show is not None:
            show(doing, 0, None)  # it moves before anything is done
        yield None if show is None else partial(show, doing)


def prints_json() -> bool:
    """Whether this command line asks for output that a program reads."""
    given = sys.argv[1:]
    formats = ("--format=json", "--format=jsonl")
    named = (f"{one}={value}" for one, value in pairwise(given))
    return "--json" in given or any(one in formats for one in (*given, *named))


def json_text(document: Any, indent: int | None = 2) -> str:
    """JSON that a terminal may show."""
    text = json.dumps(document, ensure_ascii=False, indent=indent)
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def print_json(document: Any) -> None:
    write_document(json_text(document) + "\n")


def print_outcome(outcome: Model, show: "Callable[[Model], None]", *, as_json: bool) -> None:
    if as_json:
        print_json(outcome.model_dump(mode="json"))
    else:
        show(outcome)


def write_document(text: str) -> None:
    """What a program reads, as it stands: its own format says how it is escaped."""
    sys.stdout.write(text)
    sys.stdout.flush()  # a verdict is read as it falls


def console() -> "Console":
    """Where a command lays out what people read; nothing foreign gives the terminal orders."""
    from groundwire.cli._console import PlainConsole

    return PlainConsole(soft_wrap=False, highlight=False)


def error_console() -> "Console":
    """The same beside the output, for what moves while a command works."""
    from groundwire.cli._console import PlainConsole

    return PlainConsole(stderr=True)


def plain_table(*headings: str) -> "Table":
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def plain(text: str) -> str:
    """Foreign text for a terminal: what could move its cursor, change its colours or turn its
    reading direction is shown. `console`, `say` and `warn` call it."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf") else "\ufffd"
        for char in text
    )


def one_line(text: str) -> str:
    """A name or other foreign text within a line of ours: a break in it cannot begin another."""
    return plain(_BREAKS.sub("\ufffd", text))


def shortened(text: str, most_chars: int) -> str:
    """The beginning of foreign text, in one line."""
    flat = " ".join(text.split())
    return one_line(flat if len(flat) <= most_chars else f"{flat[: most_chars - 1]}…")


def say(text: str = "", *, beside: bool = False) -> None:
    """A line for people; `beside` the output where another program reads that."""
    typer.echo(one_line(text), err=beside)


def say_lines(text: str, *, beside: bool = False) -> None:
    """Lines for people, each with its end; names in them went through `one_line`."""
    typer.echo(plain(text), nl=False, err=beside)


def warn(message: str) -> None:
    """One line: what other packages tell in several is joined, as in an error of YAML."""
    sys.stderr.write(f"groundwire: {plain(_BREAKS.sub(' ', message))}\n")


def report_error(error: "GroundwireError", *, as_json: bool) -> None:
    if as_json:
        print_json({"error": {"code": error.code, "message": error.message, "hint": error.hint}})
    warn(str(error))
