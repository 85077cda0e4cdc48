"""Causal graphs: `gw ground` makes them, `gw graph` shows, explains and exports them."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from groundwire.cli._output import console, print_json, write_document
from groundwire.cli._shared import JsonFlag, refuse_special

if TYPE_CHECKING:
    from groundwire.graph import GraphProblem
    from groundwire.model import CausalEdge, CausalGraphFile


app = typer.Typer(
    help="The causal graph: what causes what, and how that is known.", no_args_is_help=True
)
GraphArgument = Annotated[
    Path, typer.Argument(help="The file that `gw ground` wrote.", callback=refuse_special)
]
Format = Literal[
    "json", "graphml", "mermaid", "dot", "gml", "json-ld", "node-link", "csv", "svg", "html"
]
Status = Literal["grounded", "rejected", "contested", "draft"]


@app.command("show")
def show(
    graph: GraphArgument,
    status: Annotated[
        Status | None, typer.Option(help="Show only the edges that ended this way.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """List the edges of a graph, how each ended and why, and what is wrong with the file."""
    from groundwire.graph import changed_sources, load_graph

    loaded = load_graph(graph)
    problems = [*loaded.problems, *changed_sources(loaded.file, graph.parent)]
    edges = [one for one in loaded.file.edges if status is None or one.edge_status == status]
    if as_json:
        print_json(_summary(loaded.file, edges, problems))
    else:
        _print(loaded.file, edges, problems)


@app.command("explain")
def explain(
    edge: Annotated[str, typer.Argument(help="The edge: its id, or FROM->TO by ids or labels.")],
    graph: Annotated[
        Path,
        typer.Option(
            help="The file that `gw ground` wrote.", callback=refuse_special, metavar="GRAPH"
        ),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Show why one edge is in the graph or not: quotes, what speaks against it, what was asked."""
    from groundwire.graph import load_graph

    file = load_graph(graph).file
    found = _find(edge, file)
    if as_json:
        names = [one.evidence_id for one in (*found.evidence, *found.refutations)]
        shown = {name: file.evidence[name].model_dump(mode="json") for name in names}
        print_json(found.model_dump(mode="json") | {"bundles": shown})
    else:
        _explain(found, file)


@app.command("export")
def export(
    graph: GraphArgument,
    form: Annotated[Format, typer.Option("--format", help="What to write.")] = "html",
    out: Annotated[
        Path | None, typer.Option(help="Write here, not to stdout.", metavar="FILE")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Edges of every status, not the grounded ones alone.")
    ] = False,
) -> None:
    """Write a graph for another tool, or as a page whose edges show their evidence."""
    from groundwire import graph as graphs
    from groundwire.graph import load_graph
    from groundwire.store import write_whole

    file = load_graph(graph).file
    writers: dict[Format, Callable[..., str]] = {
        "json": _to_json,
        "graphml": graphs.to_graphml,
        "mermaid": graphs.to_mermaid,
        "dot": graphs.to_dot,
        "gml": graphs.to_gml,
        "json-ld": graphs.to_json_ld,
        "node-link": graphs.to_node_link,
        "csv": graphs.to_csv,
        "svg": graphs.to_svg,
        "html": graphs.to_html,
    }
    text = writers[form](file, all_statuses=every)
    if out is None:
        write_document(text)
    else:
        write_whole(out, text)


def _to_json(file: "CausalGraphFile", *, all_statuses: bool) -> str:
    edges = tuple(one for one in file.edges if all_statuses or one.edge_status == "grounded")
    kept = file.model_copy(update={"edges": edges})
    return kept.model_dump_json(indent=1, exclude_none=True) + "\n"


