import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, strategies as st

from groundwire.graph import (
    to_csv,
    to_dot,
    to_gml,
    to_graphml,
    to_html,
    to_json_ld,
    to_mermaid,
    to_node_link,
    to_svg,
)
from groundwire.graph._picture import layout
from groundwire.model import CausalGraphFile
from tests.graph.make import graph_of

_GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"
_SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</script><script>alert(1)</script> & \"q\" 'q' \x0b [x](y) #35; \n]] -->"
GRAPH = graph_of(("full disk", "write errors", "The full disk caused write errors."))
REJECTED = graph_of(
    ("full disk", "write errors", "The full disk caused write errors."),
    ("moon", "write errors", "The moon shone."),
)
REJECTED = REJECTED.model_copy(
    update={
        "edges": (
            REJECTED.edges[0],
            REJECTED.edges[1].model_copy(
                update={"edge_status": "rejected", "reason": "correlation_only"}
            ),
        )
    }
)


class _Reader(HTMLParser):
    """What a browser would run, load and show by its address."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        given = dict(attrs)
        self.links += [str(given[name]) for name in ("href", "src") if name in given]
        if "id" in given:
            self.ids.append(str(given["id"]))


def _strange(graph: CausalGraphFile) -> CausalGraphFile:
    renamed = tuple(one.model_copy(update={"label": HOSTILE}) for one in graph.variables)
    return graph.model_copy(update={"variables": renamed})


def test_graphml_holds_every_node_and_edge_with_its_evidence() -> None:
    tree = ET.fromstring(to_graphml(GRAPH))  # noqa: S314 - written above
    nodes = [node.get("id") for node in tree.iter(f"{_GRAPHML}node")]
    (edge,) = tree.iter(f"{_GRAPHML}edge")
    data = {one.get("key"): one.text for one in edge.iter(f"{_GRAPHML}data")}
    assert nodes == ["full_disk", "write_errors"]
    assert (edge.get("source"), edge.get("target")) == ("full_disk", "write_errors")
    assert data["evidence"] == "report-0: The full disk caused write errors."
    assert data["belief"] == "0.9"


def test_rejected_edges_are_exported_only_when_asked_for() -> None:
    for export in (to_graphml, to_mermaid, to_svg, to_html):
        assert "moon" not in export(REJECTED)
        assert "moon" in export(REJECTED, all_statuses=True)


def test_mermaid_labels_cannot_break_out() -> None:
    lines = to_mermaid(_strange(GRAPH)).splitlines()
    assert lines[0] == "flowchart LR"
    assert len(lines) == 4
    assert all(re.fullmatch(r'    n\d\["[\w .,:/+#;-]*"\]', line) for line in lines[1:3])
    assert lines[3] == "    n0 --> n1"


def _signed(sign: str, status: str = "grounded") -> CausalGraphFile:
    (edge,) = GRAPH.edges
    changed = edge.model_copy(update={"sign": sign, "edge_status": status})
    return GRAPH.model_copy(update={"edges": (changed,)})


@pytest.mark.parametrize(
    ("sign", "status", "arrow"),
    [
        ("raises", "grounded", "-->"),
        ("lowers", "grounded", "--o|lowers|"),
        ("prevents", "grounded", "--x|prevents|"),
        ("raises", "contested", "-.->|contested|"),
        ("prevents", "contested", "-.-x|contested, prevents|"),
        ("raises", "rejected", "-.-x|rejected|"),
        ("lowers", "rejected", "-.-o|rejected, lowers|"),
    ],
)
def test_mermaid_draws_what_prevents_unlike_a_cause(sign: str, status: str, arrow: str) -> None:
    """The head and the words on the line say what an edge does, and how it ended."""
    drawn = to_mermaid(_signed(sign, status), all_statuses=True).splitlines()[-1]
    assert drawn == f"    n0 {arrow} n1"


def test_a_picture_ends_lines_by_their_sign() -> None:
    """A bar for what prevents, a dot for what lessens, an arrow for what brings about."""
    heads = {"raises": "head", "lowers": "dot", "prevents": "tee"}
    for sign, head in heads.items():
        assert f'marker-end="url(#{head})"' in to_svg(_signed(sign))


def test_labels_from_documents_stay_text_in_every_format() -> None:
    graph = _strange(GRAPH)
    for node in ET.fromstring(to_graphml(graph)).iter(f"{_GRAPHML}node"):  # noqa: S314
        assert next(iter(node)).text == HOSTILE.replace("\x0b", "?")
    page = to_html(graph)
    assert page.count("<script") == 1
    assert "script-src 'sha256-" in page


def test_the_page_loads_nothing_and_shows_each_edge_by_its_address() -> None:
    page = _Reader(to_html(REJECTED, all_statuses=True))
    assert page.links == ["#edge-0", "#edge-1"]
    assert {"edge-0", "edge-1"} <= set(page.ids)
    assert "The full disk caused write errors." in to_html(GRAPH)


def test_the_picture_is_well_formed_and_stays_inside_its_frame() -> None:
    tree = ET.fromstring(to_svg(GRAPH))  # noqa: S314 - written above
    width, height = float(tree.get("width", 0)), float(tree.get("height", 0))
    boxes = list(tree.iter(f"{_SVG}rect"))
    assert len(boxes) == 2
    for box in boxes:
        assert float(box.get("x", -1)) >= 0
        assert float(box.get("x", 0)) + float(box.get("width", 0)) <= width
        assert float(box.get("y", 0)) + float(box.get("height", 0)) <= height


def test_an_empty_graph_can_be_exported() -> None:
    for export in (to_graphml, to_mermaid, to_svg, to_html):
        assert export(CausalGraphFile())


@given(st.sets(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg"))))
def test_no_two_nodes_share_a_place_and_causes_stand_left(edges: set[tuple[str, str]]) -> None:
    forward = {(a, b) for a, b in edges if a < b}
    laid_out = layout(list("abcdefg"), forward)
    taken = [*laid_out.places.values(), *(one for way in laid_out.bends.values() for one in way)]
    assert set(laid_out.places) == set("abcdefg")
    assert len(set(taken)) == len(taken)
    for a, b in forward:
        assert laid_out.places[a].column < laid_out.places[b].column
        crossed = laid_out.places[b].column - laid_out.places[a].column - 1
        assert len(laid_out.bends.get((a, b), ())) == crossed


@given(st.sets(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"))))
def test_cycles_are_laid_out_too(edges: set[tuple[str, str]]) -> None:
    assert set(layout(list("abcd"), edges).places) == set("abcd")


def test_every_format_says_the_same_edges() -> None:
    """DOT, GML, JSON-LD, node-link and CSV name both ends, the sign and the status."""
    for export in (to_dot, to_gml, to_json_ld, to_node_link, to_csv):
        assert "moon" not in export(REJECTED)
        told = export(REJECTED, all_statuses=True)
        assert "moon" in told
        assert export(CausalGraphFile()) is not None
    data = json.loads(to_node_link(GRAPH))
    assert [(one["source"], one["target"], one["sign"]) for one in data["edges"]] == [
        ("full_disk", "write_errors", "raises")
    ]
    assert to_csv(GRAPH).splitlines()[1].startswith("full disk,")


def test_the_page_of_a_large_graph_is_bounded_and_complete() -> None:
    """The picture holds the surest edges, the list all of them."""
    edges = tuple(
        GRAPH.edges[0].model_copy(update={"id": f"e{number}", "belief": number / 1000})
        for number in range(1000)
    )
    page = to_html(GRAPH.model_copy(update={"edges": edges}))
    assert page.count('class="edge grounded"') == 150
    assert page.count('class="edge-panel"') == 1000
