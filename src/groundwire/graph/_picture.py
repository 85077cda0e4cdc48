"""Places for the nodes of a graph: causes left, effects right, few crossings, parts stacked."""

from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from itertools import pairwise

from groundwire.graph._export import shown_edges
from groundwire.model import SIGN_WORDS, CausalEdge, CausalGraphFile, EdgeEvidence

_SWEEPS = 6

Pair = tuple[str, str]


@dataclass(frozen=True)
class Place:
    """`column` counts causes before it; `row` may lie between two rows."""

    column: int
    row: float


@dataclass(frozen=True)
class Layout:
    """Where nodes stand, and where an edge over several columns passes between them."""

    places: dict[str, Place]
    bends: dict[Pair, tuple[Place, ...]]


def layout(nodes: Sequence[str], edges: Iterable[Pair]) -> Layout:
    """The same graph is drawn the same way every time."""
    ordered = sorted(set(edges))
    places: dict[str, Place] = {}
    steps: dict[Pair, list[str]] = {}
    first_row = 0.0
    for part in _parts(sorted(nodes), ordered):
        inside = [(a, b) for a, b in ordered if a in part and b in part]
        columns = _columns(sorted(part), inside)
        rows = _rows(columns, _stepwise(columns, inside, steps))
        height = max(len(column) for column in rows)
        for index, column in enumerate(rows):
            above = (height - len(column)) / 2
            for row, node in enumerate(column):
                places[node] = Place(index, first_row + above + row)
        first_row += height + 0.5
    bends = {edge: tuple(places.pop(step) for step in on_way) for edge, on_way in steps.items()}
    return Layout(places, bends)


def _stepwise(
    columns: list[list[str]], edges: Sequence[Pair], steps: dict[Pair, list[str]]
) -> list[Pair]:
    """Edges from column to column: a longer one gets a place of its own in each it crosses."""
    column_of = {node: index for index, column in enumerate(columns) for node in column}
    short: list[Pair] = []
    for a, b in edges:
        crossed = range(column_of[a] + 1, column_of[b])
        on_way = [f"\0{a}\0{b}\0{index}" for index in crossed]
        for index, step in zip(crossed, on_way, strict=True):
            columns[index].append(step)
        if on_way:
            steps[a, b] = on_way
        short += pairwise([a, *on_way, b])
    return short


def _parts(nodes: Sequence[str], edges: Sequence[Pair]) -> list[set[str]]:
    """Nodes that hang together, the largest part first."""
    beside: dict[str, set[str]] = defaultdict(set)
    for a, b in edges:
        beside[a].add(b)
        beside[b].add(a)
    left = dict.fromkeys(nodes)
    parts: list[set[str]] = []
    while left:
        todo = [next(iter(left))]
        part: set[str] = set()
        while todo:
            node = todo.pop()
            if node in left:
                del left[node]
                part.add(node)
                todo += beside[node]
        parts.append(part)
    return sorted(parts, key=lambda part: (-len(part), min(part)))


def _columns(nodes: Sequence[str], edges: Sequence[Pair]) -> list[list[str]]:
    """Each node one column right of its last cause; an edge that closes a cycle moves nobody."""
    causes: dict[str, list[str]] = defaultdict(list)
    for a, b in edges:
        causes[b].append(a)
    depth: dict[str, int] = {}
    for start in nodes:
        todo = [(start, False)]
        open_: set[str] = set()
        while todo:
            node, is_ready = todo.pop()
            if is_ready:
                known = [depth[one] for one in causes[node] if one in depth]
                depth[node] = max(known, default=-1) + 1
                open_.discard(node)
            elif node not in depth and node not in open_:
                open_.add(node)
                todo.append((node, True))
                todo += [(one, False) for one in causes[node] if one not in depth]
    columns: list[list[str]] = [[] for _ in range(max(depth.values()) + 1)]
    for node in nodes:
        columns[depth[node]].append(node)
    return columns


def _rows(columns: list[list[str]], edges: Sequence[Pair]) -> list[list[str]]:
    """Orders each column by where its neighbours stand, to and fro."""
    beside: dict[str, list[str]] = defaultdict(list)
    for a, b in edges:
        beside[a].append(b)
        beside[b].append(a)
    for sweep in range(_SWEEPS):
        places = {node: row for column in columns for row, node in enumerate(column)}
        indexes = range(len(columns)) if sweep % 2 == 0 else reversed(range(len(columns)))
        for index in indexes:
            middle = sorted(
                (sum(places[one] for one in beside[node]) / max(1, len(beside[node])), node)
                for node in columns[index]
            )
            columns[index] = [node for _, node in middle]
            places.update({node: row for row, node in enumerate(columns[index])})
    return columns


