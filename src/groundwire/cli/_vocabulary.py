import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from groundwire.cli._shared import JsonFlag, console, load_settings, observed, print_json, warn

if TYPE_CHECKING:
    from groundwire.config import Config

app = typer.Typer(help="The vocabularies terms are looked up in.", no_args_is_help=True)


@app.command("add")
def add(
    context: typer.Context,
    files: Annotated[list[Path], typer.Argument(help="SKOS in Turtle, RDF/XML or JSON-LD.")],
    as_json: JsonFlag = False,
) -> None:
    """Keep copies of vocabulary files in the home directory, and index them."""
    from groundwire.terms import check_vocabulary, own_vocabularies

    loaded = load_settings(context)
    max_bytes = int(loaded.config.limits.max_file_mb * 1_000_000)
    for file in files:  # all of them are read before any is kept
        check_vocabulary(file, max_file_bytes=max_bytes)
    folder = own_vocabularies(loaded.config)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for file in files:
        _copy(file, folder / _kept_name(file))
    with observed(loaded):
        _show(loaded.config, as_json=as_json)


@app.command("list")
def list_files(context: typer.Context, as_json: JsonFlag = False) -> None:
    """Show the vocabulary files in use, and what is wrong with those that are not."""
    loaded = load_settings(context)
    with observed(loaded):
        _show(loaded.config, as_json=as_json)


@app.command("remove")
def remove(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The name of a file that was added.")],
    as_json: JsonFlag = False,
) -> None:
    """Delete the copy of a vocabulary file from the home directory."""
    from groundwire.errors import InputError
    from groundwire.terms import open_local, own_vocabularies

    loaded = load_settings(context)
    path = own_vocabularies(loaded.config) / Path(name).name
    if not path.is_file():
        raise InputError(f"No vocabulary {name!r} was added.", hint="See `gw vocabulary list`.")
    path.unlink()
    vocabulary = open_local(loaded.config)
    vocabulary.forget(path)
    vocabulary.close()
    with observed(loaded):
        _show(loaded.config, as_json=as_json)


def _kept_name(file: Path) -> str:
    """The file's own name; without a suffix of its format it would not be found again."""
    from groundwire.terms import RDF_SUFFIXES

    return file.name if file.suffix.lower() in RDF_SUFFIXES else f"{file.name}.ttl"


def _copy(source: Path, target: Path) -> None:
    """All of it or nothing, also when two processes do so at once."""
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    unfinished.write_bytes(source.read_bytes())
    unfinished.replace(target)


def _show(config: "Config", *, as_json: bool) -> None:
    from groundwire.terms import open_local

    vocabulary = open_local(config, progress=warn)
    try:
        files = vocabulary.files()
        problems = vocabulary.problems()
    finally:
        vocabulary.close()
    rows: list[dict[str, Any]] = [
        {"file": str(file.path), "concepts": file.concepts, "definitions": file.definitions}
        for file in files
    ]
    if as_json:
        print_json({"files": rows, "problems": problems})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("concepts", "defined", "file"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(str(row["concepts"]), str(row["definitions"]), row["file"])
    console().print(table)
    for problem in problems:
        warn(problem)
