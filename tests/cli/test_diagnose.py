"""`gw diagnose` and `gw graph` on the examples and on bad days."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from groundwire.model import Conclusion, Diagnosis, Hypothesis
from groundwire.testing import Fault, OpenAIServer
from tests.cli.conftest import Run

INCIDENTS = Path(__file__).parents[2] / "examples" / "incidents"
GRAPH = str(INCIDENTS / "graph.json")
HOT = str(INCIDENTS / "held-out" / "h13-vcore-high-on-node-14.md")
TIED = str(INCIDENTS / "held-out" / "h16-oil-temperature-only.md")
UNSEEN = str(INCIDENTS / "held-out" / "u03-patient.md")


def test_a_diagnosis_is_one_json_document(gw: Run) -> None:
    done = gw("diagnose", HOT, "--graph", GRAPH, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    assert said["mode"] == "ANSWER"
    assert said["diagnosis"]["conclusion"]["root_cause"] == "CM voting"
    assert said["coverage"]["input_coverage"] == 1.0


def test_a_diagnosis_reads_as_markdown_and_can_be_written(gw_here: Run, tmp_path: Path) -> None:
    done = gw_here("diagnose", HOT, "--graph", GRAPH, "--markdown", str(tmp_path / "out.md"))
    assert done.returncode == 0
    assert "**Furthest known cause: CM voting** (confidence: high)" in done.stdout
    assert (tmp_path / "out.md").read_text("utf-8") == done.stdout


@pytest.mark.parametrize(
    ("report", "reason"), [(UNSEEN, "insufficient_coverage"), (TIED, "ambiguous_root_cause")]
)
def test_an_abstention_ends_with_3(gw_here: Run, report: str, reason: str) -> None:
    done = gw_here("diagnose", report, "--graph", GRAPH, "--json")
    assert done.returncode == 3
    said = json.loads(done.stdout)
    assert (said["mode"], said["reason"]) == ("ABSTAIN", reason)


def test_the_gate_can_be_switched_off_by_the_documents_variable(
    gw_here: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENABLE_ABSTAIN_GATE", "false")
    done = gw_here("diagnose", TIED, "--graph", GRAPH, "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["diagnosis"]["conclusion"]["root_cause"] == "UNKNOWN"


def test_a_report_may_come_from_standard_input(gw: Run) -> None:
    report = Path(HOT).read_text("utf-8")
    done = gw("diagnose", "-", "--graph", GRAPH, "--json", stdin=report)
    assert json.loads(done.stdout)["diagnosis"]["conclusion"]["root_cause"] == "CM voting"


def test_bad_input_is_named_and_ends_with_2(gw_here: Run, tmp_path: Path) -> None:
    empty = tmp_path / "empty.md"
    empty.write_text("")
    assert gw_here("diagnose", str(empty), "--graph", GRAPH).returncode == 2
    assert gw_here("diagnose", HOT, "--graph", str(tmp_path / "none.json")).returncode == 2
    done = gw_here("diagnose", HOT, "--graph", str(empty))
    assert done.returncode == 2
    assert "is not a causal graph" in done.stderr
    done = gw_here("diagnose", HOT, "--graph", GRAPH, "--draft", "poet")
    assert done.returncode == 2


def test_a_damaged_graph_is_used_as_far_as_it_goes(gw_here: Run, tmp_path: Path) -> None:
    tree = json.loads(Path(GRAPH).read_text("utf-8"))
    tree["edges"][0]["to_var"] = "nobody"
    changed = next(one for one in tree["edges"] if one["id"] == "cm_voting->vcore_ceiling")
    for one in changed["evidence"]:
        tree["evidence"][one["evidence_id"]]["content"] += "!"
    damaged = tmp_path / "graph.json"
    damaged.write_text(json.dumps(tree), "utf-8")
    done = gw_here("diagnose", HOT, "--graph", str(damaged), "--json")
    assert "'nobody', which is no variable" in done.stderr
    assert "does not match its hash" in done.stderr
    found = json.loads(done.stdout)["diagnosis"]
    assert found["conclusion"]["root_cause"] == "raised VCORE ceiling"


def test_a_document_that_changed_beside_the_graph_is_named(gw_here: Run, tmp_path: Path) -> None:
    (tmp_path / "graph.json").write_bytes(Path(GRAPH).read_bytes())
    (tmp_path / "027-edge-node-runs-hot.md").write_text("All is well.")
    done = gw_here("diagnose", HOT, "--graph", str(tmp_path / "graph.json"))
    assert done.returncode == 0
    assert "027-edge-node-runs-hot.md has changed" in done.stderr


LYING = Diagnosis(
    hypotheses=(Hypothesis(text="It reached 812 °C."), Hypothesis(text="A vote was left set.")),
    conclusion=Conclusion(root_cause="MMDVFS lock", confidence="high"),
)


def _drafted(gw_here: Run, server: OpenAIServer) -> dict[str, Any]:
    settings = {
        "llm.provider": "openai",
        "llm.base_url": server.base_url,
        "llm.model": "some-model",
        "verification.max_retries": 0,
    }
    flags = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
    done = gw_here(*flags, "diagnose", HOT, "--graph", GRAPH, "--draft", "llm", "--json")
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_a_model_behind_the_real_sdk_drafts_and_is_held_to_the_rules(gw_here: Run) -> None:
    pytest.importorskip("openai")
    with OpenAIServer(LYING.model_dump_json()) as server:
        said = _drafted(gw_here, server)
    assert said["drafted_by"] == "llm:some-model"
    assert said["diagnosis"]["conclusion"]["root_cause"] == "CM voting"
    texts = [one["text"] for one in said["diagnosis"]["hypotheses"]]
    assert texts == ["A vote was left set.", "The root cause may be: MMDVFS lock."]
    assert {one["type"] for one in said["problems"]} == {
        "UNSUPPORTED_METRIC",
        "UNGROUNDED_ROOT_CAUSE",
    }


def test_a_model_that_is_down_leaves_the_template(gw_here: Run) -> None:
    pytest.importorskip("openai")
    with OpenAIServer(Fault("server_error")) as server:
        assert _drafted(gw_here, server)["drafted_by"] == "template"


def test_outcomes_are_in_the_audit_trail(gw_here: Run) -> None:
    gw_here("diagnose", HOT, "--graph", GRAPH)
    gw_here("diagnose", UNSEEN, "--graph", GRAPH)
    rows = json.loads(gw_here("audit-log", "--json").stdout)
    assert [(row["operation"], row["status"], row["reason"]) for row in rows] == [
        ("diagnose", "ABSTAIN", "insufficient_coverage"),
        ("diagnose", "ANSWER", "confidence_high"),
    ]
    assert rows[1]["claim"] == "Root cause: CM voting"
    source = gw_here("audit-log", "--json", "--source", "027-edge-node-runs-hot.md").stdout
    assert len(json.loads(source)) == 1


def test_show_lists_edges_and_what_is_wrong_with_the_file(gw_here: Run, tmp_path: Path) -> None:
    done = gw_here("graph", "show", GRAPH)
    assert done.returncode == 0
    assert "46 grounded" in done.stdout
    (tmp_path / "graph.json").write_bytes(Path(GRAPH).read_bytes())
    said = json.loads(gw_here("graph", "show", str(tmp_path / "graph.json"), "--json").stdout)
    assert said["counts"] == {"grounded": 46, "rejected": 0, "contested": 0, "draft": 0}
    assert {one["kind"] for one in said["problems"]} == {"source_missing"}
    none = gw_here("graph", "show", GRAPH, "--status", "rejected", "--json")
    assert json.loads(none.stdout)["edges"] == []


@pytest.mark.parametrize("name", ["cm_voting->vcore_ceiling", "cm voting → Raised VCORE ceiling"])
def test_an_edge_is_explained_by_its_quotes(gw_here: Run, name: str) -> None:
    done = gw_here("graph", "explain", name, "--graph", GRAPH)
    assert done.returncode == 0
    assert "CM voting → raised VCORE ceiling" in done.stdout
    assert "027-edge-node-runs-hot.md" in done.stdout
    said = json.loads(gw_here("graph", "explain", name, "--graph", GRAPH, "--json").stdout)
    assert {one["evidence_id"] for one in said["evidence"]} == set(said["bundles"])


@pytest.mark.parametrize(("sign", "word"), [("lowers", "lessens"), ("prevents", "prevents")])
def test_an_edge_is_shown_with_its_sign(gw_here: Run, tmp_path: Path, sign: str, word: str) -> None:
    """What prevents something is not listed or explained like its cause."""
    graph = json.loads(Path(GRAPH).read_text())
    edge = next(one for one in graph["edges"] if one["id"] == "cm_voting->vcore_ceiling")
    edge["sign"] = sign
    changed = tmp_path / "graph.json"
    changed.write_text(json.dumps(graph))
    said = gw_here("graph", "explain", edge["id"], "--graph", str(changed)).stdout
    assert f"CM voting {word} raised VCORE ceiling" in said
    assert sign in gw_here("graph", "show", str(changed)).stdout


def test_an_edge_that_is_not_there_has_a_near_one(gw_here: Run) -> None:
    done = gw_here("graph", "explain", "cm_voting->vcore_ceilin", "--graph", GRAPH)
    assert done.returncode == 2
    assert "'cm_voting->vcore_ceiling'" in done.stderr


def test_a_graph_is_exported_in_every_format(gw_here: Run, tmp_path: Path) -> None:
    for form, begins in (
        ("json", '{\n "schema_version": 1'),
        ("graphml", "<?xml"),
        ("mermaid", "flowchart LR"),
        ("svg", "<svg"),
        ("html", "<!doctype html>"),
    ):
        out = tmp_path / f"graph.{form}"
        done = gw_here("graph", "export", GRAPH, "--format", form, "--out", str(out))
        assert (done.returncode, done.stdout) == (0, "")
        assert out.read_text("utf-8").startswith(begins)
        assert gw_here("graph", "export", GRAPH, "--format", form).stdout == out.read_text("utf-8")
    ET.fromstring((tmp_path / "graph.svg").read_text("utf-8"))  # noqa: S314 - ours