_COLUMN_PX, _ROW_PX = 230, 58
_NODE_WIDTH_PX, _NODE_HEIGHT_PX = 160, 38
_MARGIN_PX = 24
_LINE_CHARS = 24
_MAX_LINES = 2

_STYLE = """
svg{font:13px system-ui,sans-serif;background:#fff}
.node rect{fill:#f4f6f8;stroke:#51606f}.node text{fill:#17212b;text-anchor:middle}
.edge path{fill:none;stroke:#2b6a4b;stroke-width:2}.edge .grip{stroke:transparent;stroke-width:14}
.edge.contested path.line{stroke:#b26a00;stroke-dasharray:6 4}
.edge.rejected path.line,.edge.draft path.line{stroke:#9aa5b1;stroke-dasharray:2 5}
.edge:hover path.line,.edge:focus path.line{stroke-width:4}
"""
_ARROW_HEAD = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto"><path d="M0 0L8 4L0 8z" fill="#51606f"/></marker>'
    '<marker id="dot" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto"><circle cx="4" cy="4" r="3" fill="#fff" stroke="#51606f"/></marker>'
    '<marker id="tee" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto"><path d="M6 0L6 8" stroke="#51606f" stroke-width="2"/></marker></defs>'
)
_HEADS = {"raises": "head", "lowers": "dot", "prevents": "tee"}
_PAGE_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;color:#17212b}
body{margin:2rem auto;max-width:80rem;padding:0 1rem}
.picture{overflow:auto;max-height:60vh;border:1px solid #d6dde4}
section.edge-panel{border:1px solid #d6dde4;padding:.5rem 1rem;margin-top:.5rem;
content-visibility:auto;contain-intrinsic-size:auto 6rem}
section.edge-panel[hidden]{display:none}section.edge-panel:target{border-color:#2b6a4b}
section.edge-panel h2{font-size:1rem;margin:.2rem 0}section.edge-panel h2 button{font:inherit}
a.edge.faint{opacity:.12}form{margin:.5rem 0}
blockquote{margin:.5rem 0;padding-left:.8rem;border-left:3px solid #2b6a4b}
.against blockquote{border-color:#a3261f}footer,.where{color:#51606f;font-size:.9rem}
"""


def to_svg(graph: CausalGraphFile, *, all_statuses: bool = False, is_styled: bool = True) -> str:
    """A picture with its own style sheet, or without for a page that has one."""
    edges = shown_edges(graph, all_statuses=all_statuses)
    used = {name for edge in edges for name in (edge.from_var, edge.to_var)}
    # an edge that is not grounded is drawn, but does not decide who stands where
    joined = [(one.from_var, one.to_var) for one in edges if one.edge_status == "grounded"]
    laid_out = layout(sorted(used), joined)
    places = laid_out.places
    columns = max((one.column for one in places.values()), default=0) + 1
    passed = [one for bends in laid_out.bends.values() for one in bends]
    rows = max((one.row for one in (*places.values(), *passed)), default=0) + 1
    width = 2 * _MARGIN_PX + (columns - 1) * _COLUMN_PX + _NODE_WIDTH_PX
    height = 2 * _MARGIN_PX + (rows - 1) * _ROW_PX + _NODE_HEIGHT_PX
    labels = {one.id: one.label for one in graph.variables}
    drawn = [_edge(edge, number, laid_out) for number, edge in enumerate(edges)]
    drawn += [_node(labels.get(name, name), places[name]) for name in sorted(used)]
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" '
        f'width="{width}" height="{height:g}" role="group" aria-label="Causal graph">'
    )
    style = [f"<style>{_STYLE}</style>"] if is_styled else []
    return "\n".join([opening, *style, _ARROW_HEAD, *drawn, "</svg>", ""])


def to_html(graph: CausalGraphFile, *, all_statuses: bool = False) -> str:
    """A page that works with thousands of edges: search, filters, one node and its neighbours.

    Its only script is the one below; the page's policy names it by its hash, so nothing a document
    says can run.
    """
    edges = shown_edges(graph, all_statuses=all_statuses)
    labels = {one.id: one.label for one in graph.variables}
    panels = "\n".join(_panel(edge, number, labels) for number, edge in enumerate(edges))
    drawn, said = _drawn(graph, edges)
    picture = to_svg(drawn, all_statuses=all_statuses)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Causal graph</title>
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_script_hash()}'">
<meta name="viewport" content="width=device-width"><style>{_PAGE_STYLE}</style></head>
<body><h1>Causal graph</h1>
<p>{_summary(graph)} Causes stand left of their effects. {said}</p>
<form id="filters" role="search">{_filters(edges)}</form>
<p id="count" role="status"></p>
<div class="picture">{picture}</div>
{panels}
<footer>Groundwire</footer><script>{_SCRIPT}</script></body></html>
"""


MAX_DRAWN = 150
"""Edges in one picture; more cannot be told apart."""
# every pixel of the page works without it: it only hides what is not looked for
_SCRIPT = """
const form = document.getElementById("filters");
const panels = [...document.querySelectorAll("section.edge-panel")];
const lines = [...document.querySelectorAll("a.edge")];
const drawn = new Map(lines.map(line => [line.getAttribute("href"), line]));
let focus = "";
function show() {
  const words = form.words.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const least = Number(form.belief.value), status = form.status.value, doc = form.doc.value;
  let count = 0;
  for (const one of panels) {
    const data = one.dataset;
    const fits = words.every(word => data.text.includes(word))
      && Number(data.belief) >= least && (!status || data.status === status)
      && (!doc || data.docs.split("\\n").includes(doc))
      && (!focus || data.from === focus || data.to === focus);
    one.hidden = !fits;
    const line = drawn.get("#" + one.id);
    if (line) line.classList.toggle("faint", !fits);
    count += fits;
  }
  document.getElementById("count").textContent = count + " of " + panels.length + " edges"
    + (focus ? ", around one node" : "");
}
form.addEventListener("input", show);
form.addEventListener("submit", event => event.preventDefault());
form.addEventListener("reset", () => { focus = ""; setTimeout(show); });
document.addEventListener("click", event => {
  const node = event.target.closest("button[data-node]");
  if (node) { focus = node.dataset.node; show(); }
});
show();
"""


def _script_hash() -> str:
    return b64encode(sha256(_SCRIPT.encode()).digest()).decode()


def _drawn(graph: CausalGraphFile, edges: Sequence[CausalEdge]) -> tuple[CausalGraphFile, str]:
    """The graph, or the surest of its edges where they are too many for a picture."""
    if len(edges) <= MAX_DRAWN:
        return graph, "Choose an edge to read its evidence."
    surest = sorted(edges, key=lambda edge: (-(edge.belief or 0.0), edge.id))[:MAX_DRAWN]
    said = f"The picture shows the {MAX_DRAWN} surest edges; the list below has them all."
    return graph.model_copy(update={"edges": tuple(surest)}), said


def _filters(edges: Sequence[CausalEdge]) -> str:
    documents = sorted({one.quote.doc_id for edge in edges for one in edge.evidence})
    statuses = sorted({edge.edge_status for edge in edges})
    return (
        '<label>Search <input type="search" name="words"></label> '
        '<label>Belief from <input type="number" name="belief" min="0" max="1" step="0.05" '
        'value="0"></label> '
        f'<label>Status <select name="status">{_options(statuses)}</select></label> '
        f'<label>Document <select name="doc">{_options(documents)}</select></label> '
        '<button type="reset">Show all</button>'
    )


def _options(values: Iterable[str]) -> str:
    chosen = "".join(f"<option>{escape(value)}</option>" for value in values)
    return f'<option value="">any</option>{chosen}'


def _summary(graph: CausalGraphFile) -> str:
    counts = Counter(edge.edge_status for edge in graph.edges)
    return "Edges: " + ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) + "."


def _centre(place: Place) -> tuple[float, float]:
    x = _MARGIN_PX + place.column * _COLUMN_PX + _NODE_WIDTH_PX / 2
    return x, _MARGIN_PX + place.row * _ROW_PX + _NODE_HEIGHT_PX / 2


def _node(label: str, place: Place) -> str:
    x, y = _centre(place)
    left, top = x - _NODE_WIDTH_PX / 2, y - _NODE_HEIGHT_PX / 2
    lines = _wrapped(label)
    first = y + 4 - (len(lines) - 1) * 8
    texts = "".join(
        f'<text x="{x:g}" y="{first + index * 16:g}">{escape(line)}</text>'
        for index, line in enumerate(lines)
    )
    return (
        f'<g class="node"><title>{escape(label)}</title><rect x="{left:g}" y="{top:g}" '
        f'width="{_NODE_WIDTH_PX}" height="{_NODE_HEIGHT_PX}" rx="6"/>{texts}</g>'
    )


def _wrapped(label: str) -> list[str]:
    lines = [""]
    for word in label.split():
        if lines[-1] and len(lines[-1]) + len(word) >= _LINE_CHARS:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()[:_LINE_CHARS]
    return lines if len(lines) <= _MAX_LINES else [*lines[: _MAX_LINES - 1], lines[1][:-1] + "…"]


def _edge(edge: CausalEdge, number: int, laid_out: Layout) -> str:
    path = _path(edge, laid_out)
    return (
        f'<a class="edge {edge.edge_status}" href="#edge-{number}"><title>{escape(edge.id)}</title>'
        f'<path class="line" d="{path}" marker-end="url(#{_HEADS[edge.sign]})"/>'
        f'<path class="grip" d="{path}"/></a>'
    )


def _path(edge: CausalEdge, laid_out: Layout) -> str:
    """From box to box; through a column it crosses, straight ahead between the boxes."""
    half = _NODE_WIDTH_PX / 2
    x, y = _centre(laid_out.places[edge.from_var])
    x += half
    path = f"M{x:g} {y:g}"
    for bend in laid_out.bends.get((edge.from_var, edge.to_var), ()):
        to_x, to_y = _centre(bend)
        path += f"{_curve(x, y, to_x - half, to_y)}H{to_x + half:g}"
        x, y = to_x + half, to_y
    to_x, to_y = _centre(laid_out.places[edge.to_var])
    return path + _curve(x, y, to_x - half - 2, to_y)


def _curve(x: float, y: float, to_x: float, to_y: float) -> str:
    bend = max(40.0, abs(to_x - x) / 2)
    return f"C{x + bend:g} {y:g} {to_x - bend:g} {to_y:g} {to_x:g} {to_y:g}"


def _panel(edge: CausalEdge, number: int, labels: dict[str, str]) -> str:
    names = (labels.get(edge.from_var, edge.from_var), labels.get(edge.to_var, edge.to_var))
    belief = f", belief {edge.belief:.2f}" if edge.belief is not None else ""
    quotes = " ".join(one.quote.quote for one in edge.evidence)
    told = " ".join(f"{names[0]} {names[1]} {quotes}".lower().split())
    documents = "\n".join(sorted({one.quote.doc_id for one in edge.evidence}))
    ends = zip((edge.from_var, edge.to_var), names, strict=True)
    cause, effect = (
        f'<button type="button" data-node="{escape(node)}">{escape(name)}</button>'
        for node, name in ends
    )
    arrow = SIGN_WORDS[edge.sign]
    parts = [
        (
            f'<section class="edge-panel" id="edge-{number}" data-text="{escape(told)}" '
            f'data-belief="{edge.belief or 0:g}" data-status="{edge.edge_status}" '
            f'data-from="{escape(edge.from_var)}" data-to="{escape(edge.to_var)}" '
            f'data-docs="{escape(documents)}">'
        ),
        f"<h2>{cause} {arrow} {effect}</h2>",
        f"<p>{edge.edge_status}{belief}. {escape(edge.message or edge.reason or '')}</p>",
        *map(_quote, edge.evidence),
    ]
    if edge.refutations:
        against = "".join(map(_quote, edge.refutations))
        parts.append(f'<div class="against"><h3>Against it</h3>{against}</div>')
    for title, lines in (("Assumes", edge.assumptions), ("Holds when", edge.conditions)):
        if lines:
            listed = "".join(f"<li>{escape(line)}</li>" for line in lines)
            parts.append(f"<h3>{title}</h3><ul>{listed}</ul>")
    return "\n".join([*parts, "</section>"])


def _quote(evidence: EdgeEvidence) -> str:
    quote = evidence.quote
    where = f"{quote.doc_id}, characters {quote.start} to {quote.end}"
    return f'<blockquote>{escape(quote.quote)}</blockquote><p class="where">{escape(where)}</p>'
