import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._output import console, plain_table, print_outcome, warn
from groundwire.cli._shared import (
    NOT_DETERMINED,
    JsonFlag,
    VocabularyOption,
    chosen_id,
    open_engine,
    refuse_special,
    vocabulary_settings,
)

if TYPE_CHECKING:
    from groundwire.engine import Engine
    from groundwire.model import Concept, TermReport
    from groundwire.terms import VocabularyReport

MAX_SHOWN_LINKS = 12


def term(
    context: typer.Context,
    words: Annotated[
        list[str], typer.Argument(metavar="TERM", help="A term, or the address of a concept.")
    ],
    vocabulary: VocabularyOption = None,
    pick: Annotated[
        int | None, typer.Option(min=1, help="Take this one of the choices that are offered.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show a term's definition in the vocabulary, or why there is none."""
    with open_engine(context, vocabulary_settings(vocabulary), tell=_say) as engine:
        report = _asked(engine, " ".join(words), pick, interactive=not as_json)
    print_outcome(report, _print, as_json=as_json)
    if report.mode != "ANSWER":
        raise typer.Exit(NOT_DETERMINED)


def _asked(engine: "Engine", term: str, pick: int | None, *, interactive: bool) -> "TermReport":
    report = engine.term_sync(term)
    if not report.suggestions:
        return report
    choice = chosen_id(report.suggestions, pick, partial(_print, report), ask=interactive)
    return report if choice is None else engine.term_sync(term, choice=choice)


def _say(message: str) -> None:
    if sys.stderr.isatty():
        warn(message)


def _print(report: "TermReport") -> None:
    from rich.text import Text

    out = console()
    if report.definition is None:
        out.print(Text(report.message))
        for note in report.observations:
            out.print(Text(f"  {note}"))
        _print_choices(report)
        return
    concept = report.concepts[0]
    out.print(Text(concept.label, "bold"))
    out.print(Text(report.definition))
    if concept.deprecated or concept.label.casefold() != report.term.casefold():
        out.print(Text(report.message, "yellow" if concept.deprecated else "dim"))
    for source in report.sources:
        out.print(Text(f"  source    {source.title}, {source.name}"))
        out.print(Text(f"            {source.doc_id}"), soft_wrap=True)
    _print_neighbours(concept)


def _print_neighbours(concept: "Concept") -> None:
    from rich.text import Text

    rows = {
        "also": concept.alternative_labels,
        "note": (concept.scope_note,) if concept.scope_note else (),
        "broader": tuple(link.label for link in concept.broader),
        "narrower": tuple(link.label for link in concept.narrower),
        "related": tuple(link.label for link in concept.related),
    }
    for name, labels in rows.items():
        if labels:
            more = f" and {len(labels) - MAX_SHOWN_LINKS} more"
            tail = more if len(labels) > MAX_SHOWN_LINKS else ""
            console().print(Text(f"  {name:<9} {', '.join(labels[:MAX_SHOWN_LINKS])}{tail}"))


def _print_choices(report: "TermReport") -> None:
    from rich.text import Text

    if not report.suggestions:
        return
    console().print("Did you mean" if report.outcome == "not_found" else "It may mean")
    for number, choice in enumerate(report.suggestions, start=1):
        detail = f": {choice.detail}" if choice.detail else ""
        console().print(Text(f"  {number}. {choice.label}{detail}"))
    console().print(Text(f'Pick one with: gw term "{report.term}" --pick NUMBER'))


app = typer.Typer(help="The vocabularies terms are looked up in.", no_args_is_help=True)


@app.command("add")
def add(
    context: typer.Context,
    files: Annotated[
        list[Path],
        typer.Argument(help="SKOS in Turtle, RDF/XML or JSON-LD.", callback=refuse_special),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Keep copies of vocabulary files in the home directory, and index them."""
    with open_engine(context, tell=warn) as engine:
        engine.add_vocabularies_sync(files)
        print_outcome(engine.vocabularies_sync(), _show, as_json=as_json)


@app.command("list")
def list_files(context: typer.Context, as_json: JsonFlag = False) -> None:
    """Show the vocabulary files in use, and what is wrong with those that are not."""
    with open_engine(context, tell=warn) as engine:
        print_outcome(engine.vocabularies_sync(), _show, as_json=as_json)


@app.command("remove")
def remove(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The name of a file that was added.")],
    as_json: JsonFlag = False,
) -> None:
    """Delete the copy of a vocabulary file from the home directory."""
    with open_engine(context, tell=warn) as engine:
        engine.remove_vocabulary_sync(name)
        print_outcome(engine.vocabularies_sync(), _show, as_json=as_json)


def _show(report: "VocabularyReport") -> None:
    table = plain_table("concepts", "defined", "file")
    for one in report.files:
        table.add_row(str(one.concepts), str(one.definitions), one.file)
    console().print(table)
    for problem in report.problems:
        warn(problem)