def _summary(
    file: "CausalGraphFile", edges: "list[CausalEdge]", problems: "list[GraphProblem]"
) -> dict[str, Any]:
    return {
        "variables": len(file.variables),
        "counts": _counts(file),
        "run": file.run.model_dump(mode="json"),
        "edges": [
            {
                "id": one.id,
                "edge_status": one.edge_status,
                "sign": one.sign,
                "belief": one.belief,
                "evidence": len(one.evidence),
                "reason": one.reason,
            }
            for one in edges
        ],
        "problems": [one.model_dump(mode="json") for one in problems],
    }


def _counts(file: "CausalGraphFile") -> dict[str, int]:
    counts = dict.fromkeys(("grounded", "rejected", "contested", "draft"), 0)
    for edge in file.edges:
        counts[edge.edge_status] += 1
    return counts


def _print(
    file: "CausalGraphFile", edges: "list[CausalEdge]", problems: "list[GraphProblem]"
) -> None:
    from rich.table import Column, Table
    from rich.text import Text

    out = console()
    counts = ", ".join(f"{count} {name}" for name, count in _counts(file).items() if count)
    out.print(Text(f"{len(file.variables)} variables; edges: {counts or 'none'}"))
    # an id that is cut off cannot be given to `explain`
    edge = Column("edge", overflow="fold", ratio=1)
    table = Table(edge, "sign", "status", "belief", "sources", "reason", box=None, pad_edge=False)
    for one in edges:
        sources = {evidence.quote.doc_id for evidence in one.evidence}
        belief = "" if one.belief is None else f"{one.belief:.2f}"
        row = (one.id, one.sign, one.edge_status, belief, str(len(sources)), one.reason or "")
        table.add_row(*map(Text, row))
    out.print(table)
    for warning in file.run.warnings:
        out.print(Text(f"warning: {warning}", "yellow"))
    for problem in problems:
        out.print(Text(f"{problem.kind}: {problem.message}", "yellow"))


def _find(name: str, file: "CausalGraphFile") -> "CausalEdge":
    from difflib import get_close_matches

    from groundwire.errors import InputError

    labels = {one.id: one.label for one in file.variables}
    known: dict[str, CausalEdge] = {}
    for edge in file.edges:
        by_label = f"{labels.get(edge.from_var)}->{labels.get(edge.to_var)}"
        for key in (edge.id, f"{edge.from_var}->{edge.to_var}", by_label):
            known.setdefault(_key(key), edge)
    if _key(name) in known:
        return known[_key(name)]
    near = get_close_matches(_key(name), list(known), n=1, cutoff=0.5)
    raise InputError(
        f"There is no edge {name!r} in the graph.",
        hint=f"Did you mean {known[near[0]].id!r}?" if near else "See `gw graph show`.",
    )


def _key(name: str) -> str:
    return "->".join(part.strip().casefold() for part in name.replace("→", "->").split("->"))


def _explain(edge: "CausalEdge", file: "CausalGraphFile") -> None:
    from rich.text import Text

    from groundwire.model import SIGN_WORDS

    out = console()
    labels = {one.id: one.label for one in file.variables}
    said = f"{labels[edge.from_var]} {SIGN_WORDS[edge.sign]} {labels[edge.to_var]}"
    out.print(Text(said, "bold"))
    belief = "" if edge.belief is None else f", belief {edge.belief:.2f}"
    strength = f", {edge.evidence_strength}" if edge.evidence_strength else ""
    out.print(Text(f"  {edge.edge_status}{belief}{strength}"))
    out.print(Text(f"  {edge.reason or 'no reason'}: {edge.message or ''}".rstrip(": ")))
    for title, given in (("for it", edge.evidence), ("against it", edge.refutations)):
        for one in given:
            quote = one.quote
            out.print(Text(f"  {title:<10} “{' '.join(quote.quote.split())}”"))
            out.print(Text(f"             {quote.doc_id}, {quote.start} to {quote.end}", "dim"))
    rows = (
        ("assumes", edge.assumptions),
        ("holds when", edge.conditions),
        ("asked", edge.attempted_queries),
    )
    for title, lines in rows:
        for line in lines:
            out.print(Text(f"  {title:<10} {line}"))
