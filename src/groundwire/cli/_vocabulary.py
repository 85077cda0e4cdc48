from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._shared import JsonFlag, console, load_settings, observed, print_json, warn

if TYPE_CHECKING:
    from groundwire.engine import Engine
    from groundwire.terms import VocabularyReport

app = typer.Typer(help="The vocabularies terms are looked up in.", no_args_is_help=True)


@app.command("add")
def add(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(help="SKOS in Turtle, RDF/XML or JSON-LD.")],
    as_json: JsonFlag = False,
) -> None:
    """Keep copies of vocabulary files in the home directory, and index them."""
    with _engine(context) as engine:
        engine.add_vocabularies_sync(files)
        _show(engine.vocabularies_sync(), as_json=as_json)


@app.command("list")
def list_files(context: typer.Context, as_json: JsonFlag = False) -> None:
    """Show the vocabulary files in use, and what is wrong with those that are not."""
    with _engine(context) as engine:
        _show(engine.vocabularies_sync(), as_json=as_json)


@app.command("remove")
def remove(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The name of a file that was added.")],
    as_json: JsonFlag = False,
) -> None:
    """Delete the copy of a vocabulary file from the home directory."""
    with _engine(context) as engine:
        engine.remove_vocabulary_sync(name)
        _show(engine.vocabularies_sync(), as_json=as_json)


@contextmanager
def _engine(context: typer.Context) -> "Iterator[Engine]":
    from groundwire.engine import Engine

    loaded = load_settings(context)
    with observed(loaded), Engine(loaded.config) as engine:
        engine.parts.tell = warn
        yield engine


def _show(report: "VocabularyReport", *, as_json: bool) -> None:
    if as_json:
        print_json(report.model_dump(mode="json"))
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("concepts", "defined", "file"):
        table.add_column(heading, overflow="fold")
    for one in report.files:
        table.add_row(str(one.concepts), str(one.definitions), one.file)
    console().print(table)
    for problem in report.problems:
        warn(problem)
