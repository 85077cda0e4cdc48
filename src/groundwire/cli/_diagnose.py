from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire.cli._output import console, print_json, say_lines, warn
from groundwire.cli._shared import NOT_DETERMINED, JsonFlag, open_engine, read_body, refuse_special

if TYPE_CHECKING:
    from groundwire.model import CausalGraphFile

_SHOWN_PROBLEMS = 5


def diagnose(
    context: typer.Context,
    report: Annotated[
        str, typer.Argument(help="A file with the report, or - for stdin.", callback=refuse_special)
    ],
    graph: Annotated[
        Path,
        typer.Option(
            help="The causal graph, as `gw ground` writes it.",
            callback=refuse_special,
            metavar="GRAPH",
        ),
    ],
    draft: Annotated[
        str | None, typer.Option(help="Who words the diagnosis: template, or the configured llm.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(help="Write the outcome as Markdown.", metavar="FILE")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Say what may have caused what a report observes, or why nothing can be said."""
    from groundwire.diagnose import to_markdown
    from groundwire.model import UNKNOWN_CAUSE, Abstention
    from groundwire.store import write_whole

    with open_engine(context, {"diagnosis.drafting": draft}) as engine:
        text = read_body(report, engine.config)
        outcome = engine.diagnose_sync(text, read_graph(graph))
    written = to_markdown(outcome)
    if markdown is not None:
        write_whole(markdown, written)
    if as_json:
        print_json(outcome.model_dump(mode="json"))
    else:
        _show(written)
    if isinstance(outcome, Abstention) or outcome.diagnosis.conclusion.root_cause == UNKNOWN_CAUSE:
        raise typer.Exit(NOT_DETERMINED)


def read_graph(path: Path) -> "CausalGraphFile":
    """The graph in a file. What in it cannot be used is named on stderr."""
    from groundwire.graph import changed_sources, load_graph

    loaded = load_graph(path)
    # a graph may travel without its documents; one that was changed beside it is news
    changed = [
        one for one in changed_sources(loaded.file, path.parent) if one.kind == "source_changed"
    ]
    problems = [*loaded.problems, *changed]
    for problem in problems[:_SHOWN_PROBLEMS]:
        warn(f"{path}: {problem.message}")
    if len(problems) > _SHOWN_PROBLEMS:
        warn(f"{path}: and {len(problems) - _SHOWN_PROBLEMS} more; see `gw graph show {path}`.")
    return loaded.file


def _show(written: str) -> None:
    from rich.markdown import Markdown

    out = console()
    if out.is_terminal:
        out.print(Markdown(written))
    else:
        say_lines(written)
