"""A graph as DOT, GML, JSON-LD, networkx node-link JSON and an adjacency CSV."""

import csv
import io
import json
from typing import Any

from groundwire._patterns import lazy_pattern
from groundwire.graph._export import shown_edges
from groundwire.model import CausalEdge, CausalGraphFile, Variable

_COLOURS = {"raises": "black", "lowers": "steelblue", "prevents": "firebrick"}
_HEADS = {"raises": "normal", "lowers": "odot", "prevents": "tee"}
# such as a line break in a label
_CONTROL = lazy_pattern(r"[\x00-\x1f\x7f]+")


def _parts(
    graph: CausalGraphFile, *, all_statuses: bool
) -> tuple[list[Variable], list[CausalEdge]]:
    edges = shown_edges(graph, all_statuses=all_statuses)
    used = {name for edge in edges for name in (edge.from_var, edge.to_var)}
    return [one for one in graph.variables if one.id in used], edges


def to_dot(graph: CausalGraphFile, *, all_statuses: bool = False) -> str:
    nodes, edges = _parts(graph, all_statuses=all_statuses)
    lines = ["digraph causal {", "  rankdir=LR;", "  node [shape=box];"]
    lines += [f"  {_quoted(one.id)} [label={_quoted(one.label)}];" for one in nodes]
    for edge in edges:
        style = "solid" if edge.edge_status == "grounded" else "dashed"
        belief = "" if edge.belief is None else f", label={_quoted(f'{edge.belief:.2f}')}"
        lines.append(
            f"  {_quoted(edge.from_var)} -> {_quoted(edge.to_var)} [color={_COLOURS[edge.sign]}, "
            f"arrowhead={_HEADS[edge.sign]}, style={style}{belief}];"
        )
    return "\n".join([*lines, "}", ""])


def to_gml(graph: CausalGraphFile, *, all_statuses: bool = False) -> str:
    """GML knows numbers for ids and ASCII for strings; other signs go as numbered entities."""
    nodes, edges = _parts(graph, all_statuses=all_statuses)
    numbers = {one.id: number for number, one in enumerate(nodes)}
    lines = ["graph [", "  directed 1"]
    for one in nodes:
        lines += ["  node [", f"    id {numbers[one.id]}", f"    label {_gml(one.id)}"]
        lines += [f"    name {_gml(one.label)}", f"    type {_gml(one.type)}", "  ]"]
    for edge in edges:
        ends = f"    source {numbers[edge.from_var]}", f"    target {numbers[edge.to_var]}"
        lines += ["  edge [", *ends, f"    sign {_gml(edge.sign)}"]
        lines += [f"    status {_gml(edge.edge_status)}"]
        if edge.belief is not None:
            lines.append(f"    belief {edge.belief:.4f}")
        lines.append("  ]")
    return "\n".join([*lines, "]", ""])


def to_node_link(graph: CausalGraphFile, *, all_statuses: bool = False) -> str:
    """What `networkx.node_link_graph(data, edges="edges")` reads."""
    nodes, edges = _parts(graph, all_statuses=all_statuses)
    data = {
        "directed": True,
        "multigraph": False,
        "graph": {},
        "nodes": [{"id": one.id, "label": one.label, "type": one.type} for one in nodes],
        "edges": [
            {"source": one.from_var, "target": one.to_var, **_attributes(one)} for one in edges
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def to_json_ld(graph: CausalGraphFile, *, all_statuses: bool = False) -> str:
    nodes, edges = _parts(graph, all_statuses=all_statuses)
    context = {
        "@vocab": "urn:groundwire:causal#",
        "label": "http://www.w3.org/2000/01/rdf-schema#label",
        "cause": {"@type": "@id"},
        "effect": {"@type": "@id"},
    }
    items: list[dict[str, Any]] = [
        {"@id": f"urn:groundwire:variable:{one.id}", "@type": "Variable", "label": one.label}
        for one in nodes
    ]
    items += [
        {
            "@id": f"urn:groundwire:edge:{one.id}",
            "@type": "CausalEdge",
            "cause": f"urn:groundwire:variable:{one.from_var}",
            "effect": f"urn:groundwire:variable:{one.to_var}",
            **_attributes(one),
        }
        for one in edges
    ]
    return json.dumps({"@context": context, "@graph": items}, ensure_ascii=False, indent=1) + "\n"


def to_csv(graph: CausalGraphFile, *, all_statuses: bool = False) -> str:
    """One line an edge: cause, effect, sign, belief, status, sources."""
    _, edges = _parts(graph, all_statuses=all_statuses)
    labels = {one.id: one.label for one in graph.variables}
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(["cause", "effect", "sign", "belief", "status", "sources"])
    for edge in edges:
        sources = sorted({one.quote.doc_id for one in edge.evidence})
        belief = "" if edge.belief is None else f"{edge.belief:.4f}"
        ends = (_cell(labels.get(name, name)) for name in (edge.from_var, edge.to_var))
        shown = map(_cell, sources)
        rows.writerow([*ends, edge.sign, belief, edge.edge_status, "; ".join(shown)])
    return written.getvalue()


def _attributes(edge: CausalEdge) -> dict[str, Any]:
    known = {"sign": edge.sign, "status": edge.edge_status, "belief": edge.belief}
    quotes = [{"doc_id": one.quote.doc_id, "quote": one.quote.quote} for one in edge.evidence]
    return {name: value for name, value in known.items() if value is not None} | {
        "evidence": quotes
    }


def _quoted(text: str) -> str:
    bare = _CONTROL.sub(" ", text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{bare}"'


def _gml(text: str) -> str:
    bare = _CONTROL.sub(" ", text).replace("&", "&amp;").replace('"', "&quot;")
    return '"' + "".join(one if one.isascii() else f"&#{ord(one)};" for one in bare) + '"'


def _cell(text: str) -> str:
    """A spreadsheet runs what begins with a sign of a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t")) else text
