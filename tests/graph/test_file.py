import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import InputError, UnreadableSource
from groundwire.graph import changed_sources, load_graph, save_graph
from groundwire.model import CausalGraphFile, GraphSource, bytes_hash
from tests.graph.make import graph_of

TWO_EDGES = graph_of(
    ("full disk", "write errors", "The full disk caused write errors."),
    ("write errors", "lost readings", "Write errors led to lost readings."),
)


def _saved(path: Path, graph: CausalGraphFile = TWO_EDGES) -> dict[str, Any]:
    save_graph(graph, path)
    tree: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return tree


def test_a_graph_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    save_graph(TWO_EDGES, tmp_path / "graph.json")
    loaded = load_graph(tmp_path / "graph.json")
    assert loaded.file == TWO_EDGES
    assert loaded.problems == ()


def test_a_crash_while_saving_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "graph.json"
    save_graph(CausalGraphFile(), path)
    before = path.read_bytes()

    def _crash(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", _crash)
    with pytest.raises(KeyboardInterrupt):
        save_graph(TWO_EDGES, path)
    assert path.read_bytes() == before
    assert list(tmp_path.glob("*tmp*")) == []


def test_a_dangling_edge_is_left_out_and_named(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    tree = _saved(path)
    tree["edges"][0]["from_var"] = "nobody"
    path.write_text(json.dumps(tree), "utf-8")
    loaded = load_graph(path)
    assert [edge.id for edge in loaded.file.edges] == ["write_errors->lost_readings"]
    assert [problem.kind for problem in loaded.problems] == ["dangling_edge"]
    assert "'nobody'" in loaded.problems[0].message


def test_evidence_that_no_longer_matches_its_hash_grounds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    tree = _saved(path)
    name = tree["edges"][0]["evidence"][0]["evidence_id"]
    tree["evidence"][name]["content"] += " And it was Tuesday."
    path.write_text(json.dumps(tree), "utf-8")
    loaded = load_graph(path)
    first, second = loaded.file.edges
    assert (first.edge_status, first.reason) == ("draft", "evidence_changed")
    assert second.edge_status == "grounded"
    assert [problem.kind for problem in loaded.problems] == ["evidence_changed", "evidence_missing"]


def test_a_quote_that_is_not_in_its_evidence_grounds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    tree = _saved(path)
    tree["edges"][1]["evidence"][0]["quote"]["quote"] = "Write errors never lose a reading."
    path.write_text(json.dumps(tree), "utf-8")
    loaded = load_graph(path)
    assert loaded.file.edges[1].edge_status == "draft"
    assert [problem.kind for problem in loaded.problems] == ["quote_not_found"]


def test_a_grounded_edge_without_evidence_is_only_a_draft(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    tree = _saved(path)
    tree["edges"][0]["evidence"] = []
    path.write_text(json.dumps(tree), "utf-8")
    loaded = load_graph(path)
    assert loaded.file.edges[0].edge_status == "draft"
    assert [problem.kind for problem in loaded.problems] == ["evidence_missing"]


def test_parts_that_cannot_be_read_are_left_out_and_the_rest_is_used(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    tree = _saved(path)
    tree["edges"] += [{"id": "x"}, "not an edge", tree["edges"][0]]
    tree["edges"].append(tree["edges"][0] | {"id": "loop", "to_var": tree["edges"][0]["from_var"]})
    tree["fixes"] = "none"
    path.write_text(json.dumps(tree), "utf-8")
    loaded = load_graph(path)
    assert loaded.file.edges == TWO_EDGES.edges
    kinds = [problem.kind for problem in loaded.problems]
    assert kinds == ["invalid", "invalid", "duplicate", "invalid", "invalid"]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "not json",
        "[]",
        "{}",
        "[" * 100_000,
        '{"edges": [{"id": "a->b", "from_var": "a", "to_var": "b"}]}',
    ],
)
def test_a_file_of_which_nothing_is_left_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "graph.json"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match="is not a causal graph"):
        load_graph(path)


def test_a_graph_with_no_edges_yet_is_a_graph(tmp_path: Path) -> None:
    save_graph(CausalGraphFile(), tmp_path / "graph.json")
    assert load_graph(tmp_path / "graph.json").file == CausalGraphFile()


def test_a_file_of_a_later_version_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(_saved(path) | {"schema_version": 99}), "utf-8")
    with pytest.raises(InputError, match="version 99"):
        load_graph(path)


def test_a_missing_or_huge_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="cannot be read"):
        load_graph(tmp_path / "none.json")
    save_graph(TWO_EDGES, tmp_path / "graph.json")
    with pytest.raises(UnreadableSource, match="larger than"):
        load_graph(tmp_path / "graph.json", max_mb=0.0001)


def test_a_document_that_changed_since_is_named(tmp_path: Path) -> None:
    (tmp_path / "same.md").write_bytes(b"as it was")
    (tmp_path / "changed.md").write_bytes(b"as it is now")
    graph = CausalGraphFile(
        sources=tuple(
            GraphSource(doc_id=name, path=f"{name}.md", sha256=bytes_hash(b"as it was"))
            for name in ("same", "changed", "gone")
        )
    )
    found = [(problem.kind, problem.subject) for problem in changed_sources(graph, tmp_path)]
    assert found == [("source_changed", "changed"), ("source_missing", "gone")]


def test_sources_are_found_again_from_any_folder_and_after_a_move(tmp_path: Path) -> None:
    first = tmp_path / "here" / "reports"
    first.mkdir(parents=True)
    (first / "a.md").write_text("The full disk caused write errors.", encoding="utf-8")
    sha256 = bytes_hash((first / "a.md").read_bytes())
    graph = CausalGraphFile(sources=(GraphSource(doc_id="a", path="reports/a.md", sha256=sha256),))
    assert changed_sources(graph, tmp_path / "here") == ()
    deeper = tmp_path / "here" / "graphs"
    deeper.mkdir()
    assert changed_sources(graph, deeper) == ()
    (tmp_path / "there" / "kept").mkdir(parents=True)
    (first / "a.md").rename(tmp_path / "there" / "kept" / "a.md")
    assert changed_sources(graph, tmp_path / "there") == ()
    (problem,) = changed_sources(graph, deeper)
    assert problem.kind == "source_missing"
