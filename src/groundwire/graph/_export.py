"""A graph in the formats of other tools."""

import re
from xml.sax.saxutils import escape, quoteattr

from groundwire._patterns import lazy_pattern
from groundwire.model import CausalEdge, CausalGraphFile

_GRAPHML_KEYS = {
    "node": ("label", "type"),
    "edge": (
        "edge_status",
        "sign",
        "belief",
        "evidence_strength",
        "mechanism",
        "evidence",
        "reason",
    ),
}
_ARROWS = {"grounded": "-->", "contested": "-.->", "draft": "-.->", "rejected": "-.-x"}
_HEADS = {"raises": ">", "lowers": "o", "prevents": "x"}
# XML 1.0 has no place for these, not even escaped
# such as "\\x00"
_NOT_XML = lazy_pattern("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def shown_edges(graph: CausalGraphFile, *, all_statuses: bool) -> list[CausalEdge]:
    """The CKG alone, or every edge with its status."""
    chosen = (one for one in graph.edges if all_statuses or one.edge_status == "grounded")
    return sorted(chosen, key=lambda edge: edge.id)


def to_graphml(graph: CausalGraphFile, *, all_statuses: bool = False) -> str:
    edges = shown_edges(graph, all_statuses=all_statuses)
    used = {name for edge in edges for name in (edge.from_var, edge.to_var)}
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        *(
            f'  <key id="{name}" for="{kind}" attr.name="{name}" attr.type='
            f'"{"double" if name == "belief" else "string"}"/>'
            for kind, names in _GRAPHML_KEYS.items()
            for name in names
        ),
        '  <graph id="causal" edgedefault="directed">',
    ]
    for one in graph.variables:
        if one.id in used:
            lines.append(f"    <node id={_attribute(one.id)}>")
            lines += [_data("label", one.label), _data("type", one.type), "    </node>"]
    for edge in edges:
        ends = f"source={_attribute(edge.from_var)} target={_attribute(edge.to_var)}"
        lines.append(f"    <edge id={_attribute(edge.id)} {ends}>")
        lines += [*_edge_data(edge), "    </edge>"]
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _edge_data(edge: CausalEdge) -> list[str]:
    quotes = "\n".join(f"{one.quote.doc_id}: {one.quote.quote}" for one in edge.evidence)
    values = {name: getattr(edge, name) for name in _GRAPHML_KEYS["edge"]} | {"evidence": quotes}
    return [_data(name, value) for name, value in values.items() if value not in (None, "")]


def _data(key: str, value: object) -> str:
    return f'      <data key="{key}">{escape(_NOT_XML.sub("?", str(value)))}</data>'


def _attribute(value: str) -> str:
    return quoteattr(_NOT_XML.sub("?", value))


def to_mermaid(graph: CausalGraphFile, *, all_statuses: bool = False) -> str:
    edges = shown_edges(graph, all_statuses=all_statuses)
    used = {name for edge in edges for name in (edge.from_var, edge.to_var)}
    # Mermaid ids may not hold much more than letters, so nodes are numbered
    numbers = {
        one.id: f"n{index}"
        for index, one in enumerate(one for one in graph.variables if one.id in used)
    }
    labels = {one.id: _mermaid_text(one.label) for one in graph.variables}
    lines = ["flowchart LR"]
    lines += [f'    {number}["{labels[name]}"]' for name, number in numbers.items()]
    for edge in edges:
        lines.append(f"    {numbers[edge.from_var]} {_mermaid_arrow(edge)} {numbers[edge.to_var]}")
    return "\n".join([*lines, ""])


def _mermaid_arrow(edge: CausalEdge) -> str:
    """`-->` of a cause, `--x|prevents|` of what keeps something from happening."""
    arrow = _ARROWS[edge.edge_status]
    status = "" if edge.edge_status == "grounded" else edge.edge_status
    sign = "" if edge.sign == "raises" else edge.sign
    said = ", ".join(filter(None, (status, sign)))
    return f"{arrow[:-1]}{_HEADS[edge.sign]}|{said}|" if sign else arrow + f"|{said}|" * bool(said)


def _mermaid_text(text: str) -> str:
    """Mermaid reads quotes, markup and HTML in labels; it knows entities by number."""
    return re.sub(r"[^\w .,:/+-]", lambda found: f"#{ord(found.group())};", " ".join(text.split()))
